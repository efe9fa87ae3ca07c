"""Tables of HTML as rows with keys (spec 30, "Evidence"). What is no table of a page stays text. Linear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from gate_core.model.late import late
from gate_core.values.normal import normal
from gate_core.values.tables import Table, made_of

_ROW = late(r"<tr\b[^<>]{0,1000}>((?:[^<]|<(?!/?tr\b|/?table\b)){0,20000})", re.IGNORECASE)
_CELL = late(r"<(t[dh])\b[^<>]{0,1000}>((?:[^<]|<(?!/?t[dh]\b)){0,8000})", re.IGNORECASE)
_TABLE = late(r"</?table\b", re.IGNORECASE)
_TAG = late(r"<[^<>]{1,2000}>")
_TELLING = late(r"\b(?:href|src|title|alt|value|datetime)\s*=\s*(?:\"([^\"]{1,500})\"|'([^']{1,500})')", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its tables, the properties that a table of two columns lists (line, key, value), and the rest, whose
    lines keep their numbers."""

    tables: tuple[Table, ...]
    listed: tuple[tuple[tuple[int, str, str], ...], ...]
    rest: str


def page_of(text: str) -> Page | None:
    """The page that a text is, None for a text without a table of HTML."""
    if "<t" not in text and "<T" not in text:
        return None
    rows = list(_ROW.finditer(text))
    if not rows:
        return None
    groups: list[list[tuple[int, list[tuple[str, str]]]]] = []
    last, line = 0, 1
    parts: list[str] = []
    for row in rows:
        between = text[last : row.start()]
        line += between.count("\n")
        if not groups or _TABLE.search(between):
            groups.append([])
        groups[-1].append((line, [(m[1].lower(), _plain(m[2])) for m in _CELL.finditer(row[1])]))
        parts.extend((between, "\n" * row[0].count("\n")))
        line += row[0].count("\n")
        last = row.end()
    tables, listed = [], []
    for group in groups:
        if all([kind for kind, _ in cells] == ["th", "td"] for _, cells in group):
            listed.append(tuple((line, cells[0][1], cells[1][1]) for line, cells in group))
        elif table := made_of([line - 1 for line, _ in group], [[cell for _, cell in cells] for _, cells in group]):
            tables.append(table)
        else:
            return None
    return Page(tables=tuple(tables), listed=tuple(listed), rest="".join((*parts, text[last:])))


def _plain(cell: str) -> str:
    """A cell as it is read, with what its links and pictures point to behind it."""
    return normal(" ".join(unescape(f"{_TAG.sub(' ', cell)} {' '.join(_told(cell))}").split()))


def _told(cell: str) -> Iterator[str]:
    for tag in _TAG.finditer(cell):
        yield from (one or other for one, other in _TELLING.findall(tag[0]))
