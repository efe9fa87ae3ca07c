"""What the run hooks of `gate-openai-agents` cost in a run of many steps (spec 50); no part of it is the SDK's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from agents import Agent, RunConfig, RunHooks, Runner, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call

from benchmarks.measure import MS, sound
from benchmarks.table import Row, Sample, Target
from gate_core import Fact, Gate, ToolCall
from gate_openai_agents import GateRunner

RESULT = "some text " * 100


@function_tool
async def read_file(path: str) -> str:
    """Read a file."""
    return f"{path}: {RESULT}"


def rows(*, quick: bool) -> Iterator[Row]:
    """Per step, one model response and one call of a tool: the adapter's own part, and that with the core's."""
    taken = [_measured(2 if quick else 50) for _ in range(1 if quick else 8)]
    yield Row(
        name="run hooks of openai-agents, per step",
        unit="ms",
        ours=Sample.of(inside - core for inside, core in taken),
        note="self time",
        target=Target(most=0.2),
    )
    yield Row(
        name="run hooks of openai-agents, per step",
        unit="ms",
        ours=Sample.of(inside for inside, _ in taken),
        note="with `observe` of the core",
    )


def _measured(steps: int) -> tuple[float, float]:
    """Milliseconds of a step in the hooks, and of these in the core."""
    calls = [[function_call("read_file", {"path": f"{n}.cfg"}, call_id=f"c{n}")] for n in range(steps)]
    end = assistant_message("UNVERIFIED: end", item_id="m")
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([*calls, [end]]), tools=[read_file])
    gate = GateRunner()
    hooks, core = _Timed(gate.hooks()), _Clock()
    config = gate.run_config(RunConfig(tracing_disabled=True))
    with _observing(core):
        result = asyncio.run(Runner.run(agent, "go", hooks=hooks, run_config=config, max_turns=steps + 2))
    found = gate.result_of(result)
    assert found is not None
    assert len(found.gate.state.facts) == steps
    sound(found.gate)
    return hooks.clock.spent / steps * MS, core.spent / steps * MS


class _Clock:
    """Seconds of this thread, so that other processes do not count."""

    def __init__(self) -> None:
        self.spent = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Counts what is inside."""
        before = time.thread_time()
        yield
        self.spent += time.thread_time() - before


@contextmanager
def _observing(clock: _Clock) -> Iterator[None]:
    observe: Callable[[Gate, ToolCall], Fact] = Gate.observe

    def timed(gate: Gate, call: ToolCall) -> Fact:
        with clock.running():
            return observe(gate, call)

    with patch.object(Gate, "observe", timed):
        yield


class _Timed(RunHooks[Any]):
    """Hooks with a clock around each call. None of them waits for anything."""

    def __init__(self, inner: RunHooks[Any]) -> None:
        self._inner = inner
        self.clock = _Clock()

    async def _run(self, call: Awaitable[None]) -> None:
        with self.clock.running():
            await call

    async def on_llm_start(self, *args: Any) -> None:
        await self._run(self._inner.on_llm_start(*args))

    async def on_llm_end(self, *args: Any) -> None:
        await self._run(self._inner.on_llm_end(*args))

    async def on_tool_start(self, *args: Any) -> None:
        await self._run(self._inner.on_tool_start(*args))

    async def on_tool_end(self, *args: Any) -> None:
        await self._run(self._inner.on_tool_end(*args))
