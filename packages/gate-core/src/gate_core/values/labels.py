"""Which labels of a document a sentence names (spec 30, "Pairing"): the longest at each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
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


class _Sentence:
    """A sentence in one case, and what does not depend on the document whose labels are looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._kept: list[int] = []
        self._bare = ""
        coined = [match.span() for match in COINED.finditer(text)]
        if coined and text.isascii():
            self._kept = list(accumulate((not (sign.isspace() or sign in "-_") for sign in text), initial=0))
            self._bare = squeezed(text)
        self.words = tuple(self._words(coined))

    def _words(self, coined: Sequence[tuple[int, int]]) -> Iterator[_Word]:
        place = 0
        for match in _NAMED.finditer(self.text):
            start, end = match.span()
            while place < len(coined) and coined[place][0] < start:
                place += 1
            near = coined[place][1] if place < len(coined) and coined[place][1] <= start + LONGEST_NAME else 0
            yield _Word(start, end, match[0], near, self.squeezed(start, near) if near else "")

    def squeezed(self, start: int, end: int) -> str:
        """A stretch of the text, squeezed."""
        if not self._kept:  # folding may change its length
            return squeezed(self.text[start:end])
        return self._bare[self._kept[start] : self._kept[end]]


_read = lru_cache(256)(_Sentence)
"""Sentences as they are: each is asked of many documents."""


def label_spans(text: str, index: Index) -> Iterator[tuple[int, int, str]]:
    """(start, end, label) of every label of an index a text names, longest first at each place. `text` is folded."""
    sentence = _read(text)
    words, leads, labels = sentence.words, index.leads, index.labels
    at = 0
    while at < len(words):
        start, end, word, coined, head = words[at]
        at += 1
        if text[start] >= _EAST:
            yield from _inside(text, start, end, labels)
        elif (coined and index.may_begin(head)) or word in leads:
            near = coined if coined and index.may_begin(head) else len(text) + 1
            found = _longest(sentence, words[at - 1 : at - 1 + _MOST_WORDS], near, index)
            if found is not None:
                yield start, found[1], found[2]
                at += found[0] - 1
        else:
            said = word.rstrip(_POINTS)
            if said in labels:
                yield start, start + len(said), said


def _longest(sentence: _Sentence, words: Sequence[_Word], coined: int, index: Index) -> tuple[int, int, str] | None:
    """(words taken, end, label) of the longest label that begins with the first of some words. An id may part its
    letters and digits otherwise than the label does."""
    text, labels, start = sentence.text, index.labels, words[0].start
    for number in range(len(words), 0, -1):
        said = text[start : words[number - 1].end].rstrip(_POINTS)
        if said in labels:
            return number, start + len(said), said
        end = start + len(said)
        if coined <= end <= start + LONGEST_NAME:
            label = index.parted_otherwise(sentence.squeezed(start, end))
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
