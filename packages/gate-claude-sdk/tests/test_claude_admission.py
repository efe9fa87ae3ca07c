"""The action seat: PreToolUse asks the core whether an action may run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from gate_claude_sdk import GateHooks
from gate_claude_sdk import _translate as translate
from gate_claude_sdk._scripted import text_block, tool_block
from gate_core import Action, Claim, Code, Decision, Finding, GateConfig, Layer, Outcome, Severity, Strength, Verdict

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]
Fire: TypeAlias = Callable[..., dict[str, Any]]

DELETE = {"file_path": "/w/app.cfg", "content": ""}


def gate(**more: Any) -> GateHooks:
    """A gate whose action layer blocks."""
    return GateHooks(config=GateConfig(layers={Layer.ACTIONS: Strength.BLOCK}, **more), probe_roots=())


def verdict(*codes: Code) -> Verdict:
    """A verdict with these blocking findings; without any an accept."""
    return Verdict(
        decision=Decision.REJECT if codes else Decision.ACCEPT,
        action=Action.REVISE if codes else Action.DELIVER,
        exit=None,
        claim=Claim.NONE,
        findings=tuple(Finding(code=code, severity=Severity.BLOCK, says=f"about {code.value}") for code in codes),
        feedback="[gate] say it first" if codes else "",
    )


def test_with_the_layer_on_every_tool_is_asked_about() -> None:
    """Off, PreToolUse is called for typed answers only."""
    asked = {str(event): matchers[0].matcher for event, matchers in gate().hooks().items()}
    assert asked["PreToolUse"] is None
    off = {str(event): matchers[0].matcher for event, matchers in GateHooks().hooks().items()}
    assert off["PreToolUse"] == "StructuredOutput"


@pytest.mark.parametrize(
    ("codes", "decision"),
    [
        ((), None),
        ((Code.INTENT_NOT_ESTABLISHED,), "deny"),
        ((Code.CONFIRMATION_REQUIRED,), "ask"),
        ((Code.CONFIRMATION_REQUIRED, Code.AUTHORIZATION_MISSING), "ask"),
        ((Code.CONFIRMATION_REQUIRED, Code.ARGUMENT_UNSUPPORTED), "deny"),
    ],
)
def test_a_verdict_becomes_a_permission(codes: tuple[Code, ...], decision: str | None) -> None:
    """An admitted action is left to the host's own permissions: "allow" would skip them."""
    output: Any = translate.admission_output(verdict(*codes))
    assert output.get("hookSpecificOutput", {}).get("permissionDecision") == decision
    if decision:
        assert output["hookSpecificOutput"]["permissionDecisionReason"] == "[gate] say it first"


def test_what_the_core_says_reaches_the_model(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rejected action does not run, its reason is the tool's result, and the ledger knows it as denied."""
    seen: list[Any] = []

    def admit(self: object, call: Any, **more: object) -> Verdict:
        seen.append((call.tool, dict(call.args)["command"], call.origin, call.cwd != ""))
        return verdict(Code.INTENT_NOT_ESTABLISHED)

    monkeypatch.setattr("gate_core.gate.Gate.admit", admit)
    calls = [tool_block("Bash", {"command": "touch made", "description": "x"}, call_id="toolu_1")]
    checked = GateHooks(config=GateConfig(layers={Layer.ACTIONS: Strength.BLOCK}))
    run = asyncio.run(play({}, [calls, [text_block("UNVERIFIED: not done.")]], ["Hello?"], gate=checked))
    assert seen == [("Bash", "touch made", "builtin", True)]
    assert not (tmp_path / "work" / "made").exists()
    assert "say it first" in str(run.requests[1]["messages"])
    (fact,) = (fact for fact in checked.state.facts.values() if fact.call)
    assert (fact.outcome, fact.note) == (Outcome.UNKNOWN, "denied")


def test_the_real_rule_lets_a_look_pass(fire: Fire) -> None:
    """Looking needs nobody's intent."""
    checked = gate()
    fire(checked, "UserPromptSubmit", prompt="What is in app.cfg?")
    assert fire(checked, "PreToolUse", tool_name="Read", tool_input={"file_path": "/w/app.cfg"}) == {}


def test_a_check_that_fails_is_left_to_the_user(fire: Fire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may take a failure for a check."""

    def boom(*args: object, **more: object) -> Verdict:
        raise RuntimeError("boom")

    monkeypatch.setattr("gate_core.gate.Gate.admit", boom)
    output = fire(gate(), "PreToolUse", tool_name="Write", tool_input=DELETE)
    assert output["hookSpecificOutput"]["permissionDecision"] == "ask"
