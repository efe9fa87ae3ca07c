"""Aggregates over a whole column, or over the rows of a group (spec 30, "Derivations")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from gate_core.values.derive import aggregate, supports
from gate_core.values.index import Index
from gate_core.values.operands import Operand, is_id_column, names_column, numeric_fields, operand_of, stems
from gate_core.values.pairs import Named, named_rows
from gate_core.values.units import power_of_key, same_dimension
from gate_core.values.value import Value

_MOST_LISTS = 40  # records in which lists of plain numbers are looked for
_AGGREGATES = ("sum", "mean", "median", "max", "min")


def from_columns(said: Value, text: str, index: Index, named: Named, power: int = 0) -> str:
    """An aggregate over a whole column the sentence names, all rows or those of a group it names; with a power of ten,
    over columns that count in it."""
    wanted = [name for name in _AGGREGATES if named.cues.spans(name)]
    if not wanted:
        return ""
    words = stems(text)
    for rows in _tables(index, named):
        for key in _meant(said, words, index, rows, power):
            cells = [
                (row, o)
                for row in rows
                for f in index.fields_of.get(row, ())
                if index.document.keys[f] == key and (o := operand_of(index, f)) is not None
            ]
            column = [operand for _, operand in cells]
            meant = [name for name in wanted if not _of_another(name, cells, named_rows(named))]
            found = supports(said, (r for name in meant for r in aggregate(name, column)))
            if found:
                return found
    return _of_lists(said, wanted, words, index)


def _of_another(word: str, cells: Sequence[tuple[int, Operand]], named: frozenset[int]) -> bool:
    """True for the largest or the smallest of a column where the sentence names a row of it, and another one has it."""
    mine = {operand.size for row, operand in cells if row in named}
    if word not in _EXTREMES or not mine:
        return False
    return _EXTREMES[word](operand.size for _, operand in cells) not in mine


_EXTREMES: dict[str, Callable[[Iterable[Fraction]], Fraction]] = {"max": max, "min": min}


def _of_lists(said: Value, wanted: Sequence[str], words: frozenset[str], index: Index) -> str:
    """An aggregate over a list of plain numbers, which the sentence names or which is the only one."""
    lists: dict[tuple[int, str], list[Operand]] = {}
    for record in list(index.fields_of)[:_MOST_LISTS]:
        for field, operand in numeric_fields(index, record):
            lists.setdefault((record, index.document.keys[field]), []).append(operand)
    lists = {where: found for where, found in lists.items() if len(found) > 1}
    named = [where for where in lists if names_column(words, where[1])]
    meant = named or (list(lists) if len(lists) == 1 else [])
    return supports(said, (r for where in meant for name in wanted for r in aggregate(name, lists[where])))


def _meant(said: Value, words: frozenset[str], index: Index, rows: Sequence[int], power: int) -> list[str]:
    """The columns a sentence names, else the only one it can be about."""
    columns = [key for key in _columns(index, rows) if not power or power_of_key(key) == power]
    named = [key for key in columns if names_column(words, key)]
    cells = {index.document.keys[f]: o for f, o in numeric_fields(index, rows[0])}
    of_unit = [key for key, o in cells.items() if key in columns and said.unit and said.unit == o.unit]
    if len(of_unit) == 1 and of_unit[0] not in named:  # the columns that are named are those of other values
        return of_unit
    if named or len(columns) < 2:
        return named or columns
    return only_column(said, {key: operand.unit for key, operand in cells.items()})


def _tables(index: Index, named: Named) -> Iterator[list[int]]:
    """The rows of each table, and those rows of it that a named property picks out."""
    for group, rows in index.rows_of.items():
        if len(rows) > 1 and (group.endswith(("/*", "/{}")) or group.startswith("table:")):
            yield rows
            for _, _, label in named.spans[:8]:
                picked = frozenset(r for _, r in index.records_called(label, most=100_000))
                some = [row for row in rows if row in picked]
                if 1 < len(some) < len(rows):
                    yield some


def _columns(index: Index, rows: Sequence[int]) -> list[str]:
    document = index.document
    fields = (f for row in rows[:3] for f in index.fields_of.get(row, ()) if not document.is_key(f))
    keys = dict.fromkeys(document.keys[f] for f in fields)
    return [key for key in keys if key and not is_id_column(key)]


def only_column(said: Value, columns: Mapping[str, str]) -> list[str]:
    """The one column a sentence can be about when it names none: the only one, or the only one of the unit."""
    if len(columns) > 1:
        columns = {key: unit for key, unit in columns.items() if bool(unit) == bool(said.unit)}
    fitting = [key for key, unit in columns.items() if same_dimension(unit, said.unit)]
    return fitting if len(fitting) == 1 else []
