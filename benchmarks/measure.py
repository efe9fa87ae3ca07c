"""Times things side by side: one measure of each in turn, so that a slow moment of the machine hits all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter

from benchmarks.table import Sample
from gate_core import Code, Fact, Gate

MS = 1000.0


def beside(works: Mapping[str, Callable[[], float]], *, rounds: int) -> dict[str, Sample]:
    """Name -> the sample of what each work measured, `rounds` times, interleaved."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            taken[name].append(work())
    return {name: Sample.of(measures) for name, measures in taken.items()}


def seconds(work: Callable[[], object]) -> float:
    """How long one run takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


class NothingMeasuredError(RuntimeError):
    """The gate failed at the work, which takes no time at all."""


def sound(gate: Gate) -> None:
    """Refuse the figures of a gate that failed: it goes on after an error of its own, so that only this tells.

    Raises:
        NothingMeasuredError: a call was not read, or a verdict is a `gate-error`.
    """
    unread = next((fact for fact in gate.state.facts.values() if not _read(fact)), None)
    if unread is not None:
        raise NothingMeasuredError(f"expected the gate to read every call, it failed at one of {unread.tool!r}")
    if any(finding.code is Code.GATE_ERROR for verdict in gate.verdicts for finding in verdict.findings):
        raise NothingMeasuredError("expected a verdict, got gate-error")


def _read(fact: Fact) -> bool:
    return bool(fact.profile)
