"""Which labels of a document a sentence names (spec 30, "Pairing"): the longest at each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.values.index import COINED, LONGEST_NAME, WORD, Index
from gate_core.values.names import squeezed

_NAMED = late(WORD)
_EAST = "\u2e80"  # from here on, scripts do not part words by blanks
_LONGEST_EAST = 12
_MOST_WORDS = 6
_POINTS = ".,:;-"  # what ends a word that stands in a sentence


class _Word(NamedTuple):
    """A word of a sentence. `coined` is where the first letter with a digit behind it ends, from the word on and near
    it; 0 for none. `head` is what stands before that, squeezed."""

    start: int
    end: int
    text: str
    coined: int
    head: str


@lru_cache(256)
def _words_of(text: str) -> tuple[_Word, ...]:
    """The words of a sentence in one case, kept: each is asked of many documents."""
    coined = [match.span() for match in COINED.finditer(text)]
    found = []
    place = 0
    for match in _NAMED.finditer(text):
        start, end = match.span()
        while place < len(coined) and coined[place][0] < start:
            place += 1
        near = coined[place][1] if place < len(coined) and coined[place][1] <= start + LONGEST_NAME else 0
        found.append(_Word(start, end, match[0], near, squeezed(text[start:near]) if near else ""))
    return tuple(found)


def label_spans(text: str, index: Index) -> list[tuple[int, int, str]]:
    """(start, end, label) of every label of an index a text names, longest first at each place. `text` is folded."""
    words, leads, labels = _words_of(text), index.leads, index.labels
    found: list[tuple[int, int, str]] = []
    taken = 0
    for at, (start, end, word, coined, head) in enumerate(words):
        if at < taken:
            continue
        begun = coined > 0 and index.may_begin(head)
        if text[start] >= _EAST:
            found += _inside(text, start, end, labels)
        elif begun or word in leads:
            longest = _longest(text, words[at : at + _MOST_WORDS], coined if begun else len(text) + 1, index)
            if longest is not None:
                found.append((start, longest[1], longest[2]))
                taken = at + longest[0]
        else:
            said = word.rstrip(_POINTS)
            if said in labels:
                found.append((start, start + len(said), said))
    return found


def _longest(text: str, words: Sequence[_Word], coined: int, index: Index) -> tuple[int, int, str] | None:
    """(words taken, end, label) of the longest label that begins with the first of some words. An id may part its
    letters and digits otherwise than the label does."""
    labels, start = index.labels, words[0].start
    for number in range(len(words), 0, -1):
        said = text[start : words[number - 1].end].rstrip(_POINTS)
        if said in labels:
            return number, start + len(said), said
        end = start + len(said)
        if coined <= end <= start + LONGEST_NAME:
            label = index.parted_otherwise(squeezed(text[start:end]))
            if label:
                return number, end, label
    return None


def _inside(text: str, start: int, end: int, labels: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Labels of a script without blanks, which stand inside of its sentences."""
    while start < end:
        for stop in range(min(end, start + _LONGEST_EAST), start + 1, -1):
            if text[start:stop] in labels:
                yield start, stop, text[start:stop]
                start = stop - 1
                break
        start += 1
