"""Where the values of an answer stand in the evidence: one search over results, messages and arguments (spec 30)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.values import anchors, money
from gate_core.values.asserted import Candidate
from gate_core.values.evidence import Evidence, Source
from gate_core.values.index import Index
from gate_core.values.lines import shows_line
from gate_core.values.lookup import PLAIN, Around, Hit, hits, unit_around
from gate_core.values.match import Fit
from gate_core.values.normal import folded
from gate_core.values.pairs import Named
from gate_core.values.place import Place
from gate_core.values.sources import answers_otherwise, by_halves, in_folder
from gate_core.values.value import Kind, Shape, Value

_MOST_SOURCES = 40  # results that are searched for operands


class Search:
    """The lookups of one check."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._nouns: dict[str, bool] = {}
        self._strange: dict[str, bool] = {}

    def countable(self, noun: str) -> bool:
        """True when a recent result holds a list of what a noun names."""
        if noun not in self._nouns:
            self._nouns[noun] = any(anchors.countable(source.index, noun) for source in self.evidence.readable[:20])
        return self._nouns[noun]

    def listed(self, noun: str) -> int:
        """The length of the longest list of what a noun names in a recent result, 0 for none."""
        return max((anchors.most_of(source.index, noun) for source in self.evidence.readable[:20]), default=0)

    def hits(self, index: Index, value: Value, around: Around) -> tuple[Hit, ...]:
        """The places of a document that hold a value, a date and a time in fields of their own included."""
        found = hits(value, index, around)
        if not found and value.kind is Kind.INSTANT:
            found = by_halves(value, index, around)
        if value.unit and found and self.foreign(value.unit):
            return tuple(hit if _has_unit(hit, index) else hit._replace(fit=Fit.UNIT) for hit in found)
        return found

    def foreign(self, unit: str) -> bool:
        """True for a currency nobody named, where messages speak of others."""
        known = self._strange.get(unit)
        if known is None:
            codes = money.codes_of(unit)
            said = (*self.evidence.supplied, *self.evidence.guessed)
            known = bool(codes) and bool(others := money.codes_said(said)) and not codes & others
            known = known and not any(money.names(source.index, codes) for source in self.evidence.readable)
            self._strange[unit] = known
        return known

    def within(self, index: Index, value: Value, around: Around) -> bool:
        """True when a document shows a value well."""
        return any(hit.fit is Fit.YES for hit in self.hits(index, value, around))

    def names(self, place: Place, index: Index) -> Named:
        """What a passage names in a document."""
        known = place.named.get(index)
        if known is None:
            known = place.named[index] = Named(place.cues, index, _dated(place, index))
        return known

    def is_target(self, value: Value) -> bool:
        """True for what an ok call touched: its targets, paths of a command that ran, a listed name in its folder."""
        if self.within(self.evidence.targets_index(), value, PLAIN):
            return True
        if value.shape is not Shape.PATH:
            return False
        if any(self.within(index, value, PLAIN) for index in self.evidence.arguments("ran")):
            return True
        if shows_line(value.text, self.evidence.readable):
            return True
        folder, _, name = value.text.rpartition("/")
        last = value._replace(text=name, end=value.start + len(name))
        return bool(folder) and any(
            source.whole and in_folder(source, folder) and self.within(source.index, last, PLAIN)
            for source in self.evidence.readable
        )

    def in_arguments(self, value: Value, around: Around, *, wrote: bool) -> bool:
        """True when the agent itself passed the value to a tool, to one that `wrote` or to another."""
        return any(
            self.within(index, value, around) for index in self.evidence.arguments("wrote" if wrote else "others")
        )

    def contradicted(self, value: Value) -> bool:
        """True when a change of this turn was asked for the value and its own result says something else."""
        return any(
            source.wrote and source.turn == self.evidence.turn and answers_otherwise(source, value)
            for source in self.evidence.readable
        )

    def own_words(self, source: Source, value: Value, around: Around) -> bool:
        """True for a look at what the agent itself wrote, value included."""
        if not source.targets or source.wrote:
            return False
        wrote = [other for other in self.evidence.readable if other.wrote and set(source.targets) & set(other.targets)]
        return any(self.within(other.own, value, around) for other in wrote)

    def shown(self, value: Value) -> bool:
        """True when a result or a message holds a value."""
        return any(self.within(s.index, value, PLAIN) for s in self.evidence.readable[:_MOST_SOURCES]) or self.within(
            self.evidence.supplied_index(), value, PLAIN
        )

    def supported(self, other: Candidate, place: Place) -> bool:
        """True when a result or a message holds a number of a passage."""
        around = place.around(other)
        return any(
            self.within(s.index, other.value, around) for s in self.evidence.readable[:_MOST_SOURCES]
        ) or self.within(self.evidence.supplied_index(), other.value, around)


def _dated(place: Place, index: Index) -> Iterator[tuple[int, int, str]]:
    """(start, end, label) of the dates of a passage that are cells of a table, however it spells them."""
    for item in place.found:
        if item.value.kind is Kind.INSTANT and all(
            one[2] is not None and one[3] is None for one in item.value.instants
        ):
            cells = {hit.field for hit in hits(item.value, index) if hit.shown.text == index.document.texts[hit.field]}
            labels = {folded(index.document.texts[field]) for field in cells if index.document.keys[field]}
            if len(labels) == 1:
                yield item.value.start, item.value.end, labels.pop()


def _has_unit(hit: Hit, index: Index) -> bool:
    return bool(hit.shown.unit or (hit.shown.kind is Kind.NUMBER and unit_around(index, hit.field, hit.shown)))
