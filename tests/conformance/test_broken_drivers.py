"""The suite is put to the test itself: every broken driver is caught, every case catches one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache

import pytest
from tests.conformance.broken import BROKEN, Broken

from gate_core import GateUserError
from gate_core.conformance import CaseRun, Status, load_cases, run_case, run_suite
from gate_core.conformance.core_driver import CoreDriver

CASES = load_cases()


@cache
def caught(make: Callable[[], Broken]) -> frozenset[str]:
    """The cases that do not pass on a broken driver."""
    results = asyncio.run(run_suite(make(), CASES))
    return frozenset(result.case for result in results if result.status is not Status.PASSED)


def test_the_unbroken_skeleton_passes_every_case() -> None:
    """What the broken drivers are derived from is right, so each is caught for its own fault."""
    assert caught(Broken) == frozenset()


@pytest.mark.parametrize("make", BROKEN, ids=lambda make: make.__name__)
def test_every_broken_driver_is_caught(make: Callable[[], Broken]) -> None:
    """A driver with one fault fails at least one case."""
    assert caught(make)


@pytest.mark.parametrize("case", [case.id for case in CASES])
def test_every_case_catches_a_broken_driver(case: str) -> None:
    """A case that no fault can fail proves nothing."""
    assert any(case in caught(make) for make in BROKEN)


def test_an_empty_selection_is_no_pass() -> None:
    """Running nothing is an error, not a success."""
    with pytest.raises(GateUserError):
        asyncio.run(run_suite(CoreDriver(), ()))


def test_a_missing_capability_is_a_failure() -> None:
    """A driver that cannot express a case fails it; only a named exception excludes."""

    class Poor(CoreDriver):
        capabilities = frozenset()

    (case,) = [case for case in CASES if case.id == "two-turns"]
    assert asyncio.run(run_case(Poor(), case)).status is Status.FAILED


def test_a_raising_driver_has_errored() -> None:
    """An exception of a driver is kept apart from a wrong verdict, and the other cases still run."""

    class Raises(CoreDriver):
        async def run(self, *args: object, **kwargs: object) -> CaseRun:
            raise RuntimeError("no framework here")

    result = asyncio.run(run_case(Raises(), CASES[0]))
    assert (result.status, result.reasons) == (Status.ERRORED, ("RuntimeError: no framework here",))
