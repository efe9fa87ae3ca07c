"""What the one record that a clause names shows of its values. Most values of most answers stand there, and nothing
else has to be asked for them: a place that shows a value well is not made worse by others (spec 30, "Pairing").

The values go in step, each step over all of them: the same code again costs a processor far less than other code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate_core.values import anchors
from gate_core.values.another import under_another
from gate_core.values.asserted import Candidate
from gate_core.values.evidence import Source
from gate_core.values.index import Index
from gate_core.values.lookup import Around, Hit, unit_around
from gate_core.values.match import Fit, fit_numbers
from gate_core.values.normal import folded
from gate_core.values.pairs import Named
from gate_core.values.place import Place
from gate_core.values.search import Search
from gate_core.values.value import Kind, Shape, Value

_MOST = 40  # fields of a record that are looked at
_MOST_PLACES = 20  # zeros of a number that is compared as a float


def shown_in(items: Sequence[tuple[Place, Candidate]], source: Source, search: Search) -> Iterator[tuple[int, Hit]]:
    """(number of the item, where its value stands) for the values that are shown by the record which their clause names
    in a result. What is left out need not be wrong: it has to be looked for everywhere."""
    index = source.index
    named = [search.names(place, index) for place, _ in items]
    records = [_meant(names, item.clause) for names, (_, item) in zip(named, items, strict=True)]
    arounds = [place.around(item) for place, item in items]
    hits = [
        _hit(item.value, index, record, around, names)
        for (_, item), record, around, names in zip(items, records, arounds, named, strict=True)
    ]
    for number, (hit, (place, item)) in enumerate(zip(hits, items, strict=True)):
        if hit is None or not _stands(hit, place, item, named[number], search):
            continue
        if not search.own_words(source, item.value, arounds[number]):
            yield number, hit


def _stands(hit: Hit, place: Place, item: Candidate, named: Named, search: Search) -> bool:
    """True when nothing speaks against a place of the record that the clause names."""
    value = item.value
    if value.kind is Kind.NAME:
        return True
    if value.unit and search.foreign(value.unit):
        return False
    if under_another(place, item, [hit], named):
        return False
    return value.unit != "%" or anchors.percent_belongs(hit, place.text, named)


def _meant(named: Named, clause: tuple[int, int]) -> int:
    """The record that everything a clause names is a name of, 0 for none."""
    known = named.meant.get(clause)
    if known is None:
        rows = [rows for labels in named.about(clause).values() for rows in labels.values()]
        common = frozenset.intersection(*rows) if rows else frozenset[int]()
        known = named.meant[clause] = min(common) if len(common) == 1 else 0
    return known


def _hit(value: Value, index: Index, record: int, around: Around, named: Named) -> Hit | None:
    if value.kind is Kind.NUMBER:
        return _number(value, index, record, around) if record else None
    return _name(value, named) if value.kind is Kind.NAME and value.shape is Shape.ID else None


def _number(value: Value, index: Index, record: int, around: Around) -> Hit | None:
    """The number of a record that is the one said, to its precision and in its sign."""
    if value.sign < 0 or around.down or around.loss:
        return None
    cells = index.cells_of(record)
    for number in value.numbers:
        if number in value.second:
            continue
        if not -_MOST_PLACES <= number.exponent <= _MOST_PLACES:
            return None
        step = 10.0**number.exponent
        size, reach = number.mantissa * step, step * 0.51
        for field, cell in cells:
            if -reach <= size - cell <= reach:
                shown = index.scan(field)[0]
                if fit_numbers(number, shown.numbers[0], unit_around(index, field, shown)) is Fit.YES:
                    return Hit(field, Fit.YES, shown)
    return None


def _name(value: Value, named: Named) -> Hit | None:
    """A name that is a field of the record which it names."""
    index = named.index
    for start, end, label in named.spans:
        if start == value.start and end == value.end:
            for _, record in named.rows(label):
                for field in index.fields_of.get(record, ())[:_MOST]:
                    if folded(index.document.texts[field]) == label == folded(value.text):
                        return Hit(field, Fit.YES, value)
    return None
