"""Dates and times as partial instants, in many spellings (spec 30, "Matching, in value space"). No clock is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from gate_core.model.late import late
from gate_core.values.lexicon import halves, months, table, zones
from gate_core.values.places import letters_of
from gate_core.values.value import Instant, Kind, Value

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SHORT = 200  # characters
_NONE: Instant = (None, None, None, None, None, None, None)
_CAPITAL = frozenset(table("words")["in_capitals"])

_DAYED = frozenset(table("words")["dayed"])
"""Months in lower case that a day before them is enough for: no English sentence counts them."""


_LEADS = "".join(rf"(?<=\b{word} )|" for word in table("words")["day_leads"])
_DAY_AND_MONTH = (
    rf"(?<![\w./-])(?:{_LEADS}(?<=\.[–-])|(?<=\. [–-] )|(?=\d+\.\d+\.(?:[,;:)–-]| (?:um|bis|ab|und|oder|[–-]) )))"
    r"(?P<d>0?[1-9]|[12]\d|3[01])\.(?P<m>0?[1-9]|1[0-2])\.(?![\w])"
)
"""A day and a month without a year, "19.3.": behind or before a word that tells it from a number."""


_CRON = (
    r"(?P<i>[0-5]?\d) (?P<h>1?\d|2[0-3]) (?=(?:[*?]|[\d,-]{1,20}) [*] "
    r"(?:[*?]|[\d,-]{1,13}|[A-Za-z,-]{3,27})(?![\w/.*]))"
)
"""The minute and the hour of a cron schedule, "30 2 * * *"."""


@cache
def _patterns() -> tuple[tuple[tuple[str, ...], re.Pattern[str] | None, re.Pattern[str]], ...]:
    """(what a text in lower case must hold one of, what it must hold for a spelling to be there, the spelling); None
    stands for the name of a month."""
    names = "|".join(sorted(map(re.escape, months()), key=lambda n: (-len(n), n)))
    month = rf"(?P<name>(?:{names}))(?![^\W\d_])\.?"
    zone = "|".join(sorted(zones(), key=len, reverse=True))
    offset = r"(?:(?:UTC|GMT)[+-]\d{1,2}|[+-]\d{2})(?::?\d{2})?(?![\d:%-]|\.\d)"
    shift = rf"(?:(?: Uhr| uur| hrs?)? ?(?P<zone>(?:{zone})(?![A-Za-z+-])|{offset}))?"
    alone = shift.replace(r"|[+-]\d{2})", r"|\+\d{2})")  # "22:00-23:30" is a range
    half = r"(?P<half>[AaPp]\.?[Mm]\b\.?)"
    time = rf"(?P<h>\d{{1,2}}):(?P<i>\d{{2}})(?::(?P<s>\d{{2}})(?:[.,]\d{{1,9}})?)?(?: ?{half})?"
    clock = time + shift
    year = r"(?:(?:,? (?:de |del )?|[-/ ])(?P<y>(?:19|20|21)\d{2})(?![\d]))?"
    end = r"(?![\d])"
    east = "|".join(halves()[0])
    behind = rf"(?P<behind>{'|'.join(map(re.escape, halves()[1]))})(?!\w)"
    apart = behind.replace("(?P<behind>", "(?:")
    late_or_early = rf"(?: {behind})?"
    hour = r"(?P<h>\d{1,2})"
    minutes = rf"(?: (?P<more>[0-5]\d)(?= (?:{apart})|[,;)]|\.(?!\d)|$))?"
    leads = "|".join(rf"(?<=\b{word} )" for word in table("words")["hour_leads"])
    hours = "|".join(table("words")["hour_words"])
    return tuple(
        (tuple(signs.split()), late(hint) if hint else None, late(pattern, re.IGNORECASE))
        for signs, hint, pattern in (
            (
                "-",
                r"-\d{1,2}-\d",
                rf"(?<![\w.])(?P<y>\d{{4}})-(?P<m>\d{{1,2}})-(?P<d>\d{{1,2}})(?:(?:T| ){clock})?{end}",
            ),
            ("/", r"/\d{1,2}/\d", rf"(?<![\w.])(?P<y>\d{{4}})/(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}}){end}"),
            (
                ". / -",
                r"[./-]\d{1,2}[./-]\d{4}",
                rf"(?<![\w./-])(?P<a>\d{{1,2}})(?P<sep>[./-])(?P<b>\d{{1,2}})(?P=sep)(?P<y>(?:19|20|21)\d{{2}}){end}",
            ),
            ("/", r"/\d{1,2}/\d", r"(?<![\w./-])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<yy>\d{2})(?![\d/])"),
            (
                ":",
                r":\d\d",
                (
                    rf"(?<![^\W\d_]){month} (?P<d>\d{{1,2}}) (?P<h>\d{{1,2}}):(?P<i>\d{{2}})(?::(?P<s>\d{{2}}))?"
                    rf"(?: (?:{zone}))? (?P<y>(?:19|20|21)\d{{2}})(?: (?P<zone>[+-]\d{{4}}))?(?![\d:])"
                ),
            ),
            ("", "", rf"(?<![\d.,-])(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.|º|°|er)?(?: of| de|-)? ?{month}{year}"),
            ("", "", rf"(?<![^\W\d_]){month}[ -](?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|[.,]\d|/\d){year}"),
            ("", "", rf"(?<![^\W\d_]){month},? (?:de |del )?(?P<y>(?:19|20|21)\d{{2}})(?![\d])"),
            ("年 년", r"[年년]", r"(?P<y>\d{4}) ?[年년] ?(?P<m>\d{1,2}) ?[月월](?: ?(?P<d>\d{1,2}) ?[日号일])?"),
            ("月 월", r"[月월]", r"(?<!\d)(?P<m>\d{1,2}) ?[月월] ?(?P<d>\d{1,2}) ?[日号일]"),
            (":", r":\d\d", rf"(?:(?<![\w:./-])|(?<=:\d\d[-–])){time}{alone}{late_or_early}(?![\d:])"),
            ("am pm a. p.", r"\d ?[AaPp]\.?[Mm]", rf"(?<![\w:./-])(?P<h>\d{{1,2}}) ?{half}{shift}"),
            (
                "h",
                r"\d ?[hH] ?\d",
                rf"(?<![\w:./-])(?P<h>\d{{1,2}}) ?h ?(?P<i>\d{{2}})(?![\w]| ?(?:m|min|mn|minutes?)\b){late_or_early}",
            ),
            (
                " ".join(sorted({word.rpartition(" ")[2] for word in halves()[1]})),
                rf"\d(?: \w{{3,6}})? {apart}",
                rf"(?<![\w:./-])(?:{leads}|(?=\d+ (?:{hours})\b))(?P<h>\d{{1,2}})(?: (?:{hours}))? {behind}",
            ),
            (".", r"\.\d{1,2}\.", _DAY_AND_MONTH),
            (
                "時 时 点 點 시",
                r"[時时点點시]",
                rf"(?<!\d)(?:(?P<ahead>{east}) ?)?{hour} ?[時时点點시](?: ?(?P<i>\d{{1,2}}) ?[分분])?(?![間间간])",
            ),
            ("*", r"\d [*]", rf"(?<![\w*]){_CRON}"),
            (
                "uhr",
                r"[uU][hH][rR]",
                rf"(?<![\w:./-]){hour}(?:[:.](?P<i>\d{{2}}))? ?Uhr\b{minutes}{late_or_early}{shift}",
            ),
        )
    )


_LETTERS = late(r"[^\W\d_]+")


def _has_month(text: str) -> bool:
    words = letters_of(text.lower()) if text.isascii() else _LETTERS.findall(text.casefold())
    return not months().keys().isdisjoint(words)


@cache
def _hints() -> re.Pattern[str]:
    """What every spelling without the name of a month holds."""
    return re.compile("|".join(dict.fromkeys(hint.pattern for _, hint, _ in _patterns() if hint is not None)))


def may_hold_instants(text: str) -> bool:
    """False for a text without a date or a time; asked of short ones, which are many."""
    return len(text) > _SHORT or _has_month(text) or _hints().search(text) is not None


def instants_in(text: str) -> Iterator[Value]:
    """The dates and times of a normalised text; spans of one do not overlap."""
    taken: list[tuple[int, int]] = []
    rest = text
    month, low = _has_month(text), text.lower()
    for signs, hint, pattern in _patterns():
        if hint is None:
            if not month:
                continue
        elif not any(sign in low for sign in signs) or not hint.search(rest):
            continue
        for match in pattern.finditer(rest):
            found = _read(match)
            if found is not None:
                taken.append(match.span())
                yield Value(
                    kind=Kind.INSTANT,
                    text=match[0].strip(" ,.") if match.groupdict().get("name") else match[0].strip(" ,"),
                    start=match.start(),
                    end=match.end(),
                    instants=found,
                )
        if taken:
            rest = blank(rest, taken)
            taken = []


_JOINS = frozenset(table("words")["date_and_time"])
_TURNED = frozenset(table("words")["time_and_date"])


def joined(text: str, found: Sequence[Value]) -> list[Value]:
    """A date and the time beside it are one instant: "1 July at 01:35", "9:15 on 14 March"."""
    kept: list[Value] = []
    for value in found:
        whole = _one(text, kept[-1], value) if kept else None
        if whole is not None:
            kept[-1] = whole
        else:
            kept.append(value)
    return kept


def _one(text: str, one: Value, other: Value) -> Value | None:
    between = text[one.end : other.start]
    if len(between) > 9 or not one.instants or not other.instants:
        return None
    if _is_day(one) and _is_time(other) and between.lower() in _JOINS:
        days, times = one.instants, other.instants
    elif _is_time(one) and _is_day(other) and between.lower() in _TURNED:
        days, times = other.instants, one.instants
    else:
        return None
    return Value(
        kind=Kind.INSTANT,
        text=text[one.start : other.end].strip(" ,."),
        start=one.start,
        end=other.end,
        instants=tuple((*day[:3], *time[3:]) for day in days for time in times),
    )


def _is_day(value: Value) -> bool:
    return all(day is not None and hour is None for _, _, day, hour, *_ in value.instants)


def _is_time(value: Value) -> bool:
    return all(day is None and hour is not None for _, _, day, hour, *_ in value.instants)


def blank(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with these spans made unreadable, length kept."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if start < at:
            continue
        parts.extend((text[at:start], "\0" * (end - start)))
        at = end
    return "".join((*parts, text[at:]))


def _read(match: re.Match[str]) -> tuple[Instant, ...] | None:
    """The readings of a match: none for an impossible date in words or ISO, None for what is no date at all."""
    got = match.groupdict()
    clock = _clock(got)
    if clock is None:
        return None
    year = _number(got, "y")
    if got.get("a"):
        return _either(got, year, clock)
    if got.get("name"):
        name = str(got["name"])
        if name.casefold() in _CAPITAL and not (name[0].isupper() or (got.get("d") and (year or name in _DAYED))):
            return None
        month: int | None = months()[name.casefold()]
    else:
        month = _number(got, "m")
    day = _number(got, "d")
    if month is None and day is None and year is None and clock == (None, None, None, None):
        return None
    return ((year, month, day, *clock),) if _possible(year, month, day) else ()


def _number(got: dict[str, str | None], name: str) -> int | None:
    text = got.get(name)
    return int(text) if text else None


def _either(got: dict[str, str | None], year: int | None, clock: tuple[int | None, ...]) -> tuple[Instant, ...] | None:
    a, b = int(str(got["a"])), int(str(got["b"]))
    if year is None:
        year = 2000 + int(str(got["yy"]))
    found = [
        (year, month, day, None, None, None, None) for day, month in {(a, b), (b, a)} if _possible(year, month, day)
    ]
    return tuple(sorted(found)) or None


def _clock(got: dict[str, str | None]) -> tuple[int | None, int | None, int | None, int | None] | None:
    hour, minute, second = (_number(got, name) for name in ("h", "i", "s"))
    if hour is None:
        return (None, None, None, None)
    half = (got.get("half") or "").lower().replace(".", "")
    if got.get("more"):
        minute = int(str(got["more"]))
    spoken = halves()[0].get(got.get("ahead") or "") or halves()[1].get((got.get("behind") or "").lower())
    if spoken and hour <= 12:  # such words may stand beside "14時", too
        half = spoken
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 24 or (minute or 0) > 59 or (second or 0) > 60:
        return None
    return (hour % 24, minute or 0, second, zone_of(got.get("zone") or ""))


def zone_of(text: str) -> int | None:
    """Minutes east of Greenwich of a zone as written, None for none."""
    name = text.strip().upper()
    if name in zones():
        return zones()[name]
    match = re.fullmatch(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?", name)
    if match is None:
        return None
    return (int(match[2]) * 60 + int(match[3] or 0)) * (-1 if match[1] == "-" else 1)


def _possible(year: int | None, month: int | None, day: int | None) -> bool:
    if month is not None and not 1 <= month <= 12:
        return False
    if day is None:
        return True
    if not 1 <= day <= (_DAYS[month - 1] if month else 31):
        return False
    return not (month == 2 and day == 29 and year is not None and not _leap(year))


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def ordinal(year: int, month: int, day: int) -> int:
    """Days since the year 0, March first (the usual count of the civil calendar)."""
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year


def civil(days: int) -> tuple[int, int, int]:
    """The date of such a count."""
    era, of_era = divmod(days, 146097)
    year_of = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year_of + year_of // 4 - year_of // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return year_of + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1


EPOCH = ordinal(1970, 1, 1)


def of_epoch(number: int) -> Instant | None:
    """The instant of epoch seconds or milliseconds, None for a number that is neither."""
    if 10**12 <= number < 5 * 10**12:
        number //= 1000
    if not 10**8 * 3 <= number < 5 * 10**9:
        return None
    days, rest = divmod(number, 86400)
    return (*civil(days + EPOCH), rest // 3600, rest % 3600 // 60, rest % 60, 0)


def shifted(instant: Instant, zone: int) -> Instant:
    """The instant as the clocks of another zone show it; unchanged when it has no zone or no time."""
    year, month, day, hour, minute, second, own = instant
    if own is None or hour is None or minute is None:
        return instant
    total = hour * 60 + minute - own + zone
    days, rest = divmod(total, 1440)
    if year is not None and month is not None and day is not None:
        year, month, day = civil(ordinal(year, month, day) + days)
    return (year, month, day, rest // 60, rest % 60, second, zone)


@lru_cache(8192)
def agrees(said: Instant, shown: Instant) -> bool:
    """True when the evidence shows at least what the answer says: every part that is said is there and equal."""
    spellings = [shown]
    if said[6] is not None:
        spellings = [shifted(shown, said[6])] if shown[6] is not None else [shown]
    elif said[3] is None and shown[6] is not None:
        spellings.append(shifted(shown, 0))
    return any(all(a is None or a == b for a, b in zip(said[:6], one[:6], strict=True)) for one in spellings)


def minutes_of(instant: Instant) -> int | None:
    """Minutes on one scale, for elapsed times; None without a time. Without a date it is the time of a day."""
    year, month, day, hour, minute, _, zone = instant
    if hour is None or minute is None:
        return None
    days = ordinal(year, month, day) if year is not None and month is not None and day is not None else 0
    return days * 1440 + hour * 60 + minute - (zone or 0)


def days_of(instant: Instant) -> int | None:
    """The day count of a date, None for less than a date."""
    year, month, day = instant[:3]
    return ordinal(year, month, day) if year is not None and month is not None and day is not None else None
