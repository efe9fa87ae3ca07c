"""A result in another form shows the same: in the wrapping of an MCP call, in the colours of a terminal, with the line
ends of Windows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gate_core import Attempt, Gate, Json, ToolCall, check_answer, parse_config

FORMS: dict[str, Callable[[str], Json]] = {
    "as it is": str,
    "content blocks": lambda text: [{"type": "text", "text": text}],
    "a lone block": lambda text: {"type": "text", "text": text},
    "a lone block with notes": lambda text: {"type": "text", "text": text, "annotations": {"audience": ["user"]}},
    "blocks of the model's input": lambda text: [{"type": "input_text", "text": text}],
    "a coloured block": lambda text: [{"type": "text", "text": f"\x1b[32m{text}\x1b[0m"}],
    "an MCP result": lambda text: {"content": [{"type": "text", "text": text}], "isError": False},
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
