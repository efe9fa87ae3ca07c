"""Which labels of a document a sentence names (spec 30, "Pairing"): the longest at each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from gate_core.model.late import late
from gate_core.values.called import COINED, HEAD, LONGEST_NAME, WORD
from gate_core.values.index import Index
from gate_core.values.names import squeezed

_NAMED = late(WORD)
_NAMED_ASCII = late(r"[0-9a-z_][0-9a-z_./:@#+-]*")  # the same, in a text of ASCII in one case
_EAST = "\u2e80"  # from here on, scripts do not part words by blanks
_LONGEST_EAST = 12
_MOST_WORDS = 6
_MOST_IDLE = 2_000  # words kept with which no label begins
_COINED = late(r"[a-z][\s_-]?\d")  # `COINED` in a text of ASCII, which is in one case
_FAR = 1 << 60
_POINTS = ".,:;-"  # what ends a word that stands in a sentence


_Word: TypeAlias = "tuple[int, int, str]"
"""Where a word of a sentence starts and ends, and the word. The end leaves out what ends a sentence."""


@lru_cache(256)
def _words_of(text: str) -> tuple[_Word, ...]:
    """The words of a sentence in one case, kept: each is asked of many documents. Between two of them stands nothing
    with which a word begins."""
    found = []
    behind = 0
    for word in (_NAMED_ASCII if text.isascii() else _NAMED).findall(text):
        start = text.find(word, behind)
        behind = start + len(word)
        found.append((start, start + len(word.rstrip(_POINTS)) if word[-1] in _POINTS else behind, word))
    return tuple(found)


def _coined(text: str, start: int) -> int:
    """Where the first letter with a digit behind it ends, from the start of a word on and near it; 0 for none."""
    pattern = _COINED if text.isascii() else COINED
    match = pattern.search(text, start, start + LONGEST_NAME)
    return match.end() if match is not None else 0


def label_spans(text: str, index: Index) -> list[tuple[int, int, str]]:
    """(start, end, label) of every label of an index a text names, longest first at each place. `text` is folded."""
    words, idle = _words_of(text), index.idle_words
    found: list[tuple[int, int, str]] = []
    taken = 0
    for at, word in enumerate(words):
        if at >= taken and word[2] not in idle:
            if _begins_none(word, index):
                if len(idle) > _MOST_IDLE:
                    idle.clear()
                idle.add(word[2])
            else:
                taken = at + _labelled(text, words[at : at + _MOST_WORDS], index, found)
    return found


def _begins_none(word: _Word, index: Index) -> bool:
    """True for a word with which no label begins, whatever stands behind it; most words of most sentences are such."""
    start, end, whole = word
    if whole[0] >= _EAST or not whole.isascii() or len(whole) < 2 or whole[0] == "_" or whole[:2] in index.openings:
        return False
    bare = whole[: end - start]
    return whole not in index.leads and bare not in index.labels and f"/{bare}" not in index.labels


def _labelled(text: str, words: Sequence[_Word], index: Index, found: list[tuple[int, int, str]]) -> int:
    """Adds the label that begins with the first of some words, and tells how many of them it takes, 0 for none."""
    start, end, word = words[0]
    first, two = text[start], text[start : start + 2]
    coined = _coined(text, start) if two in index.openings or first == "_" or not two.isascii() else 0
    begun = coined and squeezed(text[start:coined])[:HEAD] in index.coined_heads
    if first >= _EAST:
        found += _inside(text, start, end, index.labels)
    elif begun or word in index.leads:
        longest = _longest(text, words, coined if begun else _FAR, index)
        if longest is not None:
            found.append((start, longest[1], longest[2]))
            return longest[0]
    elif text[start:end] in index.labels:
        found.append((start, end, text[start:end]))
    elif text[start - 1 : end] in index.labels and text[start - 1 : start] == "/":  # "/search"
        found.append((start - 1, end, text[start - 1 : end]))
    return 0


def _longest(text: str, words: Sequence[_Word], coined: int, index: Index) -> tuple[int, int, str] | None:
    """(words taken, end, label) of the longest label that begins with the first of some words. An id may part its
    letters and digits otherwise than the label does. No label goes on where none has these first signs."""
    labels, start, leads = index.labels, words[0][0], words[0][2] in index.leads
    farthest = start + max(index.longest, LONGEST_NAME)
    found = None
    for number, (_, end, _) in enumerate(words, 1):
        if end > farthest:
            break
        whole = text[start:end]
        if whole in labels:
            found = number, end, whole
        elif coined <= end <= start + LONGEST_NAME:
            bare = squeezed(whole)
            if not leads and len(bare) > index.coined_heads.get(bare[:HEAD], 0):
                break
            label = index.parted_otherwise(bare)
            if label:
                found = number, end, label
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
