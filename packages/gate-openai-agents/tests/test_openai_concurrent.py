"""Concurrent runs stay apart. What the hooks cost is a row of the benchmarks (`--only run-hooks`)."""

from __future__ import annotations

import asyncio
from typing import Any

from agents import Agent, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from gate_core import GateConfig
from gate_openai_agents import GatedResult, GateRunner
from gate_openai_agents._hooks import GateHooks

set_tracing_disabled(True)


@function_tool
async def read_file(path: str) -> str:
    """Read."""
    await asyncio.sleep(0)
    return f"{path}: " + "some text " * 100


def end() -> Any:
    return assistant_message("UNVERIFIED: end", item_id="m")


def test_concurrent_runs_share_agent_and_hooks_and_no_ledger() -> None:
    """Three gated runs at once on one agent and one hooks object: each ledger holds the calls of its own run."""

    class Own(ScriptedModel):
        """Answers by the run that asks: its prompt is the name of its file."""

        async def get_response(self, *args: Any, **kwargs: Any) -> Any:
            given = kwargs["input"]
            name = given[0]["content"]
            done = sum(1 for item in given if item.get("type") == "function_call_output")
            call = function_call("read_file", {"path": name}, call_id=f"{name}-{done}")
            return await ScriptedModel([[call] if done < 3 else [end()]]).get_response(*args, **kwargs)

    gate = GateRunner(config=GateConfig(posture="assist"))  # type: ignore[arg-type]
    hooks = gate.hooks()
    assert isinstance(hooks, GateHooks)
    agent: Agent[Any] = Agent(name="w", model=Own(), tools=[read_file])

    async def three() -> list[GatedResult]:
        return [*await asyncio.gather(*(gate.run(agent, name, hooks=hooks) for name in "abc"))]

    for name, result in zip("abc", asyncio.run(three()), strict=True):
        assert sorted(fact.call for fact in result.gate.state.facts.values()) == [f"{name}-{n}" for n in range(3)]
        assert [fact.step for fact in result.gate.state.facts.values()] == [1, 2, 3]
        assert len(result.verdicts) == 1
