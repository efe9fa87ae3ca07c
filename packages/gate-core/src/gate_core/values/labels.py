"""Which labels of a document a sentence names (spec 30, "Pairing"): the longest at each place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from gate_core.values.index import COINED, LONGEST_NAME, WORD, Index
from gate_core.values.names import squeezed

_NAMED = re.compile(WORD)
_EAST = "\u2e80"  # from here on, scripts do not part words by blanks
_LONGEST_EAST = 12
_MOST_WORDS = 6
_POINTS = ".,:;-"  # what ends a word that stands in a sentence


class _Sentence:
    """A sentence in one case, with what is asked of it at every word."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [match.span() for match in _NAMED.finditer(text)]
        self._coined = [match.span() for match in COINED.finditer(text)]
        self._next = 0

    def coined(self, start: int) -> int:
        """Where the first letter with a digit behind it ends, from a place on; places are asked in order."""
        while self._next < len(self._coined) and self._coined[self._next][0] < start:
            self._next += 1
        return self._coined[self._next][1] if self._next < len(self._coined) else start + LONGEST_NAME + 1

    @cached_property
    def _kept(self) -> list[int]:
        """How many signs before each place are left when the text is squeezed."""
        return list(accumulate((not (sign.isspace() or sign in "-_") for sign in self.text), initial=0))

    @cached_property
    def _bare(self) -> str:
        return squeezed(self.text)

    def squeezed(self, start: int, end: int) -> str:
        """A stretch of the text, squeezed."""
        if not self.text.isascii():  # folding may change its length
            return squeezed(self.text[start:end])
        return self._bare[self._kept[start] : self._kept[end]]


def label_spans(text: str, index: Index) -> Iterator[tuple[int, int, str]]:
    """(start, end, label) of every label of an index a text names, longest first at each place. `text` is folded."""
    sentence = _Sentence(text)
    words, leads, labels = sentence.words, index.leads, index.labels
    at = 0
    while at < len(words):
        start, end = words[at]
        step = 1
        if text[start] >= _EAST:
            yield from _inside(text, start, end, labels)
            at += 1
            continue
        word, coined = text[start:end], sentence.coined(start)
        near = coined <= start + LONGEST_NAME and index.may_begin(sentence.squeezed(start, coined))
        if near or word in leads:
            found = _longest(sentence, words[at : at + _MOST_WORDS], coined if near else len(text) + 1, index)
            if found is not None:
                step, stop, label = found
                yield start, stop, label
        else:
            said = word.rstrip(_POINTS)
            if said in labels:
                yield start, start + len(said), said
        at += step


def _longest(
    sentence: _Sentence, words: Sequence[tuple[int, int]], coined: int, index: Index
) -> tuple[int, int, str] | None:
    """(words taken, end, label) of the longest label that begins with the first of some words. An id may part its
    letters and digits otherwise than the label does."""
    text, labels, start = sentence.text, index.labels, words[0][0]
    for number in range(len(words), 0, -1):
        said = text[start : words[number - 1][1]].rstrip(_POINTS)
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
