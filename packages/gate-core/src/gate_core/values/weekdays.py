"""A day of the week before a date that is none of its: "Wednesday, 3 December 2026" is no date (spec 30, "Matching, in
value space": an impossible date never)."""

from __future__ import annotations

import re
from functools import cache

from gate_core.values.instants import days_of
from gate_core.values.lexicon import table
from gate_core.values.value import Kind, Value

_NEAR = 24  # characters before a date
_MONDAY = 5  # where the count of days has a Monday


def on_its_day(value: Value, text: str) -> Value:
    """The value; without a reading where the word before it names another day of the week."""
    if value.kind is not Kind.INSTANT or not value.instants:
        return value
    before = _day_before().search(text, max(0, value.start - _NEAR), value.start)
    named = _days().get(before[1].casefold()) if before is not None else None
    if named is None:
        return value
    counts = [days_of(instant) for instant in value.instants]
    kept = tuple(
        instant
        for instant, count in zip(value.instants, counts, strict=True)
        if count is None or (count - _MONDAY) % 7 + 1 == named
    )
    return value._replace(instants=kept) if len(kept) < len(counts) else value


@cache
def _day_before() -> re.Pattern[str]:
    """The word right before a date, an article between them aside."""
    articles = "|".join(table("words")["day_articles"])
    return re.compile(rf"(?<![^\W_])([^\W\d_]+(?:-feira)?)[.,]{{0,2}} (?:(?:{articles}) )?$")


@cache
def _days() -> dict[str, int]:
    """Name of a day -> its number, Monday first."""
    return {name: int(number) for number, names in table("words")["days"].items() for name in names}
