"""One passage of an answer: its values, what the words around them allow, what it names in each document."""

from __future__ import annotations

from dataclasses import dataclass, field

from gate_core.values.asserted import Candidate
from gate_core.values.cues import Cues
from gate_core.values.index import Index
from gate_core.values.lookup import PLAIN, Around
from gate_core.values.operands import Operand
from gate_core.values.pairs import Named

_ALLOWING = frozenset({"ending", "down", "loss"})


@dataclass(slots=True, kw_only=True)
class Place:
    """A passage with what was found in it."""

    text: str
    where: str
    found: tuple[Candidate, ...]
    named: dict[Index, Named] = field(default_factory=dict)
    operands: tuple[tuple[int, Operand], ...] | None = None
    cues: Cues
    arounds: dict[int, Around] = field(default_factory=dict)

    def around(self, item: Candidate) -> Around:
        """What the clause of a value allows."""
        known = self.arounds.get(item.value.start)
        if known is None:
            known = self.arounds[item.value.start] = self._around(item)
        return known

    def _around(self, item: Candidate) -> Around:
        value, within = item.value, self.cues.within
        ending = self.text.endswith(("...", "****"), 0, value.start)
        taken = self.text.endswith("- ", 0, value.start)  # "3,420.50 - 1,150.00" takes away what is below zero
        if not (ending or taken or self.cues.may_hold(_ALLOWING)):
            return PLAIN
        start, end = max(item.clause[0], value.start - 80), min(item.clause[1], value.end + 60)
        ending = ending or within("ending", start, end)
        down, loss = taken or within("down", start, end), within("loss", start, end) and not within("deny", start, end)
        return Around(down=down, loss=loss, ending=ending) if down or loss or ending else PLAIN

    def goes_up(self, item: Candidate) -> bool:
        """True when the clause of a value says that something grew."""
        within = self.cues.within
        return within("up", *item.clause) and not (within("fell", *item.clause) or within("loss", *item.clause))

    def fell(self, item: Candidate) -> bool:
        """True when the clause of a value says in so many words that something fell."""
        return self.cues.within("fell", *item.clause) and not self.cues.within("up", *item.clause)

    def affirms(self, item: Candidate) -> bool:
        """True when the sentence states the value; one that quotes it back states it only by a word that affirms."""
        value, within = item.value, self.cues.within
        start, end = item.clause
        if self.cues.spans("quoting"):
            return within("affirm", value.end, len(self.text)) and not within("deny", value.end, len(self.text))
        before = within("deny", max(start, value.start - 60), value.start)
        return not before and not within("deny", value.end, min(end, value.end + 40))
