"""Fields that are one number and nothing else, by size: most of most tables (spec 30, "Evidence").

They are told apart from the others for a whole document at once, each different text once, and found without a search
through its text.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import accumulate, compress, groupby
from math import nan
from operator import lt, not_

from gate_core.model.late import late

_DIGITS = b"0123456789"
_FIGURES = frozenset("0123456789")
_LEFT = frozenset(("", "."))  # of a number without its digits
_BARE = late(r"[0-9]+\.?[0-9]*")
_MOST_RECORDS = 1_000  # whose numbers are kept
_FEW = 3  # lookups that go through all fields; for more of them, the fields are put in order


class Cells:
    """The numbers of a document that fill a field each: their different `sizes`, in order, and a last one that is no
    number. `others` are the different texts of all other fields, `numbered` those of them that hold a digit."""

    def __init__(self, texts: Sequence[str]) -> None:
        different = tuple(dict.fromkeys(texts))
        left = _without_digits(different)
        bare = [rest in _LEFT and text >= "0" for rest, text in zip(left, different, strict=True)]
        other = list(map(not_, bare))
        self._texts = texts
        self._spellings = sorted(compress(different, bare), key=float)
        self._asked = 0
        self.sizes = [*dict.fromkeys(map(float, self._spellings)), nan]
        self.others = tuple(compress(different, other))
        self.numbered = tuple(compress(self.others, map(lt, map(len, compress(left, other)), map(len, self.others))))

    def between(self, low: float, high: float, most: int) -> dict[tuple[float, str], list[int]]:
        """(size, spelling) -> fields of the numbers from low to high, at most so many sizes, and fields of each."""
        first = bisect_left(self.sizes, low)
        if not self.sizes[first] <= high:
            return {}
        behind = min(bisect_right(self.sizes, high, first, len(self.sizes) - 1), first + most)
        found: dict[str, list[int]] = {}
        for field in self._fields(first, behind):
            fields = found.setdefault(self._texts[field], [])
            if len(fields) < most:
                fields.append(field)
        return {(float(spelling), spelling): found[spelling] for spelling in sorted(found, key=float)}

    def holds(self, field: int) -> bool:
        """True for a field that is a number and nothing else."""
        return _BARE.fullmatch(self._texts[field]) is not None

    @cached_property
    def _records(self) -> dict[int, list[tuple[int, float]]]:
        return {}

    def of(self, record: int, fields: Iterable[int]) -> Sequence[tuple[int, float]]:
        """(field, size) of those fields of a record that are a number and nothing else; the last ones are kept."""
        found = self._records.get(record)
        if found is None:
            if len(self._records) > _MOST_RECORDS:
                self._records.clear()
            texts = [(at, self._texts[at]) for at in fields]
            found = [(at, float(text)) for at, text in texts if text[:1] in _FIGURES and _BARE.fullmatch(text)]
            self._records[record] = found
        return found

    def _fields(self, first: int, behind: int) -> Iterable[int]:
        """The fields that hold a number of one of the sizes from the first on, the last left out."""
        self._asked += 1
        if self._asked > _FEW:
            order, starts = self._in_order
            return order[starts[first] : starts[behind]]
        start = bisect_left(self._spellings, self.sizes[first], key=float)
        end = bisect_right(self._spellings, self.sizes[behind - 1], start, key=float)
        return self._that_hold(frozenset(self._spellings[start:end]))

    def _that_hold(self, spellings: Collection[str]) -> Iterable[int]:
        return compress(range(len(self._texts)), map(spellings.__contains__, self._texts))

    @cached_property
    def _in_order(self) -> tuple[array[int], array[int]]:
        """All fields that hold a number, by its size, and where those of each size start."""
        fields = list(self._that_hold(frozenset(self._spellings)))
        sizes = list(map(float, map(self._texts.__getitem__, fields)))
        order = sorted(range(len(fields)), key=sizes.__getitem__)
        many = (sum(1 for _ in alike) for _, alike in groupby(map(sizes.__getitem__, order)))
        return array("I", map(fields.__getitem__, order)), array("I", accumulate(many, initial=0))


def _without_digits(texts: Sequence[str]) -> list[str]:
    """What is left of each text without its digits; other signs than those of ASCII are question marks."""
    whole = "\n".join(texts)
    if whole.count("\n") >= len(texts) > 0:
        whole = "\n".join(text.replace("\n", "?") for text in texts)
    return whole.encode("ascii", "replace").translate(None, _DIGITS).decode("ascii").split("\n") if texts else []
