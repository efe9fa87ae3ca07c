"""Typed answers: the boundary is the call of `StructuredOutput`, since the CLI ignores a Stop hook after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from gate_claude_sdk import GateHooks
from gate_claude_sdk._scripted import text_block, tool_block
from gate_core import Action, AnswerWithheld, GateConfig, Json, Policy, Posture

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]
Fire: TypeAlias = Callable[..., dict[str, Any]]

PROMPT = "Set the timeout in app.cfg to 30."
LIE: dict[str, Json] = {"summary": "Done, the timeout in app.cfg is 30."}
FORMAT = {
    "type": "json_schema",
    "schema": {"type": "object", "properties": {"summary": {"type": "string"}}, "required": ["summary"]},
}
NOTICE = "PreToolUse:StructuredOutput says: UNVERIFIED: "


def value(number: int, **fields: Json) -> list[Any]:
    """The model offers a typed answer."""
    return [tool_block("StructuredOutput", {**LIE, **fields}, call_id=f"toolu_so{number}")]


@pytest.fixture
def edit(tmp_path: Path) -> list[Any]:
    """The model edits app.cfg, which is there."""
    path = tmp_path / "work" / "app.cfg"
    path.parent.mkdir()
    path.write_text("timeout = 5\n")
    arguments = {"file_path": str(path), "old_string": "timeout = 5", "new_string": "timeout = 30"}
    return [tool_block("Edit", arguments, call_id="toolu_edit")]


def offer(fire: Fire, gate: GateHooks, number: int = 1) -> dict[str, Any]:
    """PreToolUse of a typed answer."""
    return fire(gate, "PreToolUse", tool_name="StructuredOutput", tool_input=LIE, tool_use_id=f"so{number}")


def test_an_unsupported_value_is_denied_and_a_supported_one_passes(play: Play, edit: list[Any]) -> None:
    """The second value wins, is what the host gets, and its Stop is not judged once more."""
    gate = GateHooks()
    run = asyncio.run(play({"output_format": FORMAT}, [value(1), edit, value(2)], [PROMPT], gate=gate))
    assert [(v.codes, v.action) for v in gate.verdicts] == [(("no-change",), Action.REVISE), ((), Action.DELIVER)]
    assert run.messages[-1].structured_output == LIE
    assert gate.verdicts[0].feedback.splitlines()[0] in str(run.requests[1]["messages"])
    assert (run.notices, gate.exited_unverified) == ([], False)
    assert gate.result() == '{"summary": "Done, the timeout in app.cfg is 30."}'


def test_a_value_that_is_not_repaired_goes_out_marked(play: Play, edit: list[Any]) -> None:
    """The run ends well, and the mark is in the CLI's own channel."""
    gate = GateHooks()
    run = asyncio.run(play({"output_format": FORMAT}, [value(1), value(2)], [PROMPT], gate=gate))
    assert [v.action for v in gate.verdicts] == [Action.REVISE, Action.RELEASE]
    assert (run.messages[-1].subtype, run.messages[-1].structured_output) == ("success", LIE)
    assert [notice.startswith(NOTICE) for notice in run.notices] == [True]
    assert gate.exited_unverified


def test_a_withheld_value_does_not_go_out(play: Play, edit: list[Any]) -> None:
    """Denied and ended at once: no value, no text, no further request."""
    gate = GateHooks(config=GateConfig(posture=Posture.RAILS, max_blocks=0))
    run = asyncio.run(play({"output_format": FORMAT}, [value(1)], [PROMPT], gate=gate))
    result = run.messages[-1]
    assert (result.structured_output, result.result, len(run.requests)) == (None, "", 1)
    with pytest.raises(AnswerWithheld, match="no-change"):
        gate.result()


def test_the_clis_own_enforcement_costs_no_block(play: Play, edit: list[Any]) -> None:
    """`stop_hook_active` is true although the gate never blocked: its own counter is the one that counts."""
    gate = GateHooks()
    responses = [[text_block(str(LIE["summary"]))], value(1), edit, value(2)]
    run = asyncio.run(play({"output_format": FORMAT}, responses, [PROMPT], gate=gate))
    assert "structured-output-enforce" in str(run.requests[1]["messages"])
    assert [v.action for v in gate.verdicts] == [Action.REVISE, Action.DELIVER]
    assert run.messages[-1].structured_output == LIE


def test_values_that_do_not_fit_count_too(play: Play, edit: list[Any]) -> None:
    """The CLI ends the run at the fifth refusal, whoever refused: after four the gate lets go."""
    gate = GateHooks(config=GateConfig(max_blocks=8))
    unfit = [value(number, summary=number) for number in range(4)]
    run = asyncio.run(play({"output_format": FORMAT}, [*unfit, value(9)], [PROMPT], gate=gate))
    assert gate.verdicts[-1].action is Action.REVISE
    assert gate.verdict is not None
    assert (gate.verdict.action, gate.verdict.feedback, gate.exited_unverified) == (Action.RELEASE, "", True)
    assert (run.messages[-1].subtype, run.messages[-1].structured_output) == ("success", LIE)


@pytest.mark.parametrize(("posture", "last"), [("guard", Action.RELEASE), ("rails", Action.WITHHOLD)])
def test_the_fifth_denial_never_happens(fire: Fire, posture: str, last: Action) -> None:
    """Even an agent that makes progress each time is sent back at most four times."""
    gate = GateHooks(config=GateConfig(policy=Policy.STRICT, max_blocks=8, posture=Posture(posture)), probe_roots=())
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    actions = []
    for number in range(5):
        answer = {"type": "text", "file": {"filePath": f"/w/{number}", "content": f"text {number}"}}
        look = {"tool_name": "Read", "tool_input": {"file_path": f"/w/{number}"}, "tool_use_id": f"r{number}"}
        fire(gate, "PostToolUse", tool_response=answer, **look)
        fire(gate, "PostToolBatch", tool_calls=[])
        output = offer(fire, gate, number)
        assert gate.verdict is not None
        actions.append((gate.verdict.action, output.get("hookSpecificOutput", {}).get("permissionDecision")))
    assert actions == [(Action.REVISE, "deny")] * 4 + [(last, "deny" if posture == "rails" else None)]


def test_a_new_prompt_begins_a_new_count(fire: Fire, tmp_path: Path) -> None:
    """The counter belongs to the prompt and survives a restart."""
    config = GateConfig(policy=Policy.STRICT)

    def gate() -> GateHooks:
        return GateHooks(config=config, state_dir=tmp_path, probe_roots=())

    fire(gate(), "UserPromptSubmit", prompt=PROMPT)
    offer(fire, gate())
    assert gate().session("s1")._session.typed.refused == 1
    fire(gate(), "UserPromptSubmit", prompt=PROMPT, prompt_id="p2")
    assert gate().session("s1")._session.typed.refused == 0


def test_a_failure_of_the_gate_does_not_let_a_value_pass(fire: Fire, monkeypatch: pytest.MonkeyPatch) -> None:
    """One denial, then a marked release, and a mark even when nothing can decide any more."""
    gate = GateHooks()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)

    def boom(*args: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("gate_claude_sdk._session.Session.offers", boom)
    assert "the gate failed" in offer(fire, gate)["systemMessage"]


def test_without_the_options_a_typed_run_is_gated_too(fire: Fire) -> None:
    """`hooks()` alone knows of no output format; the call tells."""
    gate = GateHooks()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    denied = offer(fire, gate)["hookSpecificOutput"]
    assert denied["permissionDecision"] == "deny"
    assert denied["permissionDecisionReason"].startswith("[gate]")
    assert fire(gate, "PreToolUse", tool_name="Bash", tool_input={"command": "ls"}) == {}
