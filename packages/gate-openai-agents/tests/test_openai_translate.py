"""Items of the SDK become calls, results and texts of the gate; whatever their shape, nothing raises."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from agents import ToolOutputText
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from gate_core import CallStatus
from gate_openai_agents import _translate


def message(*texts: str) -> ResponseOutputMessage:
    content = [ResponseOutputText(text=text, type="output_text", annotations=[]) for text in texts]
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=list(content))


def shell_output(*outcomes: dict[str, Any], status: str = "completed") -> dict[str, Any]:
    chunks = [{"stdout": "out", "stderr": "", "outcome": outcome} for outcome in outcomes]
    return {"type": "shell_call_output", "call_id": "s1", "status": status, "output": chunks}


ASKED = [
    pytest.param(
        ResponseFunctionToolCall(type="function_call", name="read_file", arguments='{"path": "a"}', call_id="c1"),
        ("c1", "read_file", {"path": "a"}),
        id="function-object",
    ),
    pytest.param(
        {"type": "function_call", "name": "f", "namespace": "n", "arguments": "", "call_id": "c1"},
        ("c1", "n.f", {}),
        id="namespace-and-no-arguments",
    ),
    pytest.param(
        {"type": "custom_tool_call", "name": "sh", "input": "ls -l", "call_id": "c1"},
        ("c1", "sh", {"input": "ls -l"}),
        id="custom-raw-text",
    ),
    pytest.param(
        {"type": "shell_call", "call_id": "c1", "action": {"commands": ["make"]}},
        ("c1", "shell", {"commands": ["make"]}),
        id="shell",
    ),
    pytest.param(
        {"type": "apply_patch_call", "call_id": "c1", "operation": {"type": "delete_file", "path": "a.py"}},
        ("c1", "apply_patch", {"type": "delete_file", "path": "a.py"}),
        id="apply-patch",
    ),
    pytest.param({"type": "function_call"}, ("", "", {}), id="nothing-in-it"),
    pytest.param(
        {"type": "function_call", "name": 7, "arguments": "{broken", "call_id": ["x"]},
        ("", "", {"input": "{broken"}),
        id="wrong-types",
    ),
]


@pytest.mark.parametrize(("item", "expected"), ASKED)
def test_a_call_item_gives_id_name_and_arguments(item: object, expected: tuple[str, str, object]) -> None:
    """A call item gives id, name and arguments; what is missing or of another type is left empty."""
    (call,) = _translate.asked([item])
    assert (call.call_id, call.tool, call.args) == expected


def test_a_local_shell_call_names_its_working_directory() -> None:
    """The only call of the SDK with a working directory is `local_shell`; it becomes the call's cwd."""
    item = {
        "type": "local_shell_call",
        "call_id": "c1",
        "action": {"type": "exec", "command": ["ls"], "working_directory": "/w"},
    }
    (call,) = _translate.asked([item])
    assert (call.cwd, call.named) == ("/w", False)


SHELL = [
    pytest.param([{"type": "exit", "exit_code": 0}], "completed", CallStatus.OK, None, id="zero-is-not-believed"),
    pytest.param([{"type": "exit", "exit_code": 3}], "completed", CallStatus.ERROR, 3, id="code"),
    pytest.param(
        [{"type": "exit", "exit_code": 0}, {"type": "exit", "exit_code": 2}], "completed", "error", 2, id="2nd"
    ),
    pytest.param([{"type": "timeout"}], "completed", CallStatus.ERROR, None, id="timeout"),
    pytest.param([{"type": "exit", "exit_code": None}], "completed", CallStatus.OK, None, id="no-code"),
    pytest.param([], "failed", CallStatus.ERROR, None, id="failed"),
]


@pytest.mark.parametrize(("outcomes", "said", "status", "code"), SHELL)
def test_a_shell_output_fails_with_any_of_its_commands(
    outcomes: list[dict[str, Any]], said: str, status: CallStatus, code: int | None
) -> None:
    """A shell output is an error when any command failed or timed out. Code 0 is dropped: the SDK invents it."""
    (output,) = _translate.answered([shell_output(*outcomes, status=said)])
    assert (output.status, output.exit_code) == (status, code)


def test_a_failed_patch_is_an_error() -> None:
    """`status` of a patch output is believed; anything but completed is a failure."""
    found = _translate.answered(
        {"type": "apply_patch_call_output", "call_id": state, "status": state, "output": "x"}
        for state in ("completed", "failed")
    )
    assert [output.status for output in found] == [CallStatus.OK, CallStatus.ERROR]


def test_a_screenshot_is_not_kept() -> None:
    """A screenshot is recorded as such, not as megabytes of base64."""
    (output,) = _translate.answered(
        [{"type": "computer_call_output", "call_id": "c", "output": {"image_url": "data:..."}}]
    )
    assert output.result == "<screenshot>"


def test_a_hosted_call_holds_its_result() -> None:
    """Calls the provider ran are complete in the response; a status other than completed is a failure."""
    ok, failed, mcp = _translate.hosted(
        [
            {"type": "web_search_call", "id": "w1", "status": "completed", "action": {"type": "search", "query": "x"}},
            {"type": "file_search_call", "id": "f1", "status": "failed", "queries": ["x"], "results": None},
            {"type": "mcp_call", "id": "m1", "name": "q", "server_label": "db", "arguments": "{}", "error": "boom"},
        ]
    )
    assert (ok.tool, ok.args, ok.origin, ok.status) == (
        "web_search",
        {"type": "search", "query": "x"},
        "builtin",
        CallStatus.OK,
    )
    assert (failed.args, failed.status) == ({"queries": ["x"]}, CallStatus.ERROR)
    assert (mcp.tool, mcp.origin, mcp.result, mcp.status) == ("q", "mcp:db", {"error": "boom"}, CallStatus.ERROR)


def test_all_texts_of_a_response_are_taken() -> None:
    """One text per message, in order; refusals and empty messages are no texts."""
    refusal = {"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}
    assert _translate.texts([message("a", "b"), refusal, message("c"), {"type": "reasoning"}]) == ("ab", "c")


def test_the_newest_user_messages_are_the_prompt() -> None:
    """Of an input with history only the last unbroken run of user messages is new."""
    history = [
        {"role": "user", "content": "old"},
        {"role": "assistant", "content": "answer"},
        {"role": "user", "content": "one"},
        {"role": "user", "content": [{"type": "input_text", "text": "two"}]},
    ]
    assert _translate.user_text(history) == "one\ntwo"
    assert _translate.user_text("plain") == "plain"
    assert _translate.user_text([{"type": "function_call"}]) == ""
    assert _translate.user_text(None) == ""


class Unprintable:
    def __str__(self) -> str:
        raise RuntimeError("no")


def test_any_value_becomes_json() -> None:
    """Models and dataclasses become objects, everything else its text, a value that cannot be printed its type."""
    given = {"a": ToolOutputText(text="x"), "b": (1, None), "c": Unprintable(), "d": SimpleNamespace}
    assert _translate.json_of(given) == {
        "a": {"type": "text", "text": "x"},
        "b": [1, None],
        "c": "<Unprintable>",
        "d": str(SimpleNamespace),
    }


MALFORMED: list[object] = [None, 7, "text", [], {"type": None}, {"type": ["x"]}, SimpleNamespace(type="shell_call")]


def test_malformed_items_raise_nothing() -> None:
    """Items of unexpected shape are skipped or read as far as they can be."""
    assert [call.tool for call in _translate.asked(MALFORMED)] == ["shell"]
    assert _translate.hosted(MALFORMED) == []
    assert _translate.texts(MALFORMED) == ()
    bad = [{"type": "shell_call_output", "output": [None, 3, {"outcome": "success"}]}, {"type": "function_call_output"}]
    assert [(output.call_id, output.result) for output in _translate.answered(bad)] == [("", ""), ("", None)]
