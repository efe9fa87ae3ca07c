"""Names of touched things: how they are folded, and when two of them mean the same thing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import GateConfig, ToolCall, ToolEffect, ToolProfile
from gate_core.footprint.named import source_of, targets_of
from gate_core.footprint.targets import (
    expand,
    last_name,
    name_target,
    path_target,
    same_target,
    tails,
    url_target,
)
from gate_core.ledger.index import TargetIndex, names

HOME = GateConfig(home="/home/u/")


@pytest.mark.parametrize(
    ("raw", "cwd", "target"),
    [
        ("a.cfg", "", "a.cfg"),
        ("./a.cfg", "", "a.cfg"),
        ("a/../b.cfg", "", "b.cfg"),
        ("a.cfg", "/p", "/p/a.cfg"),
        ("a.cfg", "/p/", "/p/a.cfg"),
        ("../a.cfg", "/p/q", "/p/a.cfg"),
        ("/p//q/./a.cfg", "/x", "/p/q/a.cfg"),
        ("//p/a.cfg", "", "/p/a.cfg"),
        ("/p/q/", "", "/p/q"),
        ("~/a.cfg", "/p", "/home/u/a.cfg"),
        ("~", "/p", "/home/u"),
        ("~other/a.cfg", "/p", "~other/a.cfg"),
        ("file:///p/a.cfg", "", "/p/a.cfg"),
        ("src\\a.py", "", "src/a.py"),
        ("C:\\p\\a.cfg", "", "C:/p/a.cfg"),
        ("C:/p/../a.cfg", "/x", "C:/a.cfg"),
        ("a.cfg", "C:\\p", "C:/p/a.cfg"),
        ("/private/tmp/a", "", "/tmp/a"),
        ("/private", "", "/private"),
        ("/private/var/x", "", "/var/x"),
        ("/private/tmp", "", "/tmp"),
        ("/private/tmpx/a", "", "/private/tmpx/a"),
        ("/private/notes/a", "", "/private/notes/a"),
        ("/p/private/tmp", "", "/p/private/tmp"),
        ("file://localhost/p/a.cfg", "", "/p/a.cfg"),
        ("file:///p/my%20file.txt", "", "/p/my file.txt"),
        ("FILE:///p/a", "", "/p/a"),
        ("file:///C:/p/a", "", "C:/p/a"),
        ("file:///c%3A/p", "", "C:/p"),
        ("/p/100%25.txt", "", "/p/100%25.txt"),
        ("c:\\p\\a.cfg", "", "C:/p/a.cfg"),
        ("..\\a.py", "C:\\p\\q", "C:/p/a.py"),
        ("a\\b/c", "", "a\\b/c"),
        ("\\\\host\\share\\a", "", "/host/share/a"),
        ("caf\u0065\u0301.txt", "/p", "/p/caf\u00e9.txt"),
        ("/p/../../a", "", "/a"),
        ("~/../u/a", "", "/home/u/a"),
        ("/p/my file.txt", "", "/p/my file.txt"),
        ("/p/a+b@c:d[1].txt", "", "/p/a+b@c:d[1].txt"),
        ("(app)/[slug]/page.tsx", "/p", "/p/(app)/[slug]/page.tsx"),
        (".", "/p", "/p"),
        (".", "", "."),
        ("", "", ""),
        ("  a.cfg ", "", "a.cfg"),
    ],
)
def test_a_path_is_folded(raw: str, cwd: str, target: str) -> None:
    """Absolute when the working directory is known, folded without asking the disk."""
    assert path_target(raw, cwd=cwd, config=HOME) == target


def test_case_counts_unless_told_otherwise() -> None:
    """`case_insensitive` folds case; the default does not."""
    assert path_target("/P/A.cfg", config=HOME) == "/P/A.cfg"
    assert path_target("/P/A.cfg", config=GateConfig(case_insensitive=True)) == "/p/a.cfg"


@pytest.mark.parametrize(
    ("raw", "target"),
    [
        ("https://A.example/x/", "https://a.example/x"),
        ("https://a.example/x?q=1", "https://a.example/x?q=1"),
        ("https://a.example/x/?q=1", "https://a.example/x/?q=1"),
        ("https://a.example/x#part", "https://a.example/x"),
        ("https://[broken", "https://[broken"),
        ("http://a.example/x", "https://a.example/x"),
        ("http://a.example:80/x", "https://a.example/x"),
        ("https://a.example:443/x", "https://a.example/x"),
        ("http://a.example:8080/x", "http://a.example:8080/x"),
        ("https://a.example:8443", "https://a.example:8443"),
        ("http://localhost/x", "http://localhost/x"),
        ("http://localhost:8000/x", "http://localhost:8000/x"),
        ("http://127.0.0.1/x", "http://127.0.0.1/x"),
        ("http://[::1]/x", "http://[::1]/x"),
        ("https://user:pw@a.example/x", "https://a.example/x"),
        ("https://u%40b:p@A.example:443/x", "https://a.example/x"),
        ("postgres://u:pw@db.example/x", "postgres://db.example/x"),
        ("https://a.example/X", "https://a.example/X"),
        ("https://a.example/x/../y/./z", "https://a.example/y/z"),
        ("https://a.example?", "https://a.example"),
        ("https://a.example:port/x", "https://a.example:port/x"),
        ("s3://b/k", "s3://b/k"),
    ],
)
def test_a_url_is_host_path_and_query(raw: str, target: str) -> None:
    """A fragment and a closing slash name nothing; a URL nobody can take apart names itself."""
    assert url_target(raw) == target
    assert name_target(raw, HOME) == target


SAME = [
    ("a.cfg", "a.cfg"),
    ("a.cfg", "/p/a.cfg"),
    ("q/a.cfg", "/p/q/a.cfg"),
    ("q/a.cfg", "p/q/a.cfg"),
    ("a.cfg", "C:/p/a.cfg"),
    ("a:b.txt", "/p/a:b.txt"),
    ("my file.txt", "/p/my file.txt"),
    ("node_modules/x/a.js", "/p/node_modules/x/a.js"),
    ("example.com/x", "https://example.com/x"),
    ("example.com", "https://example.com"),
    ("localhost:8000/x", "http://localhost:8000/x"),
    ("a [1]/b+c@d.txt", "/p/a [1]/b+c@d.txt"),
]
OTHER = [
    ("a.cfg", "/p/aa.cfg"),
    ("a.cfg", "/p/a.cfg/b"),
    ("q/a.cfg", "/p/xq/a.cfg"),
    ("/q/a.cfg", "/p/q/a.cfg"),
    ("/a.cfg", "/p/a.cfg"),
    ("~/a.cfg", "/home/u/a.cfg"),
    ("a.cfg", "/p/A.cfg"),
    ("a.js", "/p/node_modules/x/a.js"),
    ("a.py", "/p/.venv/lib/a.py"),
    ("a.py", "/x/site-packages/a.py"),
    ("config", "/p/.git/config"),
    ("", "/p/"),
    (".", "/p/."),
    ("x", "https://a.example/x"),
    ("4471", "ticket:4471"),
    ("b", "memory:a/b"),
    ("https://a.example/x", "https://b.example/x"),
    ("ticket:1", "ticket:2"),
    ("example.com/x", "https://www.example.com/x"),
    ("com/x", "https://example.com/x"),
    ("example.com/x", "https://example.com/x/y"),
    ("example.com/x", "https://example.com/x?q=1"),
    ("example.com/x", "http://example.com:8080/x"),
    ("intranet/x", "https://intranet/x"),
    ("/p/a:b.txt", "b.txt"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_these_mean_the_same(one: str, other: str) -> None:
    """Equal, or one is relative and its whole components end the other; either way round."""
    assert same_target(one, other)
    assert same_target(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_these_do_not_mean_the_same(one: str, other: str) -> None:
    """Two absolute paths never match, nor half a component, nor a bare name in a folder of others."""
    assert not same_target(one, other)
    assert not same_target(other, one)


@pytest.mark.parametrize(
    ("template", "args", "found"),
    [
        ("{path}", {"path": "a"}, ["a"]),
        ("{paths}", {"paths": ["a", "b"]}, ["a", "b"]),
        ("{edits.path}", {"edits": [{"path": "a"}, {"path": "b"}, {}]}, ["a", "b"]),
        ("res:{o.id}", {"o": {"id": 7}}, ["res:7"]),
        ("{a}/{b}", {"a": "x", "b": "y"}, ["x/y"]),
        ("{a}/{b}", {"a": "{b}", "b": "y"}, ["{b}/y"]),
        ("{a}:{a}", {"a": "x"}, ["x:x"]),
        ("{a}/{b}", {"a": "x"}, []),
        ("{path}", {}, []),
        ("{path}", {"path": ""}, []),
        ("{path}", {"path": "  "}, []),
        ("{path}", {"path": None}, []),
        ("{path}", {"path": True}, []),
        ("{path}", {"path": {"a": 1}}, []),
        ("{path.x}", {"path": "a"}, []),
        ("calendar", {}, ["calendar"]),
        ("", {}, []),
    ],
)
def test_a_template_expands(template: str, args: dict[str, Any], found: list[str]) -> None:
    """One target per list item, none for a missing argument, a constant as it is, values never read as templates."""
    assert list(expand(template, args)) == found


def _targets(tool: str, args: dict[str, Any], origin: str = "", config: GateConfig = HOME, **profile: Any) -> Any:
    call = ToolCall(tool=tool, args=args, origin=origin, cwd="/p")
    return targets_of(ToolProfile(name=tool, effect=ToolEffect.CHANGE, **profile), call, config)


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({"path": "a"}, [("/p/a", "files")]),
        ({"filePath": "a"}, [("/p/a", "files")]),
        ({"target_file": "a"}, [("/p/a", "files")]),
        ({"files": ["a", "b", "a"]}, [("/p/a", "files"), ("/p/b", "files")]),
        ({"url": "https://A.example/x/"}, [("https://a.example/x", "host:a.example")]),
        ({"id": 7}, [("order:7", "order")]),
        ({"user_id": "u1"}, [("user:u1", "user")]),
        ({"userId": "u1"}, [("user:u1", "user")]),
        ({"text": "hello /p/a"}, [("tool:update_order", "tool:update_order")]),
        ({}, [("tool:update_order", "tool:update_order")]),
    ],
    ids=str,
)
def test_arguments_name_targets_by_their_keys(args: dict[str, Any], found: list[tuple[str, str]]) -> None:
    """Path-, url- and id-like keys name targets; without any the tool itself is the target."""
    assert list(_targets("update_order", args)) == found


def test_the_domain_is_the_world_of_the_origin() -> None:
    """The targets of an MCP server live in that server, unless the profile says otherwise."""
    assert _targets("mcp__crm__set", {"path": "a"}) == (("a", "mcp:crm"),)
    assert _targets("mcp__crm__set", {"id": 1}) == (("set:1", "mcp:crm"),)
    assert _targets("mcp__crm__set", {}) == (("tool:mcp__crm__set", "mcp:crm"),)
    assert _targets("mcp__fs__set", {"path": "a"}, domain="files") == (("/p/a", "files"),)
    assert _targets("set", {}, domain="crm") == (("tool:set", "crm"),)
    assert _targets("set", {"k": "x"}, targets=("note:{k}",)) == (("note:x", "note"),)
    assert _targets("set", {"k": "a:b"}, targets=("{k}",), domain="files") == (("/p/a:b", "files"),)


def test_a_surface_entry_named_in_an_argument_is_the_target() -> None:
    """A declared subject is recognised inside any text argument, where nothing else names a target."""
    config = GateConfig(surface=("conf/app.cfg",))
    assert _targets("tweak", {"what": "set t in conf/app.cfg"}, config=config) == (("/p/conf/app.cfg", "files"),)
    assert _targets("tweak", {"what": "set t"}, config=config) == (("tool:tweak", "tool:tweak"),)


def test_a_listing_without_a_path_lists_where_it_stands() -> None:
    """`ls` alone lists the working directory."""
    for tool, args in (("list_dir", {}), ("Glob", {"pattern": "*"}), ("Grep", {"pattern": "x"})):
        from gate_core.profiles import resolve

        call = ToolCall(tool=tool, args=args, cwd="/p")
        assert targets_of(resolve(call, HOME).profile, call, HOME) == (("/p", "files"),)


def test_a_move_has_a_source() -> None:
    """What a move takes away is placed like a target; where no profile names it, the keys of the arguments do."""
    call = ToolCall(tool="mv", args={"src": "a", "dst": "b"}, cwd="/p")
    move = ToolProfile(name="mv", effect=ToolEffect.MOVE, targets=("{dst}",), source="{src}", domain="files")
    assert source_of(move, call, HOME) == (("/p/a", "files"),)
    assert source_of(ToolProfile(name="mv", effect=ToolEffect.MOVE), call, HOME) == (("/p/a", "files"),)
    alone = ToolCall(tool="mv", args={"src": "a"}, cwd="/p")
    assert source_of(ToolProfile(name="mv", effect=ToolEffect.MOVE), alone, HOME) == ()


def test_the_last_name_is_the_last_component() -> None:
    """A closing slash does not count."""
    assert [last_name(target) for target in ("/p/a/", "a", "ticket:1", "/")] == ["a", "a", "ticket:1", ""]


def test_tails_are_whole_components() -> None:
    """URLs and ids have none; a very deep path has the last forty."""
    assert list(tails("/p/q/a")) == ["a", "q/a", "p/q/a"]
    assert list(tails("C:/p/a")) == ["a", "p/a"]
    assert list(tails("https://a/b")) == list(tails("ticket:1/2")) == list(tails("a")) == []
    assert len(list(tails("/x" * 500))) == 40


_PART = st.sampled_from(["a", "b", "c.py", "node_modules", ".git", "C:", "https:", "t:1", "~", ""])
_TARGET = st.builds("/".join, st.lists(_PART, min_size=1, max_size=4))


@settings(deadline=None, max_examples=60, derandomize=True)
@given(held=st.lists(_TARGET, max_size=12), wanted=_TARGET)
def test_the_index_finds_what_comparing_with_all_would_find(held: list[str], wanted: str) -> None:
    """`TargetIndex` is `same_target` over everything it holds, only cheaper; so is `names`."""
    index: TargetIndex[int] = TargetIndex()
    for number, target in enumerate(held):
        index[target] = number
    expected = {target for target in held if same_target(target, wanted)}
    assert {target for target, _ in index.matching(wanted)} == expected
    assert names(held).means(wanted) is bool(expected)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(held=st.lists(_TARGET, max_size=8), gone=st.lists(_TARGET, max_size=8), wanted=_TARGET)
def test_the_index_forgets(held: list[str], gone: list[str], wanted: str) -> None:
    """What was popped is not found again; popping what is not there does nothing."""
    index: TargetIndex[None] = TargetIndex()
    for target in held:
        index[target] = None
    for target in gone:
        index.pop(target)
    left = set(held) - set(gone)
    assert {target for target, _ in index.matching(wanted)} == {t for t in left if same_target(t, wanted)}
    assert [target in index for target in held] == [target in left for target in held]
    assert len(list(index.values())) == len(left)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(one=_TARGET, other=_TARGET)
def test_sameness_has_no_direction(one: str, other: str) -> None:
    """`same_target` is reflexive and symmetric."""
    assert same_target(one, one)
    assert same_target(one, other) == same_target(other, one)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(raw=st.text(max_size=40), cwd=st.sampled_from(["", "/p", "C:\\p"]))
def test_folding_twice_is_folding_once(raw: str, cwd: str) -> None:
    """A target is its own target."""
    once = path_target(raw, cwd=cwd, config=HOME)
    assert path_target(once, cwd=cwd, config=HOME) == once
