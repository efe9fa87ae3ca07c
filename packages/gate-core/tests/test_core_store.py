"""The texts a process holds: what was kept comes back, packed or not, until it is too much or not wanted any more."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import store as module
from gate_core.model.json import canonical, text_of
from gate_core.store import TextStore

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=9)
    | st.just("\ud83d\ude00"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> TextStore:
    """A store that packs after a few characters."""
    monkeypatch.setattr(module, "_RAW", 200)
    monkeypatch.setattr(module, "_BLOCK", 100)
    monkeypatch.setattr(module, "_LONG", 150)
    return TextStore()


def test_what_was_packed_comes_back(small: TextStore) -> None:
    """Each under its own reference, whatever came in between; the digest it came with only while it is not packed."""
    for number in range(50):
        small.keep(f"c{number}", {"path": f"{number}"}, f"result {number}" * 3, told=f"d{number}")
    assert len(small._blocks) > 5
    for number in (0, 49, 7, 23, 0):
        held = small.held(f"c{number}")
        assert held is not None
        assert (held.args, held.result) == ({"path": f"{number}"}, f"result {number}" * 3)
        assert held.told == ("d49" if number == 49 else "")
    assert small.call("other") is None


def test_a_store_may_leave_texts_as_they_came(small: TextStore) -> None:
    """For whoever holds them anyway; the oldest still go first when it gets too much."""
    store = TextStore(1_000, packed=False)
    for number in range(50):
        store.keep(f"c{number}", {}, "result " * 9)
    assert not store._blocks
    assert (store.call("c0"), store.call("c49")) == (None, ({}, "result " * 9))


@settings(deadline=None, max_examples=60, derandomize=True)
@given(args=st.dictionaries(st.text(max_size=5), JSON, max_size=3), result=JSON)
def test_packed_texts_have_the_same_digests(args: dict[str, Any], result: Any) -> None:
    """What is compared, the canonical arguments and the text of the result, is what it was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_RAW", 0)
        store = TextStore()
        store.keep("c", args, result, size=1)
        assert len(store._blocks) == 1
        found = store.call("c")
    assert found is not None
    assert (canonical(found[0]), text_of(found[1])) == (canonical(args), text_of(result))


@pytest.mark.parametrize("result", [({"type": "text", "text": "a", 1: 2, "b": 3},), MappingProxyType({"a": (1, b"x")})])
def test_what_cannot_be_packed_is_held_as_it_is(small: TextStore, result: Any) -> None:
    """Keys that JSON cannot sort, and objects of the host's own."""
    for number in range(20):
        small.keep(f"c{number}", {}, result, size=40)
    found = small.call("c0")
    assert found is not None
    assert text_of(found[1]) == text_of(result)


def test_a_long_text_is_never_packed(small: TextStore) -> None:
    """It is the host's own string."""
    text = "x" * 500
    small.keep("long", {}, text)
    for number in range(50):
        small.keep(f"c{number}", {}, "y" * 50)
    found = small.call("long")
    assert found is not None
    assert found[1] is text


def test_what_comes_again_replaces_what_was_packed(small: TextStore) -> None:
    """Under one reference there is one text; the size goes back to what is held."""
    for number in range(40):
        small.keep(f"c{number % 10}", {}, f"{number} " * 10)
    assert [small.call(f"c{number}") for number in range(10)] == [({}, f"{30 + number} " * 10) for number in range(10)]
    small.retain(())
    assert (small._size, small._raw_size, small._where, len(small._blocks)) == (0, 0, {}, 0)


def test_only_what_is_retained_stays(small: TextStore) -> None:
    """From blocks, too; the others are gone, and blocks without any of them."""
    for number in range(60):
        small.keep(f"c{number}", {}, f"text {number} " * 5)
    small.keep("long", {}, "x" * 500)
    before = small._size
    kept = {f"c{number}" for number in range(0, 60, 9)}
    small.retain(kept)
    assert {f"c{number}" for number in range(60) if small.call(f"c{number}")} == kept
    assert small.call("long") is None
    assert small._size < before
    small.retain(kept)
    assert {f"c{number}" for number in range(60) if small.call(f"c{number}")} == kept


def test_too_much_lets_go_of_the_oldest(small: TextStore) -> None:
    """Packed ones first, then long ones; never more than the limit."""
    small._limit = 1_000
    for number in range(300):
        small.keep(f"c{number}", {}, f"{number * 7919} " * 8)
        assert small._size <= 1_000
    assert small.call("c0") is None
    assert small.call("c299") is not None
    small.keep("long", {}, "x" * 900)
    assert small.call("long") is not None
    small.keep("longer", {}, "x" * 950)
    assert (small.call("long"), small.call("longer") is not None) == (None, True)


def test_packing_takes_less_room() -> None:
    """A long turn of ordinary texts takes a fraction of its characters."""
    store = TextStore()
    for number in range(3_000):
        store.keep(
            f"c{number}", {"path": f"m{number % 9}.py"}, f"2026-03-01 INFO request {number} took {number} ms\n" * 8
        )
    assert store._size < 500_000
    assert len(store._unpacked) == 0
