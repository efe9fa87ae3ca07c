"""Three more derivations (spec 30, "Derivations"): a size by its sides, an amount in another currency at a rate that a
result names, an age in whole years."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache

from gate_core.model.late import late
from gate_core.values.anchors import elapsed_between
from gate_core.values.derive import Result, supports
from gate_core.values.index import Index, key_words
from gate_core.values.lexicon import CURRENCY, table, units
from gate_core.values.lookup import hits
from gate_core.values.numbers import bare_number
from gate_core.values.operands import Operand, numeric_fields, operand_of
from gate_core.values.scan import scan
from gate_core.values.value import Instant, Number, Value

_SIDES = late(r"(\d{2,5}) ?[x×] ?(\d{2,5})")
_MOST_FIELDS = 60  # of a result whose rates are looked for
_FEW_FIELDS = 12  # of a result that is about one person
_MOST_DATES = 4


def sides(said: Value, indexes: Iterable[Index]) -> str:
    """ "1920×1080" of a record that holds both numbers."""
    match = _SIDES.fullmatch(said.text)
    numbers = [bare_number(digits) for digits in match.groups()] if match is not None else []
    for index in indexes if numbers else ():
        owners = [{index.document.owner[hit.field] for hit in hits(number, index)} for number in numbers if number]
        if len(owners) == len(numbers) and set.intersection(*owners):
            return "two sides of one record"
    return ""


def converted(said: Value, operands: Sequence[Operand], indexes: Iterable[Index]) -> str:
    """An amount of the answer or of its record, at the rate beside it."""
    if not _is_money(said.unit):
        return ""
    for index in indexes:
        if found := supports(said, _at_rates(said.unit, operands, index)):
            return found
    return ""


def _at_rates(unit: str, operands: Sequence[Operand], index: Index) -> Iterator[Result]:
    document = index.document
    for field in range(min(len(document.keys), _MOST_FIELDS)):
        rate = operand_of(index, field) if not document.is_key(field) else None
        if rate is None or not rate.size:
            continue
        own = [operand for _, operand in numeric_fields(index, document.owner[field])]
        for amount in (*operands, *own):
            if _is_money(amount.unit) and amount.unit != unit and _names_rate(amount.unit, unit, field, index):
                yield f"{amount.name} x {rate.name}", amount.size * rate.size, unit
                yield f"{amount.name} / {rate.name}", amount.size / rate.size, unit


def _is_money(unit: str) -> bool:
    return bool(unit) and units()[unit].dimension == CURRENCY


def _names_rate(one: str, other: str, field: int, index: Index) -> bool:
    """True for a number whose key names both currencies, or calls it a rate where the key or the record names the one
    that is wanted."""
    document = index.document
    key = document.keys[field].casefold()
    beside = {document.texts[at].casefold() for at in index.fields_of.get(document.owner[field], ()) if at != field}
    mine, wanted = ({code.casefold() for code in units()[unit].codes} for unit in (one, other))
    named = any(code in key for code in wanted)
    if named and any(code in key for code in mine):
        return True
    return _rate().search(key) is not None and (named or not wanted.isdisjoint(beside))


@cache
def _rate() -> re.Pattern[str]:
    """What calls a key a rate."""
    words = table("units")["rate_keys"]
    apart = "|".join(word for word in words if word.isascii())
    return re.compile("|".join((rf"(?<![^\W_])(?:{apart})(?![^\W_])", *(w for w in words if not w.isascii()))))


def age(said: Value, indexes: Iterable[Index], supplied: Sequence[str]) -> str:
    """Whole years between a date of a small result and one that was supplied."""
    if said.unit != "yr":
        return ""
    today = _dates(supplied)
    for index in indexes if today else ():
        texts = index.document.texts
        born = _dates(texts) if len(texts) <= _FEW_FIELDS else []
        if found := supports(said, (("years between two dates", _years(a, b), "yr") for a in born for b in today)):
            return found
    return ""


def until(said: Value, standing: Sequence[Instant], indexes: Iterable[Index], supplied: Sequence[str]) -> str:
    """The time between a date that was supplied, such as that of today, and one of the answer or of a small result."""
    today = _dates(supplied) if said.unit and units()[said.unit].dimension == "time" else []
    small = (index.document.texts for index in indexes if len(index.document.texts) <= _FEW_FIELDS)
    others = [*standing[:_MOST_DATES], *(date for texts in small for date in _dates(texts))] if today else []
    pairs = ((one, other) for one in today for other in others if None not in other[:3])
    return supports(said, (result for pair in pairs for result in elapsed_between(pair)))


def day_lengths(indexes: Iterable[Index]) -> Iterator[Value]:
    """Lengths of time that small results give as a number of days under a key that says so: "notice_days"."""
    for index in indexes:
        fields = range(len(index.document.texts)) if len(index.document.texts) <= _FEW_FIELDS else ()
        for field in fields:
            if not key_words(index.document.keys[field]).isdisjoint(table("units")["day_keys"]):
                whole = [value for value in index.scan(field) if value.plain]
                yield from (v._replace(numbers=(Number(v.numbers[0].mantissa, 0, "d"),)) for v in whole)


def _dates(texts: Iterable[str]) -> list[Instant]:
    found = (value.instants[0] for text in texts for value in scan(text) if len(value.instants) == 1)
    return [date for date, _ in zip((i for i in found if None not in i[:3]), range(_MOST_DATES), strict=False)]


def _years(one: Instant, other: Instant) -> Fraction:
    first, last = sorted((one[:3], other[:3]), key=lambda date: [part or 0 for part in date])
    whole = (last[0] or 0) - (first[0] or 0)
    return Fraction(whole - ((last[1] or 0, last[2] or 0) < (first[1] or 0, first[2] or 0)))
