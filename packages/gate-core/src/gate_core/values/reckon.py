"""What a value may be computed from: numbers and instants of the answer, records, columns (spec 30, "Derivations")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from gate_core.values import anchors, clocks, columns, further, moved, periods, rates, shares
from gate_core.values.asserted import Candidate
from gate_core.values.derive import supports
from gate_core.values.index import Index
from gate_core.values.lexicon import table, units
from gate_core.values.lookup import PLAIN
from gate_core.values.operands import Operand, made, said_operand
from gate_core.values.pairs import Named, starts_from
from gate_core.values.place import Place
from gate_core.values.scan import scan
from gate_core.values.search import Search
from gate_core.values.sources import halves, stands_alone
from gate_core.values.value import Instant, Kind, Value

_MOST_STANDING = 60
_MOST_INSTANTS = 8
_MOST_OPERANDS = 40  # numbers of one sentence
_MOST_SOURCES = 40  # results that are reckoned with


class Reckoner:
    """The formulas of one check. It learns which numbers and instants of the answer stand as they are judged."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._learned: list[tuple[str, Value]] = []
        self._made: list[Operand] = []
        self._instants: list[Instant] = []
        self._computed: list[tuple[str, Operand]] = []

    def learn(self, place: Place, value: Value, *, computed: bool = False) -> None:
        """A value of the answer has a source; `computed` when that is a formula."""
        operand = said_operand(value, (place.where, value.start)) if computed else None
        if operand is not None and len(self._computed) < _MOST_INSTANTS:
            self._computed.append((place.where, replace(operand, name=value.text)))
        if value.numbers and not value.ordinal and len(self._learned) < _MOST_STANDING:
            self._learned.append((place.where, value))
        if value.instants and len(self._instants) < _MOST_INSTANTS:
            self._instants.append(value.instants[0])

    @property
    def _standing(self) -> list[Operand]:
        """What was learned, as operands; few answers need them."""
        for where, value in self._learned[len(self._made) :]:
            operand = made(value, value.unit, "", (where, value.start))
            self._made.append(replace(operand, name=value.text))
        return self._made

    def learn_small(self, places: Sequence[Place]) -> None:
        """Small numbers of the answer that were read or supplied may be operands, though nobody looks them up."""
        for place in places:
            for item in place.found[:_MOST_OPERANDS]:
                if item.reason == "small" and item.value.numbers and self._search.supported(item, place):
                    self.learn(place, item.value)

    def computed(self, place: Place, item: Candidate) -> str:
        """The formula of a value, "" for none."""
        value = _signed(place, item)
        if value.kind is Kind.INSTANT:
            return self._moved(place, value) or self._by_parts(place, value) or self._moved_time(place, value)
        if not value.numbers:
            return further.sides(value, self._indexes())
        if rate := further.converted(value, self._operands(place, item), self._indexes()):
            return rate
        if self._search.foreign(value.unit):
            return ""
        found = anchors.from_answer(value, self._operands(place, item), ()) or self._elapsed(value)
        found = found or self._of_results(place, value) or self._by_period(place, item)
        supplied = self._search.evidence.supplied[:400]
        found = found or further.age(value, self._indexes(), supplied)
        return found or further.until(value, self._instants, self._indexes(), supplied)

    def _indexes(self) -> Iterator[Index]:
        return (source.index for source in self._search.evidence.readable[:_MOST_SOURCES])

    def later(self, place: Place, item: Candidate) -> str:
        """The formula of a value over what stands anywhere in the answer, once all of it was judged."""
        if not item.value.numbers or self._search.foreign(item.value.unit):
            return ""
        value, near = _signed(place, item), self._operands(place, item)
        known = {operand.place for _, operand in place.operands or ()}
        near = (*near, *(o for o in self._standing if o.place not in known and _stands_in(o, place, item)))
        found = anchors.from_answer(value, near, self._standing) or self._elapsed(value)
        return found or self._with_computed(place, value)

    def _with_computed(self, place: Place, value: Value) -> str:
        """A formula over what this sentence computes and one small result."""
        here = [operand for where, operand in self._computed if where == place.where]
        for source in self._search.evidence.readable[:_MOST_SOURCES] if here else ():
            found = anchors.with_computed(value, source.index, here)
            if found:
                return found
        return ""

    def _of_results(self, place: Place, value: Value) -> str:
        for source in self._search.evidence.readable[:_MOST_SOURCES]:
            index = source.index
            named = self._search.names(place, index)
            found = self._of_result(place, value, index, named)
            for power in sorted(index.powers) if value.scaled and not found else ():
                found = found or self._of_result(place, value.counted_in(power), index, named, power)
            if found:
                return found
        return ""

    @staticmethod
    def _of_result(place: Place, value: Value, index: Index, named: Named, power: int = 0) -> str:
        return (
            anchors.count_of(value, place.text, index, named)
            or anchors.from_records(value, place.text, index, named)
            or columns.from_columns(value, place.text, index, named, power)
            or rates.of_unit(value, place.text, index, named)
            or shares.of_column(value, place.text, index, named)
            or shares.of_years(value, place.text, index)
            or shares.of_list(value, place.cues, index)
            or (clocks.shown_length(value, index) if _lasts(value) else "")
        )

    def _by_period(self, place: Place, item: Candidate) -> str:
        """An amount by the month as one by the year."""
        sources = self._search.evidence.readable[:_MOST_SOURCES]
        return periods.of_other_period(place, item, [self._search.names(place, s.index) for s in sources])

    def _elapsed(self, value: Value) -> str:
        """The time between two instants that stand in the answer."""
        if not value.unit or units()[value.unit].dimension != "time":
            return ""
        return supports(value, anchors.elapsed_between(self._instants))

    def _moved(self, place: Place, value: Value) -> str:
        """A date that lies a stated duration from one that was read; a year left out by whoever supplied the rest."""
        durations = [v for text in self._search.evidence.supplied[:400] for v in scan(text) if v.unit in ("d", "wk")][
            :8
        ]
        durations += list(further.day_lengths(self._indexes()))[:8]
        durations += [c.value for c in place.found[:_MOST_OPERANDS] if c.value.unit in ("d", "wk")]
        for formula, date in moved.moved_dates(value, durations):
            if self._search.shown(date):
                year, month, day = date.instants[0][:3]
                return formula.format(date=f"{year}-{month:02}-{day:02}")
        for year, month, day, *clock in value.instants:
            if year is not None and month is not None and day is not None and clock[0] is None:
                partial = value._replace(instants=((None, month, day, None, None, None, None),))
                alone = value._replace(instants=((year, None, None, None, None, None, None),))
                if self._search.within(self._search.evidence.supplied_index(), partial, PLAIN) and self._search.shown(
                    alone
                ):
                    return f"{month:02}-{day:02} as supplied, in {year}"
        return ""

    def _moved_time(self, place: Place, value: Value) -> str:
        """A time that a length of time parts from another one of the answer, or of a small record."""
        said = [said_operand(item.value, ()) for item in place.found[:_MOST_OPERANDS] if _lasts(item.value)]
        lasting = [operand for operand in said if operand is not None]
        instants = [instant for instant in self._instants if instant[3] is not None]
        for source in self._search.evidence.readable[:_MOST_SOURCES]:
            for starts, lengths in anchors.durations_of(source.index):
                instants, lasting = [*instants, *starts], [*lasting, *lengths]
        return moved.moved_time(value, instants[:_MOST_INSTANTS], lasting[:_MOST_INSTANTS])

    def _by_parts(self, place: Place, value: Value) -> str:
        """A date and a time that stand apart. Where both are only parts of whole instants, those say something else."""
        for parts in halves(value):
            alone = [self._stands(part) or (bool(self._moved(place, part)) or None) for part in parts]
            if None not in alone and any(alone):
                return "a date and a time that stand apart"
        return ""

    def _stands(self, value: Value) -> bool | None:
        """Whether a date or time stands by itself, None when it stands nowhere."""
        if self._search.within(self._search.evidence.supplied_index(), value, PLAIN):
            return True
        found = [hit for s in self._search.evidence.holding(value) for hit in self._search.hits(s.index, value, PLAIN)]
        return any(map(stands_alone, found)) if found else None

    def _operands(self, place: Place, item: Candidate) -> tuple[Operand, ...]:
        """The other numbers of the sentence that were read or supplied."""
        if place.operands is None:
            found = []
            for other in place.found[:_MOST_OPERANDS]:
                operand = said_operand(other.value, (place.where, other.value.start)) if other.value.numbers else None
                if (
                    operand is not None
                    and other.reason in ("", "small", "condition")
                    and self._search.supported(other, place)
                ):
                    found.append((other.value.start, replace(operand, name=other.value.text)))
            place.operands = tuple(found)
        near = item.value.start - 6, item.value.end + 6
        ends = item.value.part  # the ends of a range are no operands of each other
        return tuple(
            operand
            for start, operand in place.operands
            if start != item.value.start and not (ends and near[0] <= start <= near[1])
        )


def _lasts(value: Value) -> bool:
    return bool(value.unit) and units()[value.unit].dimension == "time"


def _signed(place: Place, item: Candidate) -> Value:
    """The value, above zero where the clause says that something grew."""
    if item.value.sign or not item.value.numbers:
        return item.value
    if item.value.unit == "%" and (way := _from_to(place, item)):
        if way < 0 and place.goes_up(item):
            way = 1  # "grew by 10% from 2,310 to 2,079"
        if way > 0 and place.fell(item):
            way = -1
        return item.value._replace(sign=way)
    return item.value._replace(sign=1) if place.goes_up(item) else item.value


def _from_to(place: Place, item: Candidate) -> int:
    """The way of a change that the sentence tells with both its ends, "20% from 8,400 to 10,500"; 0 where a percentage
    is of something."""
    if _of().match(place.text, item.value.end):
        return 0
    ends = [o.value for o in place.found if o.value.numbers and o is not item and o.value.unit != "%"][:_MOST_INSTANTS]
    for one, other in pairwise(ends):
        told = starts_from().search(place.text, max(0, one.start - 12), one.start) and _goes_to().fullmatch(
            place.text[one.end : other.start]
        )
        if told and one.numbers[0].exact != other.numbers[0].exact and one.unit == other.unit:
            return 1 if other.numbers[0].exact > one.numbers[0].exact else -1
    return 0


def _stands_in(operand: Operand, place: Place, item: Candidate) -> bool:
    """True for another number of the sentence."""
    return any(operand.place == (place.where, other.value.start) for other in place.found if other is not item)


@cache
def _of() -> re.Pattern[str]:
    """What stands between a value and what it is of."""
    return re.compile(rf"\s*(?:{'|'.join(table('words')['of'])})\b", re.IGNORECASE)


@cache
def _goes_to() -> re.Pattern[str]:
    """What stands between the two values of a change."""
    return re.compile(rf"\s*{table('words')['to']}\s*[$€£¥₹]?", re.IGNORECASE)
