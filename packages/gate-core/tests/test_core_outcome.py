"""How a call ended, which lines it touched, and what it did: the most specific source decides."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import Did, GateConfig, Outcome, Receipt, ToolCall, ToolProfile, observe
from gate_core.footprint.lines import changed_lines
from gate_core.footprint.outcome import outcome_of
from gate_core.model.kinds import CallStatus, ToolEffect


def _outcome(effect: str, result: Any, status: str = "ok", exit_code: int | None = None, **profile: Any) -> Outcome:
    call = ToolCall(tool="t", result=result, status=CallStatus(status), exit_code=exit_code)
    return outcome_of(ToolProfile(name="t", effect=ToolEffect(effect), **profile), call)


CHANGES: list[tuple[Any, str, int | None, str]] = [
    ("ok", "ok", None, "ok"),
    ("", "ok", None, "ok"),
    (None, "ok", None, "ok"),
    ("whatever", "pending", None, "pending"),
    ("Permission denied", "error", None, "failed"),
    ("String to replace not found in file.", "error", None, "failed"),
    ("Error: no such file", "ok", None, "failed"),
    ("Error: something broke", "ok", None, "unknown"),
    ("timed out after 30 s", "error", None, "unknown"),
    ("timed out after 30 s", "ok", None, "unknown"),
    ("Timeout after 30 s", "ok", None, "unknown"),
    ("504 Gateway Timeout", "ok", None, "unknown"),
    ("timeout = 30", "ok", None, "ok"),
    ("The timeout is 30.", "ok", None, "ok"),
    ("something odd", "error", None, "unknown"),
    ("No changes detected", "ok", None, "no_op"),
    ("Everything up-to-date", "ok", None, "no_op"),
    ("0 rows affected", "ok", None, "no_op"),
    ("nothing to commit", "ok", 1, "failed"),
    ("fine", "ok", 0, "ok"),
    ("fine", "error", 0, "ok"),
    ("fine", "ok", 2, "failed"),
    ("fine", "ok", 137, "unknown"),
    ("fine", "ok", 130, "unknown"),
    ({"success": False}, "ok", None, "failed"),
    ({"ok": False}, "ok", None, "failed"),
    ({"isError": True}, "ok", None, "failed"),
    ({"success": False, "error": "request timed out"}, "ok", None, "unknown"),
    ({"errors": ["connection reset by peer"]}, "ok", None, "unknown"),
    ({"error": "invalid id"}, "ok", None, "failed"),
    ({"errors": []}, "ok", None, "ok"),
    ({"status": 404}, "ok", None, "failed"),
    ({"statusCode": 503}, "ok", None, "unknown"),
    ({"status": 500}, "ok", None, "unknown"),
    ({"status": 400}, "ok", None, "failed"),
    ({"status": "open"}, "ok", None, "ok"),
    ({"status": 201}, "ok", None, "ok"),
    ({"return_code": 0}, "error", None, "ok"),
    ({"exitCode": 1}, "ok", None, "failed"),
    ({"exit_code": True}, "ok", None, "ok"),
    ({"id": 7}, "error", None, "unknown"),
    ([{"type": "text", "text": "Permission denied"}], "error", None, "unknown"),
]


@pytest.mark.parametrize(("result", "status", "exit_code", "outcome"), CHANGES)
def test_a_change_ends_as_its_most_specific_source_says(
    result: Any, status: str, exit_code: int | None, outcome: str
) -> None:
    """Body before cue before exit code before the transport's flag."""
    assert _outcome("change", result, status, exit_code) == outcome


READS: list[tuple[Any, str, int | None, str]] = [
    ("timeout = 30", "ok", None, "ok"),
    ("", "ok", None, "empty"),
    (" \n", "ok", None, "empty"),
    (None, "ok", None, "empty"),
    ("{}", "ok", None, "ok"),
    ("[]", "ok", None, "ok"),
    ("null", "ok", None, "ok"),
    ([], "ok", None, "empty"),
    ({}, "ok", None, "empty"),
    ("FAILED tests/test_a.py\n500 Internal Server Error", "ok", None, "ok"),
    ('{"error": "x", "status": 500}', "ok", None, "ok"),
    ("error: everything\nis in a file of two lines", "ok", None, "ok"),
    ("Error: " + "x" * 400, "ok", None, "ok"),
    ("Error: EACCES: permission denied", "ok", None, "failed"),
    ("Error: ENOENT: no such file", "ok", None, "not_found"),
    ({"error": "ENOENT"}, "ok", None, "not_found"),
    ({"error": {"code": 5}}, "ok", None, "failed"),
    ({"error": "x", "content": "t"}, "ok", None, "ok"),
    ({"isError": True}, "ok", None, "failed"),
    ("File does not exist.", "error", None, "not_found"),
    ("Permission denied", "error", None, "failed"),
    ("text anyway", "error", 1, "ok"),
    ("", "error", 1, "empty"),
    ("x", "pending", None, "pending"),
    ("errors are listed here", "ok", None, "ok"),
]


@pytest.mark.parametrize(("result", "status", "exit_code", "outcome"), READS)
def test_the_content_of_a_read_is_data(result: Any, status: str, exit_code: int | None, outcome: str) -> None:
    """Only the envelope of a reader says how it ended; what stands in a file is never a cue."""
    assert _outcome("read", result, status, exit_code, domain="files") == outcome


@pytest.mark.parametrize(
    ("effect", "profile", "result", "outcome"),
    [
        ("read", {"search": "content"}, "No matches found", "empty"),
        ("read", {"search": "content"}, "[]", "empty"),
        ("read", {}, "No matches found", "ok"),
        ("read", {}, "[]", "empty"),
        ("list", {}, "No files found", "empty"),
        ("list", {"domain": "files"}, "[]", "ok"),
        ("sql", {}, "", "empty"),
    ],
)
def test_nothing_found_is_an_answer_of_a_search(effect: str, profile: Any, result: str, outcome: str) -> None:
    """Searches and listings answer with nothing; the same words in a file are content."""
    assert _outcome(effect, result, **profile) == outcome


def test_the_patterns_of_a_profile_decide_first() -> None:
    """`failed` and `succeeded` of a profile outrank body, cue, exit and flag."""
    own: dict[str, Any] = {"failed": ("NOPE",), "succeeded": ("DONE", "SAVED")}
    assert _outcome("change", "NOPE", **own) is Outcome.FAILED
    assert _outcome("change", "SAVED 3", "error", 1, **own) is Outcome.OK
    assert _outcome("change", "ok", **own) is Outcome.UNKNOWN
    assert _outcome("change", "fine", failed=("NOPE",)) is Outcome.OK


@pytest.mark.parametrize(
    ("patch", "lines"),
    [
        ([{"newStart": 3, "newLines": 2}], ((3, 4),)),
        ([{"newStart": 3, "newLines": 0}], ((3, 3),)),
        ([{"newStart": 3, "newLines": 1}, {"newStart": 9, "newLines": 2}], ((3, 3), (9, 10))),
        ([{"newStart": 7, "newLines": 7, "lines": [" a", " b", " c", "-d", "+D", " e", " f", " g"]}], ((10, 10),)),
        ([{"newStart": 1, "newLines": 1, "lines": ["-a", " b"]}], ((1, 1),)),
        ([{"newStart": 1, "newLines": 3, "lines": ["+a", "\\ No newline", "+b", " c"]}], ((1, 2),)),
        ([{"newStart": 4, "newLines": 2, "lines": [" a", " b"]}], ((4, 5),)),
        ([{"newStart": "3", "newLines": 2}], ()),
        (["x"], ()),
        ([], ()),
        ("x", ()),
        ({"a": 1}, ()),
        (None, ()),
    ],
)
def test_a_patch_says_which_lines_changed(patch: Any, lines: tuple[tuple[int, int], ...]) -> None:
    """First to last changed line of the new file; the context lines of a hunk are not changed."""
    assert changed_lines(ToolCall(tool="Edit", side={"structuredPatch": patch})) == lines


@pytest.mark.parametrize(
    ("args", "side", "result", "lines"),
    [
        ({}, {}, "a\nb", None),
        ({"offset": 0}, {}, "a\nb", None),
        ({"offset": 4}, {}, "a\nb", (5, 1000000000)),
        ({"offset": 4, "limit": 2}, {}, "a\nb", (5, 6)),
        ({"limit": 2}, {}, "a\nb", (1, 2)),
        ({"limit": 2000}, {}, "a\nb", None),
        ({"offset": 0, "limit": 500}, {}, "a", None),
        ({"offset": "x", "limit": "y"}, {}, "a", None),
        ({}, {"file": {"startLine": 1, "numLines": 9, "totalLines": 9}}, "a", None),
        ({}, {"file": {"startLine": 2, "numLines": 3, "totalLines": 9}}, "a", (2, 4)),
        ({}, {"file": {"startLine": 1, "numLines": 3, "totalLines": 9}}, "a", (1, 3)),
        ({"offset": 4, "limit": 2}, {"file": {"startLine": "x"}}, "a", (5, 6)),
        ({}, {"file": "x"}, "a", None),
    ],
)
def test_a_reader_says_which_lines_it_showed(args: Any, side: Any, result: str, lines: Any) -> None:
    """The window of the side facts, else of the arguments; a file that ended before the limit was shown whole."""
    call = ToolCall(tool="read_file", args={"path": "/p/a", **args}, side=side, result=result)
    assert [effect.lines for effect in observe(call, GateConfig()).effects] == [lines]


def _did(call: ToolCall, **config: Any) -> list[tuple[str, str, str]]:
    return [(e.did.value, e.target, e.domain) for e in observe(call, GateConfig(**config)).effects]


@pytest.mark.parametrize(
    ("call", "did"),
    [
        (ToolCall(tool="get_order", args={"id": 7}, result=""), [("listed", "order:7", "order")]),
        (
            ToolCall(tool="list_dir", args={"path": "/p"}, result="not found", status=CallStatus.ERROR),
            [("absent", "/p", "files")],
        ),
        (ToolCall(tool="list_dir", args={"path": "/p"}, result="Permission denied", status=CallStatus.ERROR), []),
        (ToolCall(tool="update_x", args={"v": 1}), [("opaque", "tool:update_x", "tool:update_x")]),
        (ToolCall(tool="delete_x", args={"id": 1}), [("deleted", "x:1", "x")]),
        (ToolCall(tool="run_x", args={}, result=""), [("opaque", "tool:run_x", "files")]),
        (
            ToolCall(tool="mcp__a__run_x", args={}, result="o"),
            [("opaque", "tool:mcp__a__run_x", "mcp:a"), ("showed", "tool:mcp__a__run_x", "tool:mcp__a__run_x")],
        ),
        (
            ToolCall(tool="zz", args={"path": "/p/a"}, result="t"),
            [("opaque", "/p/a", "files"), ("showed", "/p/a", "files")],
        ),
        (ToolCall(tool="zz", args={"path": "/p/a"}, result=""), [("opaque", "/p/a", "files")]),
        (ToolCall(tool="zz", args={}, result="boom", status=CallStatus.ERROR), [("opaque", "tool:zz", "tool:zz")]),
        (ToolCall(tool="task", args={}, result="t"), []),
        (ToolCall(tool="sql", args={"query": "selectx"}, result="t"), [("opaque", "tool:sql", "tool:sql")]),
        (ToolCall(tool="sql", args={"query": "SELECT 1"}, result="Error: bad"), []),
        (ToolCall(tool="sql", args={"query": 5}, result="t"), [("opaque", "tool:sql", "tool:sql")]),
        (
            ToolCall(tool="shell", args={"command": "cat a.cfg b.cfg a.cfg"}, result="t", cwd="/p"),
            [
                ("opaque", "tool:shell", "files"),
                ("showed", "tool:shell", "tool:shell"),
                ("listed", "/p/a.cfg", "files"),
                ("listed", "/p/b.cfg", "files"),
            ],
        ),
        (
            ToolCall(tool="shell", args={"command": 5}, result="t"),
            [("opaque", "tool:shell", "files"), ("showed", "tool:shell", "tool:shell")],
        ),
        (ToolCall(tool="read_file", args={"path": "/p/a"}, result="t", status=CallStatus.DENIED), []),
        (ToolCall(tool="edit_file", args={"path": "/p/a"}, result="t", status=CallStatus.NOT_EXECUTED), []),
    ],
)
def test_a_call_did_what_its_class_does(call: ToolCall, did: list[tuple[str, str, str]]) -> None:
    """One row per class of tool and per way it can end."""
    assert _did(call) == did


@pytest.mark.parametrize(
    ("tool", "args", "result", "receipt"),
    [
        ("update_order", {"id": "7"}, {"id": "7", "total": 3}, Receipt.STATE),
        ("update_order", {"id": 7}, {"id": 7, "total": 3}, Receipt.STATE),
        ("update_order", {"id": "7", "total": 3}, {"id": "7", "total": 3}, Receipt.NONE),
        ("update_order", {"id": "7"}, {"id": "8", "total": 3}, Receipt.NONE),
        ("update_order", {"id": "7"}, {"id": "7", "ok": True, "message": "x"}, Receipt.NONE),
        ("update_order", {"id": "7"}, "7 updated", Receipt.NONE),
        ("update_order", {"id": "7"}, {"id": "7", "error": "x"}, Receipt.NONE),
        ("update_order", {"path": "/p/a"}, {"path": "/p/a", "size": 3}, Receipt.NONE),
        ("remember", {"key": "k", "value": "v"}, "stored", Receipt.STATE),
        ("edit_file", {"path": "a", "old": "1", "new": "2"}, {"path": "a", "size": 3}, Receipt.NONE),
    ],
)
def test_a_receipt_is_declared_or_recognised_by_its_shape(
    tool: str, args: dict[str, Any], result: Any, receipt: Receipt
) -> None:
    """An object with the target's id and something the arguments did not say is the system's own read-back."""
    fact = observe(ToolCall(tool=tool, args=args, result=result), GateConfig())
    assert [(e.did, e.receipt) for e in fact.effects] == [(Did.CHANGED, receipt)]
