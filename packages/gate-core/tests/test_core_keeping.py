"""What is over is folded once and kept small, and no verdict knows of it (spec 05, spec 80)."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import Attempt, Gate, GateConfig, SignalEvent, ToolCall, boundary_check
from gate_core import memory as memory_module
from gate_core.ledger import Ledger
from gate_core.ledger.keeping import MOST, deciding
from gate_core.ledger.signals import SignalFold

PATHS = ("/p/app.cfg", "app.cfg", "/p/src/b.py", "/p/src/c.py", "/p/src", "/q/d.md")
TESTS = (SignalEvent(name="tests_passed"),)
CALLS = st.one_of(
    st.builds(
        lambda tool, path, result, ident: ToolCall(
            tool=tool,
            args={"path": path, "old": "t = 5", "new": "t = 6", "content": "t = 6", "offset": len(result)},
            result=result,
            call_id=ident,
        ),
        st.sampled_from(["read_file", "edit_file", "write_file", "delete_file", "list_dir", "create_directory", "zz"]),
        st.sampled_from(PATHS),
        st.sampled_from(["ok", "t = 5", "t = 6", "", "app.cfg b.py", "No such file"]),
        st.sampled_from(["", "c1", "c2"]),
    ),
    st.builds(
        lambda one, other: ToolCall(tool="move_file", args={"source": one, "destination": other}, result="ok"),
        st.sampled_from(PATHS),
        st.sampled_from(PATHS),
    ),
    st.sampled_from(
        [
            ToolCall(tool="run_tests", args={"on": "all"}, result="3 passed", signals=TESTS),
            ToolCall(tool="run_tests", args={"on": "all"}, result="1 failed", status="error", signals=TESTS),  # type: ignore[arg-type]
            ToolCall(tool="shell", args={"command": "make"}, result="built", exit_code=0),
            ToolCall(tool="edit_file", args={"path": "/p/app.cfg"}, status="pending", call_id="c1"),  # type: ignore[arg-type]
            ToolCall(tool="update_order", args={"id": "7"}, result={"id": "7", "total": 3}),
            ToolCall(tool="get_order", args={"id": "7"}, result={"id": "7", "total": 3}),
            ToolCall(tool="read_file", args={"path": "/p/app.cfg"}, status="denied"),  # type: ignore[arg-type]
        ]
    ),
)
TEXTS = (
    "Done.",
    "I've updated app.cfg and b.py.",
    "The timeout in app.cfg is 6.",
    "I moved b.py to c.py, and src is deleted.",
    "All tests pass.",
    "Order 7 was updated.",
)
Move: TypeAlias = "ToolCall | str | int"
"""A call, an answer, or so many model steps later; 9 is a new turn."""

MOVES = st.lists(st.one_of(CALLS, CALLS, CALLS, st.sampled_from(TEXTS), st.sampled_from([1, 9, 9])), max_size=24)
CONFIGS = st.sampled_from(
    [GateConfig(), GateConfig(policy="strict"), GateConfig(requires=("tests_passed",)), GateConfig(settle=("content",))]  # type: ignore[arg-type]
)
SETTINGS = settings(deadline=None, max_examples=150, derandomize=True)


def play(gate: Gate, moves: list[Move]) -> Iterator[str]:
    """The answers of a conversation, before each is judged; calls without a step between share one."""
    step = 0
    gate.begin_turn("Set the timeout in app.cfg to 6.")
    for move in moves:
        if isinstance(move, ToolCall):
            gate.observe(_at(move, step))
        elif isinstance(move, str):
            yield move
        elif move == 9:
            gate.begin_turn("What about src/b.py?")
            step = 0
        else:
            step += move


def _at(call: ToolCall, step: int) -> ToolCall:
    return ToolCall(**{name: getattr(call, name) for name in ToolCall.__slots__ if name != "step"}, step=step)


@SETTINGS
@given(moves=MOVES, config=CONFIGS)
def test_a_gate_says_what_the_plain_function_says(moves: list[Move], config: GateConfig) -> None:
    """It goes on from what it folded at the end of earlier turns; the plain function folds everything."""
    gate = Gate(config)
    for text in play(gate, [*moves, *TEXTS]):
        attempt = Attempt(parts=(text,))
        plain = boundary_check(copy.deepcopy(gate.state), attempt, config, gate)
        assert gate.boundary_check(attempt).to_dict() == plain.to_dict()


@SETTINGS
@given(moves=MOVES, config=CONFIGS)
def test_what_is_left_out_changes_no_view(moves: list[Move], config: GateConfig) -> None:
    """Debts, signals, touches, targets of ok calls: the same from what is kept as from everything."""
    gate = Gate(config)
    for _ in play(gate, moves):
        pass

    def fold(facts: Any) -> Ledger:
        state = copy.copy(gate.state)
        state.facts = facts
        return Ledger(state, config, gate)

    whole = fold(gate.state.facts)
    kept = deciding(whole, fold)
    assert kept is not None
    part = fold(kept)
    assert [d.target for d in part.debts if d.by is None] == [d.target for d in whole.debts if d.by is None]
    assert (part.signals, part.by_id, part.stems) == (whole.signals, whole.by_id, whole.stems)
    assert [part.touches.get(t) for t in whole.touches.targets()] == list(whole.touches.values())


@SETTINGS
@given(moves=MOVES, config=CONFIGS)
def test_a_gate_that_keeps_little_says_what_one_that_keeps_all_says(moves: list[Move], config: GateConfig) -> None:
    """Decision, claim and codes of every answer, whenever facts were let go of."""
    told: list[list[Any]] = []
    for most in (0, 10_000):
        gate = Gate(config)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(memory_module, "MOST", most)
            verdicts = [gate.boundary_check(Attempt(parts=(text,))) for text in play(gate, [*moves, 9, *TEXTS])]
        told.append([(v.decision, v.claim, v.codes, v.provenance) for v in verdicts])
    assert told[0] == told[1]


def _long(turns: int, calls: int = 100, **config: Any) -> Gate:
    gate = Gate(GateConfig(**config))
    for turn in range(turns):
        gate.begin_turn("Read the files.")
        for call in range(calls):
            args = {"path": f"src/module_{call}.py"}
            gate.observe(ToolCall(tool="read_file", args=args, result=f"t = {turn}.{call}", call_id=f"{turn}-{call}"))
    return gate


def test_a_long_conversation_stays_small() -> None:
    """Facts and texts are bounded by what was touched, not by how often."""
    gate = _long(40)
    assert len(gate.state.facts) <= MOST + 200
    held = [fact.ref for fact in gate.state.facts.values() if gate.call(fact.ref) is not None]
    assert len(held) == len(gate.state.facts)
    assert gate.call("0-0") is None
    assert gate.call("39-99") == ({"path": "src/module_99.py"}, "t = 39.99")


def test_files_that_are_changed_again_before_a_look_stay_few() -> None:
    """What a paid debt had gone over is over; an open one keeps the changes nobody has seen."""
    gate = Gate()
    for turn in range(120):
        gate.begin_turn("Set t.")
        for call in range(10):
            args = {"path": f"src/module_{call}.py", "old": f"t = {turn - 1}", "new": f"t = {turn}"}
            gate.observe(ToolCall(tool="edit_file", args=args, result="ok"))
            if turn % 2:
                gate.observe(ToolCall(tool="read_file", args={"path": args["path"]}, result=f"t = {turn}"))
    assert len(gate.state.facts) <= MOST + 200
    assert gate.boundary_check(Attempt(parts=("Done.",))).findings == ()


def test_under_strict_every_look_stays() -> None:
    """A look repeats what any turn showed, so none can go."""
    gate = _long(8, policy="strict")
    assert len(gate.state.facts) == 800


def test_with_a_text_source_of_the_host_older_texts_are_not_held() -> None:
    """The host finds them; this turn's are held all the same."""

    class Host:
        def call(self, ref: str) -> tuple[dict[str, Any], Any] | None:
            return {"path": "a"}, f"host {ref}"

    gate = Gate(texts=Host())
    for turn in range(2):
        gate.begin_turn("x")
        gate.observe(ToolCall(tool="read_file", args={"path": "a"}, result="own", call_id=f"c{turn}"))
    assert gate.call("c0") == ({"path": "a"}, "host c0")
    assert gate.call("c1") == ({"path": "a"}, "own")


def test_a_text_source_that_fails_stops_no_turn() -> None:
    """Nothing is let go of then; progress and steps count it as gone."""

    class Broken:
        def call(self, ref: str) -> tuple[dict[str, Any], Any] | None:
            raise OSError(ref)

    first = _long(2, calls=MOST)
    first.begin_turn("Set it.")
    first.observe(ToolCall(tool="write_file", args={"path": "a.cfg", "content": "t"}, result="ok"))
    first.observe(ToolCall(tool="read_file", args={"path": "a.cfg"}, result="t"))
    gate = Gate(state=first.state, texts=Broken())
    assert gate.begin_turn("And now?")
    assert len(gate.state.facts) == len(first.state.facts)
    assert gate.progress()["halted"] is False
    assert gate.reasoning_step() == ()


def test_folding_costs_the_turn_and_not_the_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts run through a fold: each once as part of its turn's check, once when its turn is over."""
    seen = itertools.count()
    run = SignalFold.run

    def counted(self: SignalFold, facts: Any) -> SignalFold:
        return run(self, [fact for fact in facts if next(seen) >= 0])

    monkeypatch.setattr(SignalFold, "run", counted)
    gate = Gate()
    turns, calls = 40, 10
    for turn in range(turns):
        gate.begin_turn("Set the timeout in app.cfg to 6.")
        for call in range(calls):
            gate.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result=f"{turn} {call}"))
        gate.boundary_check(Attempt(parts=("All tests pass.",)))
    assert next(seen) <= 3 * turns * calls
