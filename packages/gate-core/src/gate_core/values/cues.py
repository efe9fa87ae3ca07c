"""The cue words of one sentence: each list is searched for once, however many values stand there (spec 30)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from gate_core.model.late import late
from gate_core.values.lexicon import cue, cue_heads, cue_lists
from gate_core.values.normal import aligned

Spans = tuple[tuple[int, int], ...]


def _parts(beside: str, end: str) -> bool:
    """True where a word may end: before or behind it stands no letter, digit or underscore, or its end is none."""
    return not end.isalpha() or not (beside.isalnum() or beside == "_")


def _apart(places: list[tuple[int, int]]) -> Spans:
    """The places in order, of those that overlap the first one, the longer where two begin there."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return tuple(found)


_RUN = late(r"[a-z0-9]+")


class Cues:
    """Where a sentence holds words of the lists of `cues.toml`. `low` is the sentence in one case, as long."""

    def __init__(self, text: str) -> None:
        self.low = aligned(text)
        self._heads: AbstractSet[str] | None = None
        self._told: frozenset[str] | None = None
        if self.low.isascii():
            lists = cue_lists()
            self._heads = lists.keys() & _RUN.findall(self.low)
            self._told = lists.get("", frozenset()).union(*[lists[head] for head in self._heads])
        self._spans: dict[str, Spans] = {}

    def may_hold(self, names: frozenset[str]) -> bool:
        """False when no word of any of the lists can stand there."""
        return self._told is None or not names.isdisjoint(self._told)

    def spans(self, name: str) -> Spans:
        """Where the words of a list stand, in order. Most sentences have none: told by the first runs of the words."""
        if self._told is not None and name not in self._told:
            return ()
        found = self._spans.get(name)
        if found is None:
            found = self._spans[name] = self._search(name)
        return found

    def _search(self, name: str) -> Spans:
        """The words of a list that a sentence can hold are few, and found at a fraction of the price of a pattern."""
        heads = cue_heads(name)
        if self._heads is None or heads is None:
            return tuple(match.span() for match in cue(name).finditer(self.low))
        found = [place for head in self._heads & heads.keys() for word in heads[head] for place in self._places(word)]
        return _apart(found) if len(found) > 1 else tuple(found)

    def _places(self, word: str) -> Iterator[tuple[int, int]]:
        """Where a word stands by itself."""
        low, size = self.low, len(word)
        at = low.find(word)
        while at >= 0:
            if _parts(low[at - 1 : at], word[0]) and _parts(low[at + size : at + size + 1], word[-1]):
                yield at, at + size
            at = low.find(word, at + 1)

    def within(self, name: str, start: int, end: int) -> bool:
        """True when a word of a list stands between two places."""
        spans = self.spans(name)
        return bool(spans) and any(start <= first and last <= end for first, last in spans)
