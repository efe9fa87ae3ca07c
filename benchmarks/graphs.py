"""What the gate costs in a real graph: the same scripted agent with and without it, per tool call and per run.

A run pays once for the turn that it begins and the verdict at its end, and for each call that is recorded and weighed.
The figure per call is held to its target for runs of every length, so the share of the run is in it; the last rows tell
the two apart.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from time import process_time
from typing import Any

from benchmarks.measure import MS
from benchmarks.table import Row, Sample, Target

LENGTHS = (10, 50, 200)
ROUNDS = 15


def graphs(*, quick: bool) -> Iterator[Row]:
    """CPU time of whole runs, threads included, interleaved."""
    lengths = (1, 2) if quick else LENGTHS
    pairs = {n: (_runs(n, gated=True), _runs(n, gated=False)) for n in lengths}
    for gated, alone in pairs.values():  # what a process does once
        gated(), alone()
    rounds = [{n: (gated(), alone()) for n, (gated, alone) in pairs.items()} for _ in range(1 if quick else ROUNDS)]
    costs = {n: _over([taken[n] for taken in rounds]).scaled(MS) for n in lengths}
    for n in lengths:
        yield Row(
            name=f"tool call in a LangGraph agent, run of {n}",
            unit="ms",
            ours=costs[n].scaled(1 / n),
            reference=Sample.of(taken[n][1] for taken in rounds).scaled(MS / n),
            beside="the agent alone",
            target=Target(most=0.5),
        )
    first, last = lengths[0], lengths[-1]
    each = costs[last].beyond(costs[first]).scaled(1 / (last - first))
    yield Row(name="the same without the share of the run", unit="ms", ours=each, target=Target(most=0.5))
    yield Row(name="share of the run: its turn, its verdict", unit="ms", ours=costs[first].beyond(each.scaled(first)))


def _over(pairs: Sequence[tuple[float, float]]) -> Sample:
    """What the gated runs take beyond the others of their round; the minimum is that of the two minima, since the
    smallest difference would be the one whose other half met a slow moment."""
    least = min(gated for gated, _ in pairs) - min(alone for _, alone in pairs)
    return Sample(median=max(0.0, median(gated - alone for gated, alone in pairs)), minimum=max(0.0, least))


def _runs(calls: int, *, gated: bool) -> Callable[[], float]:
    """A run of so many calls, one after the other, by an agent of its own; gives its seconds."""
    from langchain.agents import create_agent
    from langchain_core.messages import HumanMessage
    from langchain_core.tools import tool

    from gate_core.conformance import CaseCall, ModelStep
    from gate_langgraph import results, with_gate
    from gate_langgraph._scripted import ScriptedModel

    @tool
    def read_file(path: str) -> str:
        """Read a file."""
        return f"{path}: " + "some text " * 100

    steps = [
        ModelStep(calls=(CaseCall(id=f"c{n}", tool="read_file", args={"path": f"{n}.cfg"}),)) for n in range(calls)
    ]

    def run() -> float:
        model = ScriptedModel.of(*steps, ModelStep(text="I read the files."))
        agent: Any = create_agent(model, [read_file], middleware=with_gate() if gated else [])
        asked = {"messages": [HumanMessage("Read them.", id="h1")]}
        gc.collect()  # of the run before
        before = process_time()
        result = agent.invoke(asked, {"recursion_limit": 4 * calls + 10})
        spent = process_time() - before
        if gated and results(result).progress()["calls_this_turn"] != calls:
            raise RuntimeError(f"expected {calls} calls on record, got {results(result).progress()}")
        return spent

    return run
