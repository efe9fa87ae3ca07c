"""What a record has of its column, what a list of numbers gives, and how often a dose is given (spec 30)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations

from gate_core.model.late import late
from gate_core.values.cues import Cues
from gate_core.values.derive import Result, aggregate, pair_results, supports
from gate_core.values.index import Index
from gate_core.values.lexicon import months, table, units
from gate_core.values.lookup import Hit
from gate_core.values.normal import folded
from gate_core.values.operands import Operand, names_column, numeric_fields, operand_of, stems
from gate_core.values.pairs import Named, named_rows
from gate_core.values.places import letters_of
from gate_core.values.value import Value

_AGGREGATES = ("sum", "mean", "median", "max", "min")
_DOSED = frozenset({"mass", "volume", "dose"})
_SENTENCE = 200  # characters in which a schedule may stand
_MOST_ROWS = 4
_MOST_LISTS = 20
_MOST_YEARS = 500
_MOST_CELLS = 2_000  # of a column or a list that is summed
_NEAR = 40  # characters in which a whole is told


def of_column(said: Value, text: str, index: Index, named: Named) -> str:
    """The share a named record has of all of a named column ("East made 33.9 % of the revenue"), and that whole where
    it stands behind "of": "5,000 of 10,000"."""
    if said.unit != "%" and not _behind_of().search(text, max(0, said.start - _NEAR), said.start):
        return ""
    words = stems(text)
    for row in sorted(named_rows(named))[:_MOST_ROWS] if not index.document.lines else ():
        found = supports(said, _parts(said, words, index, row, whole=bool(named.cues.spans("sum"))))
        if found:
            return found
    return ""


@cache
def _behind_of() -> re.Pattern[str]:
    return re.compile(rf"\d\S*(?: \w+)? {table('words')['of_all']} \W?$")


def _parts(said: Value, words: frozenset[str], index: Index, row: int, *, whole: bool) -> Iterator[Result]:
    """The share of a row in a named column, or in its only one where the sentence speaks of the `whole`."""
    rows = index.rows_of.get(index.document.group[row], ()) if row > 0 else ()
    fields = list(numeric_fields(index, row)) if 1 < len(rows) <= _MOST_CELLS else []
    called = [(index.document.keys[f], operand) for f, operand in fields if names_column(words, index.document.keys[f])]
    if not called and len(fields) == 1 and whole:
        called = [(index.document.keys[f], operand) for f, operand in fields]
    for key, operand in called if len(called) == 1 else ():
        column = [o for r in rows for f, o in numeric_fields(index, r) if index.document.keys[f] == key]
        total = sum((o.size for o in column), Fraction(0))
        if total and all(o.unit == operand.unit for o in column):
            yield (
                (f"{operand.name} / sum of {len(column)}", operand.size / total, "ratio")
                if said.unit == "%"
                else (f"sum of {len(column)}", total, operand.unit)
            )


def of_list(said: Value, cues: Cues, index: Index) -> str:
    """An aggregate over a list of plain numbers: the named one, or the only one of a result."""
    wanted = [name for name in _AGGREGATES if cues.spans(name)]
    sizes = (
        [(record, key) for record, key, size in index.document.sizes[:_MOST_LISTS] if 1 < size <= _MOST_CELLS]
        if wanted
        else []
    )
    lists = [column for record, key in sizes if len(column := _list_of(index, record, key)) > 1]
    words = stems(cues.low) if len(lists) > 1 else frozenset()
    meant = [column for column in lists if len(lists) == 1 or names_column(words, column[0].name.rpartition(" ")[0])]
    return supports(said, (r for column in meant for name in wanted for r in aggregate(name, column)))


def _list_of(index: Index, record: int, key: str) -> list[Operand]:
    """The numbers of a list that holds nothing else, () for any other."""
    fields = [f for f in index.fields_of.get(record, ()) if index.document.keys[f] == key or (not key and record == 0)]
    found = [operand_of(index, field) for field in fields]
    return [operand for operand in found if operand is not None] if None not in found else []


@cache
def _schedules() -> tuple[tuple[re.Pattern[str], Fraction], ...]:
    rows: dict[str, str] = table("units")["doses"]
    return tuple((re.compile(rf"(?<!\w){re.escape(folded(name))}(?![a-z])"), Fraction(n)) for name, n in rows.items())


def _frequencies(texts: Iterable[str]) -> frozenset[Fraction]:
    """How often a day texts say."""
    short = [folded(text) for text in texts if len(text) < _SENTENCE]
    return frozenset(times for pattern, times in _schedules() if any(map(pattern.search, short)))


def other_schedule(hits: Sequence[Hit], index: Index, named: Named, clause: str) -> bool:
    """True when a clause says how often a dose is given, and every record of the dose says another frequency: every one
    that the sentence names, where it names any."""
    if not any(hit.shown.unit for hit in hits):
        return False
    own = {folded(index.document.texts[hit.field]).strip() for hit in hits}  # the dose names no record
    rows = {row for _, _, label in named.spans if label not in own for _, row in named.rows(label)}
    found = [hit for hit in hits if index.document.owner[hit.field] in rows] or hits
    if not all(hit.shown.unit and units()[hit.shown.unit].dimension in _DOSED for hit in found):
        return False
    said = _frequencies([clause])
    if not said:
        return False
    document = index.document
    told = [_frequencies(document.texts[f] for f in index.fields_of.get(document.owner[h.field], ())) for h in found]
    return all(told) and not any(said & frequencies for frequencies in told)


_YEAR = late(r"(?<![\w.,-])(?:19|20)\d\d(?![\w%]|[.,-]\d)")
_LAST_YEAR = late(r"(?:19|20)\d\d\W*$")
_NUMBER = late(r"\d[\d.,]*")


def _year_rows(text: str, index: Index) -> dict[str, frozenset[int]]:
    """The rows that the years of a text name, by year."""
    said = frozenset(_YEAR.findall(text))
    found: dict[str, set[int]] = {}
    document = index.document
    for rows in index.rows_of.values() if said else ():
        for row in rows[:_MOST_YEARS] if len(rows) > 1 else ():
            for field in index.fields_of.get(row, ()):
                if document.texts[field] in said and document.keys[field].casefold() in _years():
                    found.setdefault(document.texts[field], set()).add(row)
    return {year: frozenset(rows) for year, rows in found.items()}


def of_years(said: Value, text: str, index: Index) -> str:
    """A formula over a named column of the rows of two years that are named."""
    rows = [min(rows) for rows in _year_rows(text, index).values() if len(rows) == 1][:_MOST_ROWS]
    words = stems(text)
    cells: dict[str, list[Operand]] = {}
    for row in rows if len(rows) > 1 else ():
        for field, operand in numeric_fields(index, row):
            if names_column(words, index.document.keys[field]) and operand.name.split(" ")[0] not in _years():
                cells.setdefault(index.document.keys[field], []).append(operand)
    pairs = (r for column in cells.values() for x, y in permutations(column, 2) for r in pair_results(x, y))
    return supports(said, pairs)


def other_year(hits: Sequence[Hit], index: Index, text: str, clause: tuple[int, int]) -> bool:
    """True when a clause names one year and gives one number, and that stands in the rows of other years only. Of years
    that stand side by side none has its number in the clause."""
    if "20" not in text and "19" not in text:
        return False
    said, before = text[slice(*clause)], text[max(0, clause[0] - _NEAR) : clause[0]]
    if not _YEAR.search(said) or len(_NUMBER.findall(said)) != 2 or _LAST_YEAR.search(before):
        return False
    rows = _year_rows(said, index)
    owners = [index.document.owner[hit.field] for hit in hits]
    if len(rows) != 1 or any(owner in own for own in rows.values() for owner in owners):
        return False
    return all(_has_year(index, owner) for owner in owners)


def _has_year(index: Index, row: int) -> bool:
    keys = (index.document.keys[field] for field in index.fields_of.get(row, ()))
    return row > 0 and any(key.casefold() in _years() for key in keys)


@cache
def _years() -> frozenset[str]:
    return frozenset(table("units")["year_keys"])


def other_month(hits: Sequence[Hit], index: Index, low: str, clause: tuple[int, int]) -> bool:
    """True when a clause says of one month and gives one number, and that stands only in the rows of other months, of
    a table that has a row of that month."""
    start = 0 if clause[0] <= _OPENING else clause[0]  # "In March, 1,204 visits were counted"
    said = low[start : clause[1]]
    if said.isascii() and months().keys().isdisjoint(letters_of(said)):
        return False
    told = {months()[match[1]] for match in _of_month().finditer(said)}
    if len(told) != 1 or len(_NUMBER.findall(_YEAR.sub("", said))) != 1:
        return False
    owners = {index.document.owner[hit.field] for hit in hits}
    theirs = {_month_of(index, owner) for owner in owners}
    if None in theirs or not told.isdisjoint(theirs):
        return False
    group = index.document.group[min(owners)]
    return any(_month_of(index, row) in told for row in index.rows_of.get(group, ())[:_MOST_YEARS])


@cache
def _of_month() -> re.Pattern[str]:
    """What is said of a month: "in January"; a day of it is another thing."""
    words, names = ("|".join(map(re.escape, several)) for several in (table("units")["month_leads"], months()))
    return re.compile(rf"(?<!\w)(?:{words}) ?({names})(?![\w.]*\w)(?! \d{{1,2}}(?!\d))")


def _month_of(index: Index, row: int) -> int | None:
    """The month of a row that has one date, by its number or its name; None for any other."""
    texts = [index.document.texts[field] for field in index.fields_of.get(row, ())] if row > 0 else []
    named = [months()[low] for text in texts if (low := folded(text).strip()) in months()]
    dated = [int(match[1]) for text in texts if (match := _DATED.fullmatch(text.strip()))]
    found = [*named, *dated]
    return found[0] if len(found) == 1 and 1 <= found[0] <= _MONTHS else None


_DATED = late(r"(?:19|20)\d\d[-/.](\d{2})(?:[-/.]\d{2})?")
_MONTHS = 12
_OPENING = 24  # characters that open a sentence before its first comma
_READING = late(r"(?<![\d/.,])(\d{1,4}(?:\.\d+)?)/(\d{1,4}(?:\.\d+)?)(?![\d/]|\.\d)")


def turned_round(text: str, start: int, index: Index) -> bool:
    """True for one end of a reading, "84/128", that the document has the other way round only."""
    for reading in _READING.finditer(text, max(0, start - 12), start + 24):
        if start in (reading.start(1), reading.start(2)) and reading[1] != reading[2]:
            held = {match.groups() for match in _READING.finditer(index.blob)} if "/" in index.blob else set()
            return (reading[2], reading[1]) in held and reading.groups() not in held
    return False
