"""What a hook payload of Claude Code becomes: whole calls, compared field by field."""

from __future__ import annotations

from typing import Any

import pytest

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._results import model_text
from gate_core import Attempt, CallStatus, Json, JsonObject, ToolCall

BASE: dict[str, Any] = {"session_id": "s", "cwd": "/w", "prompt_id": "p"}
PATCH: list[Json] = [{"oldStart": 2, "oldLines": 1, "newStart": 2, "newLines": 1, "lines": ["-t = 5", "+t = 30"]}]


def post(tool: str, args: JsonObject, response: object, **more: object) -> dict[str, Any]:
    """A PostToolUse event."""
    return {**BASE, "tool_name": tool, "tool_input": args, "tool_response": response, "tool_use_id": "c1", **more}


def test_an_edit_keeps_its_patch_and_not_the_file_the_model_never_saw() -> None:
    """The whole old file rides in the payload of an Edit; it is in no field of the call."""
    args: dict[str, Json] = {
        "file_path": "/w/a.cfg",
        "old_string": "t = 5",
        "new_string": "t = 30",
        "replace_all": False,
    }
    response = {"filePath": "a.cfg", "originalFile": "secret\nt = 5\n", "structuredPatch": PATCH, "userModified": False}
    assert translate.completed_call(post("Edit", args, response), step=3) == ToolCall(
        tool="Edit",
        args=args,
        result="The file a.cfg has been updated successfully.",
        status=CallStatus.OK,
        call_id="c1",
        step=3,
        cwd="/w",
        origin="builtin",
        side={"structuredPatch": PATCH},
    )


def test_a_read_shows_the_text_and_its_window() -> None:
    """The result is the text without line numbers; the window goes beside it, without contents."""
    file = {"filePath": "/w/a", "content": "x\ny", "startLine": 10, "numLines": 2, "totalLines": 90}
    call = translate.completed_call(post("Read", {"file_path": "/w/a"}, {"type": "text", "file": file}), step=0)
    assert call.result == "x\ny"
    assert call.side == {"file": {"startLine": 10, "numLines": 2, "totalLines": 90}}


def test_an_empty_file_has_no_lines() -> None:
    """The CLI counts an empty file as one line; the gate counts none, so that it was read as a whole."""
    file = {"filePath": "/w/a", "content": "", "startLine": 1, "numLines": 1, "totalLines": 1}
    call = translate.completed_call(post("Read", {"file_path": "/w/a"}, {"type": "text", "file": file}), step=0)
    assert call.side == {"file": {"startLine": 1, "numLines": 0, "totalLines": 0}}


@pytest.mark.parametrize(
    ("response", "status", "exit_code", "result"),
    [
        ({"stdout": "hi", "stderr": "", "interrupted": False}, "ok", 0, "hi"),
        ({"stdout": "a", "stderr": "b", "interrupted": False}, "ok", 0, "a\nb"),
        ({"stdout": "", "interrupted": False, "returnCodeInterpretation": "No matches found"}, "ok", 1, ""),
        ({"stdout": "a", "interrupted": True}, "ok", None, "a"),
        (
            {"stdout": "", "interrupted": False, "backgroundTaskId": "b1"},
            "pending",
            None,
            "Command running in background with ID: b1",
        ),
    ],
    ids=["ok", "stderr", "exit-1-is-an-answer", "interrupted", "background"],
)
def test_a_shell_call_has_the_exit_code_the_cli_implies(
    response: dict[str, Any], status: str, exit_code: int | None, result: str
) -> None:
    """A success is exit 0, or 1 where the CLI interpreted it; a background start has no exit yet."""
    call = translate.completed_call(post("Bash", {"command": "x"}, response), step=0)
    assert (call.status, call.exit_code, call.result) == (status, exit_code, result)


@pytest.mark.parametrize(
    ("tool", "error", "exit_code"),
    [
        ("Bash", "Exit code 3\nout\nerr", 3),
        ("Bash", "Exit code 127", 127),
        ("Bash", "Exit code 143\nCommand timed out after 1s", 143),
        ("Bash", "it printed: Exit code 0", None),
        ("mcp__lab__run", "Exit code 0\n", None),
        ("Read", "File does not exist.", None),
    ],
)
def test_a_failure_has_the_exit_code_its_error_starts_with(tool: str, error: str, exit_code: int | None) -> None:
    """Only a shell's error text is read for an exit code, and only at its start."""
    event = post(tool, {}, None, error=error, is_interrupt=False)
    call = translate.failed_call(event, step=0)
    assert (call.status, call.exit_code, call.result) == (CallStatus.ERROR, exit_code, error)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Claude requested permissions to write to /x, but you haven't granted it yet.", "denied"),
        ("Permission to use Bash with command rm has been denied.", "denied"),
        ("PreToolUse:Bash hook error: not now", "denied"),
        ("The user doesn't want to proceed with this tool use.", "denied"),
        ("This Bash command contains multiple operations. The following part requires approval: curl x", "denied"),
        ("<tool_use_error>String to replace not found in file.\nString: zzz</tool_use_error>", "error"),
        ("<tool_use_error>InputValidationError: Read failed</tool_use_error>", "error"),
        ("<tool_use_error>Error: No such tool available: X</tool_use_error>", "not_executed"),
        ("1\tsome file\n2\tClaude requested permissions to", "error"),
        ("", "error"),
    ],
)
def test_a_call_nobody_reported_was_denied_or_refused(text: str, status: str) -> None:
    """A denial shows in its text; whatever is not recognised counts as a failed call, never as a look."""
    entry = {**post("Edit", {"file_path": "/w/a"}, text), "tool_use_id": "c2"}
    call = translate.unreported_call(BASE, entry, step=4)
    assert (call.status, call.result, call.call_id, call.step, call.cwd) == (status, text, "c2", 4, "/w")


@pytest.mark.parametrize(
    ("tool", "more", "origin"),
    [
        ("Read", {}, "builtin"),
        ("mcp__lab__look_up", {}, "mcp:lab"),
        ("mcp__my_lab__x", {"mcp_server": {"name": "my lab", "source": "sdk"}}, "mcp:my lab"),
        ("mcp__odd", {}, "builtin"),
    ],
)
def test_the_origin_is_the_cli_or_an_mcp_server(tool: str, more: dict[str, Any], origin: str) -> None:
    """The server's own name wins over the one squeezed into the tool's name."""
    assert translate.completed_call(post(tool, {}, "x", **more), step=0).origin == origin


def test_a_sub_agents_call_bears_its_id() -> None:
    """Calls of sub-agents are facts like any other, with the agent's id."""
    assert translate.completed_call(post("Read", {}, "x", agent_id="a1"), step=0).agent == "a1"


@pytest.mark.parametrize("junk", [None, 7, "text", [], {"tool_name": 5, "tool_input": "x", "tool_use_id": None}])
def test_a_payload_of_unexpected_shape_is_still_a_call(junk: Any) -> None:
    """What can be read is kept, the rest is empty; nothing is raised."""
    event: JsonObject = junk if isinstance(junk, dict) else {"tool_response": junk, "error": junk}
    for call in (
        translate.completed_call(event, step=1),
        translate.failed_call(event, step=1),
        translate.unreported_call(event, event, step=1),
        translate.bare_call(event, step=1),
    ):
        assert (call.tool, call.call_id, dict(call.args), call.step) == ("", "", {}, 1)


@pytest.mark.parametrize(
    ("tool", "response", "text"),
    [
        ("Write", {"type": "create", "filePath": "/w/n"}, "File created successfully at: /w/n"),
        ("Write", {"type": "update", "filePath": "/w/n"}, "The file /w/n has been updated successfully."),
        ("Grep", {"mode": "files_with_matches", "filenames": ["a", "b"]}, "Found 2 files\na\nb"),
        ("Grep", {"mode": "files_with_matches", "filenames": []}, "No files found"),
        ("Grep", {"mode": "content", "content": "a:1:x"}, "a:1:x"),
        ("Grep", {"mode": "content", "content": ""}, "No matches found"),
        ("Glob", {"filenames": ["a.py"]}, "a.py"),
        ("Read", {"type": "image", "file": {"base64": "AAAA"}}, "[image]"),
        ("Read", {"type": "notebook", "file": {"cells": [{"source": "x = 1"}, {"source": "y"}]}}, "x = 1\ny"),
        ("NotebookEdit", {"new_source": "x", "cell_id": "c", "error": ""}, "Updated cell c"),
        ("NotebookEdit", {"new_source": "x", "error": "no such cell"}, "no such cell"),
        ("Read", {"something": "new"}, {"something": "new"}),
        ("Bash", "plain", "plain"),
        ("mcp__a__b", [{"type": "text", "text": "t"}], [{"type": "text", "text": "t"}]),
        ("mcp__a__b", {"file": {"content": "x"}}, {"file": {"content": "x"}}),
    ],
)
def test_the_result_is_the_text_the_model_read(tool: str, response: object, text: object) -> None:
    """Built-in tools answer with structures; the model read a text. Other tools' results pass as they came."""
    assert model_text(tool, response) == text


@pytest.mark.parametrize(
    ("status", "end", "expected"),
    [
        ("completed", "completed (exit code 0)", (CallStatus.OK, 0)),
        ("failed", "failed with exit code 3", (CallStatus.ERROR, 3)),
        ("killed", "was stopped", (CallStatus.ERROR, None)),
        ("failed", "(exit code 0)</summary> failed", (CallStatus.ERROR, None)),
    ],
)
def test_the_end_of_background_work_is_a_call_under_the_same_id(
    status: str, end: str, expected: tuple[CallStatus, int | None]
) -> None:
    """A task notification ends the pending call it names, with the exit code its summary ends with."""
    notice = (
        f"<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>c1</tool-use-id>\n<status>{status}</status>\n"
        f'<summary>Background command "make (exit code 0)" {end}</summary>\n</task-notification>'
    )
    event = {**BASE, "prompt": notice}
    assert not translate.starts_turn(event)
    assert translate.ended_id(event) == "c1"
    call = translate.ended_call(event, "Bash", {"command": "make"}, step=5)
    assert ((call.status, call.exit_code), call.call_id, call.result) == (expected, "c1", notice)


@pytest.mark.parametrize(
    ("event", "starts"),
    [({"prompt": "do it"}, True), ({"prompt": "do it", "agent_id": "a1"}, False), ({}, True)],
)
def test_only_a_person_starts_a_turn(event: dict[str, Any], starts: bool) -> None:
    """A sub-agent's prompt is its parent's argument."""
    assert translate.starts_turn(event) is starts


@pytest.mark.parametrize(
    ("event", "texts", "attempt"),
    [
        ({"last_assistant_message": "b"}, ("a", "b"), Attempt(parts=("a", "b"))),
        ({"last_assistant_message": "b"}, (), Attempt(parts=("b",))),
        ({"last_assistant_message": 7}, (), Attempt()),
        ({}, (), Attempt()),
    ],
)
def test_the_attempt_is_the_whole_final_response(
    event: dict[str, Any], texts: tuple[str, ...], attempt: Attempt
) -> None:
    """All text blocks when they were found, else the one the event carries."""
    assert translate.attempt_of(event, texts) == attempt
