"""The output guardrail under plain `Runner.run`: it raises with the typed verdict, and says when it is alone."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from typing import Any

import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    RunResult,
    SQLiteSession,
    function_tool,
    set_tracing_disabled,
)
from agents.run import ToolErrorFormatterArgs
from agents.testing import ModelStep, ScriptedModel, function_call
from openai_scripts import LIE, STRICT, edit_file, read_file, say
from pydantic import BaseModel

from gate_core import Action, GateConfig, Verdict
from gate_openai_agents import GateRunner

set_tracing_disabled(True)


EDIT = function_call("edit_file", {"path": "a.cfg", "old": "5", "new": "30"}, call_id="c1")
READ = function_call("read_file", {"path": "a.cfg"}, call_id="c2")


def worker(*responses: Any, **extra: Any) -> Agent[Any]:
    return Agent(name="worker", model=ScriptedModel(list(responses)), tools=[edit_file, read_file], **extra)


async def plain(gate: GateRunner, agent: Agent[Any], **extra: Any) -> RunResult:
    """`Runner.run` with both pieces of the gate."""
    return await Runner.run(agent, "Set it.", hooks=gate.hooks(), run_config=gate.run_config(), **extra)


def verdict_of(result: RunResult) -> Verdict:
    """The verdict in the SDK's own result."""
    info = result.output_guardrail_results[-1].output.output_info
    assert isinstance(info, Verdict)
    return info


def test_a_refused_answer_raises_with_the_verdict_and_is_not_saved() -> None:
    """The tripwire carries a typed `Verdict`, and the session does not get the refused answer."""
    session = SQLiteSession("s")
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        asyncio.run(plain(GateRunner(config=STRICT), worker([EDIT], [say(LIE)]), session=session))
    info = caught.value.guardrail_result.output.output_info
    assert isinstance(info, Verdict)
    assert (info.action, info.codes) == (Action.REVISE, ("change-unseen",))
    assert caught.value.guardrail_result.guardrail.get_name() == "evidence_gate"
    assert LIE not in str(asyncio.run(session.get_items()))
    session.close()


def test_an_accepted_answer_carries_its_verdict() -> None:
    """An accepted answer is the SDK's plain result, with the verdict among its guardrail results."""
    result = asyncio.run(plain(GateRunner(config=STRICT), worker([EDIT], [READ], [say(LIE)])))
    assert (result.final_output, verdict_of(result).action) == (LIE, Action.DELIVER)


@pytest.mark.parametrize("posture", ["guard", "rails"])
def test_a_guardrail_without_hooks_says_so(posture: str) -> None:
    """Without the hooks no call is seen: `gate-unwired` names them; guard releases marked, rails refuses."""
    gate = GateRunner(config=GateConfig(posture=posture))  # type: ignore[arg-type]
    run = Runner.run(worker([EDIT], [READ], [say(LIE)]), "Set it.", run_config=gate.run_config())
    if posture == "rails":
        with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
            asyncio.run(run)
        verdict = caught.value.guardrail_result.output.output_info
    else:
        verdict = verdict_of(asyncio.run(run))
        assert verdict.action is Action.RELEASE
    assert verdict.codes == ("gate-unwired",)
    assert "hooks=gate.hooks()" in str(verdict.to_dict())


def test_all_messages_of_the_final_response_are_judged() -> None:
    """The SDK hands guardrails only the last message; a claim in an earlier one is judged all the same."""
    with pytest.raises(OutputGuardrailTripwireTriggered):
        asyncio.run(plain(GateRunner(config=STRICT), worker([EDIT], [say(LIE, 1), say("Anything else?", 2)])))


def test_runs_do_not_share_a_ledger() -> None:
    """Four concurrent runs share one gate, one set of hooks and one configuration, and are judged apart."""
    gate = GateRunner(config=STRICT)
    hooks, config = gate.hooks(), gate.run_config()

    async def one(honest: bool) -> str:
        agent = worker([EDIT], *([[READ]] if honest else []), [say(LIE)])
        try:
            await Runner.run(agent, "Set it.", hooks=hooks, run_config=config)
        except OutputGuardrailTripwireTriggered:
            return "refused"
        return "delivered"

    async def four() -> list[str]:
        return [*await asyncio.gather(one(True), one(False), one(True), one(False))]

    assert asyncio.run(four()) == ["delivered", "refused", "delivered", "refused"]


def test_a_ledger_ends_with_its_run() -> None:
    """Nothing of a plain run stays in the gate once its result is gone."""
    gate = GateRunner(config=STRICT)
    asyncio.run(plain(gate, worker([EDIT], [READ], [say(LIE)])))
    gc.collect()
    assert vars(gate)["_runs"] == {}


def test_an_agent_used_as_a_tool_is_not_judged() -> None:
    """A nested run inherits the configuration, but its answer goes to an agent, not to the user."""
    inner = worker([EDIT], [say(LIE)])
    gate = GateRunner(config=STRICT)
    tool = inner.as_tool("ask_inner", "asks", hooks=gate.hooks())
    steps: list[Any] = [[function_call("ask_inner", {"input": "x"}, call_id="p1")], [say("UNVERIFIED: see above", 9)]]
    outer: Agent[Any] = Agent(name="outer", model=ScriptedModel(steps), tools=[tool])
    result = asyncio.run(plain(gate, outer))
    assert len(result.output_guardrail_results) == 1
    assert "An error occurred" not in str(result.to_input_list())


def test_a_run_started_by_a_tool_is_not_the_users_turn() -> None:
    """A tool that starts a run of its own with the gate's pieces adds facts; its answer and its input are not judged
    as the user's."""
    gate = GateRunner(config=GateConfig(posture="assist"))  # type: ignore[arg-type]

    @function_tool
    async def delegate(task: str) -> str:
        """Delegate."""
        done = await Runner.run(worker([EDIT], [say(LIE)]), task, hooks=gate.hooks(), run_config=gate.run_config())
        return str(done.final_output)

    steps: list[Any] = [[function_call("delegate", {"task": "do"}, call_id="p1")], [say("UNVERIFIED: end", 9)]]
    outer: Agent[Any] = Agent(name="outer", model=ScriptedModel(steps), tools=[delegate])
    result = asyncio.run(gate.run(outer, "Set it."))
    assert {fact.call for fact in result.gate.state.facts.values()} == {"c1", "p1"}
    assert (result.gate.state.turn, len(result.verdicts)) == (1, 1)


def test_the_users_configuration_is_kept() -> None:
    """Guardrails and formatter of the user stay in force; the given configuration is not touched."""
    asked: list[str] = []

    def users(context: Any, agent: Any, output: Any) -> GuardrailFunctionOutput:
        asked.append("guardrail")
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=False)

    def formatter(args: ToolErrorFormatterArgs[Any]) -> str | None:
        asked.append(f"formatter {args.kind}")
        return "custom text"

    @function_tool
    def broken(path: str) -> str:
        """Break."""
        raise ValueError("bug")

    given = RunConfig(output_guardrails=[OutputGuardrail(users)], tool_error_formatter=formatter, workflow_name="mine")
    gate = GateRunner(config=GateConfig(posture="assist"))  # type: ignore[arg-type]
    config = gate.run_config(given)
    model = ScriptedModel([[function_call("broken", {"path": "a"}, call_id="b1")], [say("UNVERIFIED: no")]])
    agent: Agent[Any] = Agent(name="worker", model=model, tools=[broken])
    asyncio.run(Runner.run(agent, "go", hooks=gate.hooks(), run_config=config))
    assert sorted(asked) == ["formatter tool_exception", "guardrail"]
    assert "custom text" in str(model.calls[1].input)
    assert (config.workflow_name, len(given.output_guardrails or [])) == ("mine", 1)
    assert gate.run_config(config).output_guardrails == config.output_guardrails


class Answer(BaseModel):
    """A typed answer."""

    text: str


def test_a_typed_answer_is_judged_by_its_fields() -> None:
    """With an `output_type` the typed output is judged, once, not its JSON text beside it."""
    heard: list[Verdict] = []
    gate = GateRunner(config=STRICT, on_verdict=heard.append)
    agent = worker([EDIT], [say(Answer(text=LIE).model_dump_json())], output_type=Answer)
    with pytest.raises(OutputGuardrailTripwireTriggered):
        asyncio.run(plain(gate, agent))
    assert heard[0].codes == ("change-unseen",)


class Claimed(BaseModel):
    """A typed answer that says what it is."""

    text: str
    claim_type: str


@pytest.mark.parametrize(("claim", "action"), [("unverified", "DELIVER"), ("none", "REVISE"), ("motor", "REVISE")])
def test_a_typed_answer_may_state_its_claim(claim: str, action: str) -> None:
    """A field `claim_type` is the claim's type, and only honesty lowers what the text says; another word is the
    application's own."""
    heard: list[Verdict] = []
    gate = GateRunner(config=STRICT, on_verdict=heard.append)
    answer = Claimed(text=LIE, claim_type=claim).model_dump_json()
    agent = worker([EDIT], [say(answer)], output_type=Claimed)
    with contextlib.suppress(OutputGuardrailTripwireTriggered):
        asyncio.run(plain(gate, agent))
    assert [verdict.action.value for verdict in heard] == [action]
    assert "claim-type-unknown" not in heard[0].codes


def test_a_failing_model_is_the_users_to_see() -> None:
    """Errors of the model or of the run are not the gate's; they pass as they are."""
    agent: Agent[Any] = Agent(name="worker", model=ScriptedModel([ModelStep.raise_error(RuntimeError("down"))]))
    with pytest.raises(RuntimeError, match="down"):
        asyncio.run(GateRunner().run(agent, "go"))
