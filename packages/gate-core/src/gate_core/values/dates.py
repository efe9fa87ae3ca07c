"""The spellings of dates and times in a document, by what they may mean (spec 30, "Evidence").

A log of a megabyte holds ten thousand instants but few distinct dates and at most 1,440 minutes. So spellings are
collected, not instants; a lookup then reads only the fields that hold a spelling it could mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from gate_core.model.late import late
from gate_core.values.instants import EPOCH, days_of
from gate_core.values.lexicon import months
from gate_core.values.value import Instant

# Each begins with a plain sign, which is looked for many times faster than digits are. Without the year is enough: what
# is found is read in full.
_YEAR_FIRST = tuple(late(rf"{sign}(?<=\d{{4}}{sign})\d{{1,2}}{sign}\d{{1,2}}") for sign in ("-", "/", r"\."))
_MAY_END = tuple(late(rf"{sign}(?<=\d{sign})(?<!\d{{3}}{sign})\d{{1,2}}{sign}\d{{2}}") for sign in ("-", "/", r"\."))
_YEAR_AND_MONTH = late(r"-(?<=\d{4}-)(?:0[1-9]|1[0-2])(?![\d-])")
_DAY_AND_MONTH = late(r"\d{1,2}\.\d{1,2}\.(?!\d)")
_YEAR_LAST = late(r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}")
_CLOCK = late(r":(?<=(\d\d|\D\d):)(\d\d)")
_HALF = late(r"\d{1,2} ?[AaPp]\.?[Mm]")
_HALVES = ({"am"}, {"pm"}, {"a", "m"}, {"p", "m"})
_OTHER_CLOCKS = (
    ("h", late(r"\d{1,2} ?h ?\d{2}")),
    ("uhr", late(r"\d{1,2}(?:\.\d{2})? ?Uhr")),
)
_EAST_CLOCKS = tuple((sign, late(rf"\d{{1,2}} ?{sign}(?: ?\d{{1,2}})?")) for sign in "時时点點시")
_EAST = late(r"(?:\d{1,2}) ?[月월] ?\d{1,2}")
_STRANGE = late(r"[^\x00-\x7f]")
_CRON = late(r"(\d{1,2}) (\d{1,2}) (?=[\d*?,-]{1,20} [*] )")
_QUARTERS = (0, 30, 15, 45)  # minutes by which zones differ
_DIGITS = late(r"\d+")


class Spellings:
    """The spellings of one document, by month and day, and by minute."""

    def __init__(self, text: str, runs: AbstractSet[str]) -> None:
        self._days: dict[tuple[int, int], set[str]] = {}
        self._minutes: dict[int, dict[str, int]] = {}
        self._months: dict[int, set[str]] = {}
        self._read_days(text)
        self._read_names(text, list(_names(text, runs)))
        self._read_clocks(text, runs)

    def _read_days(self, text: str) -> None:
        for spelling in {found for pattern in _YEAR_FIRST for found in pattern.findall(text)}:
            month, day = _numbers(spelling)
            self._day(month, day, spelling)
        for spelling in set(_YEAR_AND_MONTH.findall(text)):
            self._months.setdefault(int(spelling[1:]), set()).add(spelling)
        if any(pattern.search(text) for pattern in _MAY_END):
            for spelling in set(_YEAR_LAST.findall(text)):
                one, other = _numbers(spelling)[:2]
                self._day(one, other, spelling)
                self._day(other, one, spelling)
        if "." in text:
            for spelling in set(_DAY_AND_MONTH.findall(text)):
                day, month = _numbers(spelling)
                self._day(month, day, spelling)
        if "月" in text or "월" in text:
            for spelling in set(_EAST.findall(text)):
                one, other = _numbers(spelling)[:2]
                self._day(one, other, spelling)

    def _read_names(self, text: str, names: Sequence[str]) -> None:
        """Days beside the names of months. A syslog has one in each line, most texts have none."""
        if not names:
            return
        text = "\n".join(_lines_with(text, names))
        spelt = "|".join(sorted(map(re.escape, names), key=lambda n: (-len(n), n)))
        for pattern, day in (
            (rf"(\d{{1,2}})[^\d\n]{{1,6}}?({spelt})", 0),
            (rf"({spelt})[^\d\n]{{1,4}}?(\d{{1,2}})(?!\d)", 1),
        ):
            for found in set(re.findall(rf"({pattern})", text)):
                self._day(months()[found[2 - day].casefold()], int(found[1 + day]), found[0])
        for name in names:
            self._months.setdefault(months()[name.casefold()], set()).add(name)

    def _day(self, month: int, day: int, spelling: str) -> None:
        self._days.setdefault((month, day), set()).add(spelling)

    def _read_clocks(self, text: str, runs: AbstractSet[str]) -> None:
        found = {f"{hour if hour[0].isdigit() else hour[1]}:{minute}" for hour, minute in set(_CLOCK.findall(text))}
        if any(half <= runs for half in _HALVES):
            found.update(_HALF.findall(text))
        for word, pattern in _OTHER_CLOCKS:
            if word in runs:
                found.update(pattern.findall(text))
        for sign, pattern in _EAST_CLOCKS:
            if sign in text:
                found.update(pattern.findall(text))
        for spelling in found:
            numbers = _numbers(spelling)
            self._minutes.setdefault(numbers[1] if len(numbers) > 1 else 0, {})[spelling] = numbers[0]

        for minute, hour in set(_CRON.findall(text)) if " * " in text else ():
            self._minutes.setdefault(int(minute), {})[f"{minute} {hour}"] = int(hour)

    def of(self, instant: Instant) -> Iterator[str]:
        """The spellings that may mean an instant, the rarer half first."""
        year, month, day, hour, minute, _, zone = instant
        if hour is not None and minute is not None:
            yield from self._clocks(hour, minute, shifts=zone is not None)
        elif month is not None and day is not None:
            yield from sorted(self._days.get((month, day), ()))
        elif month is not None:
            yield from sorted(self._months.get(month, ()))
            if year is not None:
                yield from (f"{year}{sign}{month:02}" for sign in "-/.")
                yield from (f"{year}年{month}", f"{year}년 {month}")
        elif year is not None:
            yield str(year)

    def words(self) -> Iterator[str]:
        """A word for each day, month and minute there is a spelling of."""
        yield from (f"{month}-{day}" for month, day in self._days)
        yield from (f"{month}-" for month in self._months)
        yield from (f":{minute}" for minute in self._minutes)

    def _clocks(self, hour: int, minute: int, *, shifts: bool) -> Iterator[str]:
        for known in [(minute + quarter) % 60 for quarter in _QUARTERS] if shifts else (minute,):
            for spelling, at in sorted(self._minutes.get(known, {}).items()):
                if shifts or at % 12 == hour % 12:
                    yield spelling


def words_of(instant: Instant) -> Iterator[str]:
    """The words of which a text has one when it has a spelling that may mean an instant; a year is a run of it."""
    year, month, day, hour, minute, _, zone = instant
    if hour is not None and minute is not None:
        yield from (f":{(minute + shift) % 60}" for shift in (_QUARTERS if zone is not None else (0,)))
    elif month is not None and day is not None:
        yield f"{month}-{day}"
    elif month is not None:
        yield f"{month}-"
    if year is not None and day is None and hour is None:
        yield str(year)


def _names(text: str, runs: AbstractSet[str]) -> Iterator[str]:
    """The names of months in a text, as it spells them."""
    strange = frozenset() if text.isascii() else frozenset(_STRANGE.findall(text))
    for name in months():
        if name in runs if name.isascii() else strange:
            for way in dict.fromkeys((name, name.capitalize(), name.upper())):
                if strange.issuperset(_STRANGE.findall(way)) and way in text:
                    yield way


def _lines_with(text: str, words: Iterable[str]) -> Iterator[str]:
    """The lines of a text that hold one of the words and a digit."""
    starts: set[int] = set()
    for word in words:
        at = text.find(word)
        while at >= 0:
            starts.add(text.rfind("\n", 0, at) + 1)
            end = text.find("\n", at)
            at = text.find(word, end) if end >= 0 else -1
    for start in sorted(starts):
        end = text.find("\n", start)
        line = text[start:] if end < 0 else text[start:end]
        if _DIGITS.search(line) is not None:
            yield line


def _numbers(spelling: str) -> list[int]:
    return [int(digits) for digits in _DIGITS.findall(spelling)]


EPOCHS = ((3e8, 5e9), (1e12, 5e12))
"""The seconds and milliseconds since 1970 that numbers may be."""


def epoch_range(instant: Instant) -> Iterable[tuple[float, float]]:
    """The seconds and milliseconds a date may be as a number."""
    days = days_of(instant)
    first = (days - EPOCH - 1) * 86400 if days is not None else 0
    return ((first, first + 3 * 86400), (first * 1000.0, (first + 3 * 86400) * 1000.0)) if first > 3 * 10**8 else ()
