"""The fields of a document as one text, a line each, and where spellings stand in it (spec 30, "Evidence"). Each view
is built when first asked for."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import accumulate, groupby, repeat
from operator import add

from gate_core.values.cells import Cells
from gate_core.values.document import Document
from gate_core.values.normal import aligned, folded
from gate_core.values.places import Places, digits_of, letters_of

MOST = 64
"""Places looked at per spelling, and spellings per lookup; what stands in more places is common."""


class Fields:
    """The fields of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._holders: dict[str, list[int]] = {}

    @cached_property
    def blob(self) -> str:
        """Every field on a line of its own, between line ends."""
        return "\n".join(("", *self.document.texts, ""))

    @cached_property
    def starts(self) -> array[int]:
        """Where each field starts in the blob."""
        return array("Q", accumulate(map(add, map(len, self.document.texts), repeat(1)), initial=1))

    def field_at(self, place: int) -> int:
        """The field a place of the blob lies in."""
        return bisect_right(self.starts, place) - 1

    @cached_property
    def cells(self) -> Cells:
        """The fields that are a number and nothing else."""
        return Cells(self.document.texts)

    @cached_property
    def rest(self) -> str:
        """Every text that is not just a number once, a line each."""
        return "\n".join(("", *self.cells.others, ""))

    def numbered(self) -> str:
        """The rest without the texts that hold no digit."""
        cells = self.cells
        return "\n".join(("", *cells.numbered, "")) if len(cells.numbered) < len(cells.others) else self.rest

    @cached_property
    def letters(self) -> AbstractSet[str]:
        """All runs of ASCII letters, in lower case."""
        return letters_of(self.rest.lower())

    @cached_property
    def digits(self) -> AbstractSet[str]:
        """All runs of digits beside other signs."""
        return digits_of(self.numbered())

    @cached_property
    def folded(self) -> str:
        """The blob in one case; places stay. Texts that stand in it several times are folded once."""
        if not self.blob.isascii():
            others, lines = self.cells.others, self.folded_rest.split("\n")[1:-1]
            low = dict(zip(others, lines, strict=False))
            whole = "\n".join(("", *map(low.get, self.document.texts, self.document.texts), ""))
            if len(lines) == len(others) and len(whole) == len(self.blob):
                return whole
        return aligned(self.blob)

    @cached_property
    def folded_rest(self) -> str:
        """The rest in one case."""
        return folded(self.rest)

    @cached_property
    def searches(self) -> Places:
        """The searches of the blob."""
        return Places(self.blob, self.folded)

    def places(
        self, spelling: str, *, low: bool = False, cut: bool = False, anywhere: bool = False, most: int = MOST
    ) -> Iterator[int]:
        """Where a spelling stands, at most so many times; `low` in one case, `cut` where its last run may go on,
        `anywhere` also inside of longer runs."""
        return iter(self.searches.of(spelling, low=low, cut=cut, anywhere=anywhere, most=most))

    def fields_with(self, spelling: str) -> list[int]:
        """The fields that hold a number in this spelling; the last ones are kept."""
        found = self._holders.get(spelling)
        if found is not None:
            return found
        blob, starts, size = self.blob, self.starts, len(spelling)
        found = []
        for at in self.searches.of(spelling, most=MOST):
            if not blob[at - 1].isdigit() and not blob[at + size].isdigit():
                number = bisect_right(starts, at) - 1
                if not found or number != found[-1]:
                    found.append(number)
        if len(self._holders) > MOST:
            self._holders.clear()
        self._holders[spelling] = found
        return found

    def fields_with_run(self, digits: str) -> list[int]:
        """The fields that hold a run of digits beside other signs."""
        return self.fields_with(digits) if digits in self.digits else []

    @cached_property
    def keys(self) -> frozenset[str]:
        """The different keys of the fields."""
        return frozenset(self.document.keys)

    @cached_property
    def fields_of(self) -> dict[int, Sequence[int]]:
        """Record -> its fields."""
        found: dict[int, Sequence[int]] = {}
        start = 0
        for record, several in groupby(self.document.owner):
            end = start + sum(1 for _ in several)
            known = found.get(record)
            found[record] = range(start, end) if known is None else [*known, *range(start, end)]
            start = end
        return found

    def cells_of(self, record: int) -> Sequence[tuple[int, float]]:
        """(field, size) of the fields of a record that are a number and nothing else."""
        return self.cells.of(record, self.fields_of.get(record, ())[:MOST])

    @cached_property
    def rows_of(self) -> dict[str, list[int]]:
        """Group -> its records."""
        found: dict[str, list[int]] = {}
        for record, group in enumerate(self.document.group):
            found.setdefault(group, []).append(record)
        return found
