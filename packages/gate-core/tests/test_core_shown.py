"""A result in another form shows the same: in the wrapping of an MCP call, in the colours of a terminal, with the line
ends of Windows."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from gate_core import Attempt, CallStatus, Gate, Json, ToolCall, check_answer, parse_config
from gate_core.model.json import text_of
from gate_core.shell import available

SHELL = pytest.mark.skipif(not available(), reason="the extra [shell] is not installed")

FORMS: dict[str, Callable[[str], Json]] = {
    "as it is": str,
    "content blocks": lambda text: [{"type": "text", "text": text}],
    "a lone block": lambda text: {"type": "text", "text": text},
    "a lone block with notes": lambda text: {"type": "text", "text": text, "annotations": {"audience": ["user"]}},
    "blocks of the model's input": lambda text: [{"type": "input_text", "text": text}],
    "a coloured block": lambda text: [{"type": "text", "text": f"\x1b[32m{text}\x1b[0m"}],
    "beside a picture": lambda text: [
        {"type": "text", "text": text},
        {"type": "image", "data": "aGk=", "mimeType": "i/p"},
    ],
    "a resource": lambda text: [
        {"type": "text", "text": "one file"},
        {"type": "resource", "resource": {"uri": "x:y", "text": text}},
    ],
    "an MCP result": lambda text: {"content": [{"type": "text", "text": text}], "isError": False},
    "an MCP result in JSON": lambda text: json.dumps({"content": [{"type": "text", "text": text}], "isError": False}),
    "coloured": lambda text: f"\x1b[1m{text}\x1b[0m",
    "Windows": lambda text: text.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize(
    ("answer", "sound"),
    [("ask.md has 3922 bytes.", True), ("ask.md has 3923 bytes.", False), ("The prepayment is 25,500 euros.", True)],
)
def test_the_values_are_those_of_the_text(form: Callable[[str], Json], answer: str, sound: bool) -> None:
    """Also at the very ends of the text, where a colour touches them, and where they are operands."""
    evidence = [form("3922 ask.md"), form("amount: 85 000 euros\nprepayment: 30%")]
    assert check_answer(answer, evidence).supported is sound


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize(("status", "accepted"), [("POST /apply 500", False), ("POST /apply 201", True)])
def test_a_denial_is_heard_in_every_form(form: Callable[[str], Json], status: str, accepted: bool) -> None:
    """A later look says that it went wrong (spec 20)."""
    profiles = {"browser_click": {"effect": "change"}, "browser_network": {"effect": "read"}}
    gate = Gate(parse_config({"statements": "block", "profiles": profiles}))
    gate.begin_turn("Submit the application.")
    gate.observe(ToolCall(tool="browser_click", args={"selector": "#send"}, result="ok"))
    gate.observe(ToolCall(tool="browser_network", args={}, result=form(status)))
    assert gate.boundary_check(Attempt(parts=("Your application was submitted successfully.",))).accepted is accepted


@SHELL
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize(("summary", "accepted"), [("3 passed in 0.1s", True), ("1 failed, 2 passed in 0.1s", False)])
def test_a_run_is_read_in_every_form(form: Callable[[str], Json], summary: str, accepted: bool) -> None:
    """A shell behind a server answers in blocks, and no framework tells its exit code."""
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn("Run the tests.")
    gate.observe(ToolCall(tool="Bash", args={"command": "pytest -q"}, result=form(f"...\n{summary}\n")))
    assert gate.boundary_check(Attempt(parts=("All tests pass.",))).accepted is accepted


def test_a_record_with_more_than_a_block_has_is_a_record() -> None:
    """A message of a chat has a type and a text too; its other fields were shown as well."""
    message: Json = {"type": "text", "text": "See you there.", "author": "ana", "room": 4471}
    assert check_answer("It was said in room 4471.", [message]).supported
    assert not check_answer("It was said in room 4472.", [message]).supported


def test_the_data_of_a_picture_shows_nothing() -> None:
    """Only that there was one, and another picture is another result."""
    picture: Json = [{"type": "text", "text": "a chart"}, {"type": "image", "data": "4471 rows"}]
    other: Json = [{"type": "text", "text": "a chart"}, {"type": "image", "data": "4472 rows"}]
    assert not check_answer("The chart has 4471 rows.", [picture]).supported
    assert text_of(picture) != text_of(other)


ADDRESS: dict[str, Json] = {
    "objects": [{"name": "Claire Morel", "email": "claire@ex.fr"}],
    "their JSON": '[{"name": "Claire Morel", "email": "claire@ex.fr"}]',
    "lines": "Name: Claire Morel\nEmail: claire@ex.fr",
    "a table": "name,email\nClaire Morel,claire@ex.fr\n",
}
SENDING: dict[str, Json] = {
    "objects": [{"to": "claire@ex.fr", "status": "sent"}],
    "their JSON": '[{"to": "claire@ex.fr", "status": "sent"}]',
    "lines": "To: claire@ex.fr\nMail queued 10:04",
    "a table": "to,status\nclaire@ex.fr,delivered\n",
}


@pytest.mark.parametrize(
    ("result", "accepted"), [*((r, False) for r in ADDRESS.values()), *((r, True) for r in SENDING.values())]
)
def test_an_address_is_no_sending(result: Json, accepted: bool) -> None:
    """Whether the framework hands over the records or their JSON."""
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn("Was the report sent to Claire?")
    gate.observe(ToolCall(tool="search_contacts", args={"q": "Claire"}, result=result))
    assert gate.boundary_check(Attempt(parts=("The report was sent to Claire (claire@ex.fr).",))).accepted is accepted


@SHELL
@pytest.mark.parametrize("form", [dict, json.dumps], ids=["an object", "its JSON"])
@pytest.mark.parametrize(
    ("stdout", "stderr", "accepted"),
    [("t = 30\n", "", True), ("", "cat: a.cfg: Permission denied", False), ("t = 5\n", "", False)],
)
def test_both_streams_of_a_run_are_its_report(
    form: Callable[[dict[str, str]], Json], stdout: str, stderr: str, accepted: bool
) -> None:
    """With or without an exit code, and whether the framework hands over the object or its JSON."""
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn("Set t to 30 in a.cfg.")
    gate.observe(ToolCall(tool="edit_file", args={"path": "a.cfg", "old": "t = 5", "new": "t = 30"}, result="ok"))
    told = form({"stdout": stdout, "stderr": stderr})
    gate.observe(ToolCall(tool="Bash", args={"command": "cat a.cfg || true"}, result=told))
    assert gate.boundary_check(Attempt(parts=("Done: t in a.cfg is now 30.",))).accepted is accepted


@SHELL
@pytest.mark.parametrize(
    ("result", "accepted"),
    [
        ("An error occurred while running the tool. Please try again.", False),
        ("==> Verifying\nError: the app has no Dockerfile", True),
    ],
)
def test_what_a_host_says_of_a_failed_tool_is_no_output(result: str, accepted: bool) -> None:
    """No program printed that; what one printed before it failed can be told."""
    gate = Gate(parse_config({"statements": "block"}))
    gate.begin_turn("Deploy.")
    gate.observe(ToolCall(tool="Bash", args={"command": "fly deploy"}, result=result, status=CallStatus.ERROR))
    assert gate.boundary_check(Attempt(parts=("The app has no Dockerfile.",))).accepted is accepted


@pytest.mark.parametrize("tool", ["read_file", "mcp__srv__read_file"])
@pytest.mark.parametrize(
    ("path", "result", "outcome"),
    [
        ("a.cfg", '{"error": "ENOENT"}', "not_found"),
        ("a.cfg", "{'error': 'no such file or directory'}", "not_found"),
        ("a.cfg", '{"error": "x"}', "ok"),
        ("a.cfg", '{"error": "ENOENT", "level": 3}', "ok"),
        ("a.json", '{"error": "ENOENT"}', "ok"),
        ("app.log", '{"error": "ENOENT"}', "ok"),
        ("a.cfg", "[main]\nerror = ENOENT\n", "ok"),
    ],
)
def test_an_object_that_says_no_such_file_is_none(tool: str, path: str, result: str, outcome: str) -> None:
    """Frameworks that know only texts hand over as JSON what a tool returns in place of the file."""
    gate = Gate()
    gate.begin_turn("Read it.")
    assert gate.observe(ToolCall(tool=tool, args={"path": path}, result=result)).outcome.value == outcome
