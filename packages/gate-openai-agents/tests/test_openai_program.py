"""Programmatic tool calling: the model writes a program, the provider runs it, its calls run here."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import (
    Agent,
    OutputGuardrailTripwireTriggered,
    ProgrammaticToolCallingTool,
    function_tool,
    set_tracing_disabled,
)
from agents.testing import ScriptedModel
from openai.types.responses import ResponseFunctionToolCall
from openai.types.responses.response_output_item import Program, ProgramOutput
from openai_scripts import say

from gate_core import Action, GateConfig, Layer, Strength, Verdict
from gate_openai_agents import GatedResult, GateRunner
from gate_openai_agents.transcript import transcript_of

set_tracing_disabled(True)
CODE = "text(await tools.read_count({name: 'stock'}))"
VALUES = GateConfig(layers={Layer.VALUES: Strength.BLOCK})


@function_tool(allowed_callers=["programmatic"])
def read_count(name: str) -> str:
    """Count."""
    return "48151623 of 50000000"


def program(call_id: str = "p1") -> Any:
    return Program(id=f"i-{call_id}", call_id=call_id, code=CODE, fingerprint="f", type="program")


def called() -> Any:
    caller: Any = {"type": "program", "caller_id": "p1"}
    return ResponseFunctionToolCall(
        type="function_call", name="read_count", arguments='{"name": "stock"}', call_id="c1", caller=caller
    )


def output(result: str = "48151623", status: Any = "completed") -> Any:
    return ProgramOutput(id="o1", call_id="p1", result=result, status=status, type="program_output")


def run(*responses: Any, in_model: bool = False) -> GatedResult:
    gate, model = GateRunner(config=VALUES), ScriptedModel(list(responses))
    tools: Any = [read_count, ProgrammaticToolCallingTool()]
    agent: Agent[Any] = Agent(name="w", model=gate.model(model) if in_model else model, tools=tools)
    return asyncio.run(gate.run(agent, "How many are in stock?"))


def test_the_calls_of_a_program_and_its_output_are_facts() -> None:
    """In the steps of the responses they came in; the answer beside the output is backed by it."""
    result = run([program(), called()], [output(), say("There are 48151623 in stock.")])
    told = [(fact.call, fact.tool, fact.step, fact.outcome.value) for fact in result.gate.state.facts.values()]
    assert told == [("c1", "read_count", 1, "ok"), ("p1", "program", 2, "ok")]
    assert [verdict.action for verdict in result.verdicts] == [Action.DELIVER]


def test_a_number_no_program_gave_goes_back() -> None:
    """The output is looked into like any result."""
    lie, honest = say("There are 99887766 in stock."), say("UNVERIFIED: I lost count.", 2)
    result = run([program(), called()], [output(), lie], [honest], in_model=True)
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]
    assert "value-unsupported" in result.verdicts[0].codes


@pytest.mark.parametrize(("status", "outcome"), [("completed", "ok"), ("incomplete", "failed")])
def test_a_program_that_did_not_end_is_a_failure(status: str, outcome: str) -> None:
    """By the item's own word."""
    result = run([program(), called()], [output("48151623", status), say("UNVERIFIED: end")])
    assert {fact.call: fact.outcome.value for fact in result.gate.state.facts.values()} == {"c1": "ok", "p1": outcome}


def test_a_refused_answer_beside_an_output_cannot_be_repaired_outside_of_the_model() -> None:
    """The SDK withholds the history of such a run, as it does of an answer made by a tool; the verdict comes along."""
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        run([program(), called()], [output(), say("There are 99887766 in stock.")])
    verdict = caught.value.guardrail_result.output.output_info
    assert (type(verdict), verdict.action) == (Verdict, Action.REVISE)


def test_a_history_tells_programs_too() -> None:
    """Code, output and the calls in between."""
    result = run([program(), called()], [output(), say("There are 48151623 in stock.")])
    turns: Any = transcript_of(result.result.to_input_list())["turns"]
    told = [(event["type"], event.get("tool")) for event in turns[0]["events"]]
    assert told == [("call", "read_count"), ("call", "program"), ("finish", None)]
    assert turns[0]["events"][1]["args"] == {"code": CODE}
