"""The submit tool: a final answer with its claim type, refused and repaired inside one run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import (
    Agent,
    Runner,
    StopAtTools,
    Tool,
    ToolInputGuardrailTripwireTriggered,
    set_tracing_disabled,
)
from agents.testing import ScriptedModel, assistant_message, function_call
from openai_scripts import HONEST, LIE, STRICT, edit_file, read_file
from pydantic import BaseModel

from gate_core import Action, AnswerWithheld, ConfigError, GateConfig
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
RAILS = GateConfig(policy="strict", posture="rails")  # type: ignore[arg-type]


EDIT = function_call("edit_file", {"path": "a.cfg", "old": "5", "new": "30"}, call_id="c1")
READ = function_call("read_file", {"path": "a.cfg"}, call_id="c2")


def submit(answer: Any, call_id: str, claim: str = "completion") -> Any:
    return function_call("submit_answer", {"answer": answer, "claim": claim}, call_id=call_id)


def play(*responses: list[Any], gate: GateRunner | None = None, **extra: Any) -> tuple[GatedResult, ScriptedModel]:
    gate = gate or GateRunner(config=STRICT)
    model = ScriptedModel(list(responses))
    tools: list[Tool] = [edit_file, read_file, gate.submit_tool(extra.pop("answer_type", str))]
    given = {"tool_use_behavior": gate.until_accepted, **extra}
    agent: Agent[Any] = Agent(name="worker", model=model, tools=tools, **given)
    return asyncio.run(gate.run(agent, "Set it.")), model


def test_a_refused_submission_goes_back_and_the_repaired_one_ends_the_run() -> None:
    """The feedback is the tool's result; one verdict per submission, and the call is no call of the agent's."""
    result, model = play([EDIT], [submit(LIE, "s1")], [READ], [submit(HONEST, "s2")])
    assert result.final_output == HONEST
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]
    assert model.calls[2].input[-1]["output"] == result.verdicts[0].feedback
    assert {fact.tool for fact in result.gate.state.facts.values()} == {"edit_file", "read_file"}


def test_the_claim_is_what_the_agent_says_it_is() -> None:
    """An answer submitted as unverified goes out, whatever its words."""
    result, _ = play([EDIT], [submit(LIE, "s1", claim="unverified")])
    assert (result.final_output, result.exited_unverified) == (LIE, True)


def test_a_typed_answer_is_submitted_with_its_claim() -> None:
    """`submit_tool(Report)` takes the agent's output type; its fields are judged."""

    class Report(BaseModel):
        file: str
        summary: str

    Report.__module__ = __name__
    steps = [[EDIT], [submit({"file": "a.cfg", "summary": LIE}, "s1")], [READ]]
    result, _ = play(*steps, [submit({"file": "a.cfg", "summary": HONEST}, "s2")], answer_type=Report)
    assert "I read a.cfg back" in str(result.final_output)
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]


def test_a_submission_beside_other_calls_is_not_run() -> None:
    """A call that runs at the same time could change what the answer says, so the answer has to come alone."""
    result, model = play([EDIT, submit(LIE, "s1")], [READ], [submit(HONEST, "s2")])
    assert "call it alone" in str(model.calls[1].input[-1]["output"])
    assert (result.final_output, len(result.verdicts)) == (HONEST, 1)


def test_an_agent_that_never_repairs_ends_marked() -> None:
    """The gate never traps: the submission is released in the end."""
    result, _ = play([EDIT], [submit(LIE, "s1")], [submit(LIE, "s2")])
    assert (result.final_output, result.exited_unverified) == (LIE, True)


def test_under_rails_a_submission_is_withheld() -> None:
    """Posture rails ends the run with the gate's own error."""
    with pytest.raises(AnswerWithheld):
        play([EDIT], [submit(LIE, "s1")], [submit(LIE, "s2")], gate=GateRunner(config=RAILS))


def test_a_plain_text_is_judged_too() -> None:
    """An agent that answers without the tool meets the guardrail."""
    result, _ = play([EDIT], [assistant_message(LIE, item_id="m1")], [READ], [submit(HONEST, "s2")])
    assert (result.final_output, len(result.verdicts)) == (HONEST, 2)


@pytest.mark.parametrize("behaviour", ["stop_on_first_tool", StopAtTools(stop_at_tool_names=["submit_answer"])])
def test_a_behaviour_that_would_deliver_the_refusal_is_refused(behaviour: Any) -> None:
    """With these a refused submission would be the final answer: a configuration error, before anything runs."""
    with pytest.raises(ConfigError, match="until_accepted"):
        play([submit(LIE, "s1")], tool_use_behavior=behaviour)


def test_plain_runs_end_by_an_accepted_submission_too() -> None:
    """Under plain `Runner.run` the same pieces work; under rails the tripwire carries the verdict."""
    for config, end in ((STRICT, None), (RAILS, ToolInputGuardrailTripwireTriggered)):
        gate = GateRunner(config=config)
        last = submit(LIE if end else HONEST, "s2")
        model = ScriptedModel([[EDIT], [submit(LIE, "s1")], *([] if end else [[READ]]), [last]])
        tools: list[Tool] = [edit_file, read_file, gate.submit_tool()]
        agent: Agent[Any] = Agent(name="w", model=model, tools=tools, tool_use_behavior=gate.until_accepted)
        run = Runner.run(agent, "Set it.", hooks=gate.hooks(), run_config=gate.run_config())
        if end is None:
            assert asyncio.run(run).final_output == HONEST
        else:
            with pytest.raises(end) as caught:
                asyncio.run(run)
            assert caught.value.output.output_info.action is Action.WITHHOLD


def test_an_agent_used_as_a_tool_submits_testimony() -> None:
    """A nested agent may end by the same tool; what it submits is not judged as the user's answer."""
    gate = GateRunner(config=STRICT)
    inner: Agent[Any] = Agent(
        name="inner",
        model=ScriptedModel([[submit(LIE, "n1")], [assistant_message("inner is done", item_id="n2")]]),
        tools=[gate.submit_tool()],
    )
    tool = inner.as_tool("ask", "asks", hooks=gate.hooks())
    steps = [[function_call("ask", {"input": "x"}, call_id="p1")], [assistant_message("Hello!", item_id="m1")]]
    outer: Agent[Any] = Agent(name="outer", model=ScriptedModel(steps), tools=[tool])
    result = asyncio.run(gate.run(outer, "go"))
    assert (len(result.verdicts), "evidence_gate" in str(result.result.to_input_list())) == (1, False)
