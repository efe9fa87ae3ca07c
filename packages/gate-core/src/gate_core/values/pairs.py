"""Pairing: a value and the thing its clause is about stand in one record (spec 30, "Pairing")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from gate_core.model.late import late
from gate_core.values.cues import Cues
from gate_core.values.index import Index
from gate_core.values.labels import label_spans
from gate_core.values.lexicon import cue, table
from gate_core.values.lookup import Hit
from gate_core.values.normal import folded
from gate_core.values.scan import scan
from gate_core.values.value import Kind

Kinds: TypeAlias = "dict[str, dict[str, frozenset[int]]]"
"""Kind -> label -> rows."""


@cache
def starts_from() -> re.Pattern[str]:
    """What stands before the value that a change starts from."""
    return re.compile(rf"{table('words')['from']}\s*[$€£¥₹]?$", re.IGNORECASE)


_MOST_ROWS = 3  # a label of more rows is a property of theirs, not their name


_NONE: frozenset[int] = frozenset()


class Named:
    """The labels of a document that one sentence names; `dated` are dates of it that name rows in other spellings."""

    def __init__(self, cues: Cues, index: Index, dated: Iterable[tuple[int, int, str]] = ()) -> None:
        self.index = index
        self.cues = cues
        self.meant: dict[tuple[int, int], int] = {}
        self._about: dict[tuple[int, int], Kinds] = {}
        self._kinds: dict[tuple[tuple[int, int, str], ...], Kinds] = {}
        spans = label_spans(cues.low, index)
        taken = {start for start, _, _ in spans}
        more = [span for span in dated if span[0] not in taken]
        self.spans = tuple(sorted({*spans, *more}) if more else spans)
        self.dates = frozenset([label for _, _, label in more])

    @property
    def listed(self) -> bool:
        """True when values and what they belong to stand in two lists."""
        return bool(self.cues.spans("respectively"))

    def text_between(self, start: int, end: int) -> str:
        """A stretch of the sentence."""
        return self.cues.low[max(0, start) : end]

    def rows(self, label: str) -> tuple[tuple[str, int], ...]:
        """(kind, row) of what a label names, for kinds in which it is a name."""
        known = self.index.rows_called
        if label not in known:
            known[label] = _rows(self.index, label)
        return known[label]

    def kinds(self, start: int, end: int) -> Kinds:
        """Kind -> label -> rows, of the labels named between two places."""
        within = tuple([span for span in self.spans if start <= span[0] and span[1] <= end])
        known = self._kinds.get(within)
        if known is None:
            known = self._kinds[within] = self._kinds_of([label for _, _, label in within])
        return known

    def _kinds_of(self, labels: Iterable[str]) -> Kinds:
        found: dict[str, dict[str, frozenset[int]]] = {}
        for label in labels:
            for kind, row in self.rows(label):
                rows = found.setdefault(kind, {})
                rows[label] = rows.get(label, _NONE) | {row}
        return found

    def about(self, clause: tuple[int, int]) -> Kinds:
        """What a clause is about; one that names nothing goes on about what the whole sentence names."""
        known = self._about.get(clause)
        if known is None:
            known = self._about[clause] = _about(self, clause)
        return known


def _rows(index: Index, label: str) -> tuple[tuple[str, int], ...]:
    by_kind: dict[str, set[int]] = {}
    for kind, record in index.records_called(label):
        by_kind.setdefault(kind, set()).add(row_of(index, record))
    few = [(kind, rows) for kind, rows in by_kind.items() if len(rows) <= _MOST_ROWS and 0 not in rows]
    return tuple([(kind, row) for kind, rows in few for row in sorted(rows)])


def row_of(index: Index, record: int) -> int:
    """The nearest record that is one of several of its kind; 0 is the whole result."""
    document = index.document
    while record > 0:
        group = document.group[record]
        if group.endswith(("/*", "/{}")) or document.lines:
            return record
        record = document.parent[record]
    return 0


def named_rows(named: Named, start: int = 0, end: int = 1 << 60) -> frozenset[int]:
    """All rows the labels of a stretch name."""
    return frozenset(
        row for at, stop, label in named.spans if start <= at and stop <= end for _, row in named.rows(label)
    )


def mispaired(hits: Sequence[Hit], named: Named, clause: tuple[int, int], at: int) -> bool:
    """True when every place that shows the value, which stands at a place of the sentence, belongs to others of the
    kind the clause is about. What a change starts from is not of the date it is told of."""
    if not hits or not named.spans or named.listed:
        return False
    owner = named.index.document.owner
    owners = {owner[hit.field] for hit in hits}
    for kind, labels in named.about(clause).items():
        if len(labels) == 1:
            label, rows = next(iter(labels.items()))
            if only_others(owners, named.index, kind, label, rows) and not (
                label in named.dates and starts_from().search(named.text_between(at - 12, at))
            ):
                return True
    return False


_COINED = late(r"\w+[/.:-]\w[\w/.:-]*")  # names of their own, and no words of a language
_NUMBERED = late(r"[a-z]{1,8}\d{1,4}|\d{4}")


def other_column(hits: Sequence[Hit], index: Index, words: str) -> bool:
    """True when the words name a column by its number, "p95" or "2025", and the value stands only in columns that
    differ from it in that number alone; or name one of several coined keys, and it stands under others."""
    keys = {index.document.keys[hit.field] for hit in hits}
    for key in keys:
        if not _may_have_rivals(key):
            return False
    if all(_numbered(key)[1] for key in keys):
        said = frozenset(_NUMBERED.findall(words))
        if said and all(_is_rival(index, hit.field, said) for hit in hits):
            return True
    return all(map(_is_coined, keys)) and all(_is_beside(index, hit.field, words) for hit in hits)


def other_aggregate(hits: Iterable[Hit], index: Index, cues: Cues, clause: tuple[int, int]) -> bool:
    """True when a clause speaks of one aggregate, "the average", that a key beside the value names, and the value
    stands only under keys of others: "p99_ms", "max_ms"."""
    if not cues.may_hold(_AGGREGATES):
        return False
    said = {name for name in _AGGREGATES for at, end in cues.spans(name) if clause[0] <= at and end <= clause[1]
            and cues.low[at:end] not in _LOOSE}  # fmt: skip
    if len(said) != 1:
        return False
    keys, owners, found = index.document.keys, index.document.owner, list(hits)
    for hit in found:
        beside = [_aggregate_of(keys[other]) for other in index.fields_of.get(owners[hit.field], ())]
        own = _aggregate_of(keys[hit.field])
        if not own or own in said or said.isdisjoint(beside):
            return False
    return bool(found)


_LOOSE = frozenset({"most", "least", "top"})  # "at most" names no largest
_AGGREGATES = frozenset({"mean", "median", "max", "min"})


@lru_cache(1024)
def _aggregate_of(key: str) -> str:
    """The aggregate that a key names, a percentile by its number; "" for none or several."""
    words = re.findall(r"[a-z]+\d*", folded(key))
    found = {name for name in _AGGREGATES for word in words if cue(name).fullmatch(word)}
    found |= {word for word in words if _PERCENTILE.fullmatch(word)}
    return found.pop() if len(found) == 1 else ""


_PERCENTILE = late(r"p\d{2,3}")


def _is_beside(index: Index, field: int, words: str) -> bool:
    """True for a field whose coined key, "USD/JPY", is not named, where that of a field beside it is."""
    if folded(index.document.keys[field]) in words:
        return False
    beside = (index.document.keys[other] for other in index.fields_of.get(index.document.owner[field], ()))
    return any(_is_coined(key) and folded(key) in words for key in beside)


@lru_cache(1024)
def _may_have_rivals(key: str) -> bool:
    """False for most keys: those without a number that are no coined names."""
    return bool(_numbered(key)[1]) or _is_coined(key)


@lru_cache(1024)
def _is_coined(key: str) -> bool:
    return len(key) > 3 and _COINED.fullmatch(key) is not None


def _is_rival(index: Index, field: int, said: frozenset[str]) -> bool:
    document = index.document
    own = _numbered(document.keys[field])
    if not own[1] or not said.isdisjoint(own[1]):
        return False
    beside = (_numbered(document.keys[other]) for other in index.fields_of.get(document.owner[field], ()))
    return any(kind == own[0] and not said.isdisjoint(numbers) for kind, numbers in beside)


@lru_cache(1024)
def _numbered(key: str) -> tuple[str, frozenset[str]]:
    """(the key without its numbered words, these)."""
    low = folded(key)
    return _NUMBERED.sub("#", low), frozenset(_NUMBERED.findall(low))


_TELLS = late(r":.*|\([^\d]*\d[\d.,:]*[^\d]*", re.DOTALL)
"""What is told of the name before it: what stands behind a colon, or one number in brackets."""


def _about(named: Named, clause: tuple[int, int]) -> Kinds:
    own = named.kinds(*clause)
    if not own or all(
        _is_measure(label) for labels in own.values() for label in labels
    ):  # a date says of another clause what it is about only right before it
        everything = named.kinds(0, 1 << 60)
        near = {label for _, stop, label in named.spans if 0 <= clause[0] - stop <= 1}
        if near and _TELLS.fullmatch(named.text_between(*clause)):  # "/cart: 98 ms, /search: 310 ms"
            start = max(map(named.text_between(0, clause[0]).rfind, ",;(|"))
            ahead = [span for span in named.spans if start < span[0] < clause[0]]
            if len(ahead) == 1:
                return {**everything, **named.kinds(start + 1, clause[0])}
        return {kind: labels for kind, labels in everything.items() if not (named.dates & labels.keys()) - near}
    joined = named.kinds(0, clause[0]) if clause[0] else {}
    return {k: labels for k, labels in own.items() if not _pending(named, k, joined, clause)} if joined else own


_MEASURE = late(r"(?:^|\s)\d[\d.,]*\s?[^\W\d_]|^[\d.,]+$")


@lru_cache(1024)
def _is_measure(label: str) -> bool:
    """True for a cell like "640Mi" or "up 2 hours": a value, and no name of its row."""
    found = scan(label) if _MEASURE.search(label) else ()
    return len(found) == 1 and (bool(found[0].unit) or found[0].text == label) and found[0].kind is Kind.NUMBER


def _pending(named: Named, kind: str, before: Kinds, clause: tuple[int, int]) -> bool:
    """ "web-a1 and web-b2 had ...": others of the kind stand directly before, and wait for their values."""
    if kind not in before:
        return False
    first = min((at for at, _, label in named.spans if label in before[kind]), default=0)
    last = max((stop for _, stop, label in named.spans if stop <= clause[0] and label in before[kind]), default=0)
    between = named.text_between(last, clause[0])
    return not any(sign.isdigit() for sign in between) and first < clause[0] and len(between) < 12


def only_others(owners: set[int], index: Index, kind: str, label: str, rows: frozenset[int]) -> bool:
    """True when all of some records belong to others of a kind than the rows of a label."""
    if not rows.isdisjoint(owners):
        return False
    return all(_other(index, record, kind, label, rows) for record in sorted(owners))


def _other(index: Index, record: int, kind: str, label: str, rows: frozenset[int]) -> bool:
    """True when the record belongs to another of the kind, and to none of the rows."""
    row = row_of(index, record)
    if row == 0 or any(related(index, row, theirs) for theirs in rows):
        return False
    return any(other != label for other in _labels_of_kind(index, row, kind))


def related(index: Index, one: int, other: int) -> bool:
    """True when two records are one or lie in each other."""
    return one == other or one in index.document.ancestors(other) or other in index.document.ancestors(one)


def _labels_of_kind(index: Index, row: int, kind: str) -> Iterator[str]:
    """What a row, or one it lies in, is called as a member of the kind."""
    document = index.document
    for record in document.ancestors(row):
        if document.group[record] == kind:
            yield folded(document.step[record])
        for field in index.fields_of.get(record, ()):
            text = folded(document.texts[field]).strip()
            if f"{document.group[record]}.{document.keys[field]}" == kind:
                yield text
            elif not document.keys[field]:
                yield from (name for name, rest in index.line_label(field) if f"line:{rest}" == kind)
