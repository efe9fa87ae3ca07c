"""Runs cases on a driver and says what came of each: passed, failed, excluded with a reason, or errored.

Not run is not passed: an empty selection fails, a missing capability without an `exceptions` entry fails, and a
driver that raises has errored.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import entry_points
from pathlib import Path

from gate_core.conformance.case import Case
from gate_core.conformance.driver import CaseRun, Driver
from gate_core.model.errors import GateUserError
from gate_core.model.json import Json
from gate_core.model.kinds import Action
from gate_core.transcripts.expect import mismatches

DRIVERS = "gate_core.drivers"
"""The entry-point group in which adapters register their drivers."""

TIMEOUT = 120.0
"""Seconds a case may take on a driver before it counts as errored."""


class Status(StrEnum):
    """What came of one case on one driver."""

    PASSED = "passed"
    FAILED = "failed"
    EXCLUDED = "excluded"
    ERRORED = "errored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One case on one driver. `reasons` says what was wrong, or why the case was excluded."""

    case: str
    driver: str
    status: Status
    reasons: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Json]:
        """The result as JSON."""
        return {
            "case": self.case,
            "driver": self.driver,
            "status": self.status.value,
            "reasons": list(self.reasons),
        }


def installed_drivers() -> dict[str, Callable[[], Driver]]:
    """Driver name -> how to make it, for every installed distribution that registers one."""
    return {point.name: _maker(point.name) for point in sorted(entry_points(group=DRIVERS), key=lambda p: p.name)}


def _maker(name: str) -> Callable[[], Driver]:
    def make() -> Driver:
        (point,) = entry_points(group=DRIVERS, name=name)
        driver: Driver = point.load()()
        return driver

    return make


async def run_case(driver: Driver, case: Case) -> Result:
    """Run one case on a driver in a fresh workspace and compare."""
    reason = case.exceptions.get(driver.name)
    if reason:
        return Result(case=case.id, driver=driver.name, status=Status.EXCLUDED, reasons=(reason,))
    missing = case.requires - driver.capabilities
    if missing:
        reasons = (f"the driver lacks {', '.join(sorted(missing))}",)
        return Result(case=case.id, driver=driver.name, status=Status.FAILED, reasons=reasons)
    try:
        run = await asyncio.wait_for(play_on(driver, case), TIMEOUT)
    except Exception as error:  # noqa: BLE001 - whatever a driver raises, the other cases still run
        raised = (f"{type(error).__name__}: {error}",)
        return Result(case=case.id, driver=driver.name, status=Status.ERRORED, reasons=raised)
    unmet = tuple(compare(case, run))
    return Result(case=case.id, driver=driver.name, status=Status.FAILED if unmet else Status.PASSED, reasons=unmet)


@contextmanager
def workspace_of(case: Case) -> Iterator[Path]:
    """A temporary folder that holds the case's files and is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="gate-case-") as folder:
        workspace = Path(folder).resolve() / "work"
        workspace.mkdir()
        for name, content in case.files.items():
            path = workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        yield workspace


async def play_on(driver: Driver, case: Case) -> CaseRun:
    """Run a case in a workspace of its own."""
    with workspace_of(case) as workspace:
        return await driver.run(case, workspace)


def compare(case: Case, run: CaseRun) -> Iterable[str]:
    """What does not fit between a run and its case: verdicts, what the user saw, the marks, the state."""
    expected = case.expected
    if len(run.verdicts) != len(expected):
        came = [f"{v.decision.value}/{v.action.value}" for v in run.verdicts]
        yield f"{len(expected)} verdicts expected, {len(run.verdicts)} came: {', '.join(came) or 'none'}"
        return
    for number, (verdict, expect) in enumerate(zip(run.verdicts, expected, strict=True), 1):
        yield from (f"verdict {number}: {unmet}" for unmet in mismatches(verdict, expect))
    yield from _delivery(case, run)
    if run.state is None:
        yield "the run kept no state"


def _delivery(case: Case, run: CaseRun) -> Iterable[str]:
    """The user gets exactly the answers that were let go, and marks stand where nothing was confirmed."""
    closing = [v for v in run.verdicts if v.action is not Action.REVISE]
    texts = [step.text for turn in case.turns for step in turn.steps if not step.calls]
    if len(run.answers) != len(case.turns) or len(closing) != len(case.turns):
        yield f"{len(case.turns)} turns, but {len(run.answers)} answers and {len(closing)} closing verdicts"
        return
    ends = [i for i, v in enumerate(run.verdicts) if v.action is not Action.REVISE]
    for turn, (at, verdict) in enumerate(zip(ends, closing, strict=True)):
        due = "" if verdict.action is Action.WITHHOLD else texts[at]
        if run.answers[turn].strip() != due.strip():
            yield f"turn {turn + 1}: the user was told {run.answers[turn]!r:.80}, not {due!r:.80}"
        if run.marked[turn] != verdict.marked:
            yield f"turn {turn + 1}: unverified mark is {run.marked[turn]}, must be {verdict.marked}"


async def run_suite(
    driver: Driver, cases: Sequence[Case], *, progress: Callable[[Result], None] | None = None
) -> tuple[Result, ...]:
    """All cases in order on one driver.

    Raises:
        GateUserError: there is no case to run.
    """
    if not cases:
        raise GateUserError("no case was selected; an empty run proves nothing")
    results: list[Result] = []
    for case in cases:
        results.append(await run_case(driver, case))
        if progress is not None:
            progress(results[-1])
    return tuple(results)
