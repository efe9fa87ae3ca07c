"""The same case gives the same verdicts on every framework."""

from __future__ import annotations

import asyncio
from functools import cache

import pytest

from gate_core.conformance import Driver, Status, installed_drivers, load_cases, run_case

CASES = {case.id: case for case in load_cases()}
OPENAI = ("openai", "openai-plain", "openai-streamed", "openai-wire", "openai-wire-streamed")
CHAT = ("openai-chat", "openai-chat-streamed")
DRIVERS = ("core", "claude", "claude-hook", "langgraph", "langgraph-graph", *OPENAI, *CHAT)


@cache
def driver(name: str) -> Driver:
    """One driver per name: what it sets up is shared by its cases."""
    return installed_drivers()[name]()


def test_every_driver_is_installed() -> None:
    """A driver that is not there would be one that is not tested."""
    assert set(DRIVERS) <= set(installed_drivers())


def test_there_are_enough_cases() -> None:
    """The suite has at least sixteen cases, and none is excluded anywhere."""
    assert len(CASES) >= 16
    assert not any(case.exceptions for case in CASES.values())


@pytest.mark.parametrize("name", DRIVERS)
@pytest.mark.parametrize("case", CASES)
def test_the_case_holds(name: str, case: str) -> None:
    """The real framework with a scripted model gives the verdicts, answers and marks the case expects."""
    result = asyncio.run(run_case(driver(name), CASES[case]))
    assert (result.status, result.reasons) == (Status.PASSED, ())
