"""Questions about single sources: a date in two fields, a folder that was listed, an outcome that differs from what was
asked for (spec 30, "Verdict per value")."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.values.evidence import Source
from gate_core.values.index import Index
from gate_core.values.lookup import Around, Hit, hits
from gate_core.values.match import Fit
from gate_core.values.value import Kind, Value


def halves(value: Value) -> Iterator[tuple[Value, Value]]:
    """(date, time) of every reading that has both."""
    for year, month, day, hour, minute, second, zone in value.instants:
        if hour is not None and day is not None:
            date = value._replace(instants=((year, month, day, None, None, None, None),))
            yield date, value._replace(instants=((None, None, None, hour, minute, second, zone),))


def by_halves(value: Value, index: Index, around: Around) -> tuple[Hit, ...]:
    """A date with a time whose halves stand in fields of their own."""
    for date, time in halves(value):
        dates, times = hits(date, index, around), hits(time, index, around)
        owner = index.document.owner
        records = {owner[hit.field] for hit in dates}
        both = tuple(hit for hit in times if owner[hit.field] in records or index.document.lines)
        if both and dates and (any(map(stands_alone, dates)) or any(map(stands_alone, both))):
            return both
    return ()


def stands_alone(hit: Hit) -> bool:
    """True for a date without a time, and for a time without a date."""
    return any(day is None or hour is None for _, _, day, hour, *_ in hit.shown.instants)


def answers_otherwise(source: Source, value: Value) -> bool:
    """The call was given the value, and its result has another value in its place."""
    own = source.own.document
    shown = [hit.field for hit in hits(value, source.own) if hit.fit is Fit.YES and not own.is_key(hit.field)]
    given = {own.keys[field].casefold() for field in shown}
    if not given or any(hit.fit is Fit.YES for hit in hits(value, source.index)):
        return False
    index = source.index
    for number, key in enumerate(index.document.keys):
        if (key.casefold() in given or (value.kind is Kind.INSTANT and not index.document.keys[number])) and any(
            _rivals(value, other) for other in index.scan(number)
        ):
            return True
    return value.kind is Kind.INSTANT and any(
        _rivals(value, other) for number in range(min(len(index.document.texts), 200)) for other in index.scan(number)
    )


def in_folder(source: Source, folder: str) -> bool:
    """True when a call looked into the folder, by its full name or the end of it."""
    names = (target.rstrip("/") for target in source.targets)
    return any(name == folder or name.endswith(f"/{folder.lstrip('./')}") for name in names)


def _rivals(value: Value, other: Value) -> bool:
    if value.kind is not other.kind:
        return False
    if value.kind is Kind.INSTANT:
        return any(
            (a[3] is None) == (b[3] is None) or a[3] is not None
            for a in value.instants
            for b in other.instants
            if b[3] is not None or a[3] is None
        )
    return True
