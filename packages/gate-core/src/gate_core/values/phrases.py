"""What a line of a log is about: "dark mode came in with 9fe01c2 on 30 August" where another line speaks of dark mode
(spec 30, "Pairing"). Asked only of lines of one shape, where that of the value shares no word with the clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from gate_core.model.late import late
from gate_core.values.index import Index
from gate_core.values.lexicon import table
from gate_core.values.lookup import Hit
from gate_core.values.normal import folded
from gate_core.values.value import Kind, Shape, Value

_MOST_LINES = 400
_LONGEST = 400  # characters of a line
_WORD = late(r"[^\W\d_]{3,30}")
_TOLD = frozenset({Shape.HASH, Shape.ID, Shape.VERSION})


def tells_a_line(value: Value) -> bool:
    """True for what tells the lines of a log apart: a date, a commit."""
    return value.kind is Kind.INSTANT or value.shape is Shape.HASH


def of_another_line(hits: Sequence[Hit], index: Index, clause: str) -> bool:
    """True when two words of a folded clause stand side by side in one other line of the kind, and none of its words in
    the one line that shows the value."""
    document = index.document
    lines = {document.owner[hit.field] for hit in hits}
    if not document.lines or len(lines) != 1 or not 1 < len(document.texts) <= _MOST_LINES:
        return False
    (own,) = (hit.field for hit in hits[:1])
    said = _WORD.findall(clause)
    if document.keys[own] or len(document.texts[own]) > _LONGEST or not _turns().isdisjoint(said):
        return False
    if not _words(document.texts[own]).isdisjoint(said):
        return False
    pairs = {pair for pair in pairwise(said) if re.search(rf"\b{pair[0]}[ _-]{pair[1]}\b", clause)}
    others = [at for at in range(len(document.texts)) if at != own and not document.keys[at]]
    about = [at for at in others if any(_holds(document.texts[at], pair) for pair in pairs)]
    return len(about) == 1 and _shape(index, about[0]) == _shape(index, own) != frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(folded(text)))


def _holds(text: str, pair: tuple[str, str]) -> bool:
    return re.search(rf"(?<![^\W_]){pair[0]}[ _-]{pair[1]}(?![^\W_])", folded(text[:_LONGEST])) is not None


def _shape(index: Index, field: int) -> frozenset[str]:
    """What stands in a line beside words: dates, hashes, ids."""
    found: Iterable[str] = (
        value.kind.value if value.kind is Kind.INSTANT else value.shape.value
        for value in index.scan(field)
        if value.kind is Kind.INSTANT or (value.kind is Kind.NAME and value.shape in _TOLD)
    )
    return frozenset(found)


@cache
def _turns() -> frozenset[str]:
    """Words by which a clause speaks of one thing by its place to another."""
    return frozenset(table("words")["turns"])
