"""Pages of HTML: the rows of their tables, the lines of their text, and their tags (spec 30, "Evidence"). Linear."""

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
_ENDS = late(r"</(?:tr|li|p|div|h[1-6]|dd|dt|section|article|body)>", re.IGNORECASE)
_BLOCK = late(
    r"\n|</?(?:li|p|div|h[1-6]|dd|dt|dl|ul|ol|section|article|body|head|main|table|br)\b[^<>]{0,2000}>", re.IGNORECASE
)
_TAG = late(r"</?[A-Za-z!][^<>]{0,2000}>")
_HEAD = 20_000  # characters in which a page ends an element
_TELLS = late(r"[\d=]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its tables, the properties that a table of two columns lists (line, key, value), the other pieces of its
    text with their lines, counted from 1, and the tags that hold values of their own."""

    tables: tuple[Table, ...]
    listed: tuple[tuple[tuple[int, str, str], ...], ...]
    pieces: tuple[tuple[int, str], ...]
    tags: tuple[str, ...]


def page_of(text: str) -> Page | None:
    """The page that a text is, None for a text that is no HTML."""
    if text.find("</", 0, _HEAD) < 0 or _ENDS.search(text) is None:
        return None
    groups: list[list[tuple[int, list[tuple[str, str]]]]] = []
    last, line = 0, 1
    pieces: list[tuple[int, str]] = []
    for row in _ROW.finditer(text):
        between = text[last : row.start()]
        pieces.extend(_pieces(between, line))
        line += between.count("\n")
        if not groups or _TABLE.search(between):
            groups.append([])
        groups[-1].append((line, [(m[1].lower(), _plain(m[2])) for m in _CELL.finditer(row[1])]))
        line += row[0].count("\n")
        last = row.end()
    pieces.extend(_pieces(text[last:], line))
    tables, listed = [], []
    for group in groups:
        table = made_of([number - 1 for number, _ in group], [[cell for _, cell in cells] for _, cells in group])
        if all([kind for kind, _ in cells] == ["th", "td"] for _, cells in group):
            listed.append(tuple((number, cells[0][1], cells[1][1]) for number, cells in group))
        elif table is not None:
            tables.append(table)
        else:
            pieces.extend((number, " ".join(cell for _, cell in cells)) for number, cells in group)
    tags = dict.fromkeys(normal(tag) for tag in _TAG.findall(text) if _TELLS.search(tag))
    return Page(tables=tuple(tables), listed=tuple(listed), pieces=tuple(pieces), tags=tuple(tags))


def _pieces(text: str, line: int) -> Iterator[tuple[int, str]]:
    """The text between block tags and line ends, with its lines."""
    last = 0
    for block in _BLOCK.finditer(text):
        if piece := _plain(text[last : block.start()]):
            yield line, piece
        line += text.count("\n", last, block.end())
        last = block.end()
    if piece := _plain(text[last:]):
        yield line, piece


def _plain(piece: str) -> str:
    """A piece as it is read."""
    return normal(" ".join(unescape(_TAG.sub(" ", piece)).split()))
