"""Which labels of a document a sentence names (spec 30, "Pairing"): the longest at each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from gate_core.model.late import late
from gate_core.values.index import COINED, HEAD, LONGEST_NAME, WORD, Index
from gate_core.values.names import squeezed

_NAMED = late(WORD)
_EAST = "\u2e80"  # from here on, scripts do not part words by blanks
_LONGEST_EAST = 12
_MOST_WORDS = 6
_COINED = late(r"[a-z][\s_-]?\d")  # `COINED` in a text of ASCII, which is in one case
_FAR = 1 << 60
_POINTS = ".,:;-"  # what ends a word that stands in a sentence


_Word: TypeAlias = "tuple[int, int, str, int]"
"""Where a word of a sentence starts and ends, the word, where the first letter with a digit behind it ends, from the
word on and near it; 0 for none. The end leaves out what ends a sentence, the word does not."""


@lru_cache(256)
def _words_of(text: str) -> tuple[_Word, ...]:
    """The words of a sentence in one case, kept: each is asked of many documents."""
    pattern = _COINED if text.isascii() else COINED
    coined = iter([*[match.span() for match in pattern.finditer(text)], (_FAR, _FAR)])
    begins, near = next(coined)
    found = []
    for match in _NAMED.finditer(text):
        word = match[0]
        start, end = match.span()
        while begins < start:
            begins, near = next(coined)
        if word[-1] in _POINTS:
            end = start + len(word.rstrip(_POINTS))
        found.append((start, end, word, near if near <= start + LONGEST_NAME else 0))
    return tuple(found)


def label_spans(text: str, index: Index) -> list[tuple[int, int, str]]:
    """(start, end, label) of every label of an index a text names, longest first at each place. `text` is folded."""
    words, heads, openings, leads, labels = _words_of(text), index.heads, index.openings, index.leads, index.labels
    found: list[tuple[int, int, str]] = []
    taken = 0
    for at, (start, end, word, coined) in enumerate(words):
        if at < taken:
            continue
        first = text[start]
        two = text[start : start + 2]
        begun = coined and (two in openings or first == "_" or not two.isascii())
        begun = begun and squeezed(text[start:coined])[:HEAD] in heads
        if first >= _EAST:
            found += _inside(text, start, end, labels)
        elif begun or word in leads:
            longest = _longest(text, words[at : at + _MOST_WORDS], coined if begun else _FAR, index)
            if longest is not None:
                found.append((start, longest[1], longest[2]))
                taken = at + longest[0]
        elif text[start:end] in labels:
            found.append((start, end, text[start:end]))
    return found


def _longest(text: str, words: Sequence[_Word], coined: int, index: Index) -> tuple[int, int, str] | None:
    """(words taken, end, label) of the longest label that begins with the first of some words. An id may part its
    letters and digits otherwise than the label does. No label goes on where none has these first signs."""
    labels, heads, start = index.labels, index.heads, words[0][0]
    farthest = start + max(index.longest, LONGEST_NAME)
    found = None
    for number, (_, end, _, _) in enumerate(words, 1):
        if end > farthest:
            break
        whole = text[start:end]
        if whole in labels:
            found = number, end, whole
        elif coined <= end <= start + LONGEST_NAME:
            bare = squeezed(whole)
            label = index.parted_otherwise(bare)
            if label:
                found = number, end, label
            elif bare[:HEAD] not in heads and whole[:HEAD] not in heads:
                break
    return found


def _inside(text: str, start: int, end: int, labels: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Labels of a script without blanks, which stand inside of its sentences."""
    while start < end:
        for stop in range(min(end, start + _LONGEST_EAST), start + 1, -1):
            if text[start:stop] in labels:
                yield start, stop, text[start:stop]
                start = stop - 1
                break
        start += 1
