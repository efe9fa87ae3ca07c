"""The seat before a tool runs: what `Gate.admit` says, as a tool input guardrail and as an approval."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agents import Agent, RunState, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from gate_core import ConfigError, GateConfig, ToolEffect, ToolProfile
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
CONFIG = GateConfig(
    layers={"actions": "block"},  # type: ignore[dict-item]  # strings are accepted
    profiles={
        "delete_file": ToolProfile(
            name="delete_file",
            effect=ToolEffect.DELETE,
            targets=("path",),
            family="delete",
            reversible=False,
            authorization="may-delete",
        )
    },
)
RUN: list[str] = []


@function_tool
def delete_file(path: str) -> str:
    """Delete."""
    RUN.append(path)
    return "ok"


@function_tool
def read_file(path: str) -> str:
    """Read."""
    return "text"


DELETE = function_call("delete_file", {"path": "old.log"}, call_id="c1")
END = assistant_message("UNVERIFIED: end", item_id="m1")


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RUN.clear()


def agent_of(*responses: list[Any], gate: GateRunner, ask: tuple[str, ...] = ()) -> Agent[Any]:
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([*responses]), tools=[delete_file, read_file])
    return gate.instrument(agent, ask=ask)


def play(prompt: str, *responses: list[Any]) -> GatedResult:
    gate = GateRunner(config=CONFIG)
    return asyncio.run(gate.run(agent_of(*responses, gate=gate), prompt))


def test_an_action_nobody_asked_for_does_not_run() -> None:
    """A refused call gets the feedback as its result, and is on record as not executed."""
    result = play("What is in old.log?", [DELETE], [END])
    assert RUN == []
    (fact,) = result.gate.state.facts.values()
    assert fact.note == "not_executed"
    shown = str(result.result.to_input_list())
    assert "This call was not run" in shown


def test_a_call_that_changes_nothing_runs() -> None:
    """Looking needs nobody's leave."""
    result = play("What is in old.log?", [function_call("read_file", {"path": "old.log"}, call_id="c1")], [END])
    assert [fact.outcome.value for fact in result.gate.state.facts.values()] == ["ok"]


@pytest.mark.parametrize("approved", [True, False])
def test_an_approval_is_the_confirmation(approved: bool) -> None:
    """A tool that asks pauses where only the confirmation is missing; a person's yes to this call lets it run, from a
    stored state too."""
    gate = GateRunner(config=CONFIG)

    async def go() -> GatedResult:
        first = agent_of([DELETE], gate=gate, ask=("delete_file",))
        paused = await gate.run(first, "Delete old.log.")
        assert [item.call_id for item in paused.result.interruptions] == ["c1"]
        saved = json.dumps([paused.result.to_state().to_json(), paused.gate.to_json()])
        run, ledger = json.loads(saved)
        other = GateRunner(config=CONFIG)
        agent = agent_of([END], gate=other, ask=("delete_file",))
        state = await RunState.from_json(agent, run)
        (item,) = state.get_interruptions()
        (state.approve if approved else state.reject)(item)
        return await other.run(agent, state, gate=other.restore(ledger))

    result = asyncio.run(go())
    (fact,) = result.gate.state.facts.values()
    assert (RUN, fact.note) == ((["old.log"], "") if approved else ([], "not_executed"))


def test_tools_without_the_seat_are_a_configuration_error() -> None:
    """With the layer on, an agent that was not instrumented would act unasked."""
    gate = GateRunner(config=CONFIG)
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([[END]]), tools=[delete_file])
    with pytest.raises(ConfigError, match=r"delete_file; use agent = gate\.instrument"):
        asyncio.run(gate.run(agent, "go"))


def test_with_the_layer_off_nothing_is_asked() -> None:
    """Instrumented tools of a gate without the layer run as they are."""
    gate = GateRunner(config=GateConfig(posture="assist"))  # type: ignore[arg-type]
    asyncio.run(gate.run(agent_of([DELETE], [END], gate=gate), "What is in old.log?"))
    assert RUN == ["old.log"]
