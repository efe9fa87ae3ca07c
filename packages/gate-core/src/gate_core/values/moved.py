"""Dates and times that lie a stated length of time from another one (spec 30, "Derivations")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from gate_core.values.instants import civil, days_of, minutes_of
from gate_core.values.operands import Operand
from gate_core.values.units import in_unit
from gate_core.values.value import Instant, Value


def moved_dates(said: Value, durations: Sequence[Value]) -> Iterator[tuple[str, Value]]:
    """(formula, date) of every date that lies one of the durations before or after the date said."""
    for instant in said.instants:
        days = days_of(instant)
        if days is None or instant[3] is not None:
            continue
        for duration in durations:
            for number in duration.numbers:
                step = in_unit(number.exact, number.unit, "d") if number.unit else ()
                for size in step:
                    if size.denominator == 1 and 0 < size < 10_000:
                        for sign, moved in (("+", days - int(size)), ("-", days + int(size))):
                            date = said._replace(instants=((*civil(moved), None, None, None, None),))
                            yield f"{{date}} {sign} {duration.text}", date


def moved_time(said: Value, instants: Sequence[Instant], durations: Sequence[Operand]) -> str:
    """The formula of a time that lies one of the durations before or after one of the instants, "" for none."""
    for instant in said.instants:
        for start, duration in product(instants, durations):
            for size in in_unit(duration.size, duration.unit, "min"):
                if _lies(instant, start, size):
                    return f"{start[3]:02}:{start[4] or 0:02} + {duration.name}"
                if _lies(instant, start, -size):
                    return f"{start[3]:02}:{start[4] or 0:02} - {duration.name}"
    return ""


def _lies(said: Instant, start: Instant, by: Fraction) -> bool:
    """True when a time lies so many minutes behind a start; a time without a zone is one of the same clock."""
    if said[6] is None or start[6] is None:
        said, start = (*said[:6], None), (*start[:6], None)
    end, begin = minutes_of(said), minutes_of(start)
    if end is None or begin is None:
        return False
    apart = end - begin - by
    return apart == 0 if said[2] is not None and start[2] is not None else apart % 1440 == 0
