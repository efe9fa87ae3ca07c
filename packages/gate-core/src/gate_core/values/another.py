"""Values that stand in the evidence, but of another record, column, aggregate, year or dose than the clause is about
(spec 30, "Pairing"). One place that fits is enough: more places that show a value make nothing worse."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core.values.asserted import Candidate
from gate_core.values.labelled import under_another_label
from gate_core.values.lookup import Hit
from gate_core.values.pairs import Named, mispaired, other_aggregate, other_column
from gate_core.values.place import Place
from gate_core.values.shares import other_schedule, other_year, turned_round


def of_another(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    """True when what the clause says of a value stands in none of the places that show it."""
    return mispaired(found, named, item.clause, item.value.start) or under_another(place, item, found, named)


def under_another(place: Place, item: Candidate, found: Sequence[Hit], named: Named) -> bool:
    """True when no place that shows a value stands under what the clause calls it, whatever record it belongs to."""
    index, value, low = named.index, item.value, place.cues.low
    start, end = item.clause
    before, behind = low[start : value.start], low[value.end : end]
    return (
        other_column(found, index, before + behind)
        or other_aggregate(found, index, place.cues, item.clause)
        or under_another_label(found, index, before)
        or other_year(found, index, place.text, item.clause)
        or other_schedule(found, index, named, place.text[start:end])
        or (value.part and turned_round(place.text, value.start, index))
    )
