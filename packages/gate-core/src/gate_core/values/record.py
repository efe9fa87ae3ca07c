"""What the one record that a clause names shows of its values. Most values of most answers stand there, and nothing
else has to be asked for them: a place that shows a value well is not made worse by others (spec 30, "Pairing").

The values go in step, each step over all of them: the same code again costs a processor far less than other code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from gate_core.values import anchors
from gate_core.values.another import WAYS
from gate_core.values.asserted import Candidate
from gate_core.values.evidence import Source
from gate_core.values.lookup import Hit, unit_around
from gate_core.values.match import Fit, fit_numbers
from gate_core.values.misnamed import of_another_name
from gate_core.values.normal import folded
from gate_core.values.numbers import bare_number
from gate_core.values.pairs import Named
from gate_core.values.place import Place
from gate_core.values.search import Search
from gate_core.values.value import Kind, Shape, Value

_MOST = 40  # fields of a record that are looked at
_MOST_PLACES = 20  # zeros of a number that is compared as a float


class _Asked(NamedTuple):
    """A value of the answer: its number, its passage and what that names in the result."""

    number: int
    place: Place
    item: Candidate
    named: Named


def shown_in(items: Sequence[tuple[Place, Candidate]], source: Source, search: Search) -> Iterator[tuple[int, Hit]]:
    """(number of the item, where its value stands) for the values that are shown by the record which their clause names
    in a result. What is left out need not be wrong: it has to be looked for everywhere."""
    index = source.index
    asked = [_Asked(n, place, item, search.names(place, index)) for n, (place, item) in enumerate(items)]
    names = [one for one in asked if one.item.value.kind is Kind.NAME and one.item.value.shape is Shape.ID]
    shown = [(one, hit) for one in names if (hit := _name(one.item.value, one.named)) is not None]
    shown = [(one, hit) for one, hit in shown if not of_another_name((hit,), one.named, one.place.found, one.item)]
    looked = source.targets and not source.wrote  # the agent may have written what it looks at
    for one, hit in chain(shown, _numbers(asked, search)):
        if not (looked and search.own_words(source, one.item.value, one.place.around(one.item))):
            yield one.number, hit


def _numbers(asked: Sequence[_Asked], search: Search) -> Iterator[tuple[_Asked, Hit]]:
    """The numbers that stand in the record they are said of, and nothing speaks against it."""
    numbers = [one for one in asked if one.item.value.kind is Kind.NUMBER]
    records = [_meant(one.named, one.item.clause) for one in numbers]
    found = [(one, _number(one, record)) for one, record in zip(numbers, records, strict=True) if record]
    shown = [(one, hit) for one, hit in found if hit is not None]
    for way in WAYS:
        shown = [(one, hit) for one, hit in shown if not way(one.place, one.item, (hit,), one.named)]
    return ((one, hit) for one, hit in shown if _belongs(one, hit, search))


def _belongs(one: _Asked, hit: Hit, search: Search) -> bool:
    """False for a currency nobody named, and for a share of something else."""
    unit = one.item.value.unit
    if not unit:
        return True
    return not search.foreign(unit) and (unit != "%" or anchors.percent_belongs(hit, one.place.text, one.named))


def _meant(named: Named, clause: tuple[int, int]) -> int:
    """The record that everything a clause names is a name of, 0 for none."""
    known = named.meant.get(clause)
    if known is None:
        rows = [rows for labels in named.about(clause).values() for rows in labels.values()]
        common = frozenset.intersection(*rows) if rows else frozenset[int]()
        known = named.meant[clause] = min(common) if len(common) == 1 else 0
    return known


def _number(one: _Asked, record: int) -> Hit | None:
    """The number of a record that is the one said, to its precision and in its sign."""
    value, index, around = one.item.value, one.named.index, one.place.around(one.item)
    if value.sign < 0 or around.down or around.loss:
        return None
    cells = index.cells_of(record)
    for number in value.numbers:
        if number in value.second or not -_MOST_PLACES <= number.exponent <= _MOST_PLACES:
            continue
        step = 10.0**number.exponent
        size, reach = number.mantissa * step, step * 0.51
        for field, cell in cells:
            if -reach <= size - cell <= reach:
                shown = bare_number(index.document.texts[field])
                if shown and fit_numbers(number, shown.numbers[0], unit_around(index, field, shown)) is Fit.YES:
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
