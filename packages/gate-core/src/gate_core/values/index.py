"""What is looked up in a document: numbers by size, instants, names, labels. Each index is built when first asked for
and kept with the document (spec 30: the lazy ladder of spec 05).

The indexes hold spellings, not places: places are searched for the few spellings that matter.
"""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any

from gate_core.model.late import late
from gate_core.values.called import Called
from gate_core.values.dates import Spellings
from gate_core.values.document import Document
from gate_core.values.fields import MOST
from gate_core.values.names import words_in
from gate_core.values.scan import scan_evidence
from gate_core.values.sizes import sizes_in
from gate_core.values.units import power_of_key
from gate_core.values.value import Value

UNIT_KEYS = frozenset({"currency", "currency_code", "currencycode", "ccy", "unit", "units", "uom"})
"""Keys whose fields name the unit of those beside them."""

_MOST_LISTS = 2_000
_CAMEL = late(r"(?<=[a-z0-9])(?=[A-Z])")


class Index(Called):
    """The lookups of one document."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.found: dict[object, tuple[Any, ...]] = {}
        self.currencies: dict[frozenset[str], str] = {}
        self.quantities: dict[int, tuple[Any, ...]] = {}
        self.short: tuple[list[Any], list[Any]] | None = None
        self._scans: dict[int, tuple[Value, ...]] = {}

    def scan(self, number: int) -> tuple[Value, ...]:
        """The values of a field, kept: a field is looked at again by every value that may stand in it."""
        found = self._scans.get(number)
        if found is None:
            found = self._scans[number] = scan_evidence(self.document.texts[number])
        return found

    @cached_property
    def dates(self) -> Spellings:
        """The spellings of dates and times."""
        return Spellings(self.rest, self.letters)

    @cached_property
    def _sizes(self) -> tuple[list[float], dict[float, str]]:
        """The sizes of all numbers beside other signs, in order, and no number; size -> spellings, one a line."""
        found = sizes_in(self.numbered(), self.letters)
        return [*sorted(found), math.nan], found

    @cached_property
    def _all_sizes(self) -> array[float]:
        """The sizes of all numbers, in order, and no number: most of the ranges that are asked for hold none."""
        return array("d", [*sorted(chain(self._sizes[0][:-1], self.cells.sizes[:-1])), math.nan])

    def fields_between(self, ranges: Iterable[tuple[float, float]]) -> list[int]:
        """The fields that hold a number from low to high of one of the ranges, whatever its sign and unit."""
        sizes, spellings = self._sizes
        everything = self._all_sizes
        found: list[int] = []
        for low, high in ranges:
            if not everything[bisect_left(everything, low)] <= high:
                continue
            fields = self.cells.between(low, high, MOST)
            at = bisect_left(sizes, low)
            most = at + MOST
            while at < most and (size := sizes[at]) <= high:
                for spelling in spellings[size].split("\n"):
                    beside = self._fields_beside(spelling)
                    fields[size, spelling] = sorted({*beside, *fields.get((size, spelling), ())})
                at += 1
            found += chain.from_iterable(fields.values() if len(fields) < 2 else _in_order(fields))
        return found

    def _fields_beside(self, spelling: str) -> list[int]:
        """The fields that hold a number in this spelling beside other signs."""
        return [field for field in self.fields_with(spelling) if not self.cells.holds(field)]

    @cached_property
    def words(self) -> dict[str, str]:
        """Squeezed word -> a spelling of it, for names that are spelt otherwise."""
        return words_in("\n".join(dict.fromkeys(self.document.texts)))

    @cached_property
    def single(self) -> tuple[int, ...]:
        """The records that are no rows of several: the whole result, and objects in it."""
        groups = enumerate(self.document.group)
        return tuple(record for record, group in groups if record == 0 or not group.endswith(("/*", "/{}")))

    @cached_property
    def lists_of(self) -> dict[int, list[tuple[int, str]]]:
        """Number of items -> (record, key) of the lists that have so many."""
        found: dict[int, list[tuple[int, str]]] = {}
        for record, key, size in self.document.sizes:
            found.setdefault(size, []).append((record, key))
        return found

    @cached_property
    def list_keys(self) -> tuple[str, ...]:
        """The keys of the first lists and objects, each once."""
        return tuple(dict.fromkeys(key for _, key, _ in self.document.sizes[:_MOST_LISTS] if key))

    @cached_property
    def names_units(self) -> bool:
        """True when fields name the units of others."""
        return not UNIT_KEYS.isdisjoint(map(str.casefold, self.keys))

    @cached_property
    def powers(self) -> frozenset[int]:
        """The powers of ten in which keys say that their numbers count."""
        return frozenset(map(power_of_key, self.keys)) - {0}

    @cached_property
    def key_words(self) -> frozenset[str]:
        """The words of all keys."""
        return frozenset(chain.from_iterable(map(key_words, self.keys)))


@lru_cache(4096)
def key_words(key: str) -> frozenset[str]:
    """The words of a key, in lower case."""
    return frozenset(re.findall(r"[a-z]+", _CAMEL.sub(" ", key).casefold()))


def _in_order(fields: Mapping[tuple[float, str], Sequence[int]]) -> Iterator[Sequence[int]]:
    """The fields of sizes and spellings, smallest first, so many sizes; plain spellings first, else as they stand."""
    sizes = sorted({size for size, _ in fields})[:MOST]
    placed = [(size, _is_strange(spelling), held[0], held) for (size, spelling), held in fields.items() if held]
    return (held for size, _, _, held in sorted(placed, key=itemgetter(0, 1, 2)) if size <= sizes[-1])


def _is_strange(spelling: str) -> bool:
    """True for a number that is not read as it stands."""
    try:
        return math.isnan(float(spelling))
    except ValueError:
        return True
