"""Which catalog entry a call gets, what names and arguments say where there is none, and what user profiles may say."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import ConfigError, GateConfig, ToolCall, ToolEffect, ToolProfile, observe, parse_config
from gate_core.footprint.outcome import exit_of, outcome_of
from gate_core.footprint.patch import Operation, operations
from gate_core.footprint.sql import only_looks
from gate_core.model.profile import parse_profile
from gate_core.profiles import resolve
from gate_core.profiles.catalog import CATALOGS, entries, profiles_named
from gate_core.profiles.origin import BUILTIN, reference_of
from gate_core.profiles.verbs import effect_of_call, noun_of

PLACES = sorted({(row.get("origin", BUILTIN), row["name"]) for row in entries()})
"""Origin and name of every entry."""


def _source(call: ToolCall, config: GateConfig | None = None) -> str:
    return resolve(call, config or GateConfig()).source


def _effects(call: ToolCall, **config: Any) -> list[tuple[str, str, str]]:
    return [(e.did.value, e.target, e.domain) for e in observe(call, GateConfig(**config)).effects]


def test_the_catalogs_are_the_shipped_files() -> None:
    """Every file is read, and every entry can be found by its origin and name."""
    assert set(CATALOGS) == {"neutral", "claude", "anthropic", "langchain", "openai", "mcp"}
    assert all(profiles_named(row.get("origin", BUILTIN), row["name"]) for row in entries())
    assert sum(len(profiles_named(*key)) for key in PLACES) == len(entries()) >= 200


def test_no_entry_stands_in_the_shadow_of_another() -> None:
    """The first entry whose shape fits wins, so a later one of the same name needs something the earlier does not."""
    for origin, name in PLACES:
        rows = profiles_named(origin, name)
        for at, row in enumerate(rows):
            assert not [r for r in rows[:at] if set(r.needs) <= set(row.needs)], (origin, name, row.needs)


@pytest.mark.parametrize(
    ("origin", "reference"),
    [
        ("mcp:filesystem", "mcp:filesystem"),
        ("mcp:my-filesystem", "mcp:filesystem"),
        ("mcp:Filesystem_Server", "mcp:filesystem"),
        ("mcp:fs", "mcp:filesystem"),
        ("mcp:mcp-server-git", "mcp:git"),
        ("mcp:sequential-thinking", "mcp:sequential-thinking"),
        ("mcp:sequentialthinking", "mcp:sequential-thinking"),
        ("mcp:server sequential thinking", "mcp:sequential-thinking"),
        ("mcp:github", "mcp:github"),
        ("mcp:myfilesystem", "mcp:myfilesystem"),
        ("mcp:gitfs", "mcp:gitfs"),
        ("mcp:thinking", "mcp:thinking"),
        ("mcp:unknown", "mcp:unknown"),
        ("mcp:", "mcp:"),
        ("builtin", "builtin"),
        ("filesystem", "filesystem"),
        ("", ""),
    ],
)
def test_a_reference_server_is_known_by_a_word_of_its_name(origin: str, reference: str) -> None:
    """`my-filesystem` is the filesystem server, `github` is not git; only MCP servers are."""
    assert reference_of(origin) == reference


@pytest.mark.parametrize(
    ("call", "source"),
    [
        (ToolCall(tool="Read", args={"file_path": "/p/a"}), "catalog"),
        (ToolCall(tool="Read", args={"file_path": "/p/a"}, origin="builtin"), "catalog"),
        (ToolCall(tool="Read", args={"file_path": "/p/a"}, origin="mcp:filesystem"), "verb"),
        (ToolCall(tool="Read", args={"file_path": "/p/a"}, origin="mcp:x"), "verb"),
        (ToolCall(tool="mcp__x__Read", args={"file_path": "/p/a"}), "verb"),
        (ToolCall(tool="mcp__fs__read_file", args={"path": "/p/a"}), "catalog"),
        (ToolCall(tool="mcp__fs__read_file", args={"file": "/p/a"}), "verb"),
        (ToolCall(tool="mcp__box__read_file", args={"path": "/p/a"}), "verb"),
        (ToolCall(tool="read_text_file", args={"path": "/p/a"}), "verb"),
        (ToolCall(tool="git_status", args={"repo_path": "/p"}, origin="mcp:git"), "catalog"),
        (ToolCall(tool="git_status", args={"repo_path": "/p"}, origin="mcp:github"), ""),
        (ToolCall(tool="git_status", args={}, origin="mcp:git"), ""),
    ],
)
def test_an_entry_is_bound_to_its_origin_and_shape(call: ToolCall, source: str) -> None:
    """A `Read` of some MCP server is not the built-in, whatever the server is called."""
    assert _source(call) == source


def test_a_files_server_and_a_reader_of_the_framework_share_one_world() -> None:
    """A write of the filesystem server and a built-in read speak of the same file; one of another server does not."""
    write = ToolCall(
        tool="mcp__fs__write_file", args={"path": "a", "content": "x"}, result="Successfully wrote", cwd="/p"
    )
    assert _effects(write) == [("changed", "/p/a", "files")]
    other = ToolCall(tool="mcp__box__write_file", args={"path": "a", "content": "x"}, result="ok", cwd="/p")
    assert _effects(other) == [("changed", "a", "mcp:box")]


@pytest.mark.parametrize(
    ("tool", "args", "effect"),
    [
        ("manage_ticket", {"action": "delete"}, "delete"),
        ("manage_ticket", {"action": "deleteAll"}, "delete"),
        ("manage_ticket", {"operation": "list"}, "list"),
        ("manage_ticket", {"command": "get_status"}, "read"),
        ("manage_ticket", {"action": "get", "operation": "update"}, "change"),
        ("http_request", {"method": "DELETE"}, "delete"),
        ("http_request", {"method": "POST"}, "change"),
        ("http_request", {"method": "GET"}, "read"),
        ("update_ticket", {"action": "get"}, "change"),
        ("update_ticket", {"action": "delete"}, "delete"),
        ("execute_step", {"action": "list"}, "exec"),
        ("list_events", {"action": "delete"}, "list"),
        ("get_log", {"command": "delete"}, "read"),
        ("manage_ticket", {"action": "rm -rf /"}, None),
        ("manage_ticket", {"action": 5}, None),
        ("manage_ticket", {"action": ["delete"]}, None),
        ("manage_ticket", {"note": "delete"}, None),
        ("manage_ticket", {}, None),
    ],
)
def test_a_dispatcher_is_what_its_argument_says(tool: str, args: dict[str, Any], effect: str | None) -> None:
    """The most dangerous verb of name and argument; what a looking tool is given is a filter."""
    found = effect_of_call(ToolCall(tool=tool, args=args))
    assert (found.value if found is not None else None) == effect


def test_a_catalog_entry_is_no_dispatcher() -> None:
    """Where the tool is known, its entry says what an argument does."""
    call = ToolCall(tool="str_replace_based_edit_tool", args={"command": "view", "path": "/p/a"}, result="t")
    assert _effects(call) == [("showed", "/p/a", "files")]


@pytest.mark.parametrize(
    ("tool", "noun"),
    [
        ("get_order", "order"),
        ("get_order_details", "order"),
        ("getOrderStatus", "order"),
        ("list_orders", "order"),
        ("update_order_item", "item"),
        ("order", "order"),
        ("place_order", "order"),
        ("create-event", "event"),
        ("mcp__crm__get_note", "note"),
        ("set", "set"),
        ("get_address", "address"),
        ("", "id"),
    ],
)
def test_a_name_is_about_a_thing(tool: str, noun: str) -> None:
    """So that what `update_order` changed is what `get_order_details` shows."""
    assert noun_of(tool) == noun


@pytest.mark.parametrize(
    ("call", "effects"),
    [
        (ToolCall(tool="update_order", args={"user_id": "u1", "order_id": 7}), [("changed", "order:7", "order")]),
        (ToolCall(tool="update_order", args={"order": {"id": 7}}), [("changed", "order:7", "order")]),
        (
            ToolCall(tool="update_orders", args={"orders": [{"id": 1}, {"id": 2}]}),
            [("changed", "order:1", "order"), ("changed", "order:2", "order")],
        ),
        (
            ToolCall(tool="pay", args={"user_id": "u1", "bill_id": 7}),
            [("changed", "user:u1", "user"), ("changed", "bill:7", "bill")],
        ),
        (
            ToolCall(tool="update_order_items", args={"order_id": 7, "items": [{"item_id": 1}]}),
            [("changed", "order:7", "order")],
        ),
        (
            ToolCall(tool="pay", args={"user_id": "u1", "cards": [{"card_id": 1}]}),
            [("changed", "user:u1", "user")],
        ),
        (ToolCall(tool="close_issue", args={"issue_number": 7}), [("changed", "issue:7", "issue")]),
        (ToolCall(tool="update_view", args={"page_number": 7}), [("opaque", "tool:update_view", "tool:update_view")]),
        (
            ToolCall(tool="book_flight", args={"destination": "Paris"}),
            [("opaque", "tool:book_flight", "tool:book_flight")],
        ),
        (ToolCall(tool="copy_file", args={"source": "a", "destination": "b"}), [("changed", "b", "files")]),
        (
            ToolCall(tool="rename", args={"old_path": "x/a", "new_path": "x/b"}),
            [("deleted", "x/a", "files"), ("changed", "x/b", "files")],
        ),
        (
            ToolCall(tool="upload", args={"source": "./a", "destination": "s3://b/k"}),
            [("changed", "s3://b/k", "host:b")],
        ),
        (
            ToolCall(tool="update_page", args={"url": "example.com/x"}),
            [("changed", "https://example.com/x", "host:example.com")],
        ),
        (ToolCall(tool="update_page", args={"url": "/login"}), [("changed", "url:/login", "url")]),
        (ToolCall(tool="update_page", args={"url": "file:///p/a%20b"}), [("changed", "/p/a b", "files")]),
        (ToolCall(tool="update_x", args={"path": "a:b"}), [("changed", "a:b", "files")]),
        (ToolCall(tool="delete_x", args={}), [("opaque", "tool:delete_x", "tool:delete_x")]),
        (ToolCall(tool="rename_x", args={}), [("opaque", "tool:rename_x", "tool:rename_x")]),
    ],
    ids=lambda value: value.tool if isinstance(value, ToolCall) else None,
)
def test_arguments_name_what_a_change_is_about(call: ToolCall, effects: list[tuple[str, str, str]]) -> None:
    """Ids of the thing the tool's name speaks of, paths and addresses; where nothing is named, the change is opaque."""
    assert _effects(call) == effects


OWN = {"book": ToolProfile(name="book", effect=ToolEffect.CHANGE)}


@pytest.mark.parametrize(
    ("result", "effects"),
    [
        ({"id": "b9"}, [("changed", "tool:book", "none"), ("changed", "book:b9", "none")]),
        ({"id": "b9", "price": 3}, [("changed", "tool:book", "state"), ("changed", "book:b9", "state")]),
        ({"booking": {"id": "b9", "price": 3}}, [("changed", "tool:book", "state"), ("changed", "book:b9", "state")]),
        ('{"id": "b9", "price": 3}', [("changed", "tool:book", "state"), ("changed", "book:b9", "state")]),
        ([{"type": "text", "text": '{"id": 9}'}], [("changed", "tool:book", "none"), ("changed", "book:9", "none")]),
        ({"id": "b9", "success": False}, [("changed", "tool:book", "none")]),
        ({"user_id": "u1"}, [("changed", "tool:book", "none")]),
        ({"id": "a text\nof two lines"}, [("changed", "tool:book", "none")]),
        ("booked b9", [("changed", "tool:book", "none")]),
        (None, [("changed", "tool:book", "none")]),
    ],
)
def test_a_change_profile_without_targets_changes_the_tool_and_what_its_receipt_shows(
    result: Any, effects: list[tuple[str, str, str]]
) -> None:
    """The id of the new thing is a target too; a failure shows none; an id alone is no read-back."""
    fact = observe(ToolCall(tool="book", args={"seat": "1A"}, result=result), GateConfig(profiles=OWN))
    assert [(e.did.value, e.target, e.receipt.value) for e in fact.effects] == effects


def test_a_template_names_what_was_read_whether_or_not_the_result_repeats_it() -> None:
    """An ok call of a reader shows the id its template names; a failed one does not."""
    config = {"profiles": {"look": ToolProfile(name="look", effect=ToolEffect.READ, targets=("res:{id}",))}}
    assert _effects(ToolCall(tool="look", args={"id": "H7"}, result={"status": "active"}), **config) == [
        ("showed", "res:H7", "res")
    ]
    assert _effects(ToolCall(tool="look", args={"id": "H7"}, result={"error": "x"}), **config) == []


def test_an_unknown_tool_may_have_changed_what_it_names() -> None:
    """It shows what it returned, opens no debt, and a call that failed without effect stirs nothing."""
    call: dict[str, Any] = {"tool": "frob", "args": {"path": "/p/a"}}
    assert _effects(ToolCall(**call, result="t")) == [("opaque", "/p/a", "files"), ("showed", "/p/a", "files")]
    assert _effects(ToolCall(**call, result="Error: access denied")) == []
    assert _effects(ToolCall(**call, result='{"success": false}')) == []
    assert _effects(ToolCall(**call, result="boom", exit_code=1)) == [("opaque", "/p/a", "files")]


@pytest.mark.parametrize(
    ("text", "code", "outcome"),
    [
        ("Chunk ID: 1\nProcess exited with code 0\nOutput:\nok", 0, "ok"),
        ("Process exited with code 2\nOutput:\nProcess exited with code 0", 2, "failed"),
        ("Process exited with code 137\nOutput:\n", 137, "unknown"),
        ("Process running with session ID 7\nOutput:\n", None, "pending"),
        ("Output:\n" + "x\n" * 9 + "Process exited with code 3", None, "ok"),
    ],
)
def test_a_tool_may_say_its_exit_code_in_words(text: str, code: int | None, outcome: str) -> None:
    """In the header of the text; what the program printed after it is not read."""
    call = ToolCall(tool="exec_command", args={"cmd": "make"}, result=text)
    profile = resolve(call, GateConfig()).profile
    assert (exit_of(profile, call), outcome_of(profile, call)) == (code, outcome)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("*** Begin Patch\n*** Add File: a b.py\n+x\n*** End Patch", (Operation("a b.py"),)),
        (
            "*** Update File: a\n*** Move to: b\n*** Delete File: c",
            (Operation("a", moved_to="b"), Operation("c", True)),
        ),
        ("*** Move to: b\n*** Delete File: c", (Operation("c", True),)),
        ('{"operation": {"type": "delete_file", "path": "a"}}', (Operation("a", True),)),
        ('{"operations": [{"path": "a"}, {"path": " "}, 5]}', (Operation("a"),)),
        ([{"path": "a", "move_to": "b"}], (Operation("a", moved_to="b"),)),
        ("{", ()),
        ("[" * 100_000, ()),
        ("no patch", ()),
        (None, ()),
        (5, ()),
    ],
)
def test_a_patch_of_several_operations_names_its_files(value: Any, found: tuple[Operation, ...]) -> None:
    """As the text of a patch, as JSON in a text, or as a list; what is none of them names nothing."""
    assert operations(value) == found


@pytest.mark.parametrize(
    ("query", "looks"),
    [
        ("SELECT 1", True),
        ("  (select 1) union (select 2)", True),
        ("-- drop table t\nselect 1;", True),
        ("/* delete from t */ select 'insert into x'", True),
        ("with a as (select 1) select * from a", True),
        ("show create table t", True),
        ("explain delete from t", True),
        ("pragma table_info(t)", True),
        ('select "update t set" from x', True),
        ("select * from t for update", True),
        ("explain analyze delete from t", False),
        ("with d as (delete from t returning *) select * from d", False),
        ("with u as (update t set a = 1 returning a) select a from u", False),
        ("select 1; drop table t", False),
        ("select * into temp x from t", False),
        ("select 1 into outfile '/x'", False),
        ("select nextval('s')", False),
        ("pragma user_version = 3", False),
        ("selectx", False),
        ("update t set a = 1", False),
        ("'", False),
        ("", False),
        (";", False),
        ("select 1 " + "x" * 200_000, False),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_a_query_looks_when_every_part_of_it_does(query: str, looks: bool) -> None:
    """Every statement, every common table expression; comments and quotes say nothing."""
    assert only_looks(query) is looks


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"effect": "eat"}, "effect must be one of read, list, change", "effect"),
    ({"effect": "chnge"}, "did you mean 'change'?", "effect"),
    ({"effect": "read", "targets": ["{"]}, "is no template", "targets"),
    ({"effect": "read", "targets": ["{a"]}, "is no template", "targets"),
    ({"effect": "read", "targets": ["a}"]}, "is no template", "targets"),
    ({"effect": "read", "targets": ["{}"]}, "is no template", "targets"),
    ({"effect": "read", "targets": ["{a b}"]}, "is no template", "targets"),
    ({"effect": "move", "source": "{src"}, "is no template", "targets"),
    ({"effect": "read", "domain": "x:{"}, "is no template", "targets"),
    ({"effect": "change", "failed": ["("]}, "pattern '('", "failed"),
    ({"effect": "change", "receipt": "stat"}, "receipt must be one of none, content, state", "receipt"),
    ({"effect": "change", "risk": "huge"}, "risk must be low, medium or high", "risk"),
    ({"effect": "read", "target": "x"}, "did you mean 'targets'?", "target"),
    ({"targets": ["x"]}, "missing key", "effect"),
]


@pytest.mark.parametrize(("data", "message", "key"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_profile_is_an_error_that_names_it(data: dict[str, Any], message: str, key: str) -> None:
    """From TOML or from Python: which profile, which key, what was expected."""
    with pytest.raises(ConfigError, match=re.escape(message)) as caught:
        parse_config({"profiles": {"book_it": data}})
    assert caught.value.key == key
    assert "'book_it'" in str(caught.value)
    if "effect" in data and "target" not in data:
        with pytest.raises(ConfigError, match=re.escape(message)):
            ToolProfile(name="book_it", **data)


def test_a_profile_from_python_and_from_toml_is_the_same() -> None:
    """Strings stand for closed choices and for lists of one; hyphens may stand in names of arguments."""
    from_python = ToolProfile(name="t", effect="change", targets="a:{b-c}", receipt="state")  # type: ignore[arg-type]
    assert from_python == parse_profile("t", {"effect": "change", "targets": ["a:{b-c}"], "confirms": True})
    call = ToolCall(tool="t", args={"b-c": "x"})
    assert _effects(call, profiles={"t": from_python}) == [("changed", "a:x", "a")]


def test_a_users_profile_is_found_by_any_of_its_names() -> None:
    """The full name, the name behind a server, the bare one; a profile with an origin is for that origin alone."""
    own = ToolProfile(name="x", effect=ToolEffect.NEUTRAL)
    bare, full = ToolCall(tool="get_x", origin="mcp:crm"), ToolCall(tool="mcp__crm__get_x")
    for name in ("get_x", "mcp__crm__get_x"):
        assert [_source(call, GateConfig(profiles={name: own})) for call in (bare, full)] == ["user", "user"]
    bound = GateConfig(profiles={"get_x": ToolProfile(name="get_x", effect=ToolEffect.NEUTRAL, origin="mcp:crm")})
    assert [_source(ToolCall(tool="get_x", origin=o), bound) for o in ("mcp:crm", "mcp:b", "")] == [
        "user",
        "verb",
        "verb",
    ]


_LEAF = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=8),
    st.just("\ud800\0"),
    st.sampled_from(["Error: x", "not found", '{"error": 1}', "404 Not Found", "0 rows", "queued", "1 of 2"]),
)
_SHAPES = [
    "path",
    "file_path",
    "url",
    "id",
    "ids",
    "type",
    "text",
    "data",
    "action",
    "operations",
    "input",
    "command",
    "name",
]
_ENVELOPE = [
    "content",
    "error",
    "errors",
    "success",
    "status",
    "isError",
    "structuredContent",
    "results",
    "annotations",
]
_KEYS = st.sampled_from(_SHAPES + _ENVELOPE)
_JSON = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=12
)
_TOOLS = st.sampled_from(
    [*sorted({row["name"] for row in entries()}), "frob", "update_x", "delete_x", "move_x", "get_x", ""]
)


def test_a_deep_answer_does_not_raise() -> None:
    """JSON in a text, as deep as a parser goes."""
    for depth in (200, 900, 100_000):
        deep = '{"id": 1, "a": ' * depth + "1" + "}" * depth
        assert observe(ToolCall(tool="book", result=deep), GateConfig(profiles=OWN)).effects


@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    tool=_TOOLS,
    args=st.dictionaries(_KEYS, _JSON, max_size=4),
    result=_JSON,
    side=_JSON,
    origin=st.sampled_from(["", "mcp:fs", "mcp:git", "mcp:memory", "mcp:x"]),
    status=st.sampled_from(["ok", "error", "pending"]),
)
def test_no_payload_raises(tool: str, args: dict[str, Any], result: Any, side: Any, origin: str, status: Any) -> None:
    """Whatever a tool is given and answers: an outcome and effects, the same each time."""
    call = ToolCall(tool=tool, args=args, result=result, side={"annotations": side}, origin=origin, status=status)
    assert observe(call, GateConfig()) == observe(call, GateConfig())
