"""What is looked up in a document: numbers by size, instants, names, labels. Each index is built when first asked for
and kept with the document (spec 30: the lazy ladder of spec 05).

All fields stand in one text, a line each. The indexes hold spellings, not places: places are searched for the few
spellings that matter.
"""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import accumulate, chain, groupby, repeat
from operator import add, itemgetter
from typing import Any

from gate_core.model.late import late
from gate_core.values.cells import Cells
from gate_core.values.dates import Spellings
from gate_core.values.document import Document
from gate_core.values.names import squeezed, words_in
from gate_core.values.normal import aligned, folded
from gate_core.values.places import Places, digits_of, letters_of
from gate_core.values.scan import scan_evidence
from gate_core.values.sizes import sizes_in
from gate_core.values.value import Value

MOST = 64
"""Places looked at per spelling, and spellings per lookup; what stands in more places is common."""

UNIT_KEYS = frozenset({"currency", "currency_code", "currencycode", "ccy", "unit", "units", "uom"})
"""Keys whose fields name the unit of those beside them."""

_LONGEST_LABEL = 64
_MOST_LISTS = 2_000
_LATIN = "0-9A-Za-z_\u00c0-\u024f\u0370-\u052f"  # scripts that part words by blanks
WORD = rf"[{_LATIN}][{_LATIN}./:@#+-]*|[^\W{_LATIN}]+"
_LEAD = late(rf"^((?>{WORD}))[^\n]", re.MULTILINE)
_FIRST_WORD = r"[ \-*•]*+(\w[\w.@#+-]*+(?:[/:][\w.@#+-]++)*+)"
_FIRST = late(_FIRST_WORD)
_FIRSTS = late(rf"\n{_FIRST_WORD}")
_LETTERED = late(rf"\n([^a-z\n]{{0,{_LONGEST_LABEL}}}+[a-z][^\n]*)")
_LETTER = late(r"[^\W\d_]")
_PARTING = "-_ \t\n\v\f\r\x1c\x1d\x1e\x1f"  # what squeezing leaves out of a text of ASCII
_PARTED = late(r"[\s_-]")
COINED = late(r"[^\W\d_][\s_-]?\d")  # an id: "lh716", "lh 716"
_CAMEL = late(r"(?<=[a-z0-9])(?=[A-Z])")
LONGEST_NAME = 24  # characters of a label that may be parted otherwise
HEAD = 4  # first signs of a label that are told apart


class Index:
    """The lookups of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.rows_called: dict[str, tuple[tuple[str, int], ...]] = {}
        self.found: dict[object, tuple[Any, ...]] = {}
        self.quantities: dict[int, tuple[Any, ...]] = {}
        self.short: tuple[list[Any], list[Any]] | None = None
        self._scans: dict[int, tuple[Value, ...]] = {}
        self._holders: dict[str, list[int]] = {}

    def scan(self, number: int) -> tuple[Value, ...]:
        """The values of a field, kept: a field is looked at again by every value that may stand in it."""
        found = self._scans.get(number)
        if found is None:
            found = self._scans[number] = scan_evidence(self.document.texts[number])
        return found

    @cached_property
    def blob(self) -> str:
        """Every field on a line of its own, between line ends."""
        return "\n".join(("", *self.document.texts, ""))

    @cached_property
    def _starts(self) -> array[int]:
        return array("Q", accumulate(map(add, map(len, self.document.texts), repeat(1)), initial=1))

    def field_at(self, place: int) -> int:
        """The field a place of the blob lies in."""
        return bisect_right(self._starts, place) - 1

    @cached_property
    def _cells(self) -> Cells:
        return Cells(self.document.texts)

    @cached_property
    def _rest(self) -> str:
        """Every text that is not just a number once, a line each."""
        return "\n".join(("", *self._cells.others, ""))

    def _numbered(self) -> str:
        """The rest without the texts that hold no digit."""
        cells = self._cells
        return "\n".join(("", *cells.numbered, "")) if len(cells.numbered) < len(cells.others) else self._rest

    @cached_property
    def letters(self) -> AbstractSet[str]:
        """All runs of ASCII letters, in lower case."""
        return letters_of(self._rest.lower())

    @cached_property
    def _digits(self) -> AbstractSet[str]:
        """All runs of digits beside other signs."""
        return digits_of(self._numbered())

    @cached_property
    def dates(self) -> Spellings:
        """The spellings of dates and times."""
        return Spellings(self._rest, self.letters)

    @cached_property
    def _places(self) -> Places:
        return Places(self.blob, self.folded)

    def places(
        self, spelling: str, *, low: bool = False, cut: bool = False, anywhere: bool = False, most: int = MOST
    ) -> Iterator[int]:
        """Where a spelling stands, at most so many times; `low` in one case, `cut` where its last run may go on,
        `anywhere` also inside of longer runs."""
        return iter(self._places.of(spelling, low=low, cut=cut, anywhere=anywhere, most=most))

    def fields_with(self, spelling: str) -> list[int]:
        """The fields that hold a number in this spelling; the last ones are kept."""
        found = self._holders.get(spelling)
        if found is not None:
            return found
        blob, starts, size = self.blob, self._starts, len(spelling)
        found = []
        for at in self._places.of(spelling, most=MOST):
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
        return self.fields_with(digits) if digits in self._digits else []

    @cached_property
    def _sizes(self) -> tuple[list[float], dict[float, str]]:
        """The sizes of all numbers beside other signs, in order, and no number; size -> spellings, one a line."""
        found = sizes_in(self._numbered(), self.letters)
        return [*sorted(found), math.nan], found

    @cached_property
    def _all_sizes(self) -> array[float]:
        """The sizes of all numbers, in order, and no number: most of the ranges that are asked for hold none."""
        return array("d", [*sorted(chain(self._sizes[0][:-1], self._cells.sizes[:-1])), math.nan])

    def fields_between(self, ranges: Iterable[tuple[float, float]]) -> list[int]:
        """The fields that hold a number from low to high of one of the ranges, whatever its sign and unit."""
        sizes, spellings = self._sizes
        everything = self._all_sizes
        found: list[int] = []
        for low, high in ranges:
            if not everything[bisect_left(everything, low)] <= high:
                continue
            fields = self._cells.between(low, high, MOST)
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
        return [field for field in self.fields_with(spelling) if not self._cells.holds(field)]

    @cached_property
    def words(self) -> dict[str, str]:
        """Squeezed word -> a spelling of it, for names that are spelt otherwise."""
        return words_in("\n".join(dict.fromkeys(self.document.texts)))

    @cached_property
    def folded(self) -> str:
        """The blob in one case; places stay. Texts that stand in it several times are folded once."""
        if not self.blob.isascii():
            others, lines = self._cells.others, self._folded_rest.split("\n")[1:-1]
            low = dict(zip(others, lines, strict=False))
            whole = "\n".join(("", *map(low.get, self.document.texts, self.document.texts), ""))
            if len(lines) == len(others) and len(whole) == len(self.blob):
                return whole
        return aligned(self.blob)

    @cached_property
    def _folded_rest(self) -> str:
        return folded(self._rest)

    @cached_property
    def labels(self) -> frozenset[str]:
        """What records may be called: whole short fields, first words of lines, keys of objects of one kind."""
        others = [folded(self.document.step[record]) for record in self._keyed]
        if self.document.lines and "" in self._keys:
            lines = self.folded if len(self._keys) == 1 else "\n".join(("", *self._unnamed()))
            others += _FIRSTS.findall(lines)
        rest = self._rest.lower() if self._rest.isascii() else self._folded_rest
        return frozenset(chain(_lettered(rest), filter(_LETTER.search, set(others))))

    @cached_property
    def leads(self) -> frozenset[str]:
        """The first words of labels of more than one word."""
        return frozenset(_LEAD.findall("\n".join(self.labels)))

    @cached_property
    def longest(self) -> int:
        """Characters of the longest label."""
        return max(map(len, self.labels), default=0)

    @cached_property
    def heads(self) -> frozenset[str]:
        """The first signs of labels, squeezed ones among them, as many as are told apart and fewer."""
        heads = {label[:HEAD] for label in chain(self.labels, self._squeezed_labels)}
        return frozenset(head[:size] for head in heads for size in range(1, HEAD + 1))

    @cached_property
    def openings(self) -> frozenset[str]:
        """The first two signs of what may be a label, in ASCII, though squeezing may leave out the second."""
        return self.heads.union(f"{head}{sign}" for head in self.heads if len(head) == 1 for sign in _PARTING)

    def parted_otherwise(self, bare: str) -> str:
        """The label that is this when squeezed, "" for none: an id that parts its letters and digits otherwise."""
        return bare if bare in self.labels else self._squeezed_labels.get(bare, "")

    @cached_property
    def _squeezed_labels(self) -> dict[str, str]:
        parted = (label for label in sorted(self.labels) if _PARTED.search(label) and len(label) <= LONGEST_NAME)
        return {squeezed(label): label for label in parted if any(map(str.isdigit, label))}

    def _unnamed(self) -> Iterator[str]:
        """The folded fields without a key: lines of a text."""
        document = self.document
        for start, text, key in zip(self._starts, document.texts, document.keys, strict=False):
            if not key:
                yield self.folded[start : start + len(text)]

    @cached_property
    def _keyed(self) -> tuple[int, ...]:
        groups = self.document.group
        return tuple(record for record, group in enumerate(groups) if group.endswith("/{}"))

    @cached_property
    def _records_by_key(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for record in self._keyed:
            found.setdefault(folded(self.document.step[record]), []).append(record)
        return found

    def records_called(self, label: str, *, most: int = MOST) -> list[tuple[str, int]]:
        """(kind, record) of the records a label names; kinds tell apart what the label is of them."""
        document = self.document
        found = [(document.group[record], record) for record in self._records_by_key.get(label, ())]
        for at in self._alone(label, most):
            number = self.field_at(at)
            if document.keys[number] and not document.is_key(number):
                owner = document.owner[number]
                found.append((f"{document.group[owner]}.{document.keys[number]}", owner))
                if len(found) >= most:
                    return found
        if self.document.lines and len(found) < most:
            found.extend(self._lines_called(label, most - len(found)))
        return found

    def _alone(self, label: str, most: int) -> list[int]:
        """Where a label is a field of its own. Its places are known already where it is a value of the answer, too."""
        places, low, size = self._places.of(label, low=True, most=MOST), self.folded, len(label)
        if len(places) == MOST:
            return [at + 1 for at in self._places.of(f"\n{label}\n", low=True, most=most)]
        return [at for at in places if low[at - 1] == "\n" and low[at + size] == "\n"][:most]

    def _lines_called(self, label: str, most: int) -> Iterator[tuple[str, int]]:
        for lead in ("", "- ", "* ", "• "):
            for at in self.places(f"\n{lead}{label}", low=True, most=most):
                end = at + 1 + len(lead) + len(label)
                number = self.field_at(at + 1)
                if not self.document.keys[number] and not (self.folded[end].isalnum() or self.folded[end] in "_-"):
                    rest = self.document.texts[number][len(lead) + len(label) :]
                    yield f"line:{_skeleton(rest)}", self.document.owner[number]

    def line_label(self, number: int) -> Iterator[tuple[str, str]]:
        """(label, shape of the rest) of a line of text."""
        text = self.document.texts[number]
        match = _FIRST.match(text)
        if match is not None:
            yield folded(match[1]), _skeleton(text[match.end() :])

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
        return not UNIT_KEYS.isdisjoint(map(str.casefold, self._keys))

    @cached_property
    def key_words(self) -> frozenset[str]:
        """The words of all keys."""
        return frozenset(chain.from_iterable(map(key_words, self._keys)))

    @cached_property
    def _keys(self) -> frozenset[str]:
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

    @cached_property
    def rows_of(self) -> dict[str, list[int]]:
        """Group -> its records."""
        found: dict[str, list[int]] = {}
        for record, group in enumerate(self.document.group):
            found.setdefault(group, []).append(record)
        return found


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


def _lettered(text: str) -> Iterator[str]:
    """The lines of a text that hold a letter and are no longer than a label, between line ends. Of a table most are
    numbers."""
    if text.isascii():
        lines: Iterable[str] = _LETTERED.findall(text)
    else:
        lines = filter(_LETTER.search, (line for line in text.split("\n") if len(line) <= _LONGEST_LABEL))
    return (line for line in lines if 1 < len(line) <= _LONGEST_LABEL)


_DIGITS = late(r"\d+(?:[.,]\d+)*")


def _skeleton(text: str) -> str:
    return _DIGITS.sub("0", text)[:80]
