"""What only host code may say: signals that no call of the agent shows (spec 40, "Evidence")."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, GateUsageError, ToolCall

DONE = Attempt(parts=("Done, the timeout in app.cfg is 30.",))


def gate() -> Gate:
    """A gate that asks for a signal of the host, after a change that was looked at."""
    made = Gate(GateConfig(requires=("ci_passed",)))
    made.begin_turn("Set the timeout in app.cfg to 30")
    return write(made)


def write(made: Gate) -> Gate:
    """A change and a look at it."""
    made.observe(ToolCall(tool="write_file", args={"path": "app.cfg", "content": "timeout = 30"}, result="ok"))
    made.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result="timeout = 30"))
    return made


def test_a_signal_of_the_host_counts_until_something_changes() -> None:
    """It is an event like any other, and goes with the state."""
    made = gate()
    assert made.boundary_check(DONE).codes == ("signal-missing",)
    made.raise_signal("ci_passed")
    assert made.progress()["signals"] == ["ci_passed"]
    assert Gate.from_json(made.to_json(), made.config).boundary_check(DONE).accepted
    assert made.boundary_check(DONE).accepted
    assert write(made).boundary_check(DONE).codes == ("signal-stale",)


def test_a_failed_signal_is_none() -> None:
    """What failed last did not happen."""
    made = gate()
    made.raise_signal("ci_passed")
    made.raise_signal("ci_passed", failed=True)
    assert not made.boundary_check(DONE).accepted


def test_a_signal_is_no_look_and_costs_nothing() -> None:
    """It settles no change, and the budget stays as it is."""
    made = Gate(GateConfig())
    made.begin_turn("Set the timeout in app.cfg to 30")
    made.observe(ToolCall(tool="write_file", args={"path": "app.cfg", "content": "timeout = 30"}, result="ok"))
    before = made.progress()["budget"]
    made.raise_signal("reviewed")
    assert made.progress()["budget"] == before
    assert made.progress()["pending"] == ["app.cfg"]
    assert not made.boundary_check(DONE).accepted


@pytest.mark.parametrize("name", ["", " ", None, 7])
def test_a_signal_has_a_name(name: Any) -> None:
    """Anything else is the host's mistake."""
    with pytest.raises(GateUsageError, match="has a name"):
        gate().raise_signal(name)
