"""One passage of an answer: its values, what the words around them allow, what it names in each document."""

from __future__ import annotations

from dataclasses import dataclass, field

from gate_core.values.asserted import Candidate
from gate_core.values.index import Index
from gate_core.values.lexicon import cue
from gate_core.values.lookup import Around
from gate_core.values.normal import folded
from gate_core.values.operands import Operand
from gate_core.values.pairs import Named


@dataclass(slots=True, kw_only=True)
class Place:
    """A passage with what was found in it."""

    text: str
    where: str
    found: tuple[Candidate, ...]
    named: dict[Index, Named] = field(default_factory=dict)
    operands: tuple[tuple[int, Operand], ...] | None = None
    low: str = ""
    arounds: dict[int, Around] = field(default_factory=dict)

    def around(self, item: Candidate) -> Around:
        """What the clause of a value allows."""
        known = self.arounds.get(item.value.start)
        if known is None:
            known = self.arounds[item.value.start] = self._around(item)
        return known

    def _around(self, item: Candidate) -> Around:
        self.low = self.low or _same_length(self.text)
        start, end = item.clause
        words = self.low[max(start, item.value.start - 80) : min(end, item.value.end + 60)]
        return Around(
            down=cue("down").search(words) is not None,
            loss=cue("loss").search(words) is not None and cue("deny").search(words) is None,
            ending=cue("ending").search(words) is not None or self.text.endswith(("...", "****"), 0, item.value.start),
        )

    def affirms(self, item: Candidate) -> bool:
        """True when the sentence states the value; one that quotes it back states it only by a word that affirms."""
        self.low = self.low or _same_length(self.text)
        start, end = item.clause
        if cue("quoting").search(self.low):
            rest = self.low[item.value.end :]
            return cue("affirm").search(rest) is not None and cue("deny").search(rest) is None
        before = self.low[max(start, item.value.start - 60) : item.value.start]
        after = self.low[item.value.end : min(end, item.value.end + 40)]
        return cue("deny").search(before) is None and cue("deny").search(after) is None


def _same_length(text: str) -> str:
    low = folded(text)
    return low if len(low) == len(text) else text
