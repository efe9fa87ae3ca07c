"""Lengths of time in the spelling of clocks, and hours of the day in that of lengths: "1:30 h", "8 h 30" (spec 30)."""

from __future__ import annotations

import re
from functools import cache

from gate_core.model.late import late
from gate_core.values.cues import Cues
from gate_core.values.index import Index, key_words
from gate_core.values.lexicon import cue, table
from gate_core.values.normal import folded
from gate_core.values.value import Kind, Number, Value

_CLOCK = late(r"(\d{1,3}):(\d{2})(?::(\d{2}))?")
_HOURS_APART = late(r"(\d{1,3}) ?[hH] ?(\d{2})")
_HOUR = late(r"(\d{1,2}) ?[^\W\d_]+")
_NEAR = 24  # characters around a spelling in which words say that it is a length
_DAY = 24


def otherwise(value: Value, text: str, clause: tuple[int, int], cues: Cues) -> Value | None:
    """The other reading of a value: of a clock time the length it may be, of full hours the time of the day."""
    if value.kind is Kind.INSTANT and value.instants and value.instants[0][2] is None:
        return _length(value, text, lasts=cues.within("lasts", *clause))
    if value.kind is Kind.NUMBER and value.unit == "h" and value.numbers[0].exponent == 0:
        hour = value.numbers[0].mantissa
        if hour <= _DAY and _HOUR.fullmatch(value.text) and cue("at_hour").search(folded(text[: value.start])[-12:]):
            return Value(
                kind=Kind.INSTANT, text=value.text, start=value.start, end=value.end,
                instants=((None, None, None, hour % _DAY, 0, None, None),),
            )  # fmt: skip
    return None


def _length(value: Value, text: str, *, lasts: bool) -> Value | None:
    parts = _HOURS_APART.fullmatch(value.text)
    sizes = _sizes(parts[1], parts[2], None, "h") if parts else ()
    clock = _CLOCK.fullmatch(value.text)
    if clock:
        unit = _unit_behind(text, value.end)
        sizes = _sizes(clock[1], clock[2], clock[3], unit) if unit or lasts else ()
    if not sizes:
        return None
    numbers = tuple(Number(size // 60, 0, "min") if size % 60 == 0 else Number(size, 0, "s") for size in sizes)
    return Value(kind=Kind.NUMBER, text=value.text, start=value.start, end=value.end, numbers=numbers)


def _sizes(first: str, second: str, third: str | None, unit: str) -> tuple[int, ...]:
    """The seconds it may be: hours and minutes, or minutes and seconds, where no unit behind it tells."""
    a, b = int(first), int(second)
    if third is not None:
        return (a * 3600 + b * 60 + int(third),)
    hours, minutes = a * 3600 + b * 60, a * 60 + b
    return (hours,) if unit == "h" else (minutes,) if unit == "min" else (hours, minutes)


@cache
def _units_behind() -> re.Pattern[str]:
    rows = {row["symbol"]: row["words"] for row in table("units")["units"] if row["symbol"] in ("h", "min")}
    words = [(symbol, word) for symbol, several in rows.items() for word in several]
    spelt = {symbol: "|".join(re.escape(folded(w)) for s, w in words if s == symbol) for symbol in rows}
    return re.compile(rf"[ \u00a0]?(?:(?P<h>{spelt['h']})|(?P<min>{spelt['min']}))(?![a-z])\.?")


def _unit_behind(text: str, at: int) -> str:
    """ "h" or "min" right behind a place, "" for neither."""
    match = _units_behind().match(folded(text[at : at + _NEAR]))
    return str(match.lastgroup) if match else ""


def shown_length(said: Value, index: Index) -> str:
    """The spelling by which a result shows a length of time as a clock does, "" for none: with its unit behind it, or
    under a key or beside a word that speaks of lengths."""
    for number in said.numbers:
        seconds = number.exact * _SECONDS.get(number.unit, 0)
        if seconds < 60 or seconds.denominator != 1:
            continue
        for match in _spelt(int(seconds)).finditer(index.blob):
            if int(seconds) in _meant(match, index):
                return match[0]
    return ""


_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86_400}


def _spelt(seconds: int) -> re.Pattern[str]:
    """The clock spellings of a length."""
    minutes, rest = divmod(seconds, 60)
    hours, within = divmod(minutes, 60)
    ways = [rf"0?{minutes}:{rest:02}"] if minutes < 1000 else []
    ways += [rf"0?{hours}:{within:02}:{rest:02}"] + ([rf"0?{hours}(?::| ?h ?){within:02}"] if not rest else [])
    return re.compile(rf"(?<![\d:.])(?:{'|'.join(ways)})(?![\d:])", re.IGNORECASE)


def _meant(match: re.Match[str], index: Index) -> tuple[int, ...]:
    """The seconds that a spelling in a result stands for, () where it is a time of the day."""
    numbers = re.findall(r"\d+", match[0])
    third = numbers[2] if len(numbers) > 2 else None
    if ":" not in match[0]:
        return _sizes(numbers[0], numbers[1], None, "h")
    unit = _unit_behind(index.blob, match.end())
    field = index.field_at(match.start())
    keyed = not key_words(index.document.keys[field]).isdisjoint(table("units")["time_keys"])
    near = folded(index.blob[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2])
    if unit or keyed or cue("lasts").search(near):
        return _sizes(numbers[0], numbers[1], third, unit)
    return ()
