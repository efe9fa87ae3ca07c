"""MCP annotations: a server may make its tool stricter, and looser only when the user trusts it."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, ToolCall, ToolEffect, ToolProfile, observe
from gate_core.profiles import resolve
from gate_core.profiles.annotations import hints_of

READS, WRITES, DESTROYS = {"readOnlyHint": True}, {"readOnlyHint": False}, {"destructiveHint": True}
TRUSTING = GateConfig(trusted_servers=("crm",))


def _call(tool: str, annotations: Any, origin: str = "mcp:crm", **more: Any) -> ToolCall:
    return ToolCall(tool=tool, origin=origin, side={"annotations": annotations}, **more)


def _found(call: ToolCall, config: GateConfig | None = None) -> tuple[str, str]:
    found = resolve(call, config or GateConfig())
    return found.source, found.profile.effect.value


@pytest.mark.parametrize(
    ("tool", "annotations", "stranger", "trusted"),
    [
        ("frob", READS, ("hint", "list"), ("hint", "read")),
        ("get_note", READS, ("verb", "read"), ("verb", "read")),
        ("list_notes", READS, ("verb", "list"), ("verb", "list")),
        ("update_note", READS, ("verb", "change"), ("hint", "read")),
        ("delete_note", READS, ("verb", "delete"), ("hint", "read")),
        ("run_query", READS, ("verb", "exec"), ("hint", "read")),
        ("frob", WRITES, ("hint", "change"), ("hint", "change")),
        ("get_note", WRITES, ("", "unknown"), ("", "unknown")),
        ("list_notes", WRITES, ("", "unknown"), ("", "unknown")),
        ("update_note", WRITES, ("verb", "change"), ("verb", "change")),
        ("delete_note", WRITES, ("verb", "delete"), ("verb", "delete")),
        ("frob", DESTROYS, ("hint", "change"), ("hint", "change")),
        ("get_note", DESTROYS, ("hint", "change"), ("hint", "change")),
        ("get_note", {**WRITES, **DESTROYS}, ("hint", "change"), ("hint", "change")),
        ("delete_note", DESTROYS, ("verb", "delete"), ("verb", "delete")),
        ("get_note", {**READS, **DESTROYS}, ("verb", "read"), ("verb", "read")),
        ("get_note", {"destructiveHint": False}, ("verb", "read"), ("verb", "read")),
        ("delete_note", {"destructiveHint": False}, ("verb", "delete"), ("verb", "delete")),
        ("frob", {"idempotentHint": True, "openWorldHint": False}, ("", "unknown"), ("", "unknown")),
        ("frob", {}, ("", "unknown"), ("", "unknown")),
    ],
)
def test_a_hint_makes_stricter_and_only_trust_makes_looser(
    tool: str, annotations: Any, stranger: tuple[str, str], trusted: tuple[str, str]
) -> None:
    """The same hint of a stranger and of a server in `trusted_servers`."""
    call = _call(tool, annotations)
    assert (_found(call), _found(call, TRUSTING)) == (stranger, trusted)


@pytest.mark.parametrize("name", ["crm", "mcp:crm"])
def test_a_trusted_server_is_named_with_or_without_its_scheme(name: str) -> None:
    """Both spellings of the origin are understood; another server of a longer name is a stranger."""
    config = GateConfig(trusted_servers=(name,))
    assert _found(_call("update_note", READS), config) == ("hint", "read")
    assert _found(_call("mcp__crm__update_note", READS, origin=""), config) == ("hint", "read")
    assert _found(_call("update_note", READS, origin="mcp:crm2"), config) == ("verb", "change")
    assert _found(_call("update_note", READS, origin="builtin"), config) == ("verb", "change")
    assert _found(_call("update_note", READS, origin=""), GateConfig(trusted_servers=("",))) == ("verb", "change")


def test_authority_runs_from_the_user_down_to_the_verb() -> None:
    """User, host, catalog, hint, verb; a hint may only make a catalog entry stricter."""
    own = GateConfig(profiles={"get_note": ToolProfile(name="get_note", effect=ToolEffect.READ)})
    assert _found(_call("get_note", DESTROYS), own) == ("user", "read")
    assert _found(_call("get_note", DESTROYS, mutating=False)) == ("host", "read")
    trusted = GateConfig(trusted_servers=("filesystem",))
    read: dict[str, Any] = {"origin": "mcp:filesystem", "args": {"path": "/p/a"}}
    assert _found(_call("read_text_file", WRITES, **read)) == ("catalog", "unknown")
    assert _found(_call("read_text_file", DESTROYS, **read)) == ("catalog", "change")
    assert _found(_call("read_text_file", READS, **read)) == ("catalog", "read")
    write: dict[str, Any] = {"origin": "mcp:filesystem", "args": {"path": "/p/a", "content": "x"}}
    assert _found(_call("write_file", READS, **write), trusted) == ("catalog", "change")


def test_a_stricter_catalog_entry_keeps_its_targets() -> None:
    """What a contradicted reader may have changed is the file it named, in the world of the files."""
    call = _call("read_text_file", WRITES, origin="mcp:filesystem", args={"path": "/p/a"}, result="t")
    assert [(e.did.value, e.target, e.domain) for e in observe(call, GateConfig()).effects] == [
        ("opaque", "/p/a", "files"),
        ("showed", "/p/a", "files"),
    ]


JUNK: list[Any] = [
    None,
    5,
    "readOnlyHint",
    [],
    ["readOnlyHint"],
    {"readOnlyHint": "true"},
    {"readOnlyHint": 1},
    {"readOnlyHint": None},
    {"readOnlyHint": []},
    {1: True},
    {"title": "x" * 1000},
    {"destructiveHint": {}},
    {"annotations": {"readOnlyHint": True}},
    b"x",
    object(),
    {"read_only_hint": True},
    {"\ud800": "\0"},
]


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_junk_says_nothing(junk: Any) -> None:
    """Only true and false under the two known keys count; the rest is as if it were not there, and never raises."""
    assert hints_of(_call("frob", junk), ("crm",)) is None
    assert _found(_call("get_note", junk), TRUSTING) == ("verb", "read")
    assert observe(_call("frob", junk), GateConfig()).profile == ""


def _settled(tool: str, annotations: Any, config: GateConfig) -> bool:
    """Whether a look with this tool pays for a change of the same thing."""
    gate = Gate(config)
    gate.begin_turn("Set note 7 to x.")
    gate.observe(ToolCall(tool="update_note", origin="mcp:crm", args={"note_id": 7}, result="done", call_id="1"))
    gate.observe(_call(tool, annotations, args={"note_id": 7}, result="x", call_id="2"))
    return gate.boundary_check(Attempt(parts=("Done.",), claim="completion")).decision.value == "ACCEPT"


def test_what_a_look_is_worth_follows_from_who_says_that_it_is_one() -> None:
    """A stranger's hint earns the listed tier, which pays for no content; a trusted one and a verb pay."""
    assert not _settled("frob", {}, GateConfig())
    assert not _settled("frob", READS, GateConfig())
    assert _settled("frob", READS, TRUSTING)
    assert _settled("get_note", {}, GateConfig())
    assert not _settled("get_note", WRITES, GateConfig())
