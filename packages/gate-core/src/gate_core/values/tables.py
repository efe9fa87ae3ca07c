"""Recognises tables in text: separated values, Markdown, columns aligned by blanks (spec 30, "Evidence")."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, compress, repeat

from gate_core.model.late import late

_RULE = late(r"[\s|:+=-]+")
_BLANKS = " \t\x1f"  # those of ASCII that end no line
_GAP = late(r" {2,}|\t+")
_CAPITALS = late(r"[A-Z%#][A-Z%#/().+_-]*")
_LOOK = 6  # lines that must agree


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`numbers` are the lines of its rows, `cells` those of all rows, one row behind the other: as many as `heads` in
    each. `used` are the lines that belong to the table, head included."""

    heads: tuple[str, ...]
    numbers: Sequence[int]
    cells: Sequence[str]
    used: frozenset[int]

    @property
    def group(self) -> str:
        """What kind of record its rows are."""
        return f"table:{','.join(self.heads)[:200]}"


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a text that are not blank, with their numbers."""

    numbers: Sequence[int]
    texts: Sequence[str]
    whole: str


def rows_of(lines: Sequence[str]) -> Table | None:
    """The one table of a text, None when its lines are no table."""
    numbers = [number for number, line in enumerate(lines) if line and not line.isspace()]
    if len(numbers) < 2:
        return None
    texts = [lines[number] for number in numbers] if len(numbers) < len(lines) else lines
    written = _Lines(numbers, texts, "\n".join(texts))
    may_be_piped = written.whole.count("|") >= len(numbers)  # two in half of the lines
    piped = [at for at, line in enumerate(texts) if line.count("|") >= 2] if may_be_piped else []
    if len(piped) >= 2 and len(piped) * 2 >= len(numbers):
        rows = [at for at in piped if not _RULE.fullmatch(written.texts[at])]
        return made_of([numbers[at] for at in rows], [_piped(written.texts[at]) for at in rows])
    for mark in ("\t", ",", ";", "|"):
        if _agree(written.texts[:_LOOK], mark):
            return _separated(written, mark)
    return _headless(written) or _aligned(written)


def _headless(lines: _Lines) -> Table | None:
    """Rows parted by tabs under no head: the first is a row like the others."""
    marks = lines.texts[0].count("\t")
    if marks < 1 or any(line.count("\t") != marks for line in lines.texts):
        return None
    cells = list(chain.from_iterable(_cells(line, "\t") for line in lines.texts))
    return _table([""] * (marks + 1), lines.numbers, cells, lines.numbers[0])


_INSERT = late(r"insert\s+into\s+[^\s(]{1,200}\s*\(([^()]{1,2000})\)\s*values\s*", re.IGNORECASE)
_TUPLE = late(r"\s*,?\s*\(((?:'(?:[^']|'')*'|[^()'])*)\)")
_LONGEST_SCRIPT = 200_000


def inserted(text: str) -> Table | None:
    """The rows that the inserts of an SQL text give for the columns of the first, None for a text without any."""
    text = text[:_LONGEST_SCRIPT]
    first = _INSERT.search(text) if "insert into" in text or "INSERT INTO" in text else None
    if first is None:
        return None
    heads = _cells(first[1], ",")
    numbers: list[int] = []
    cells: list[str] = []
    used: set[int] = set()
    line = seen = 0
    for insert in _INSERT.finditer(text):
        if _cells(insert[1], ",") != heads:
            continue
        line, seen = line + text.count("\n", seen, insert.start()), insert.start()
        at = insert.end()
        while (row := _TUPLE.match(text, at)) is not None:
            now, at = line + text.count("\n", seen, row.start(1)), row.end()
            used.update(range(line, now + 1))
            line, seen = now, row.start(1)
            found = next(csv.reader([row[1].replace("\n", " ")], quotechar="'", skipinitialspace=True), [])
            if len(found) == len(heads):
                numbers.append(now)
                cells.extend(cell.strip() for cell in found)
    return Table(heads=tuple(heads), numbers=numbers, cells=cells, used=frozenset(used)) if numbers else None


def _agree(lines: Sequence[str], mark: str) -> bool:
    counts = [line.count(mark) for line in lines]
    quoted = any('"' in line for line in lines)
    if counts[0] < 1 or (len(set(counts)) > 1 and not quoted):
        return False
    heads = lines[0].split(mark)
    return all(len(h) <= 60 and not h.strip()[:1].isdigit() and "." not in h.strip()[1:-1] for h in heads)


def _separated(lines: _Lines, mark: str) -> Table | None:
    """Where all rows have the same cells, they are parted at once: of a megabyte there are a hundred thousand."""
    marks = list(map(str.count, lines.texts, repeat(mark)))
    if '"' in lines.whole:
        return _quoted(lines, mark, marks)
    rows = [at for at, number in enumerate(marks) if number == marks[0]]
    if not _are_most(len(rows) - 1, len(marks) - 1):
        return None
    whole = lines.whole if len(rows) == len(marks) else "\n".join(map(lines.texts.__getitem__, rows))
    head, _, below = whole.partition("\n")
    heads, cells = head.split(mark), below.replace("\n", mark).split(mark) if below else []
    if not whole.isascii() or any(blank in whole for blank in _BLANKS):
        heads, cells = list(map(str.strip, heads)), list(map(str.strip, cells))
    return _table(heads, [lines.numbers[at] for at in rows[1:]], cells, lines.numbers[0])


def _quoted(lines: _Lines, mark: str, marks: Sequence[int]) -> Table | None:
    """The table of lines with quotes, whose cells may hold marks. Told at once where too many have other cells: a line
    without quotes has one more than marks."""
    last = len(_cells(lines.texts[0], mark)) - 1
    below = marks[1:]
    rows = below.count(last) + sum('"' in line for line in compress(lines.texts[1:], map(last.__lt__, below)))
    if not _are_most(rows, len(marks) - 1):
        return None
    return made_of(lines.numbers, [_cells(line, mark) for line in lines.texts])


def _cells(line: str, mark: str) -> list[str]:
    """The cells of a line, without the blanks around them."""
    if '"' in line:
        with suppress(csv.Error):
            return [cell.strip() for cell in next(csv.reader([line], delimiter=mark), [])]
    return [cell.strip() for cell in line.split(mark)]


def _piped(line: str) -> list[str]:
    return [cell.strip(" *`") for cell in line.strip().strip("|").split("|")]


def _aligned(lines: _Lines) -> Table | None:
    """Columns with two blanks or more between them, under heads without digits; one blank under heads in capitals."""
    starts = _starts(lines.texts[0])
    if len(starts) > 2 and all(_fits(line, starts) for line in lines.texts[1:_LOOK]):
        table = made_of(lines.numbers, [_cut(line, starts) if _fits(line, starts) else () for line in lines.texts])
        if table is not None:
            return table
    heads = lines.texts[0].split()
    if len(heads) > 2 and all(_CAPITALS.fullmatch(head) for head in heads):
        rows = [line.split(None, len(heads) - 1) for line in lines.texts]
        if all(len(cells) == len(heads) for cells in rows):
            return made_of(lines.numbers, rows)
    split = [_GAP.split(line.strip()) for line in lines.texts[:_LOOK]]
    width = len(split[0])
    if width < 2 or any(len(cells) != width for cells in split) or any(re.search(r"\d", h) for h in split[0]):
        return None
    if any(head.endswith((".", ":", ",")) for head in split[0]):
        return None
    return made_of(lines.numbers, [_GAP.split(line.strip()) for line in lines.texts])


def _starts(head: str) -> list[int]:
    """Where the columns begin under heads in capitals that two blanks part: "CONTAINER ID   IMAGE   STATUS"."""
    found = [match.span() for match in _HEAD.finditer(head)]
    capital = all(_CAPITALS.fullmatch(word) for start, end in found for word in head[start:end].split())
    return [start for start, _ in found] if capital and "\t" not in head else []


_HEAD = late(r"\S+(?: \S+)*")


def _fits(line: str, starts: Sequence[int]) -> bool:
    """True for a line whose cells begin where the columns do, or are empty."""
    return all(line[start - 1 : start] in ("", " ") for start in starts if start)


def _cut(line: str, starts: Sequence[int]) -> list[str]:
    return [line[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]


def made_of(numbers: Sequence[int], split: Sequence[Sequence[str]]) -> Table | None:
    """The table of lines and their cells, None when too many have other cells than the head."""
    if len(split) < 2:
        return None
    width = len(split[0])
    rows = [at for at in range(1, len(split)) if len(split[at]) == width]
    if not _are_most(len(rows), len(split) - 1):
        return None
    cells = list(chain.from_iterable(split[at] for at in rows))
    return _table(split[0], [numbers[at] for at in rows], cells, numbers[0])


def _are_most(rows: int, lines: int) -> bool:
    """True when at most a fifth of the lines below the head have other cells."""
    return rows * 5 >= lines * 4


def _table(heads: Sequence[str], numbers: Sequence[int], cells: Sequence[str], head: int) -> Table:
    named = tuple(name or f"column {number}" for number, name in enumerate(heads, 1))
    return Table(heads=named, numbers=numbers, cells=cells, used=frozenset((head, *numbers)))
