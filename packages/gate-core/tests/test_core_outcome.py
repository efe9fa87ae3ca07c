"""How a call ended, which lines it touched, and what it did: the most specific source decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gate_core import Did, GateConfig, Outcome, Receipt, ToolCall, ToolProfile, observe
from gate_core.footprint.body import body_of
from gate_core.footprint.lines import changed_lines
from gate_core.footprint.outcome import outcome_of
from gate_core.model.kinds import CallStatus, ToolEffect
from gate_core.shell import available


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
    ([{"type": "text", "text": "Permission denied"}], "error", None, "failed"),
]


@pytest.mark.parametrize(("result", "status", "exit_code", "outcome"), CHANGES)
def test_a_change_ends_as_its_most_specific_source_says(
    result: Any, status: str, exit_code: int | None, outcome: str
) -> None:
    """Body before cue before exit code before the transport's flag."""
    assert _outcome("change", result, status, exit_code) == outcome


TEXT = "text"


def _blocks(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": TEXT, "text": text}], **more}


WRAPPED: list[tuple[Any, str]] = [
    ([{"type": TEXT, "text": '{"success": false, "error": "x"}'}], "failed"),
    ([{"type": TEXT, "text": '{"success": true}'}], "ok"),
    (_blocks("done", isError=False), "ok"),
    (_blocks("done", isError=True), "unknown"),
    (_blocks("Permission denied", isError=True), "failed"),
    (_blocks("saved", structuredContent={"success": False}), "failed"),
    (_blocks("saved", structuredContent={"id": 7}), "ok"),
    ({"structuredContent": {"error": "timed out"}}, "unknown"),
    ({"content": "x", "title": "y"}, "ok"),
    ([{"type": "image", "data": "aGk="}], "ok"),
    ({"success": True, "result": {"error": "invalid"}}, "failed"),
    ({"success": True, "data": {"failed": 0, "id": 7}}, "ok"),
    ({"response": {"status": 404}}, "failed"),
    ({"results": [{"ok": True}, {"ok": False}]}, "unknown"),
    ({"results": [{"ok": False}, {"ok": False}]}, "failed"),
    ({"results": [{"ok": True}, {"ok": True}]}, "ok"),
    ([{"success": False}, {"success": False}], "failed"),
    ([{"success": True}, {"error": "x"}], "unknown"),
    ({"data": {"a": 1}, "errors": [{"message": "x"}]}, "unknown"),
    ({"data": None, "errors": [{"message": "x"}]}, "failed"),
    ({"succeeded": 2, "failed": 1}, "unknown"),
    ({"succeeded": 0, "failed": 1}, "failed"),
    ({"succeeded": 2, "failed": 0}, "ok"),
    ({"id": 7, "name": "job", "failures": 2}, "ok"),
    ({"updated": 0}, "no_op"),
    ({"updated": 2}, "ok"),
    ({"modifiedCount": 0, "matchedCount": 1}, "no_op"),
    ({"id": 7, "title": "x", "deleted": False}, "ok"),
    ({"changed": False}, "no_op"),
    ({"status": "error", "message": "no"}, "failed"),
    ({"status": "failed", "message": "request timed out"}, "unknown"),
    ({"status": "queued", "id": "m1"}, "pending"),
    ({"status": "pending", "job_id": 1}, "pending"),
    ({"id": 7, "status": "pending"}, "ok"),
    ({"id": 7, "item": "x", "status": "queued"}, "ok"),
    ({"status": "404"}, "failed"),
    ({"error": "none"}, "ok"),
    ("queued", "pending"),
    ("Message queued", "pending"),
    ("The queue is empty now", "ok"),
    ("Deleted 1 of 2 entities. Not found: x", "unknown"),
    ("Deleted 2 of 2 entities", "ok"),
    ("3 succeeded, 1 failed", "unknown"),
    ("3 succeeded, 0 failed", "ok"),
    ("All 3 failed tests were fixed", "ok"),
    ("Saved with 2 errors", "unknown"),
    ("Saved without errors", "ok"),
    ("UPDATE 0", "no_op"),
    ("UPDATE 10", "ok"),
    ("(0 rows)", "no_op"),
    ("Element not found: #save", "failed"),
    ("404 Not Found", "failed"),
    ("404 e-mails sent", "ok"),
    ("500 Internal Server Error", "unknown"),
    ("512 bytes written", "ok"),
    ("errors.py updated", "ok"),
    ("Write failed", "unknown"),
    ("No replacement was performed, old_str did not appear verbatim", "failed"),
    (b"abc", "ok"),
    ([b"abc", None], "ok"),
    ([None], "ok"),
    ("\ud800", "ok"),
    ("\0", "ok"),
    ({"content": [None]}, "ok"),
    ({"content": None, "isError": True}, "unknown"),
]


@pytest.mark.parametrize(("result", "outcome"), WRAPPED, ids=range(len(WRAPPED)))
def test_a_change_that_hides_its_end_in_a_wrapping_is_found_out(result: Any, outcome: str) -> None:
    """Content blocks, structured content, JSON in a text, a failure inside a success, counts, parts, jobs."""
    assert _outcome("change", result) == outcome


@pytest.mark.parametrize(("result", "outcome"), [pair for pair in WRAPPED if isinstance(pair[0], dict)])
@pytest.mark.parametrize("write", [json.dumps, str], ids=["JSON", "Python"])
def test_an_object_in_a_text_is_the_object(result: Any, outcome: str, write: Callable[[Any], str]) -> None:
    """Frameworks that know only texts write objects as JSON or as Python prints them. The wrapping of an MCP result is
    told by its shape alone, and is content where it came as a text."""
    if {"content", "structuredContent"}.isdisjoint(result):
        assert _outcome("change", write(result)) == outcome


@pytest.mark.parametrize(
    "text",
    [
        "{'a': datetime.date(2026, 11, 30)}",
        "{'error': 'x'} and more",
        "{'error', 'failed'}",
        "{'error': open('x')}",
        "{'error':" + "(" * 9_000 + ")" * 9_000 + "}",
        "{'error':" + "-" * 19_000 + "1}",
        "{'error': '" + "x" * 300_000 + "'}",
        "{'error': 'x'" + "\\'" * 50_000,
    ],
)
def test_what_python_did_not_print_of_plain_values_is_a_text(text: str) -> None:
    """Nothing in it is run, and nothing in it fails."""
    assert body_of(text).object is None


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"success": False}, "failed"),
        ('{"success": false}', "ok"),
        ("3 passed, 1 failed", "ok"),
        ("queued", "ok"),
    ],
)
def test_what_a_program_prints_is_no_envelope(result: Any, outcome: str) -> None:
    """The text of a runner is what ran there; an object is what the runner says."""
    assert _outcome("exec", result) == outcome


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ([{"type": TEXT, "text": "t = 5"}], "ok"),
        ([{"type": TEXT, "text": '{"error": "x"}'}], "ok"),
        ([{"type": "image", "data": "aGk="}], "ok"),
        ([{"type": TEXT, "text": ""}], "empty"),
        ({"content": []}, "empty"),
        (_blocks("ENOENT: no such file", isError=True), "not_found"),
        (_blocks('{"error": "x"}'), "ok"),
        (_blocks("t", structuredContent={"content": "t"}), "ok"),
        ("File not found: /p/a.cfg", "not_found"),
        ("File not found", "not_found"),
        ("cat: a.cfg: Permission denied", "failed"),
        ("cat: b.cfg: Permission denied", "ok"),
        ("a.cfg not found\nb.cfg not found", "ok"),
        ("404 Not Found", "ok"),
        ("<tool_use_error>File does not exist.</tool_use_error>", "not_found"),
        ("<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>", "empty"),
        ({"success": False, "message": "no"}, "failed"),
        ({"status": 404, "message": "Not Found"}, "not_found"),
        ({"status": 500, "name": "x"}, "ok"),
        (b"abc", "ok"),
        ([b"a", None], "ok"),
        ("\ud800\0", "ok"),
    ],
    ids=str,
)
def test_a_reader_of_files_fails_by_its_wrapping_alone(result: Any, outcome: str) -> None:
    """The flag of the wrapping, an object that only complains, or one line about the file that was asked for."""
    call = ToolCall(tool="t", args={"path": "/p/a.cfg"}, result=result)
    assert outcome_of(ToolProfile(name="t", effect=ToolEffect.READ, domain="files"), call) == outcome


@pytest.mark.parametrize(
    ("tool", "args", "result", "outcome"),
    [
        ("get_user", {"id": 7}, '{"error": "user not found"}', "not_found"),
        ("get_user", {"id": 7}, '{"error": "x", "id": 7, "name": "Ana"}', "ok"),
        ("get_user", {"id": 7}, "No results found", "ok"),
        ("search_users", {"q": "x"}, "No results found", "empty"),
        ("find_user", {"q": "x"}, "0 results", "empty"),
        ("search_users", {"q": "x"}, "(0 rows)", "empty"),
        ("search_users", {"q": "x"}, "No results found for x, but 3 similar users exist:\n" + "u\n" * 200, "ok"),
        ("fetch", {"url": "https://a.example"}, '{"error": "not found"}', "ok"),
        ("fetch", {"url": "https://a.example"}, "404 Not Found", "not_found"),
        ("fetch", {"url": "https://a.example"}, "503 Service Unavailable", "failed"),
        ("fetch", {"url": "https://a.example"}, "HTTP 500", "failed"),
        ("fetch", {"url": "https://a.example"}, "500", "ok"),
        ("fetch", {"url": "https://a.example"}, "404 ways to cook rice, in one long list", "ok"),
        ("fetch", {"url": "https://a.example"}, "404 Not Found\nThe page you asked for", "ok"),
    ],
)
def test_a_look_up_answers_in_an_envelope_and_a_page_is_content(
    tool: str, args: dict[str, Any], result: str, outcome: str
) -> None:
    """A look-up that only complains failed; the same words as a file or a page were read."""
    assert observe(ToolCall(tool=tool, args=args, result=result), GateConfig()).outcome == outcome


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("not found", "not_found"),
        ({"error": "order not found"}, "not_found"),
        ({"status": 404}, "not_found"),
        ({"error": "forbidden"}, "failed"),
        ({"deleted": 0}, "no_op"),
        ({"id": 7, "deleted": True}, "ok"),
    ],
)
def test_a_deletion_that_finds_nothing_shows_absence(result: Any, outcome: str) -> None:
    """Told as text or as an object."""
    assert _outcome("delete", result) == outcome


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


@pytest.mark.parametrize(
    ("result", "status", "profile", "outcome"),
    [
        ("Error: " + "x" * 300, "ok", {}, Outcome.OK),  # an error is short
        ("Error: " + "x" * 300, "ok", {"failed": ("Error:",)}, Outcome.FAILED),
        ("Error: " + "x" * 300, "error", {}, Outcome.FAILED),
        ("Error: no access" + " " * 300, "ok", {}, Outcome.FAILED),  # short but for its blanks
    ],
    ids=["content", "its own word", "flagged", "blanks"],
)
def test_a_long_line_of_a_reader_is_content_unless_something_says_otherwise(
    result: str, status: str, profile: dict[str, Any], outcome: Outcome
) -> None:
    """The profile's words for a failure, the flag of the host, or a text that is long only by its blanks."""
    assert _outcome("read", result, status, **profile) is outcome


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
        pytest.param(
            ToolCall(tool="shell", args={"command": "cat a.cfg b.cfg a.cfg"}, result="t", cwd="/p"),
            [
                ("showed", "/p/a.cfg", "files"),
                ("showed", "/p/b.cfg", "files"),
                ("showed", "tool:shell", "tool:shell"),
            ],
            marks=pytest.mark.skipif(not available(), reason="the extra [shell] is not installed"),
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
        ("update_order", {"id": "7"}, {"id": "7", "ok": True, "message": "x"}, Receipt.NOD),
        ("update_order", {"id": "7"}, "7 updated", Receipt.NOD),
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


@pytest.mark.parametrize(
    ("paths", "outcome"), [(["a.py"], Outcome.FAILED), (["a.py", "b.py"], Outcome.UNKNOWN), ([], Outcome.FAILED)]
)
def test_one_of_several_changes_may_have_been_made(paths: list[str], outcome: Outcome) -> None:
    """An error that rules out an effect rules it out for the change it is about, not for those before it."""
    args: dict[str, Any] = {"operations": [{"type": "update_file", "path": path, "diff": "+x"} for path in paths]}
    call = ToolCall(tool="apply_patch", args=args, result="Invalid Context 0:", status=CallStatus.ERROR)
    assert observe(call, GateConfig()).outcome is outcome
