"""Fields that are one number and nothing else, by size: most of most tables (spec 30, "Evidence").

They are told apart from the others for a whole document at once, and found without a search through its text.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import compress
from math import nan
from operator import not_

_DIGITS = b"0123456789"
_LEFT = frozenset(("", "."))  # of a number without its digits


class Cells:
    """The numbers of a document that fill a field each: their different `sizes`, in order, and a last one that is no
    number. `others` are the different texts of all other fields."""

    def __init__(self, texts: Sequence[str]) -> None:
        bare = bytearray(map(_LEFT.__contains__, _without_digits(texts)))
        fields = compress(range(len(texts)), bare)
        for field in list(compress(fields, map("0".__gt__, compress(texts, bare)))):
            bare[field] = False  # nothing, or nothing before the point
        sizes = list(map(float, compress(texts, bare)))
        self._texts = texts
        self._bare = bare
        self._fields = array("I", compress(range(len(texts)), bare))
        self._own_sizes = array("d", sizes)
        self._order = array("I", sorted(range(len(sizes)), key=sizes.__getitem__))  # a hundred thousand of them
        self.sizes = [*sorted(set(sizes)), nan]
        self.others = tuple(dict.fromkeys(compress(texts, map(not_, bare))))

    def between(self, low: float, high: float, most: int) -> dict[tuple[float, str], list[int]]:
        """(size, spelling) -> fields of the numbers from low to high, at most so many sizes, and fields of each."""
        first = bisect_left(self.sizes, low)
        found: dict[tuple[float, str], list[int]] = {}
        if not self.sizes[first] <= high:
            return found
        behind = self.sizes[min(first + most, len(self.sizes) - 1)]
        for at in range(bisect_left(self._order, low, key=self._own_sizes.__getitem__), len(self._order)):
            number = self._order[at]
            size, field = self._own_sizes[number], self._fields[number]
            if size > high or size >= behind:
                break
            fields = found.setdefault((size, self._texts[field]), [])
            if len(fields) < most:
                fields.append(field)
        return found

    def holds(self, field: int) -> bool:
        """True for a field that is a number and nothing else."""
        return bool(self._bare[field])


def _without_digits(texts: Sequence[str]) -> list[str]:
    """What is left of each text without its digits; other signs than those of ASCII are question marks."""
    whole = "\n".join(texts)
    if whole.count("\n") >= len(texts) > 0:
        whole = "\n".join(text.replace("\n", "?") for text in texts)
    return whole.encode("ascii", "replace").translate(None, _DIGITS).decode("ascii").split("\n") if texts else []
