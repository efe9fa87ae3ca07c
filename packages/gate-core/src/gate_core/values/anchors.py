"""Which derivations a sentence may claim: operands it shows, a record and columns it names, whole columns (spec 30)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, permutations, product

from gate_core.values.columns import only_column
from gate_core.values.derive import (
    Result,
    complement,
    conversions,
    differences,
    others,
    pair_results,
    ratio_results,
    share_results,
    sum_results,
    supports,
)
from gate_core.values.index import Index
from gate_core.values.instants import days_of, minutes_of
from gate_core.values.lexicon import cue, table, units
from gate_core.values.lookup import Hit, epochs_of, hits, unit_around
from gate_core.values.normal import folded, normal
from gate_core.values.operands import Operand, made, names_column, numeric_fields, operand_of, stems
from gate_core.values.pairs import Named, named_rows, row_of
from gate_core.values.scan import scan
from gate_core.values.value import Instant, Kind, Value

_MOST_STANDING = 14
_SMALL_RECORD = 4
_SENTENCE = 200  # characters in which a schedule may stand
_FEW_ROWS = 40
_MOST_SIZES = 2_000  # lists whose length is asked
_DOSED = frozenset({"mass", "volume", "dose"})


def from_answer(said: Value, sentence: Sequence[Operand], answer: Sequence[Operand]) -> str:
    """A formula over numbers that stand in the sentence itself, else sums, differences and products over the answer."""
    near = others(said, (operand for operand in sentence if operand.place is not None))[:_MOST_STANDING]
    found = supports(
        said,
        chain(
            conversions(sentence, said.unit),
            (r for x, y in permutations(near, 2) for r in pair_results(x, y)),
            (r for x in near for r in complement(x)),
        ),
    )
    if found or said.unit == "%":
        return found
    far = others(said, answer)[:_MOST_STANDING]
    return supports(said, chain(_plain(far), _sums(said, answer)))


def _plain(operands: Sequence[Operand]) -> Iterator[Result]:
    for x, y in permutations(operands, 2):
        for result in pair_results(x, y):
            if " / " not in result[0]:
                yield result


def _sums(said: Value, operands: Sequence[Operand]) -> Iterator[Result]:
    """Sums of neighbours of the same unit: the items of a list and their total."""
    alike = [operand for operand in operands if operand.unit == said.unit][:60]
    for first in range(len(alike)):
        total = alike[first].size
        for last in range(first + 1, min(first + 20, len(alike))):
            total += alike[last].size
            yield f"sum of {last - first + 1} values of the answer", total, alike[first].unit


def from_records(said: Value, text: str, index: Index, named: Named) -> str:
    """A formula over the columns of a record the sentence names, or of a result that is one small record."""
    words = stems(text)
    rows = sorted(named_rows(named))[:8]
    for row in rows:
        found = _of_record(said, words, index, row)
        if found:
            return found
    rows = sorted({*rows, *_called_alike(words, index)}) if index.document.lines else rows
    if len(rows) > 1:
        return _across(said, text, words, index, rows)
    return "" if rows and not index.document.lines else _of_only_record(said, words, index)


def _called_alike(words: frozenset[str], index: Index) -> Iterator[int]:
    """The rows of a small table whose first cell the sentence names in another number: "per employee"."""
    for group, rows in index.rows_of.items():
        for row in rows if group.startswith("table:") and len(rows) <= _FEW_ROWS else ():
            name = stems(index.document.texts[index.fields_of[row][0]]) if row in index.fields_of else frozenset()
            if name and name <= words and not any(map(str.isdigit, name)):
                yield row


def _across(said: Value, text: str, words: frozenset[str], index: Index, rows: Sequence[int]) -> str:
    """A formula over one column of two records that are both named; the column is named too, or is the only one."""
    cells: dict[str, list[Operand]] = {}
    for row in rows[:4]:
        for field, operand in numeric_fields(index, row):
            cells.setdefault(index.document.keys[field], []).append(operand)
    units_of = {key: column[0].unit for key, column in cells.items()}
    columns = [key for key in cells if names_column(words, key)] or only_column(said, units_of)
    columns = columns or [key for key in _said_of(text, said, index, rows) if key in cells]
    pairs = (r for key in columns for x, y in permutations(others(said, cells[key]), 2) for r in pair_results(x, y))
    return supports(
        said, chain(pairs, elapsed_between([instant for row in rows[:4] for instant in _instants(index, row)]))
    )


def _said_of(text: str, said: Value, index: Index, rows: Sequence[int]) -> list[str]:
    """The columns of which the sentence gives a cell of one of the rows."""
    given = [v for v in scan(text) if v.kind is Kind.NUMBER and v.text != said.text][:_SMALL_RECORD]
    found = (hit.field for value in given for hit in hits(value, index))
    return [index.document.keys[field] for field in found if index.document.owner[field] in rows]


def _of_record(said: Value, words: frozenset[str], index: Index, row: int) -> str:
    fields = list(numeric_fields(index, row))
    called = [operand for field, operand in fields if names_column(words, index.document.keys[field])]
    if len(called) < 2 and len(fields) <= _SMALL_RECORD:
        called = [operand for _, operand in fields]
    called = others(said, chain(called, _named_above(words, index, row)))
    results = _results(said)
    pairs = (r for x, y in permutations(called[:6], 2) for r in results(x, y))
    return supports(
        said, chain(pairs, (r for x in called for r in complement(x)), _elapsed(index, row), _doses(index, row))
    )


def _results(said: Value) -> Callable[[Operand, Operand], Iterator[Result]]:
    """What two numbers may give: a share or a change for a percentage, a difference for percentage points."""
    if said.unit != "%":
        return pair_results
    return differences if cue("points").search(folded(said.text)) else ratio_results


def _named_above(words: frozenset[str], index: Index, row: int) -> Iterator[Operand]:
    """Columns the sentence names of what the record lies in: the total of an invoice, for one of its lines."""
    document = index.document
    for record in dict.fromkeys((*document.ancestors(document.parent[row]), 0)) if row > 0 else ():
        for field, operand in numeric_fields(index, record):
            if names_column(words, document.keys[field]):
                yield operand


def _of_only_record(said: Value, words: frozenset[str], index: Index) -> str:
    """A result that is a single object with a few numbers needs no name; one row of many does."""
    document = index.document
    if document.lines:
        return _of_short_text(said, index)
    for record in index.single[:4]:
        if record_is_single(index, record):
            operands = [operand for _, operand in numeric_fields(index, record)]
            found = _of_few(said, operands) if len(operands) <= _SMALL_RECORD else ""
            found = found or _of_record(said, words, index, record)
            if found:
                return found
    return _of_few(said, _all_of_few(index))


def with_computed(said: Value, index: Index, computed: Sequence[Operand]) -> str:
    """A sum or difference of what the answer computed and a number of a result that has few: net and tax."""
    operands = [] if said.unit == "%" else _few_of_text(index) if index.document.lines else _all_of_few(index)
    pairs = (r for x, y in product(others(said, operands), others(said, computed)) for r in pair_results(x, y))
    return supports(said, (result for result in pairs if " + " in result[0] or " - " in result[0]))


def _all_of_few(index: Index) -> list[Operand]:
    """The numbers of a result that has at most four of them."""
    if len(index.fields_of) > 3 * _SMALL_RECORD:
        return []
    found: list[Operand] = []
    for record in index.fields_of:
        found.extend(operand for _, operand in numeric_fields(index, record))
        if len(found) > _SMALL_RECORD:
            return []
    return found


def _of_few(said: Value, operands: Sequence[Operand]) -> str:
    """Anything two of at most four numbers give, the rest of a percentage, the share of one in all."""
    results = _results(said)
    pairs = (r for x, y in permutations(others(said, operands), 2) for r in results(x, y))
    rest = chain.from_iterable(map(complement, operands))
    return supports(said, chain(pairs, rest, share_results(operands), sum_results(operands)))


def _of_short_text(said: Value, index: Index) -> str:
    """A text of at most four numbers is one record; a dose and its schedule stand on one line."""
    if len(index.document.texts) > 3 * _SMALL_RECORD:
        return ""
    few, results = _short(index)
    return (_of_few(said, few) if few else "") or supports(said, results)


def _short(index: Index) -> tuple[list[Operand], list[Result]]:
    if index.short is None:
        index.short = (_few_numbers(index), _times_and_doses(index))
    return index.short


def _few_of_text(index: Index) -> list[Operand]:
    """The numbers of a short text that has few of them."""
    return _short(index)[0] if len(index.document.texts) <= 3 * _SMALL_RECORD else []


def _few_numbers(index: Index) -> list[Operand]:
    """The numbers of a text that has two to four."""
    texts = [(f, text) for f, text in enumerate(index.document.texts) if not index.document.is_key(f)]
    numbers = [(f, v) for f, text in texts for v in scan(text) if v.kind is Kind.NUMBER and v.numbers]
    if not 1 < len(numbers) <= _SMALL_RECORD:
        return []
    return [made(v, v.unit or unit_around(index, f, v), v.text, (f, v.start)) for f, v in numbers]


def _times_and_doses(index: Index) -> list[Result]:
    records = dict.fromkeys(index.document.owner)
    instants = [instant for record in records for instant in _instants(index, record)]
    elapsed = elapsed_between(instants) if len(instants) <= _SMALL_RECORD else ()
    return [*elapsed, *(result for record in records for result in _doses(index, record))]


def record_is_single(index: Index, record: int) -> bool:
    """True for a record that is no row of several."""
    return row_of(index, record) == 0


def _elapsed(index: Index, record: int) -> Iterator[Result]:
    """The time between two instants of a record."""
    return elapsed_between(_instants(index, record))


def _instants(index: Index, record: int) -> list[Instant]:
    fields = index.fields_of.get(record, [])[:40]
    values = (value for field in fields for value in index.scan(field))
    found = [v.instants[0] for v in values if v.kind is Kind.INSTANT and v.instants]
    return [*found, *(instant for field in fields for instant in epochs_of(index, field))][:8]


def durations_of(index: Index) -> Iterator[tuple[list[Instant], list[Operand]]]:
    """The instants and the lengths of time of a result that is one small record."""
    operands = [operand for _, operand in numeric_fields(index, 0)]
    lasting = [operand for operand in operands if operand.unit and units()[operand.unit].dimension == "time"]
    if lasting and len(operands) <= _SMALL_RECORD:
        yield [instant for instant in _instants(index, 0) if instant[3] is not None], lasting


def elapsed_between(instants: Sequence[Instant]) -> Iterator[Result]:
    """Differences of instants, as minutes and as days."""
    for one, other in permutations(instants, 2):
        start, end = minutes_of(one), minutes_of(other)
        if start is not None and end is not None:
            seconds = (end - start) * 60 + (other[5] or 0) - (one[5] or 0)
            if one[0] is None or other[0] is None:
                seconds %= 86_400
            if seconds >= 0:
                yield "time between two instants", Fraction(seconds, 60), "min"
                yield "whole minutes between two instants", Fraction(seconds // 60), "min"
        first, last = days_of(one), days_of(other)
        if first is not None and last is not None and last >= first:
            yield "days between two dates", Fraction(last - first), "d"
            yield "days between two dates", Fraction(last - first), ""


def _doses(index: Index, record: int) -> Iterator[Result]:
    """A dose by its schedule."""
    fields = index.fields_of.get(record, ())
    amounts = list(_amounts(index, fields))
    if not amounts:
        return
    texts = [folded(index.document.texts[field].strip()) for field in fields]
    schedules = {name: (folded(name), Fraction(factor)) for name, factor in table("units")["doses"].items()}
    times = {n: factor for text in texts for n, (name, factor) in schedules.items() if name == text}
    short = [f" {text}" for text in texts if len(text) < _SENTENCE]
    times.update({n: factor for text in short for n, (name, factor) in schedules.items() if f" {name}" in text})
    for said, size, unit in amounts:
        for name, factor in ((n, f) for n, f in times.items() if f != 1):
            yield f"{said} x {name}", size * factor, unit


def _amounts(index: Index, fields: Sequence[int]) -> Iterator[tuple[str, Fraction, str]]:
    """(how it is called, size, unit) of what may be a dose."""
    for field in fields:
        amount = operand_of(index, field)
        if amount is not None and amount.unit and units()[amount.unit].dimension in _DOSED:
            yield amount.name, amount.size, amount.unit
        for value in index.scan(field):
            if value.kind is Kind.NUMBER and value.unit and units()[value.unit].dimension in _DOSED:
                yield value.text, value.numbers[0].exact, value.unit


def count_of(said: Value, text: str, index: Index, named: Named) -> str:
    """A count of rows: of a list the noun names, of the whole result, or of the rows a named property picks out."""
    if not said.numbers or said.unit or said.numbers[0].exponent != 0:
        return ""
    number = said.numbers[0].mantissa
    noun = stems(said.noun) if said.noun else frozenset()
    for record, key in index.lists_of.get(number, ()):
        if (key and noun and noun <= stems(key)) or (record == 0 and not key):
            return f"count of {key or 'the result'}"
    for _, _, label in named.spans[:8]:
        rows = {record for _, record in index.records_called(label, most=100_000)}
        if len(rows) == number:
            return f"count of rows with {label}"
    return ""


def countable(index: Index, noun: str) -> bool:
    """True when the evidence holds a list of what the noun names."""
    wanted = stems(normal(noun))
    return bool(wanted) and any(wanted <= stems(key) for key in index.list_keys)


def most_of(index: Index, noun: str) -> int:
    """The length of the longest list of what the noun names, 0 for none."""
    wanted = stems(normal(noun))
    return max((n for _, key, n in index.document.sizes[:_MOST_SIZES] if key and wanted <= stems(key)), default=0)


def percent_belongs(hit: Hit, text: str, named: Named) -> bool:
    """A percentage of a table is read only for the record and the columns that are named, if any are."""
    index = named.index
    rows = named_rows(named)
    row = row_of(index, index.document.owner[hit.field])
    if index.document.lines and rows and index.document.group[row] == "line":
        rows = frozenset(other for other in rows if other == row or _has_share(index, other))
    if not rows or row == 0:
        return True
    if row not in rows and not any(
        row in index.document.ancestors(r) or r in index.document.ancestors(row) for r in rows
    ):
        return False
    words = stems(text)
    keys = {index.document.keys[f] for f in index.fields_of.get(index.document.owner[hit.field], ())}
    called = {key for key in keys if names_column(words, key)}
    return len(called) < 2 or index.document.keys[hit.field] in called


def _has_share(index: Index, record: int) -> bool:
    """True for a line that holds a percentage: another could not be meant by one."""
    return any(value.unit == "%" for field in index.fields_of.get(record, ()) for value in index.scan(field))
