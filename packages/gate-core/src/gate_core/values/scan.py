"""`scan`: every value of a text in one linear pass per kind (spec 30, "What is examined"). Knows nothing of answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from gate_core.values.digits import pieces, readings
from gate_core.values.instants import blank, instants_in
from gate_core.values.names import names_in
from gate_core.values.normal import normal
from gate_core.values.numbers import numbers_in
from gate_core.values.value import Kind, Number, Shape, Value

Shapes = tuple[tuple[str, re.Pattern[str]], ...]
_LIST = re.compile(r"\d[\d.]*(?:[, ]\d[\d.]*)+")
_SHORT = 2_000
_STRONG = frozenset({Shape.URL, Shape.EMAIL, Shape.PATH, Shape.HASH, Shape.SYMBOL})


def scan(text: str, shapes: Shapes = ()) -> tuple[Value, ...]:
    """The values of a text, in order of their place. Declared shapes come first and win."""
    return _kept(text, shapes) if len(text) <= _SHORT else _scan(text, shapes)


@lru_cache(2048)
def _kept(text: str, shapes: Shapes) -> tuple[Value, ...]:
    """Sentences are scanned again when the gate asks again."""
    return _scan(text, shapes)


def _scan(text: str, shapes: Shapes) -> tuple[Value, ...]:
    text = normal(text)
    found: list[Value] = [
        Value(kind=Kind.NAME, text=m[0], start=m.start(), end=m.end(), shape=Shape.DECLARED)
        for _, pattern in shapes
        for m in pattern.finditer(text)
        if m[0]
    ]
    found = _apart(found)
    rest = _without(text, found)
    for search in (_strong_names, instants_in, names_in, numbers_in):
        new = _apart(search(rest))
        rest = _without(rest, new)
        found.extend(new)
    return tuple(sorted(found, key=lambda value: value.start))


@lru_cache(2048)
def scan_evidence(text: str) -> tuple[Value, ...]:
    """The values of a piece of evidence; a number that may be a list of numbers is both."""
    found = []
    for value in scan(text):
        found.append(value)
        if value.kind is Kind.NUMBER and not value.unit and _LIST.fullmatch(value.text):
            found.extend(_pieces(value))
    return tuple(found)


def _pieces(value: Value) -> Iterable[Value]:
    for piece in pieces(value.text):
        for reading in readings(piece)[:1]:
            yield replace(value, text=piece, numbers=(Number(*reading),), sign=0)


def _strong_names(text: str) -> Iterable[Value]:
    """Names that may hold a date: they go before dates do."""
    return (v for v in names_in(text) if v.shape in _STRONG)


def _apart(found: Iterable[Value]) -> list[Value]:
    kept: list[Value] = []
    end = -1
    for value in sorted(found, key=lambda v: (v.start, -v.end)):
        if value.start >= end:
            kept.append(value)
            end = value.end
    return kept


def _without(text: str, found: Iterable[Value]) -> str:
    spans = [(value.start, value.end) for value in found]
    return blank(text, spans) if spans else text
