"""Conversations whose history the provider keeps: the feedback is the only new item, and the answer is judged."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import Agent, MaxTurnsExceeded, RunConfig, Runner, RunState, set_tracing_disabled
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call
from openai_scripts import HONEST, LIE, STRICT, edit_file, edit_with_approval, read_file

from gate_core import Action, AnswerWithheld, GateConfig
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
MODES: list[dict[str, Any]] = [
    {"conversation_id": "conv_1"},
    {"auto_previous_response_id": True},
    {"previous_response_id": "resp_0"},
]
IDS = ["conversation", "auto", "previous"]


EDIT = function_call("edit_file", {"path": "a.cfg", "old": "5", "new": "30"}, call_id="c1")
READ = function_call("read_file", {"path": "a.cfg"}, call_id="c2")


def scripted(*outputs: list[Any]) -> ScriptedModel:
    """Responses with ids of their own, as a provider gives them."""
    return ScriptedModel([ModelStep(output=out, response_id=f"resp_{n}") for n, out in enumerate(outputs, 1)])


def repair() -> ScriptedModel:
    lie, honest = assistant_message(LIE, item_id="m1"), assistant_message(HONEST, item_id="m2")
    return scripted([EDIT], [lie], [READ], [honest])


def worker(model: Any, *tools: Any) -> Agent[Any]:
    return Agent(name="worker", model=model, tools=[*(tools or (edit_file,)), read_file])


def shape(model: ScriptedModel) -> list[tuple[list[str], str | None]]:
    """Per model call the kinds of its input and the response it goes on from."""
    return [
        ([str(item.get("type") or item.get("role")) for item in call.input], call.previous_response_id)
        for call in model.calls
    ]


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_a_refused_answer_is_repaired(mode: dict[str, Any]) -> None:
    """The third call carries the feedback and nothing else: it is neither dropped nor is the history sent again."""
    model = repair()
    result = asyncio.run(GateRunner(config=STRICT).run(worker(model), "Set it.", **mode))
    assert (result.final_output, [v.action for v in result.verdicts]) == (HONEST, [Action.REVISE, Action.DELIVER])
    assert [kinds for kinds, _ in shape(model)] == [
        ["user"],
        ["function_call_output"],
        ["user"],
        ["function_call_output"],
    ]
    assert model.calls[2].input[0]["content"] == result.verdicts[0].feedback
    if "conversation_id" not in mode:
        assert [previous for _, previous in shape(model)][1:] == ["resp_1", "resp_2", "resp_3"]


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_a_stream_of_such_a_conversation_shows_the_answer_only(mode: dict[str, Any]) -> None:
    """The deltas of a gated stream are the accepted answer there too."""

    async def go() -> str:
        stream = GateRunner(config=STRICT).run_streamed(worker(repair()), "Set it.", **mode)
        text = ""
        async for event in stream.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                text += event.data.delta
        return text

    assert asyncio.run(go()) == HONEST


@pytest.mark.parametrize("mode", MODES, ids=IDS)
def test_a_gated_model_repairs_it_in_the_run(mode: dict[str, Any]) -> None:
    """Plain `Runner.run` with the boundary in the model: one run, and the provider is told the feedback only."""
    gate, model = GateRunner(config=STRICT), repair()
    config = gate.run_config(RunConfig(), guardrail=False)
    run = Runner.run(worker(gate.model(model)), "Set it.", hooks=gate.hooks(), run_config=config, **mode)
    result = asyncio.run(run)
    assert (result.final_output, len(model.calls)) == (HONEST, 4)
    assert shape(model)[2][0] == ["user"]


def test_turns_are_counted_over_all_attempts() -> None:
    """The budget is that of the whole run."""
    for limit in (2, 3):
        model = repair()
        with pytest.raises(MaxTurnsExceeded, match=rf"Max turns \({limit}\) exceeded"):
            asyncio.run(GateRunner(config=STRICT).run(worker(model), "Set it.", conversation_id="c", max_turns=limit))
        assert len(model.calls) == limit


def test_rails_withhold() -> None:
    """An answer that stays unsupported does not come out."""
    config = GateConfig(policy="strict", posture="rails")  # type: ignore[arg-type]
    model = scripted([EDIT], [assistant_message(LIE, item_id="m1")], [assistant_message(LIE, item_id="m2")])
    with pytest.raises(AnswerWithheld):
        asyncio.run(GateRunner(config=config).run(worker(model), "Set it.", conversation_id="c"))


def test_an_agent_used_as_a_tool_is_not_judged() -> None:
    """The hooks' boundary is that of the run: what a nested agent says is testimony."""
    gate = GateRunner(config=STRICT)
    inner = worker(scripted([assistant_message(LIE, item_id="n1")]))
    tool = inner.as_tool("ask", "asks", hooks=gate.hooks())
    outer = worker(
        scripted([function_call("ask", {"input": "x"}, call_id="p1")], [assistant_message("Hello!", item_id="m1")]),
        tool,
    )
    assert len(asyncio.run(gate.run(outer, "go", conversation_id="c")).verdicts) == 1


def test_a_paused_conversation_goes_on() -> None:
    """A state that is resumed knows its conversation: it is judged, and repaired, the same way."""
    model = repair()
    agent = worker(model, edit_with_approval)
    gate = GateRunner(config=STRICT)

    async def go() -> GatedResult:
        paused = await gate.run(agent, "Set it.", conversation_id="conv_1")
        state = await RunState.from_json(agent, paused.result.to_state().to_json())
        for item in state.get_interruptions():
            state.approve(item)
        return await gate.run(agent, state, gate=paused.gate)

    result = asyncio.run(go())
    assert (result.final_output, len(result.verdicts)) == (HONEST, 2)
    assert {call.conversation_id for call in model.calls} == {"conv_1"}
