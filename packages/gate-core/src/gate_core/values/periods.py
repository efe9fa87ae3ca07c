"""Amounts by the day, the month, the year: "49 a month, 588 a year" (spec 30, "Derivations": conversions)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache

from gate_core.values.asserted import Candidate
from gate_core.values.derive import Result, others, supports
from gate_core.values.index import Index, key_words
from gate_core.values.lexicon import table
from gate_core.values.lookup import hits
from gate_core.values.normal import folded, normal
from gate_core.values.operands import Operand, numeric_fields, said_operand
from gate_core.values.pairs import Named, named_rows
from gate_core.values.place import Place
from gate_core.values.value import Value

_BEHIND = 24  # characters in which an amount says its period
_MOST_ROWS = 4
_MOST_FIELDS = 40  # of a result that is searched without a name


@cache
def _words() -> re.Pattern[str]:
    rows = table("units")["periods"]
    return re.compile(
        "|".join(
            f"(?P<{row['name']}>{'|'.join(_bounded(normal(word).casefold()) for word in row['words'])})" for row in rows
        )
    )


def _bounded(word: str) -> str:
    ends = r"(?!\w)" if word[-1].isascii() or ord(word[-1]) < 0x2E80 else ""
    return (r"(?<!\w)" if word[0].isalpha() and ord(word[0]) < 0x2E80 else "") + re.escape(word) + ends


@lru_cache(64)
def _period(text: str) -> str:
    """The one period a folded text speaks of, "" for none or several. Remembered: each value of a clause asks."""
    found = {match.lastgroup for match in _words().finditer(text)}
    return str(*found) if len(found) == 1 else ""


def _said(place: Place, item: Candidate) -> str:
    """The period of a value of the answer: said right behind it, else alone in its clause."""
    value = item.value
    behind = _words().search(place.cues.low, value.end, value.end + _BEHIND)
    if behind is not None and not any(c.isdigit() for c in place.cues.low[value.end : behind.start()]):
        return str(behind.lastgroup)
    return _period(place.cues.low[slice(*item.clause)])


def of_other_period(place: Place, item: Candidate, named: Sequence[Named]) -> str:
    """The formula of an amount that is another one of the sentence, or of a named record, for another period."""
    own = _said(place, item)
    if not own:
        return ""
    shown = [(operand, period) for other in place.found if other is not item and (period := _said(place, other))
             if (operand := said_operand(other.value, (place.where, other.value.start))) is not None]  # fmt: skip
    for one in named:
        shown += _recorded(one)
        shown += _told(place, item, one.index)
    return supports(item.value, _results(item.value, own, shown))


def _results(said: Value, own: str, shown: Iterable[tuple[Operand, str]]) -> Iterator[Result]:
    for operand, period in shown:
        times = _times(period, own)
        if times and others(said, [operand]):
            yield f"{operand.name} a {period} x {times} to the {own}", operand.size * times, operand.unit


def _times(period: str, own: str) -> Fraction:
    """How many of one period the other holds, 0 where no whole number does."""
    rows = {row["name"]: row["holds"] for row in table("units")["periods"]}
    if own in rows and period in rows[own]:
        return Fraction(rows[own][period])
    return 1 / Fraction(rows[period][own]) if own in rows[period] else Fraction(0)


def _told(place: Place, item: Candidate, index: Index) -> Iterator[tuple[Operand, str]]:
    """The other amounts of the sentence, with the period that a result says right behind them."""
    for other in place.found:
        operand = said_operand(other.value, (place.where, other.value.start)) if other is not item else None
        for hit in hits(other.value, index) if operand is not None else ():
            text = folded(index.document.texts[hit.field])
            behind = _words().match(text[hit.shown.end :].lstrip())
            if operand is not None and behind is not None:
                yield operand, str(behind.lastgroup)


def _recorded(named: Named) -> list[tuple[Operand, str]]:
    """The amounts of named rows, or of a small result, with the period that their key or text says."""
    index = named.index
    rows = sorted(named_rows(named))[:_MOST_ROWS]
    if not rows and len(index.document.texts) <= _MOST_FIELDS:
        rows = list(index.fields_of)
    found = [(o, _of_field(index, field)) for row in rows for field, o in numeric_fields(index, row)]
    return [(operand, period) for operand, period in found if period]


def _of_field(index: Index, field: int) -> str:
    words = key_words(index.document.keys[field])
    for row in table("units")["periods"]:
        if not words.isdisjoint(row["keys"]):
            return str(row["name"])
    return _period(folded(index.document.texts[field]))
