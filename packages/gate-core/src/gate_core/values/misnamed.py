"""Identifiers told of another record than theirs: "Ann Lee: bob@example.com", "db is `77a0e5cc41bd`" (spec 30).

Names stand beside each other for many reasons: one counts as told of another only where a mark, a copula or the key of
its column alone joins the two.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from gate_core.model.late import late
from gate_core.values.asserted import Candidate
from gate_core.values.index import key_words
from gate_core.values.lexicon import table
from gate_core.values.lookup import Hit
from gate_core.values.normal import folded
from gate_core.values.pairs import Named, only_others
from gate_core.values.value import Kind, Shape

_SHAPES = frozenset({Shape.EMAIL, Shape.ID, Shape.CODE, Shape.HASH, Shape.VERSION})
_MARKS = late(r"[:(|=→]|->|['’]s\b")
_WORD = late(r"[^\W\d_]+")
_NEAR = 80  # characters between a name and what is told of it


def of_another_name(hits: Sequence[Hit], named: Named, found: Sequence[Candidate], item: Candidate) -> bool:
    """True when an identifier is told of a record, and all places that show it belong to others of its kind."""
    value = item.value
    if value.kind is not Kind.NAME or value.shape not in _SHAPES or named.listed or not hits:
        return False
    before = [span for span in _ahead(named, value.start) if named.rows(span[2])]
    if not before:
        return False
    found = _within(found, value.start - 2 * _NEAR, value.start)
    words = [span for span in before if not any(span[0] < o.value.end and o.value.start < span[1] for o in found)]
    before = words or before  # an address in between names nobody
    if before[-1][1] < value.start - _NEAR:
        return False
    _, end, label = before[-1]
    if not _joins(named, found, end, value.start, hits):
        return False
    index = named.index
    kinds = {f"{index.document.group[index.document.owner[h.field]]}.{index.document.keys[h.field]}" for h in hits}
    for kind, rows in _by_kind(named, label).items():
        if kind.startswith("line:") or kind in kinds or _waits(named, found, before, kind):
            continue
        if only_others({index.document.owner[hit.field] for hit in hits}, index, kind, label, rows):
            return True
    return False


def _ahead(named: Named, end: int) -> list[tuple[int, int, str]]:
    """The labels that a sentence names not far before a place."""
    last = bisect_left(named.spans, (end, 0, ""))
    first = bisect_left(named.spans, (end - 2 * _NEAR, 0, ""))
    return [span for span in named.spans[first:last] if span[1] <= end]


def _within(found: Sequence[Candidate], start: int, end: int) -> Sequence[Candidate]:
    """The values that stand between two places."""
    first = bisect_left(found, start, key=_start)
    return found[first : bisect_left(found, end, first, key=_start)]


def _start(item: Candidate) -> int:
    return item.value.start


def _by_kind(named: Named, label: str) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for kind, row in named.rows(label):
        found.setdefault(kind, set()).add(row)
    return {kind: frozenset(rows) for kind, rows in found.items()}


def _joins(named: Named, found: Sequence[Candidate], start: int, end: int, hits: Sequence[Hit]) -> bool:
    """True when nothing but marks, copulas, words of keys and other values stands between two places."""
    between = list(named.text_between(start, end))
    for other in found:
        for at in range(max(start, other.value.start), min(end, other.value.end)):
            between[at - start] = " "
    text = "".join(between)
    words = _WORD.findall(text.replace("'s", " "))
    keys = {word for hit in hits for word in key_words(named.index.document.keys[hit.field])}
    told = [word for word in words if word in keys or word in _copulas()]
    return len(told) == len(words) and (bool(told) or _MARKS.search(text) is not None)


def _waits(named: Named, found: Sequence[Candidate], before: Sequence[tuple[int, int, str]], kind: str) -> bool:
    """True for "Ann Lee and Bob Ray: ...": another name of the kind stands before, and has no value yet."""
    start = before[-1][0]
    for _, end, label in reversed(before[:-1]):
        if any(one == kind for one, _ in named.rows(label)):
            return not any(end <= other.value.start and other.value.end <= start for other in found)
    return False


@cache
def _copulas() -> frozenset[str]:
    words = (*table("cues")["copulas"], *table("cues")["called"])
    return frozenset(part for word in words for part in re.findall(r"[^\W\d_]+", folded(word)))
