"""So much for each unit of a record: "per square metre that is 12.48 cold" (spec 30, "Derivations": ratios; both
columns are named, one of them by its unit)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from gate_core.values import anchors
from gate_core.values.derive import Result, supports
from gate_core.values.index import Index
from gate_core.values.lexicon import table
from gate_core.values.normal import folded
from gate_core.values.operands import Operand, names_column, numeric_fields, stems
from gate_core.values.pairs import Named, named_rows
from gate_core.values.value import Value

_MOST_ROWS = 4


def of_unit(said: Value, text: str, index: Index, named: Named) -> str:
    """The formula of an amount for each unit that a sentence names, over a record it names or the only one there is."""
    unit = _each(folded(text))
    if not unit:
        return ""
    rows = sorted(named_rows(named))[:_MOST_ROWS] or [r for r in index.single if anchors.record_is_single(index, r)]
    words = stems(text)
    return supports(said, (result for row in rows[:_MOST_ROWS] for result in _ratios(index, row, unit, words)))


def _ratios(index: Index, row: int, unit: str, words: frozenset[str]) -> Iterator[Result]:
    fields = [(index.document.keys[field], operand) for field, operand in numeric_fields(index, row)]
    below = [operand for _, operand in fields if operand.unit == unit]
    if len(below) != 1 or not below[0].size:
        return
    for operand in _called(fields, words):
        if operand is not below[0]:
            yield f"{operand.name} per {below[0].name}", operand.size / below[0].size, operand.unit


def _called(fields: list[tuple[str, Operand]], words: frozenset[str]) -> list[Operand]:
    """The columns that a sentence names: by all of their words, or by one that no other column has."""
    counted = Counter(word for key, _ in fields for word in stems(key))
    whole = [operand for key, operand in fields if names_column(words, key)]
    return whole or [o for key, o in fields if any(counted[word] == 1 and word in words for word in stems(key))]


@cache
def _units_each() -> re.Pattern[str]:
    leads = "|".join(map(re.escape, table("units")["per"]))
    rows: dict[str, list[str]] = table("units")["per_words"]
    spelt = (
        "|".join(re.escape(folded(word)) for word in sorted(words, key=len, reverse=True)) for words in rows.values()
    )
    return re.compile(rf"(?:(?<!\w)(?:{leads}) |/ ?)(?:{'|'.join(f'({words})' for words in spelt)})(?!\w)")


def _each(low: str) -> str:
    """The unit for each of which a folded text says how much, "" for none."""
    match = _units_each().search(low)
    return list(table("units")["per_words"])[(match.lastindex or 1) - 1] if match is not None else ""
