"""The cue words of one sentence: each list is searched for once, however many values stand there (spec 30)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.model.late import late
from gate_core.values.lexicon import cue, cue_heads, cue_lists
from gate_core.values.normal import aligned

Spans = tuple[tuple[int, int], ...]


def _parts(beside: str, end: str) -> bool:
    """True where a word may end: before or behind it stands no letter, digit or underscore, or its end is none."""
    return not end.isalpha() or not (beside.isalnum() or beside == "_")


_RUN = late(r"[a-z0-9]+")


class Cues:
    """Where a sentence holds words of the lists of `cues.toml`. `low` is the sentence in one case, as long."""

    def __init__(self, text: str) -> None:
        self.low = aligned(text)
        self._heads: frozenset[str] | None = None
        self._told: frozenset[str] | None = None
        if self.low.isascii():
            lists = cue_lists()
            self._heads = frozenset(_RUN.findall(self.low)) & lists.keys()
            self._told = lists.get("", frozenset()).union(*(lists[head] for head in self._heads))
        self._spans: dict[str, Spans] = {}

    def spans(self, name: str) -> Spans:
        """Where the words of a list stand, in order. Most sentences have none: told by the first runs of the words."""
        if self._told is not None and name not in self._told:
            return ()
        found = self._spans.get(name)
        if found is None:
            found = self._spans[name] = self._search(name)
        return found

    def _search(self, name: str) -> Spans:
        """Of most lists a sentence can hold one word at most: found at a fraction of the price."""
        heads = cue_heads(name)
        if self._heads is not None and heads is not None:
            words = [word for head in self._heads & heads.keys() for word in heads[head]]
            if len(words) < 2:
                return tuple(self._places(words[0])) if words else ()
        return tuple(match.span() for match in cue(name).finditer(self.low))

    def _places(self, word: str) -> Iterator[tuple[int, int]]:
        """Where a word stands by itself."""
        low, size = self.low, len(word)
        at = low.find(word)
        while at >= 0:
            whole = _parts(low[at - 1 : at], word[0]) and _parts(low[at + size : at + size + 1], word[-1])
            if whole:
                yield at, at + size
            at = low.find(word, at + (size if whole else 1))

    def within(self, name: str, start: int, end: int) -> bool:
        """True when a word of a list stands between two places."""
        spans = self.spans(name)
        return bool(spans) and any(start <= first and last <= end for first, last in spans)
