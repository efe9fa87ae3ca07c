"""`scan`: every value of a text in one linear pass per kind (spec 30, "What is examined"). Knows nothing of answers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from gate_core.model.late import late
from gate_core.values.digits import pieces, readings
from gate_core.values.instants import blank, instants_in, joined, may_hold_instants
from gate_core.values.lexicon import months
from gate_core.values.names import is_plain_word, names_in
from gate_core.values.normal import normal
from gate_core.values.numbers import bare_number, numbers_in
from gate_core.values.value import Kind, Number, Shape, Value
from gate_core.values.worded import may_be_worded, worded_in

Shapes = tuple[tuple[str, re.Pattern[str]], ...]
_LIST = late(r"\d[\d.]*(?:[, ]\d[\d.]*)+")
_DIGIT = late(r"\d")
_BARE = late(r"\d{1,300}(?:\.\d{1,20})?")  # most cells of most tables
_NUMBERED_NAME = late(r"([a-z]{2,12})-\d{1,9}")
_SHORT = 2_000
_STRONG = frozenset({Shape.URL, Shape.EMAIL, Shape.PATH, Shape.HASH, Shape.SYMBOL, Shape.CODE})


def scan(text: str, shapes: Shapes = ()) -> tuple[Value, ...]:
    """The values of a text, in order of their place in its normalised form. Declared shapes come first and win; they
    are looked for in the text as it is written (spec 30, "What is examined")."""
    return _kept(text, shapes) if len(text) <= _SHORT else _scan(text, shapes)


@lru_cache(2048)
def _kept(text: str, shapes: Shapes) -> tuple[Value, ...]:
    """Sentences are scanned again when the gate asks again."""
    return _scan(text, shapes)


def scan_all(texts: Sequence[str], shapes: Shapes = ()) -> list[tuple[Value, ...]]:
    """The values of each of some texts, placed in its normalised form. They are read in one go, because many short
    searches cost more than one long one; declared shapes, which may span lines, are looked for in each alone."""
    if shapes:
        return [scan(text, shapes) for text in texts]
    texts = list(map(normal, texts))
    values = scan("\n".join(texts))
    found: list[tuple[Value, ...]] = []
    start = at = 0
    for text in texts:
        first, end = at, start + len(text)
        while at < len(values) and values[at].start <= end:
            at += 1
        found.append(tuple([value.moved(-start) for value in values[first:at]]))
        start = end + 1
    return found


def _scan(text: str, shapes: Shapes) -> tuple[Value, ...]:
    found = _apart(value for _, pattern in shapes for value in _declared(text, pattern))
    text = normal(text)
    rest = _without(text, found)
    names = list(names_in(rest))
    strong = _apart(name for name in names if name.shape in _STRONG)  # they may hold a date, so they go first
    rest = _without(rest, strong)
    instants = joined(rest, _apart(instants_in(rest))) if may_hold_instants(rest) else []
    if instants:
        rest = _without(rest, instants)
        names = list(names_in(rest))
    weak = _apart(_beside(names, strong))
    found += (*strong, *instants, *weak)
    rest = _without(rest, weak)
    if may_be_worded(rest):
        worded = _apart(worded_in(rest))
        found += worded
        rest = _without(rest, worded)
    if _DIGIT.search(rest) is not None:
        found += _apart(numbers_in(rest))
    return tuple(sorted(found, key=_place) if len(found) > 1 else found)


def _declared(text: str, pattern: re.Pattern[str]) -> Iterator[Value]:
    """What a declared shape finds in a text as written, where it stands in the normalised one."""
    at = start = 0
    for match in pattern.finditer(text):
        start += len(normal(text[at : match.start()]))
        plain = normal(match[0])
        if plain:
            yield Value(kind=Kind.NAME, text=plain, start=start, end=start + len(plain), shape=Shape.DECLARED)
        at, start = match.end(), start + len(plain)


def _beside(names: Sequence[Value], strong: Sequence[Value]) -> Iterator[Value]:
    """The names that overlap none of the strong ones."""
    if not strong:
        yield from names
        return
    ends = [name.end for name in strong]
    for name in names:
        at = bisect_right(ends, name.start)
        if at == len(strong) or name.end <= strong[at].start:
            yield name


@lru_cache(2048)
def scan_evidence(text: str) -> tuple[Value, ...]:
    """The values of a piece of evidence; a number that may be a list of numbers is both."""
    if _BARE.fullmatch(text):
        found = bare_number(text)
        return (found,) if found is not None else ()
    name = _numbered_name(text)
    if name is not None:
        return (name,)
    several = []
    for value in scan(text):
        several.append(value)
        if value.kind is Kind.NUMBER and not value.unit and _LIST.fullmatch(value.text):
            several.extend(_pieces(value))
    if "-" in text:
        several.extend(_months(text))
    return tuple(several)


_MONTH = late(r"(?<![\w.,/-])((?:19|20|21)\d\d)-(0[1-9]|1[0-2])(?![\w-])")


def _months(text: str) -> Iterable[Value]:
    """The months of years in figures, "2026-10"; in an answer it may be a range."""
    for match in _MONTH.finditer(text):
        instant = (int(match[1]), int(match[2]), None, None, None, None, None)
        yield Value(kind=Kind.INSTANT, text=match[0], start=match.start(), end=match.end(), instants=(instant,))


def _numbered_name(text: str) -> Value | None:
    """The one value of a cell like "web-17", which tables are full of; None for any other text."""
    match = _NUMBERED_NAME.fullmatch(text)
    if match is None or match[1] in months() or is_plain_word(text):
        return None
    return Value(kind=Kind.NAME, text=text, start=0, end=len(text))


def _pieces(value: Value) -> Iterable[Value]:
    for piece in pieces(value.text):
        for reading in readings(piece)[:1]:
            yield value._replace(text=piece, numbers=(Number(*reading),), sign=0)


def _apart(found: Iterable[Value]) -> list[Value]:
    kept: list[Value] = []
    end = -1
    for value in sorted(found, key=_place):
        if value.start >= end:
            kept.append(value)
            end = value.end
    return kept


def _place(value: Value) -> tuple[int, int]:
    return value.start, -value.end


def _without(text: str, found: Iterable[Value]) -> str:
    spans = [(value.start, value.end) for value in found]
    return blank(text, spans) if spans else text
