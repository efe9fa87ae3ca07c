"""Values that stand in the evidence, but of another record, column, aggregate, year or dose than the clause is about
(spec 30, "Pairing"). One place that fits is enough: more places that show a value make nothing worse."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core.values.asserted import Candidate
from gate_core.values.labelled import under_another_label
from gate_core.values.lookup import Hit
from gate_core.values.misnamed import of_another_name
from gate_core.values.pairs import Named, mispaired, other_aggregate, other_column
from gate_core.values.place import Place
from gate_core.values.shares import other_month, other_schedule, other_year, turned_round
from gate_core.values.value import Kind, Shape


def of_another(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    """True when what the clause says of a value stands in none of the places that show it."""
    if of_another_name(found, named, place.found, item):
        return True
    if item.value.kind is Kind.NAME and item.value.shape is not Shape.VERSION:
        return False
    if mispaired(found, named, item.clause, item.value.start):
        return True
    return any(way(place, item, found, named) for way in WAYS)


def _column(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    (start, end), value, low = item.clause, item.value, place.cues.low
    return other_column(found, named.index, low[start : value.start] + low[value.end : end])


def _aggregate(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    return other_aggregate(found, named.index, place.cues, item.clause)


def _label(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    return under_another_label(found, named.index, place.cues.low[item.clause[0] : item.value.start])


def _year(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    return other_year(found, named.index, place.text, item.clause)


def _month(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    return other_month(found, named.index, place.cues.low, item.clause)


def _schedule(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    return other_schedule(found, named.index, named, place.text[slice(*item.clause)])


def _reading(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    return item.value.part and turned_round(place.text, item.value.start, named.index)


WAYS = (_column, _aggregate, _label, _year, _month, _schedule, _reading)
"""The ways in which no place that shows a value stands under what its clause calls it, in whatever record."""
