"""Facts that a host keeps one by one: read once in a process, found by their call, made without a gate."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any

import pytest

from gate_core import Attempt, Gate, GateFactory, GateState, Outcome, StateError, ToolCall
from gate_core.model import rows

LOOK = ToolCall(tool="read_file", args={"path": "app.cfg"}, result="timeout = 30", call_id="c1")
EDIT = ToolCall(tool="edit_file", args={"path": "app.cfg", "old": "5", "new": "30"}, result="ok", call_id="c2")


def seen(*calls: ToolCall) -> Gate:
    """A gate that saw the calls."""
    gate = Gate()
    gate.begin_turn("Set the timeout in app.cfg to 30.")
    for call in calls:
        gate.observe(call)
    return gate


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests wrote is not known."""
    monkeypatch.setattr(rows, "_known", {})


def test_a_row_that_this_process_wrote_or_read_gives_the_same_fact_again() -> None:
    """Also after it went through text; the fact itself is not made twice."""
    (fact,) = seen(LOOK).state.facts.values()
    written = rows.row_of(fact)
    assert rows.fact_of(written) is fact
    assert rows.fact_of(json.loads(json.dumps(written))) is fact
    rows._known.clear()
    read = rows.fact_of(written)
    assert (read, read is fact) == (fact, False)
    assert rows.fact_of(written) is read


def test_a_row_that_was_changed_in_place_says_what_it_says_now() -> None:
    """A remembered fact must not stand for what a host wrote over it."""
    (fact,) = seen(LOOK).state.facts.values()
    row: Any = rows.row_of(fact)
    row[5] = "f"
    assert rows.fact_of(row).outcome is Outcome.FAILED
    row[0] = True
    with pytest.raises(StateError, match="integer"):
        rows.fact_of(row)


class _Turn(IntEnum):
    FIRST = 1


def test_a_row_with_values_of_a_hosts_own_types_is_read_each_time() -> None:
    """Nothing tells whether such a value is still the same."""
    (fact,) = seen(LOOK).state.facts.values()
    row = [_Turn.FIRST, *rows.row_of(fact)[1:]]
    rows._known.clear()
    assert rows.fact_of(row) == fact
    assert not rows._known


def test_only_so_many_facts_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that lives long does not grow."""
    monkeypatch.setattr(rows, "_MOST", 2)
    facts = seen(*(ToolCall(tool="read_file", args={"path": f"{n}"}, result="x") for n in range(5))).state.facts
    assert [rows.fact_of(rows.row_of(fact)) for fact in facts.values()] == list(facts.values())
    assert len(rows._known) <= 2


def test_a_call_is_found_among_the_rows_by_its_id() -> None:
    """Whatever else stands among them."""
    facts, _ = seen(LOOK, EDIT).state.split()
    assert [GateState.has_call(facts, call) for call in ("c1", "c2", "c3", "")] == [True, True, False, False]
    broken = {"a": None, "b": [1], "c": {"x": 1}, "d": "text", **facts}
    assert [GateState.has_call(broken, call) for call in ("c2", "c3")] == [True, False]
    assert not GateState.has_call({}, "c1")


def test_the_turn_of_a_state_is_told_without_reading_it() -> None:
    """Only of one of this schema; else there is none."""
    _, rest = seen(LOOK).state.split()
    assert GateState.turn_of(rest) == 1
    for other in ({}, {**rest, "schema": "gate-state/0"}, {**rest, "turn": "1"}, {**rest, "turn": True}):
        assert GateState.turn_of(other) == 0


class _Broken(dict[str, Any]):
    """Arguments that cannot be read."""

    def keys(self) -> Any:
        raise RuntimeError

    __iter__ = items = values = keys


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(LOOK, id="a look"),
        pytest.param(EDIT, id="a change"),
        pytest.param(ToolCall(tool="x", args=_Broken(a=1), result="x", call_id="b"), id="unreadable"),
    ],
)
def test_what_is_recorded_without_a_gate_is_what_a_gate_observes(call: ToolCall) -> None:
    """A fact follows from the call and its turn."""
    gate = seen()
    assert GateFactory({}).record(call, turn=1, step=0) == gate.observe(call)


def test_a_step_that_the_call_tells_wins() -> None:
    """The other is for calls that tell none."""
    told = ToolCall(tool="read_file", args={"path": "a"}, result="x", step=7)
    steps = [GateFactory({}).record(call, turn=1, step=3).step for call in (told, LOOK)]
    assert steps == [7, 3]


def test_a_call_that_may_go_on_with_another_says_so() -> None:
    """Its fact does not follow from the call alone; a call that nobody can read goes on with nothing."""
    poll = ToolCall(tool="write_stdin", args={"session_id": 7}, result="ok", origin="builtin")
    unknown = ToolCall(tool=["poll"], args={})  # type: ignore[arg-type]
    assert [GateFactory({}).goes_on(call) for call in (poll, LOOK, unknown)] == [True, False, False]


@pytest.mark.parametrize("after", [(), (LOOK,), (EDIT,)], ids=["nothing", "a look", "a change"])
@pytest.mark.parametrize("answer", ["Done, the timeout in app.cfg is 30.", "UNVERIFIED: I could not check."])
def test_counters_after_a_verdict_are_those_of_a_gate_that_folds_everything_anew(
    after: tuple[ToolCall, ...], answer: str
) -> None:
    """What the verdict folded is used only while the facts are the same."""
    gate = seen(EDIT)
    gate.boundary_check(Attempt(parts=(answer,)))
    for call in after:
        gate.observe(call)
    fresh = Gate.from_json(json.loads(json.dumps(gate.to_json())), texts=gate)
    assert gate.progress() == fresh.progress()
    gate.begin_turn("And b.cfg?")
    fresh.begin_turn("And b.cfg?")
    assert gate.progress() == fresh.progress()


def test_the_views_after_a_verdict_do_not_fold_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict and its counters go through the facts once."""
    gate = seen(EDIT, LOOK)
    gate.boundary_check(Attempt(parts=("Done, the timeout in app.cfg is 30.",)))

    def again(*_: object, **__: object) -> None:
        raise AssertionError("folded twice")

    for name in ("DebtFold", "SignalFold", "fold_budget"):
        monkeypatch.setattr(f"gate_core.ledger.ledger.{name}", again)
    assert gate.progress()["calls_this_turn"] == 2
