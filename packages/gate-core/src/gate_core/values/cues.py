"""The cue words of one sentence: each list is searched for once, however many values stand there (spec 30)."""

from __future__ import annotations

from gate_core.model.late import late
from gate_core.values.lexicon import cue, cue_heads
from gate_core.values.normal import folded

Spans = tuple[tuple[int, int], ...]
_RUN = late(r"[a-z0-9]+")


class Cues:
    """Where a sentence holds words of the lists of `cues.toml`. `low` is the sentence in one case, as long."""

    def __init__(self, text: str) -> None:
        self.low = text
        for low in (folded(text), text.lower()):
            if len(low) == len(text):
                self.low = low
                break
        self._runs = frozenset(_RUN.findall(self.low)) if self.low.isascii() else None
        self._spans: dict[str, Spans] = {}

    def spans(self, name: str) -> Spans:
        """Where the words of a list stand, in order."""
        found = self._spans.get(name)
        if found is None:
            found = self._spans[name] = () if self._silent(name) else self._search(name)
        return found

    def _search(self, name: str) -> Spans:
        return tuple(match.span() for match in cue(name).finditer(self.low))

    def _silent(self, name: str) -> bool:
        """True when the sentence has the first run of no word of a list: most sentences, at a fraction of the price."""
        heads = cue_heads(name)
        return self._runs is not None and heads is not None and heads.isdisjoint(self._runs)

    def within(self, name: str, start: int, end: int) -> bool:
        """True when a word of a list stands between two places."""
        return any(start <= first and last <= end for first, last in self.spans(name))
