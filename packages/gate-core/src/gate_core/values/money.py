"""Which currencies a conversation speaks of: an amount in another one is not shown by a bare number (spec 30,
"Evidence": no unit anywhere matches any unit)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from gate_core.values.index import Index
from gate_core.values.lexicon import CURRENCY, table, units
from gate_core.values.normal import folded
from gate_core.values.scan import scan
from gate_core.values.units import unit_of_key


def codes_of(unit: str) -> frozenset[str]:
    """The currencies a unit may stand for, none for other units."""
    return units()[unit].codes if unit and units()[unit].dimension == CURRENCY else frozenset()


def codes_said(texts: Iterable[str]) -> frozenset[str]:
    """The currencies some messages name."""
    return frozenset(code for text in texts for value in scan(text) for code in codes_of(value.unit))


def names(index: Index, codes: frozenset[str]) -> bool:
    """True when a result names one of the currencies, in a text or in a key."""
    if any(codes & codes_of(unit_of_key(key)) for key in set(index.document.keys)):
        return True
    words = [word for code in sorted(codes) for word in _words(code)]
    return any(word in index.letters if word.isascii() and word.isalpha() else word in index.folded for word in words)


@cache
def _words(code: str) -> tuple[str, ...]:
    money = table("currencies")
    groups = (money[group].items() for group in ("signs", "words", "parts"))
    return (folded(code), *(folded(word) for group in groups for word, codes in group if code in codes))
