"""Numbers that words tell: halves, "zweieinhalb Stunden", "deux heures et demie", and lengths of time whose first part
is a word, "two hours and 15 minutes" (spec 30, "What is examined"). Other number words are small: not examined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.model.late import late
from gate_core.values.lexicon import compounds, table, units
from gate_core.values.units import meanings
from gate_core.values.value import Kind, Number, Value

_HALVES = ("half", "halb", "demi", "medi", "mei", "mezz", "полов", "полтор")
_JOINED = late(r" (?:und|and|et|y|e|en|и) \d")
_UNIT, _SMALLER = r"(?P<unit>[^\W\d_]{1,12})", r"(?P<smaller>[^\W\d_]{1,12})"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    half, figures = table("words")["half"], "|".join(sorted(_figures(), key=len, reverse=True))

    def either(name: str) -> str:
        return "|".join(sorted(map(re.escape, half[name]), key=len, reverse=True))

    start, end = r"(?<![\w,.])", r"(?![^\W\d_])"
    number = rf"(?:(?P<digits>\d{{1,3}})|(?P<figure>{figures}))"
    return tuple(
        re.compile(start + pattern + end, re.IGNORECASE)
        for pattern in (
            rf"{number}(?: (?:{either('between')}) |(?:{either('joined')}) ){_UNIT}",
            rf"{number} {_UNIT} (?:{either('behind')})",
            rf"(?P<one>{either('one')}) {_UNIT}",
            rf"(?P<figure>{figures}) {_UNIT},? (?:(?:und|and|et|y|e|en|и) )?(?P<rest>\d{{1,2}}) {_SMALLER}",
        )
    )


@cache
def _figures() -> dict[str, int]:
    return {word: int(number) for number, words in table("words")["figures"].items() for word in words}


def may_be_worded(text: str) -> bool:
    """False for a text without such a number."""
    low = text.lower()
    return any(half in low for half in _HALVES) or _JOINED.search(low) is not None


def worded_in(text: str) -> Iterator[Value]:
    """The numbers that words tell in a normalised text."""
    for pattern in _patterns():
        for match in pattern.finditer(text):
            found = tuple(_read(match.groupdict()))
            if found:
                parts = "rest" in match.groupdict()  # what is less than a minute is left out
                yield Value(Kind.NUMBER, match[0], match.start(), match.end(), found, cut=parts)


def _read(got: dict[str, str | None]) -> Iterator[Number]:
    whole = 1 if got.get("one") else int(got.get("digits") or 0) or _figures()[(got.get("figure") or "").lower()]
    for meant in meanings(got["unit"] or "", touching=False):
        if "rest" not in got:
            if meant.unit or meant.power:
                yield Number(whole * 10 + 5, meant.power - 1, meant.unit)
            continue
        for smaller in meanings(got["smaller"] or "", touching=False):
            if smaller.unit in compounds().get(meant.unit, ()):
                parts = units()[meant.unit].sizes[0] / units()[smaller.unit].sizes[0]
                yield Number(int(whole * parts) + int(got["rest"] or 0), 0, smaller.unit)
