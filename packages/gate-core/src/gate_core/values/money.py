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
    return any(_stands(word, index) for code in sorted(codes) for word in _words(code))


def one_of(index: Index, codes: frozenset[str]) -> str:
    """The one of some currencies that a result names by a sign or a word of its own, "" for none or several."""
    known = index.currencies.get(codes)
    if known is None:
        own = [code for code in sorted(codes) if any(_stands(word, index) for word in _own_words(code))]
        known = index.currencies[codes] = own[0] if len(own) == 1 else ""
    return known


def _stands(word: str, index: Index) -> bool:
    return word in index.letters if word.isascii() and word.isalpha() else word in index.folded


@cache
def _own_words(code: str) -> tuple[str, ...]:
    """What stands for this currency alone."""
    money = table("currencies")
    groups = (money[group].items() for group in ("signs", "words", "parts"))
    return (folded(code), *(folded(word) for group in groups for word, codes in group if codes == [code]))


@cache
def _words(code: str) -> tuple[str, ...]:
    money = table("currencies")
    groups = (money[group].items() for group in ("signs", "words", "parts"))
    return (folded(code), *(folded(word) for group in groups for word, codes in group if code in codes))
