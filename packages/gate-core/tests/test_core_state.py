"""State at rest: it comes back the same, merges like a set, and what is no state says so."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import (
    Attempt,
    Did,
    Effect,
    Fact,
    Gate,
    GateConfig,
    GateState,
    Outcome,
    Receipt,
    SignalEvent,
    SignalState,
    StateError,
    ToolCall,
    observe,
)
from gate_core.ledger import Ledger
from gate_core.model.fact import decode_fact, encode_fact, key_of
from gate_core.model.json import canonical, digest, leaves, text_of
from gate_core.store import TextStore

PATCH = {"structuredPatch": [{"newStart": 3, "newLines": 2}]}


def full() -> Gate:
    """A conversation with something in every field of the state."""
    gate = Gate()
    gate.begin_turn("Set the timeout in app.cfg to 30.")
    gate.reasoning_step()
    edit = {"file_path": "/p/app.cfg", "old_string": "5", "new_string": "30"}
    gate.observe(ToolCall(tool="Edit", args=edit, result="ok", call_id="c1", side=PATCH, agent="helper"))
    gate.observe(ToolCall(tool="zz", result="x", signals=(SignalEvent(name="ok", scope="a", count=3),)))
    gate.boundary_check(Attempt(parts=("Done.",)))
    gate.observe(ToolCall(tool="Read", args={"file_path": "/p/app.cfg"}, result="30", status="denied"))  # type: ignore[arg-type]
    gate.boundary_check(Attempt(parts=("Done.",)))
    gate.begin_turn("And b.cfg?")
    gate.lose()
    gate.tamper()
    return gate


def test_a_state_comes_back_the_same() -> None:
    """Through JSON text, whole or split, field by field."""
    state = full().state
    again = GateState.from_json(json.loads(json.dumps(state.to_json())))
    assert again == state
    facts, rest = json.loads(json.dumps(state.split()))
    assert GateState.join(facts, rest) == state
    assert rest["facts"] == []
    assert GateState.join({}, {}) == GateState()


def test_a_gate_goes_on_from_json() -> None:
    """The same verdict, the same progress; also across a `TextSource` that finds the texts again."""
    gate = full()
    again = Gate.from_json(gate.to_json(), texts=gate)
    assert again.progress() == gate.progress()
    attempt = Attempt(parts=("app.cfg is 30.",))
    assert again.boundary_check(attempt).to_dict() == gate.boundary_check(attempt).to_dict()


VERDICT = """
import json, sys
from gate_core import Attempt, Gate
data = json.loads(sys.stdin.read())
gate = Gate.from_json(data)
print(json.dumps([gate.boundary_check(Attempt(parts=(t,))).to_dict() for t in ("Done with app.cfg.", "I read it.")]))
"""


def test_another_process_with_another_hash_seed_gives_the_same_verdicts() -> None:
    """Nothing depends on the order of a set (spec 00, invariant 6)."""
    data = json.dumps(full().to_json())
    told = [
        subprocess.run(
            [sys.executable, "-c", VERDICT],
            input=data,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "4242")
    ]
    gate = Gate.from_json(json.loads(data))
    here = [gate.boundary_check(Attempt(parts=(t,))).to_dict() for t in ("Done with app.cfg.", "I read it.")]
    assert told[0] == told[1]
    assert json.loads(told[0]) == here


def test_digests_are_pinned() -> None:
    """They are part of every stored state, so they never change."""
    assert digest("a", "b") == "_NF47A4vY7zgmeFJ"
    fact = observe(ToolCall(tool="read_file", args={"path": "a"}, result="x1", turn=1, step=0), GateConfig())
    assert (fact.key, fact.digest, fact.skeleton) == PINNED
    assert GateConfig().digest == CONFIG


PINNED = ("Ne2vhMznlJM_mIv7", "otH6wpbQHHKMNW71", "TXe_th9a")
CONFIG = "cQ26z0OrhqJq_r1_"


def test_digests_keep_their_parts_apart() -> None:
    """Parts cannot run into each other; any text has one, lone surrogates included."""
    assert len({digest("a", "b"), digest("ab"), digest("", "ab"), digest("ab", ""), digest(b"a", b"c")}) == 5
    assert digest("a") == digest(b"a")
    assert len(digest("\ud800")) == 16


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, 1.5]}, '{"a":[true,null,1.5],"b":1}'),
        ("é\ud800", '"é\ud800"'),
        ({"x": object()}, '{"x":"<object>"}'),
        ((1, 2), "[1,2]"),
        (float("nan"), "NaN"),
    ],
)
def test_canonical_text(value: Any, text: str) -> None:
    """Keys sorted, no spaces, foreign things by the name of their type."""
    assert canonical(value) == text


def test_canonical_text_of_foreign_mappings_and_bytes() -> None:
    """A mapping that is no dict is written as one; bytes by their digest."""
    from types import MappingProxyType

    assert canonical({"b": MappingProxyType({2: 1})}) == '{"b":{"2":1}}'
    assert canonical(b"a") == f'"{digest(b"a")}"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (None, ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image"}], '[{"type":"image"}]'),
        ([], "[]"),
        ({"a": 1}, '{"a":1}'),
        (5, "5"),
    ],
)
def test_a_result_as_text(value: Any, text: str) -> None:
    """Strings as they are, content blocks joined, the rest as JSON."""
    assert text_of(value) == text


def test_leaves_are_the_strings_inside() -> None:
    """In order, at any depth."""
    assert leaves({"a": ["x", {"b": "y", "c": 5}], "d": None, "e": b"z"}) == ("x", "y")
    assert leaves("x") == ("x",)


def _states() -> list[GateState]:
    one = full()
    two = Gate.from_json(one.to_json())
    two.state.lost = two.state.tampered = False
    two.observe(ToolCall(tool="read_file", args={"path": "b.cfg"}, result="t"))
    two.boundary_check(Attempt(parts=("c.cfg is 30, b.cfg was updated.",)))
    three = Gate.from_json(one.to_json())
    three.begin_turn("third")
    three.boundary_check(Attempt(parts=("Done.",)))
    three.boundary_check(Attempt(parts=("Done.",)))
    other = Gate(GateConfig(max_blocks=1))
    other.begin_turn("x")
    return [one.state, two.state, three.state, other.state, GateState()]


def test_merging_is_a_union() -> None:
    """Commutative, associative, idempotent; nothing is lost (spec 00, invariant 6)."""
    for a in _states():
        assert a.merge(copy.deepcopy(a)) == a.merge(a)
        assert a.merge(a).merge(a) == a.merge(a)
        for b in _states():
            assert a.merge(b).to_json() == b.merge(a).to_json()
            assert set(a.merge(b).facts) == set(a.facts) | set(b.facts)
            for c in _states():
                assert a.merge(b).merge(c).to_json() == a.merge(b.merge(c)).to_json()


def test_a_merge_takes_the_end_of_the_newest_turn() -> None:
    """What an older turn ended with, lost or touched, is over."""
    old = full().state
    old.exited_unverified = True
    new = GateState(turn=old.turn + 1)
    for merged in (old.merge(new), new.merge(old)):
        assert (merged.turn, merged.exited_unverified, merged.lost, merged.tampered) == (new.turn, False, False, False)
    same = GateState(turn=old.turn)
    assert (same.merge(old).exited_unverified, old.merge(same).lost, same.merge(old).tampered) == (True, True, True)


def test_merging_with_itself_changes_no_verdict() -> None:
    """Tries keep their order, so halts and progress stay what they were."""
    gate = Gate()
    gate.begin_turn("Compare a.cfg and b.cfg.")
    for text in ("a.cfg is 1. b.cfg is 2.", "b.cfg is 2.", "What?", "a.cfg is 1."):
        gate.boundary_check(Attempt(parts=(text,)))
        merged = gate.state.merge(gate.state)
        assert merged.tries == gate.state.tries
        assert Ledger(merged, gate.config).budget == Ledger(gate.state, gate.config).budget


def test_two_copies_of_one_call_merge_to_the_same_one() -> None:
    """A call that two processes saw in different steps is one fact, the same on both sides."""
    call = ToolCall(tool="read_file", args={"path": "a"}, result="x", call_id="c1")
    states = []
    for step in (3, 5):
        gate = Gate()
        gate.begin_turn("x")
        gate.observe(ToolCall(tool=call.tool, args=call.args, result=call.result, call_id="c1", step=step))
        states.append(gate.state)
    assert states[0].merge(states[1]).facts == states[1].merge(states[0]).facts
    assert len(states[0].merge(states[1]).facts) == 1


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def _paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [path for key, item in items for path in _paths(item, (*at, key))]


@settings(deadline=None, max_examples=60, derandomize=True)
@given(data=st.data(), junk=_JSON)
def test_a_damaged_state_is_a_state_error_or_still_a_state(data: st.DataObject, junk: Any) -> None:
    """Never another exception, whatever stands in whatever place; what loads can be used and stored again."""
    stored = json.loads(json.dumps(full().to_json()))
    path = data.draw(st.sampled_from(_paths(stored)))
    holder = stored
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = junk
    try:
        state = GateState.from_json(stored)
    except StateError:
        return
    assert GateState.from_json(state.to_json()) == state
    Gate(state=state).boundary_check(Attempt(parts=("Done.",)))


@settings(deadline=None, max_examples=60, derandomize=True)
@given(junk=_JSON)
def test_anything_else_is_a_state_error(junk: Any) -> None:
    """As a state, as a fact, and as the parts of a split state."""
    for act in (GateState.from_json, decode_fact, lambda value: GateState.join(value, {"schema": "x"})):
        with pytest.raises(StateError):
            act(junk)


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "gate-state/2"},
        {"turn": "x"},
        {"turn": None},
        {"strings": "abc"},
        {"strings": {}},
        {"facts": [["x"]]},
        {"facts": None},
        {"said": [[1, 2]]},
        {"said": ["abcd"]},
        {"said": [["a", "b", 1, "names", ""]]},
        {"said": [["a", "b", 1, [], "anything"]]},
        {"said": [["a", "b", 1, []]]},
        {"tries": [[1, 2, 3, 4, 5, 6]]},
        {"tries": [[1, 2, [["a"]], 4, "", 0, 0]]},
        {"tries": [[1, 2, [], 4, "", 0]]},
        {"exits": {"won": 1}},
        {"exits": {"verified": "x"}},
        {"exits": []},
    ],
    ids=str,
)
def test_a_wrong_shape_is_a_state_error(change: dict[str, Any]) -> None:
    """One row per kind of damage."""
    with pytest.raises(StateError):
        GateState.from_json({**full().to_json(), **change})


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, "1"), (0, True), (2, 1), (3, -1), (3, 99), (3, True), (4, None), (5, "great"), (5, "x"), (6, [["s"]]),
        (6, "x"), (6, [["c", 0, "", [], "", 0, 0]]), (6, [["c", 0, "", [1]]]), (6, [["c", 0, "", ["1", 2]]]),
        (6, [["c", 0, "", "12"]]), (6, [["c", 0, "", [1, 2, 3]]]), (6, [["x", 0]]), (7, 5), (9, "5"), (10, 1), (11, 7),
        (12, [[1]]), (12, [["a", "z"]]), (13, "ab"), (14, 0), (15, 1), (15, None), (16, 1),
    ],
)  # fmt: skip
def test_a_wrong_cell_of_a_fact_is_a_state_error(place: int, value: Any) -> None:
    """Types are exact, and a place in the table of strings must be there."""
    (row, *_) = [encode_fact(fact) for fact in full().state.facts.values() if fact.effects]
    usual: list[Any] = ["", 0, 0, "", [], [], "", 0]
    row += usual[len(row) - 8 :]
    row[place:] = [value, *row[place + 1 :]]
    with pytest.raises(StateError):
        decode_fact(row, ("a",))


@pytest.mark.parametrize("length", range(6))
def test_a_fact_without_its_first_cells_is_a_state_error(length: int) -> None:
    """Only what has a usual value may be cut."""
    (row, *_) = [encode_fact(fact) for fact in full().state.facts.values() if fact.effects]
    with pytest.raises(StateError):
        decode_fact(row[:length])


_WORDS = st.sampled_from(["", "a", "files", "/p/a b.cfg", "gate", "5", "é\ud800"])
_SPANS = st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))
_EFFECTS = st.builds(
    Effect,
    did=st.sampled_from(Did),
    target=_WORDS,
    domain=_WORDS.filter(bool),
    lines=_SPANS,
    receipt=st.sampled_from(Receipt),
    bare=st.booleans(),
)
_EVENTS = st.builds(
    SignalEvent,
    name=_WORDS,
    state=st.sampled_from(SignalState),
    scope=_WORDS,
    count=st.none() | st.integers(0, 9),
    by=_WORDS,
)
_FACTS = st.builds(
    Fact,
    key=_WORDS,
    turn=st.integers(0, 3),
    step=st.integers(0, 3),
    call=_WORDS,
    agent=_WORDS,
    tool=_WORDS,
    profile=_WORDS,
    outcome=st.sampled_from(Outcome),
    effects=st.lists(_EFFECTS, max_size=2).map(tuple),
    signals=st.lists(_EVENTS, max_size=2).map(tuple),
    digest=_WORDS,
    skeleton=_WORDS,
    size=st.integers(0, 9),
    ran=st.lists(_WORDS, max_size=2).map(tuple),
    ref=_WORDS | st.just("1.2"),
    note=_WORDS,
)


@settings(deadline=None, max_examples=200, derandomize=True)
@given(fact=_FACTS, derived=st.booleans())
def test_a_fact_comes_back_whatever_is_cut(fact: Fact, derived: bool) -> None:
    """With its key stored or derived, with a table of strings and without, through JSON text."""
    fact = replace(fact, key=key_of(fact)) if derived else fact
    table: dict[str, int] = {}
    for row in (encode_fact(fact), encode_fact(fact, lambda text: table.setdefault(text, len(table)))):
        assert decode_fact(json.loads(json.dumps(row)), list(table)) == fact


def test_a_usual_call_takes_few_bytes() -> None:
    """Of an observed call neither key nor reference is stored, and nothing that has its usual value (spec 80)."""
    gate = Gate()
    gate.begin_turn("x")
    for number in range(100):
        args = {"path": f"src/module_{number % 9}.py"}
        gate.observe(ToolCall(tool="read_file", args=args, result=f"t = {number}", call_id=f"toolu_{number:024}"))
    rows: Any = gate.to_json()["facts"]
    assert {len(row) for row in rows} == {10}
    assert len(json.dumps(gate.to_json(), separators=(",", ":"))) < 130 * 100


def test_the_text_store_forgets_the_oldest() -> None:
    """It holds what fits, by size, and replaces what comes again."""
    store = TextStore(limit=100)
    for ref in ("a", "b", "c"):
        store.keep(ref, {}, "x" * 40)
    assert (store.call("a"), store.call("c")) == (None, ({}, "x" * 40))
    store.keep("c", {}, "y")
    store.keep("d", {}, "x" * 40)
    assert [store.call(ref) is not None for ref in "abcd"] == [False, True, True, True]
    store.keep("big", {}, "x" * 200)
    assert [store.call(ref) for ref in ("b", "big")] == [None, None]


def test_a_text_source_that_answers_other_texts_is_not_believed() -> None:
    """Texts are compared with the digest of the fact."""

    class Liar:
        def call(self, ref: str) -> Any:
            """Another result than the one observed."""
            return ({"path": "a"}, "other")

    gate = Gate()
    gate.begin_turn("x")
    fact = gate.observe(ToolCall(tool="read_file", args={"path": "a"}, result="x"))
    assert Ledger(gate.state, gate.config, gate).text(fact) == ({"path": "a"}, "x")
    assert Ledger(gate.state, gate.config, Liar()).text(fact) is None
    assert Ledger(gate.state, gate.config).text(fact) is None
