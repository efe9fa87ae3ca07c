"""Fields that are one number and nothing else, by size: most of most tables (spec 30, "Evidence").

They are told apart from the others for a whole document at once, and found without a search through its text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Sequence
from itertools import compress
from math import nan
from operator import not_

_DIGITS = b"0123456789"
_LEFT = frozenset(("", "."))  # of a number without its digits


class Cells:
    """The numbers of a document that fill a field each: their `sizes`, in order, and a last one that is no number.
    `others` are the different texts of all other fields."""

    def __init__(self, texts: Sequence[str]) -> None:
        bare = list(map(_LEFT.__contains__, _without_digits(texts)))
        fields: defaultdict[str, list[int]] = defaultdict(list)
        found = map(fields.__getitem__, compress(texts, bare))
        deque(map(list.append, found, compress(range(len(texts)), bare)), 0)  # a hundred thousand of them
        others = [text for text in fields if text < "0"]  # nothing, or nothing before the point
        for text in others:
            del fields[text]
        others += compress(texts, map(not_, bare))
        self.others = tuple(dict.fromkeys(others))
        self._fields = {text: held[0] if len(held) == 1 else tuple(held) for text, held in fields.items()}
        self._spellings = sorted(fields, key=float)
        self.sizes = [*map(float, self._spellings), nan]

    def between(self, low: float, high: float, most: int) -> dict[tuple[float, str], Sequence[int]]:
        """(size, spelling) -> fields of the numbers from low to high, at most so many sizes, and fields of each."""
        found: dict[tuple[float, str], Sequence[int]] = {}
        at, last, left = bisect_left(self.sizes, low), low - 1, most
        while (size := self.sizes[at]) <= high:
            left -= size != last
            if left < 0:
                break
            spelling = self._spellings[at]
            held = self._fields[spelling]
            found[size, spelling] = (held,) if isinstance(held, int) else held[:most]
            at, last = at + 1, size
        return found

    def holds(self, text: str) -> bool:
        """True for a text that is a number and nothing else."""
        return text in self._fields


def _without_digits(texts: Sequence[str]) -> list[str]:
    """What is left of each text without its digits; other signs than those of ASCII are question marks."""
    whole = "\n".join(texts)
    if whole.count("\n") >= len(texts) > 0:
        whole = "\n".join(text.replace("\n", "?") for text in texts)
    return whole.encode("ascii", "replace").translate(None, _DIGITS).decode("ascii").split("\n") if texts else []
