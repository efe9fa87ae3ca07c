"""Recognises tables in text: separated values, Markdown, columns aligned by blanks (spec 30, "Evidence")."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

_RULE = re.compile(r"[\s|:+=-]+")
_BLANK = re.compile(r"\s")
_INNER_BLANK = re.compile(r"[^\S\n]")
_GAP = re.compile(r" {2,}|\t+")
_CAPITALS = re.compile(r"[A-Z%#][A-Z%#/().+_-]*")
_LOOK = 6  # lines that must agree


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`rows` are (line, cells); `used` are the lines that belong to the table, head included."""

    heads: tuple[str, ...]
    rows: Sequence[tuple[int, Sequence[str]]]
    used: frozenset[int]
    group: str


def rows_of(lines: Sequence[str]) -> Table | None:
    """The one table of a text, None when its lines are no table."""
    numbered = [(number, line) for number, line in enumerate(lines) if line.strip()]
    if len(numbered) < 2:
        return None
    piped = [(n, line) for n, line in numbered if line.count("|") >= 2]
    if len(piped) >= 2 and len(piped) * 2 >= len(numbered):
        return _made([(n, _piped(line)) for n, line in piped if not _RULE.fullmatch(line)])
    for mark in ("\t", ",", ";", "|"):
        if _agree(numbered, mark):
            return _separated(numbered, mark)
    return _aligned(numbered)


def _agree(numbered: Sequence[tuple[int, str]], mark: str) -> bool:
    counts = [line.count(mark) for _, line in numbered[:_LOOK]]
    quoted = any('"' in line for _, line in numbered[:_LOOK])
    if counts[0] < 1 or (len(set(counts)) > 1 and not quoted):
        return False
    heads = numbered[0][1].split(mark)
    return all(len(h) <= 60 and not h.strip()[:1].isdigit() and "." not in h.strip()[1:-1] for h in heads)


def _separated(numbered: Sequence[tuple[int, str]], mark: str) -> Table | None:
    whole = "\n".join(line for _, line in numbered)
    if '"' not in whole and _INNER_BLANK.search(whole) is None:
        return _made([(number, line.split(mark)) for number, line in numbered])
    return _made([(number, _cells(line, mark)) for number, line in numbered])


def _cells(line: str, mark: str) -> list[str]:
    """The cells of a line, without the blanks around them."""
    if '"' in line:
        with suppress(csv.Error):
            return [cell.strip() for cell in next(csv.reader([line], delimiter=mark), [])]
    cells = line.split(mark)
    return [cell.strip() for cell in cells] if _BLANK.search(line) else cells


def _piped(line: str) -> list[str]:
    return [cell.strip(" *`") for cell in line.strip().strip("|").split("|")]


def _aligned(numbered: Sequence[tuple[int, str]]) -> Table | None:
    """Columns with two blanks or more between them, under heads without digits; one blank under heads in capitals."""
    heads = numbered[0][1].split()
    if len(heads) > 2 and all(_CAPITALS.fullmatch(head) for head in heads):
        rows = [(n, line.split(None, len(heads) - 1)) for n, line in numbered]
        if all(len(cells) == len(heads) for _, cells in rows):
            return _made(rows)
    split = [(n, _GAP.split(line.strip())) for n, line in numbered[:_LOOK]]
    width = len(split[0][1])
    if width < 2 or any(len(cells) != width for _, cells in split) or any(re.search(r"\d", h) for h in split[0][1]):
        return None
    if any(head.endswith((".", ":", ",")) for head in split[0][1]):
        return None
    return _made([(n, _GAP.split(line.strip())) for n, line in numbered])


def _made(split: Sequence[tuple[int, Sequence[str]]]) -> Table | None:
    if len(split) < 2:
        return None
    heads = tuple(head or f"column {number}" for number, head in enumerate(split[0][1], 1))
    rows = [row for row in split[1:] if len(row[1]) == len(heads)]
    if len(rows) * 5 < (len(split) - 1) * 4:
        return None
    used = frozenset((*(n for n, _ in rows), split[0][0]))
    return Table(heads=heads, rows=rows, used=used, group=f"table:{','.join(heads)[:200]}")
