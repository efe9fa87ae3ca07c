"""`GateRunner.run`: a refused answer goes back to the model, and the user's history shows nothing of it."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    MaxTurnsExceeded,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunState,
    SQLiteSession,
    function_tool,
    set_tracing_disabled,
)
from agents.run import CallModelData, ModelInputData
from agents.testing import ScriptedModel
from openai.types.responses import ResponseReasoningItem
from openai_scripts import HONEST, LIE, STRICT, edit, edit_file, edit_with_approval, read, read_file, say

from gate_core import Action, AnswerWithheld, Exit, GateConfig, Verdict
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)


def repair() -> ScriptedModel:
    """Edits, claims, is refused, reads, answers."""
    return ScriptedModel([[edit()], [say(LIE, 1)], [read()], [say(HONEST, 2)]])


def agent_of(model: ScriptedModel, **extra: Any) -> Agent[Any]:
    return Agent(name="worker", model=model, **{"tools": [edit_file, read_file], **extra})


def run(
    agent: Agent[Any], *, runner: GateRunner | None = None, config: GateConfig = STRICT, **extra: Any
) -> GatedResult:
    gate = runner or GateRunner(config=config)
    return asyncio.run(gate.run(agent, extra.pop("input", "Set it."), **extra))


def kinds(items: Any) -> list[str]:
    return [str(item.get("type") or item.get("role")) for item in items]


TURN = ["user", "function_call", "function_call_output"]


def test_a_refused_answer_goes_back_and_the_repaired_one_comes_out() -> None:
    """One run: four model calls, one agent object, the usage of all attempts, the verdicts in order."""
    model = repair()
    agent = agent_of(model)
    result = run(agent)
    assert result.final_output == HONEST
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]
    assert result.verdict is not None
    assert (result.verdict.exit, result.exited_unverified) == (Exit.VERIFIED, False)
    assert result.result.last_agent is agent
    assert result.result.context_wrapper.usage.requests == len(model.calls) == 4
    assert result.progress()["rejections"] == 1


def test_the_model_sees_its_draft_and_the_feedback_the_history_does_not() -> None:
    """Draft and feedback are said to the model at their place, in every later call; `to_input_list()` has neither."""
    model = repair()
    result = run(agent_of(model))
    third, fourth = model.calls[2].input, model.calls[3].input
    assert kinds(third) == [*TURN, "assistant", "user"]
    assert (third[3]["content"], third[4]["content"]) == (LIE, result.verdicts[0].feedback)
    assert kinds(fourth) == [*TURN, "assistant", "user", "function_call", "function_call_output"]
    kept = result.result.to_input_list()
    assert kinds(kept) == [*TURN, "function_call", "function_call_output", "message"]
    assert "[gate]" not in str(kept)
    assert LIE not in str(kept)


def test_reasoning_leaves_with_its_message() -> None:
    """A refused message takes its reasoning item along, earlier reasoning stays: providers refuse half of a pair."""

    def think(number: int) -> ResponseReasoningItem:
        return ResponseReasoningItem(id=f"rs{number}", type="reasoning", summary=[])

    steps: list[Any] = [[think(1), edit()], [think(2), say(LIE, 1)], [think(3), read()], [think(4), say(HONEST, 2)]]
    model = ScriptedModel(steps)
    run(agent_of(model))
    before = ["user", "reasoning", "function_call", "function_call_output"]
    assert kinds(model.calls[3].input) == [*before, "assistant", "user", *before[1:]]


def test_every_refused_draft_stays_visible_to_the_model() -> None:
    """Two refusals in one run: both drafts and both reasons stand where they were said."""
    calls: list[Any] = [[edit("c1")], [say(LIE, 1)], [read("c2"), edit("c3")], [say(LIE, 2)], [read("c4")]]
    model = ScriptedModel([*calls, [say(HONEST, 3)]])
    result = run(agent_of(model))
    said = [item["content"] for item in model.calls[5].input if item.get("role") in ("assistant", "user")]
    assert said == ["Set it.", LIE, result.verdicts[0].feedback, LIE, result.verdicts[1].feedback]
    assert kinds(model.calls[5].input)[3:5] == ["assistant", "user"]


def test_the_session_gets_neither_draft_nor_feedback() -> None:
    """A session holds what a run without rejections would have left, and earlier turns are sent once."""
    session = SQLiteSession("s")
    gate = GateRunner(config=STRICT)
    run(agent_of(ScriptedModel([[say("Hello!", 0)]])), runner=gate, session=session, input="Hi")
    model = repair()
    result = run(agent_of(model), runner=gate, session=session)
    assert kinds(asyncio.run(session.get_items())) == [
        *["user", "message"],
        *[*TURN, "function_call", "function_call_output", "message"],
    ]
    assert kinds(model.calls[3].input) == ["user", "message", *TURN, "assistant", "user", *TURN[1:]]
    assert result.gate is gate.gate_of(session)
    assert result.gate.state.turn == 2
    session.close()


def test_input_guardrails_run_once() -> None:
    """The user's input guardrails are asked about the user's input only, however many attempts follow."""
    asked: list[object] = []

    def users(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
        asked.append(given)
        return GuardrailFunctionOutput(output_info=None, tripwire_triggered=False)

    run(agent_of(repair(), input_guardrails=[InputGuardrail(users)]))
    assert asked == ["Set it."]


def test_the_users_input_filter_has_the_last_word() -> None:
    """The user's filter runs after the gate's, so it sees what the model will see."""
    seen: list[int] = []

    def users(data: CallModelData[Any]) -> ModelInputData:
        seen.append(len(data.model_data.input))
        return data.model_data

    run(agent_of(repair()), run_config=RunConfig(call_model_input_filter=users))
    assert seen == [1, 3, 5, 7]


def test_an_agent_that_never_repairs_is_released_marked() -> None:
    """The gate never traps: the answer goes out with the mark in the SDK's own result, the text untouched."""
    result = run(agent_of(ScriptedModel([[edit()], [say(LIE, 1)], [say(LIE, 2)]])))
    info = result.result.output_guardrail_results[-1].output.output_info
    assert (info.action, info.exit) == (Action.RELEASE, Exit.UNVERIFIED)
    assert (result.final_output, result.exited_unverified) == (LIE, True)


def test_a_released_text_is_marked_on_request() -> None:
    """`mark_text=True` puts the marker into the visible text; without it only metadata carries it."""
    gate = GateRunner(config=STRICT, mark_text=True)
    result = run(agent_of(ScriptedModel([[edit()], [say(LIE, 1)], [say(LIE, 2)]])), runner=gate)
    assert result.final_output == f"UNVERIFIED: {LIE}"
    assert result.result.final_output == LIE


def test_under_rails_the_answer_is_withheld() -> None:
    """Posture rails raises instead of releasing; the text is neither in the error nor in the session."""
    session = SQLiteSession("s")
    config = GateConfig(policy="strict", posture="rails")  # type: ignore[arg-type]
    with pytest.raises(AnswerWithheld) as caught:
        run(agent_of(ScriptedModel([[edit()], [say(LIE, 1)], [say(LIE, 2)]])), config=config, session=session)
    assert caught.value.verdict.action is Action.WITHHOLD
    assert LIE not in str(caught.value)
    assert caught.value.__context__ is None
    assert LIE not in str(asyncio.run(session.get_items()))
    session.close()


def test_all_attempts_share_one_budget_of_turns() -> None:
    """A repair counts against `max_turns` of the whole run, and the error names that number."""
    for limit in (2, 3):
        model = repair()
        with pytest.raises(MaxTurnsExceeded, match=rf"Max turns \({limit}\) exceeded"):
            run(agent_of(model), max_turns=limit)
        assert len(model.calls) == limit
    assert run(agent_of(repair()), max_turns=4).final_output == HONEST


def test_two_gates_on_one_run_have_ledgers_of_their_own() -> None:
    """The pieces of two gates compose: both observe, both are asked, and only one refuses."""
    heard: list[Action] = []
    lenient = GateConfig(posture="assist")  # type: ignore[arg-type]
    other = GateRunner(config=lenient, on_verdict=lambda verdict: heard.append(verdict.action))
    result = run(agent_of(repair()), hooks=other.hooks(), run_config=other.run_config())
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]
    assert set(heard) == {Action.DELIVER}
    infos = [item.output.output_info.codes for item in result.result.output_guardrail_results]
    assert len(infos) == 2
    assert "gate-unwired" not in str(infos)


def test_a_callback_that_raises_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """`on_verdict` is the user's; when it raises the verdict stands, and the refused answer is not saved."""

    def broken(verdict: object) -> None:
        raise RuntimeError("bug")

    session = SQLiteSession("s")
    result = run(agent_of(repair()), runner=GateRunner(config=STRICT, on_verdict=broken), session=session)
    assert (result.final_output, len(result.verdicts)) == (HONEST, 2)
    assert LIE not in str(asyncio.run(session.get_items()))
    assert "on_verdict failed" in caplog.text
    session.close()


def test_a_users_tripwire_is_not_the_gates() -> None:
    """An output guardrail of the user that trips ends the run as it always did."""

    def users(context: Any, agent: Any, output: Any) -> GuardrailFunctionOutput:
        return GuardrailFunctionOutput(output_info="mine", tripwire_triggered=True)

    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        run(agent_of(ScriptedModel([[say("Hello!")]]), output_guardrails=[OutputGuardrail(users)]))
    assert caught.value.guardrail_result.output.output_info == "mine"


def test_an_answer_made_by_a_tool_keeps_its_verdict() -> None:
    """The SDK withholds data and history of an answer a tool made, so the run cannot go on; the verdict is put back."""

    @function_tool
    def edit_file(path: str, old: str, new: str) -> str:
        """Edit."""
        return LIE

    agent = agent_of(ScriptedModel([[edit()]]), tools=[edit_file], tool_use_behavior="stop_on_first_tool")
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        run(agent)
    verdict = caught.value.guardrail_result.output.output_info
    assert isinstance(verdict, Verdict)
    assert verdict.action is Action.REVISE
    assert LIE not in str(caught.value.guardrail_result.agent_output)


def test_a_conversation_goes_on_with_its_gate() -> None:
    """`gate=` carries the ledger into the next run: a new turn of the same conversation, steps going on."""
    gate = GateRunner(config=STRICT)
    first = run(agent_of(ScriptedModel([[edit()], [read()], [say(HONEST)]])), runner=gate)
    history = [*first.result.to_input_list(), {"role": "user", "content": "And now?"}]
    model = ScriptedModel([[read("c3")], [say("The timeout in a.cfg is 30.", 2)]])
    second = run(agent_of(model), runner=gate, gate=first.gate, input=history)
    assert [(fact.turn, fact.step) for fact in second.gate.state.facts.values()] == [(1, 1), (1, 2), (2, 3)]
    assert len(second.verdicts) == 1


def test_an_unknown_gate_starts_an_own_conversation() -> None:
    """Two runs without gate and session are two conversations."""
    gate = GateRunner(config=STRICT)
    first, second = (run(agent_of(ScriptedModel([[say("Hello!")]])), runner=gate) for _ in range(2))
    assert first.gate is not second.gate


def approve(state: RunState[Any]) -> RunState[Any]:
    for item in state.get_interruptions():
        state.approve(item)
    return state


def test_a_paused_run_goes_on_in_another_process() -> None:
    """State and ledger through JSON, all objects new: the turn goes on, and the edit before the pause still counts."""
    steps: list[Any] = [
        [edit("c0")],
        [say(LIE, 1)],
        [read("c1"), edit("c2")],
        [say(LIE, 2)],
        [read("c3")],
        [say(HONEST, 3)],
    ]
    model = ScriptedModel(steps)
    tools = [edit_with_approval, read_file]

    async def first_process() -> str:
        gate = GateRunner(config=STRICT)
        paused = await gate.run(agent_of(model, tools=tools), "Set it.")
        resumed = await gate.run(agent_of(model, tools=tools), approve(paused.result.to_state()), gate=paused.gate)
        assert [item.call_id for item in resumed.result.interruptions] == ["c2"]
        return json.dumps({"run": resumed.result.to_state().to_json(), "gate": resumed.gate.to_json()})

    async def second_process(saved: str) -> GatedResult:
        data = json.loads(saved)
        gate, agent = GateRunner(config=STRICT), agent_of(model, tools=tools)
        state = approve(await RunState.from_json(agent, data["run"]))
        return await gate.run(agent, state, gate=gate.restore(data["gate"]))

    result = asyncio.run(second_process(asyncio.run(first_process())))
    assert result.final_output == HONEST
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]
    steps_of = {fact.call: fact.step for fact in result.gate.state.facts.values()}
    assert steps_of["c1"] == steps_of["c2"] > steps_of["c0"]
    assert result.gate.state.turn == 1


def test_a_paused_run_keeps_its_budget_of_turns() -> None:
    """The limit of a restored state is that of its run, calls made before the pause included."""
    model = ScriptedModel([[edit()], [say(LIE, 1)], [read()], [say(HONEST, 2)]])
    agent = agent_of(model, tools=[edit_with_approval, read_file])
    gate = GateRunner(config=STRICT)
    paused = run(agent, runner=gate, max_turns=3)
    with pytest.raises(MaxTurnsExceeded, match=r"Max turns \(3\) exceeded"):
        run(agent, runner=gate, gate=paused.gate, input=approve(paused.result.to_state()))
    assert len(model.calls) == 3


def test_run_sync_works_without_a_loop_in_several_threads() -> None:
    """`run_sync` is the same run; threads share a GateRunner and no ledger."""
    gate = GateRunner(config=STRICT)
    results: list[GatedResult] = []

    def work() -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        try:
            results.append(gate.run_sync(agent_of(repair()), "Set it."))
        finally:
            loop.close()
            asyncio.set_event_loop(None)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(result.final_output, len(result.gate.state.facts)) for result in results] == [(HONEST, 2)] * 3


def test_what_the_instructions_state_needs_no_other_source() -> None:
    """And what they do not state does."""
    config = GateConfig(layers={"values": "block"}, posture="assist")  # type: ignore[arg-type,dict-item]  # strings do
    model = ScriptedModel([[say("A bag costs $57 and a seat $58.")]])
    agent = Agent(name="a", instructions="A bag costs $57.", model=model)
    result = asyncio.run(GateRunner(config=config).run(agent, "What does a bag cost?"))
    assert result.verdict is not None
    assert result.verdict.provenance == {"$57": "supplied", "$58": "unsupported"}
