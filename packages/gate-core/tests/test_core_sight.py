"""What the text of a look shows of a change, in time linear in both."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core.ledger import sight
from gate_core.ledger.sight import Shown, Written


def visible(new: str, old: str, text: str, *, part: bool = False) -> bool:
    """Whether a look at a text shows a change."""
    return Written(new, old).visible(Shown(text), part=part)


@pytest.mark.parametrize(
    ("new", "old", "text", "part", "shown"),
    [
        ("t = 6", "t = 5", "a\nt = 6\nb", False, True),
        ("t = 6", "t = 5", "a\nt = 5\nb", False, False),
        ("t = 6", "t = 5", 'config("t", 6)', False, True),  # layout and punctuation do not count
        ("t = 6", "t = 5", "t =\n    6", False, True),  # nor does where the lines end
        ("a\nb\nc", "", "a\nb", False, False),  # of few lines all
        ("a\nb\nc", "", "a\nb", True, True),  # of a part one
        ("\n".join("abcdefghijklmno"), "", "\n".join("abcdefghijklmn"), False, True),  # of many most
        ("a\na\na\na\nb", "", "a", False, False),  # lines that come often weigh as often
        ("", "gone", "kept", False, True),
        ("", "gone", "it is gone", False, False),
        ("kept\n", "kept\ngone", "kept", False, True),
        ("kept", "kept", "anything", False, True),
        ("}", "", "a }", False, True),  # a line without a word stands as it is
        ("oba", "foo", "foobar", False, False),  # inside of a word, where what it replaced stands there still
        ("oba", "xx", "foobar xx", False, False),
        ("oba", "xx", "foobar", False, True),
        ("", "", "x", False, True),
    ],
)
def test_a_look_shows_a_change(new: str, old: str, text: str, part: bool, shown: bool) -> None:
    """One row per rule."""
    assert visible(new, old, text, part=part) is shown


def _plain(new: str, old: str, text: str, *, part: bool) -> bool:
    """The rule as it reads, line by line over the whole text."""
    lines = [line.strip() for line in new.splitlines() if line.strip()]
    before = [line.strip() for line in old.splitlines() if line.strip()]
    fresh = [line for line in lines if line not in before]
    words = sight._spaced(text)

    def stands(line: str) -> bool:
        spaced = sight._spaced(line)
        return spaced in words if spaced.strip() else line in text

    def inside(line: str) -> bool:
        return line in text and not (old.strip() and old not in new and old.strip() in text)

    if not fresh:
        gone = [line for line in before if line not in lines]
        return not gone or any(not stands(line) for line in gone)
    seen = sum(1 for line in fresh if stands(line) or inside(line))
    if part:
        return seen > 0
    return seen == len(fresh) if len(fresh) <= 3 else seen > 0.9 * len(fresh)


_TEXTS = st.lists(
    st.lists(st.sampled_from(["t", "= 5", "a", "ab", "foobar", "oba", "}", "- x", '"q"', " "]), max_size=3).map(
        " ".join
    ),
    max_size=7,
).map("\n".join)


@settings(deadline=None, max_examples=400, derandomize=True)
@given(new=_TEXTS, old=_TEXTS, text=_TEXTS, wrapped=st.booleans(), part=st.booleans())
def test_the_short_way_says_what_the_long_way_says(new: str, old: str, text: str, wrapped: bool, part: bool) -> None:
    """Looking lines up, and searching only for those that are not found, is the rule itself."""
    text = f"{text} {new}".replace("\n", " ") if wrapped else text
    assert visible(new, old, text, part=part) is _plain(new, old, text, part=part)


TEXTS: dict[str, Callable[[int], str]] = {
    "one line again and again": lambda n: "- a\n" * (n // 4),
    "lines of few words": lambda n: "\n".join(
        " ".join(random.Random(k).choices("abcdefgh", k=5)) for k in range(n // 10)
    ),
    "lines of numbers": lambda n: "\n".join(f"k{k} = {k}" for k in range(n // 10)),
    "one long line": lambda n: "word " * (n // 5),
    "marks": lambda n: "}\n;\n" * (n // 4),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("shape", ["same", "wrapped", "reversed"])
def test_few_lines_are_searched_for(monkeypatch: pytest.MonkeyPatch, text: Callable[[int], str], shape: str) -> None:
    """What is searched through grows with the text and not with its square, which would be sixteen times as much."""
    searched = [0]
    search = Shown._search

    def counted(self: Shown, part: str, text: str) -> bool:
        searched[-1] += len(text) if self._left > 0 else 0
        return search(self, part, text)

    monkeypatch.setattr(Shown, "_search", counted)
    monkeypatch.setattr(sight, "_SEARCHED", 0)
    for size in (4_000, 16_000):
        searched.append(0)
        new = text(size)
        visible(new, "", {"same": new, "wrapped": new.replace("\n", " "), "reversed": new[::-1]}[shape])
    assert searched[2] <= 6 * searched[1]
    assert searched[2] <= (sight._SEARCHES + 1) * 20_000


def test_what_was_not_searched_for_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the budget is spent a new line counts as unseen, and a deleted one as still there."""
    monkeypatch.setattr(sight, "_SEARCHED", 0)
    monkeypatch.setattr(sight, "_SEARCHES", 2)
    lines = [f"a{k} b" for k in range(4)]
    assert visible("\n".join(lines), "", " ".join(lines)) is False
    assert visible("", "\n".join([*lines, "gone"]), " ".join(lines)) is False
    assert visible("", "gone", " ".join(lines)) is True


@settings(deadline=None, max_examples=200, derandomize=True)
@given(text=st.text(alphabet="a.+@- /\n_b", max_size=12))
def test_names_in_a_listing(text: str) -> None:
    """Runs of name characters without the marks behind them; any other name is odd."""
    import re

    assert sight._names_in(text) == frozenset(re.findall(r"[\w.+@-]*\w", text))
    assert sight._is_odd(text) is (re.fullmatch(r"[\w.+@-]*\w", text) is None)
