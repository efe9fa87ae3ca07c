"""Takes out of a text what differs between two runs of the same look though nothing that matters does (spec 10,
"Novelty"): time stamps, durations, process ids, addresses, request ids. The rules are data, in `novelty.toml`.

Linear in the text; each line is read for itself. It costs tens of milliseconds per 100 KB, so it is asked only when
digests cannot decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from gate_core.data import load_table
from gate_core.model.late import late

_MARK = "\0"  # stands where something was taken out, so that noise and nothing are told apart
_PART = late(r"<<(\w+)>>")
_LONGEST = 1_000_000
_GAP = late(r"(?<=\S)[ \t]{2,}")
_HEADER = late(r"[^a-z]{3,400}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """One rule: `pattern` becomes `keep` in lines that hold one of `cues`, of texts that hold `within`."""

    name: str
    cues: tuple[str, ...]
    within: str
    pattern: re.Pattern[str]
    keep: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns to blank in a table whose header line holds all of `known_by`, where a cell is all `cell`."""

    known_by: frozenset[str]
    drop: frozenset[str]
    cell: re.Pattern[str]


def scrub(text: str) -> str:
    """The text without its noise. Widths of inner gaps count for nothing once something was taken out.

    Values under keys, ids of things, sums, versions, counts, sizes and dates without a time of day are never touched.
    A text of more than a million characters is left as it is: it would take long, and is then simply new.
    """
    if len(text) > _LONGEST:
        return text
    lower = text.lower()
    asked = [rule for rule in rules() if rule.within in lower and any(cue in lower for cue in rule.cues)]
    lines = text.split("\n")
    clean = {line: _clean(line, asked) for line in dict.fromkeys(lines)}
    found = [clean[line] for line in lines]
    if any(all(word in text for word in table.known_by) for table in tables()):
        found = list(_without_columns(found))
    told = "\n".join(found)
    return told if told == text else _GAP.sub(" ", told)


def _clean(line: str, asked: Sequence[Noise]) -> str:
    lower = line.lower()
    for rule in asked:
        if any(cue in lower for cue in rule.cues):
            line = rule.pattern.sub(rule.keep, line)
    return line


@cache
def rules() -> tuple[Noise, ...]:
    """The rules, in order."""
    data = load_table("ledger", "novelty.toml")
    parts: dict[str, str] = data["parts"]
    return tuple(
        Noise(
            name=row["name"],
            cues=tuple(row["cues"]),
            within=row.get("within", ""),
            pattern=re.compile(_filled(row["pattern"], parts)),
            keep=row.get("keep", "~").replace("~", _MARK),
        )
        for row in data["noise"]
    )


def _filled(pattern: str, parts: dict[str, str]) -> str:
    while _PART.search(pattern):
        pattern = _PART.sub(lambda match: parts[match[1]], pattern)
    return pattern


@cache
def tables() -> tuple[Table, ...]:
    """The tables with noisy columns."""
    rows = load_table("ledger", "novelty.toml")["table"]
    return tuple(
        Table(known_by=frozenset(row["with"]), drop=frozenset(row["drop"]), cell=re.compile(row["cell"]))
        for row in rows
    )


def _without_columns(lines: Sequence[str]) -> Iterator[str]:
    """The lines with the noisy cells of tables blanked. Cells are counted from the left, the last from the right."""
    table: Table | None = None
    drop: tuple[int, ...] = ()
    for line in lines:
        cells = line.split()
        found = _table(line, cells)
        if found is not None:
            table, drop = found, _columns(found, cells)
            yield " ".join(cells)
        elif cells and table is not None:
            yield " ".join(_blanked(cells, table, drop))
        else:
            table = None
            yield line


def _table(line: str, cells: Sequence[str]) -> Table | None:
    if not _HEADER.fullmatch(line):
        return None
    return next((table for table in tables() if table.known_by <= set(cells)), None)


def _columns(table: Table, header: Sequence[str]) -> tuple[int, ...]:
    last = len(header) - 1
    return tuple(-1 if at == last else at for at, cell in enumerate(header) if cell in table.drop)


def _blanked(cells: list[str], table: Table, drop: Sequence[int]) -> list[str]:
    for at in drop:
        if at < len(cells) and table.cell.fullmatch(cells[at]):
            cells[at] = _MARK
    return cells
