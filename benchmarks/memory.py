"""What a long conversation weighs: in memory, and where it is persisted."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Iterator

from benchmarks.measure import sound
from benchmarks.observing import FLOOR_ONLY
from benchmarks.table import Row, Sample, Target
from benchmarks.texts import log
from gate_core import Attempt, Gate, GateConfig, GateState, ToolCall
from gate_core.values import distilled

OBSERVATIONS = 10_000
TURNS = 100
_MB = 1_000_000


def memory(*, quick: bool) -> Iterator[Row]:
    """10,000 observations of 1 KB in one turn and spread over a hundred, texts included and without."""
    number = 100 if quick else OBSERVATIONS
    for name, turns, most in (("one turn", 1, 8), (f"{TURNS} turns", TURNS, 3)):
        whole, facts = _weighed(number, turns)
        title = f"memory, {OBSERVATIONS} observations of 1 KB, {name}"
        yield Row(name=title, unit="MB", ours=_one(whole), target=Target(most=most))
        yield Row(name=title, unit="MB", ours=_one(facts), note="the state alone")

    yield from _indexed(quick=quick)


def _indexed(*, quick: bool) -> Iterator[Row]:
    """The same with values on, after an answer whose values every text was searched for."""
    number = 100 if quick else OBSERVATIONS
    _checked(_observed(GateConfig(), 1, 1))  # tables and caches of a fixed size are not what grows
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        gate = _observed(GateConfig(), number, 1)
        _checked(gate)
        gc.collect()
        held = (tracemalloc.get_traced_memory()[0] - before) / _MB
        sound(gate)
    finally:
        tracemalloc.stop()
    title = f"memory, {OBSERVATIONS} observations of 1 KB, full value index"
    yield Row(name=title, unit="MB", ours=_one(held), target=Target(most=25))


def _checked(gate: Gate) -> None:
    gate.boundary_check(
        Attempt(parts=("It took 987,654 ms at 12:03 on 3 May in src/m3.py, see T-4711 and job 98.5%.",))
    )


def _observed(config: GateConfig, number: int, turns: int) -> Gate:
    gate = Gate(config)
    for n in range(number):
        if n % max(number // turns, 1) == 0:
            gate.begin_turn("Read the files.")
        gate.observe(_read(n))
    return gate


def _one(measure: float) -> Sample:
    return Sample(median=measure, minimum=measure)


def _weighed(number: int, turns: int) -> tuple[float, float]:
    """(megabytes held by the gate, megabytes held by its state alone). The tables that a process loads once, for
    however many conversations, are loaded before."""
    gate = Gate(FLOOR_ONLY)
    gate.begin_turn("Read the files.")
    gate.observe(_read(0))
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        gate = _observed(FLOOR_ONLY, number, turns)
        gc.collect()
        whole = tracemalloc.get_traced_memory()[0] - before
        sound(gate)
        state: GateState = gate.state
        del gate
        gc.collect()
        facts = tracemalloc.get_traced_memory()[0] - before
        assert state.facts  # it is what is being weighed
    finally:
        tracemalloc.stop()
    return whole / _MB, facts / _MB


def _read(n: int) -> ToolCall:
    args = {"path": f"src/module_{n % 200}.py"}
    return ToolCall(tool="read_file", args=args, result=log(1_000, seed=n), call_id=f"call_{n}")


def persisted(*, quick: bool) -> Iterator[Row]:
    """Bytes of compact JSON per call of a working session, its table of strings included."""
    for number in (40,) if quick else (200, 2_000):
        gate = Gate(FLOOR_ONLY)
        gate.begin_turn("Raise the timeouts and run the tests.")
        for n in range(number):
            gate.observe(_working(n))
        sound(gate)
        size = len(json.dumps(gate.to_json(), separators=(",", ":"), ensure_ascii=False).encode())
        yield Row(
            name=f"persisted state per call, {number} calls",
            unit="bytes",
            ours=_one(size / number),
            target=Target(most=130),
        )

    results = [log(1_000, seed=n) for n in range(20 if quick else 500)]
    share = 100 * sum(map(len, distilled(results))) / sum(map(len, results))
    yield Row(name="vault, 500 log texts of 1 KB", unit="%", ours=_one(share), target=Target(most=12))


def _working(n: int) -> ToolCall:
    """The n-th call of a session that searches, reads, edits, reads back and runs tests, with ids as models give."""
    ident, path = f"toolu_01{n * 2654435761 % 2**64:020x}", f"src/package/module_{n // 5 % 30}.py"
    old, new = f"timeout = {n}", f"timeout = {n + 30}"
    return (
        ToolCall(tool="grep", args={"pattern": "timeout", "path": "src"}, result=f"{path}:12:{old}", call_id=ident),
        ToolCall(tool="read_file", args={"path": path}, result=log(2_000, seed=n), call_id=ident),
        ToolCall(tool="edit_file", args={"path": path, "old": old, "new": new}, result="ok", call_id=ident),
        ToolCall(tool="read_file", args={"path": path, "offset": 10, "limit": 3}, result=f"\n{new}\n", call_id=ident),
        ToolCall(tool="shell", args={"command": "pytest -q"}, result="12 passed in 0.4s", exit_code=0, call_id=ident),
    )[n % 5]
