"""Quantities that are written in words: "thirty-five percent" (spec 30, "What is examined": numbers with a unit).

What counts small things in words ("two days") says too little; shares and amounts of money are examined from two on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from gate_core.model.late import late
from gate_core.values.index import Index
from gate_core.values.lexicon import CURRENCY, units
from gate_core.values.normal import aligned, folded, normal
from gate_core.values.numbers import in_words
from gate_core.values.numerals import may_spell, spelt_at
from gate_core.values.places import letters_of
from gate_core.values.value import Value

_LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "ru")  # others write such numbers in signs of their own
_WORD = late(r"[^\W\d_]+")
_EXACT = frozenset({"ratio", CURRENCY})
_SAYINGS = frozenset({0, 1, 100})  # "one hundred percent"
_SMALL = 12  # up to here words count things as one sees them
_MOST = 50  # sentences of a message


def spelled_in(text: str, low: str, language: str, taken: Sequence[Value] = ()) -> list[Value]:
    """The quantities that a sentence spells out beside its other values; `low` is the sentence in one case. Without a
    language, those of the first in which it spells any."""
    words = frozenset(_WORD.findall(low))
    for known in (language,) if language else _LANGUAGES:
        if known in _LANGUAGES and may_spell(words, known):
            found = [in_words(text, *spelt) for spelt in spelt_at(low, known)]
            kept = [value for value in found if value is not None and _says_much(value) and not _lies_on(value, taken)]
            if kept:
                return kept
    return []


def with_spelled(
    texts: Sequence[str], lows: Sequence[str], languages: Sequence[str], values: Sequence[tuple[Value, ...]]
) -> Sequence[tuple[Value, ...]]:
    """The values of each of some sentences and the quantities that it spells out, in order. Most answers spell out none
    at all, which their words tell at once."""
    words = _words_of("\n".join(lows))
    wanted = _LANGUAGES if "" in languages else set(languages).intersection(_LANGUAGES)
    if not any(may_spell(words, language) for language in wanted):
        return values
    return list(map(_and_spelled, texts, lows, languages, values))


def _and_spelled(text: str, low: str, language: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    spelt = spelled_in(text, low, language, values)
    return tuple(sorted((*values, *spelt), key=lambda value: value.start)) if spelt else values


def _words_of(low: str) -> AbstractSet[str]:
    return letters_of(low) if low.isascii() else frozenset(_WORD.findall(low))


def spells_any(text: str, language: str) -> bool:
    """True for a sentence with a quantity in words."""
    written = normal(text)
    return bool(spelled_in(written, aligned(written), language))


def supplied_numbers(sentences: Sequence[str]) -> Iterator[str]:
    """The numbers that a message spells out, in digits."""
    for sentence in sentences[:_MOST]:
        low = folded(sentence)
        words = frozenset(_WORD.findall(low))
        for language in _LANGUAGES:
            if may_spell(words, language):
                yield from (str(number) for _, _, number in spelt_at(low, language) if number > _SMALL)


def shown_in_words(value: Value, index: Index) -> bool:
    """True when a result spells the same number out."""
    spelt = [re.escape(word) for word in re.split(r"[\s-]+", folded(value.text))]
    return re.search(rf"(?<!\w){'[ -]'.join(spelt)}(?!\w)", index.folded) is not None


def is_spelled(value: Value) -> bool:
    """True for a quantity without any digit."""
    return bool(value.numbers) and not any(map(str.isdigit, value.text))


def _says_much(value: Value) -> bool:
    number = value.numbers[0]
    dimension = units()[number.unit].dimension
    return number.mantissa not in _SAYINGS if dimension in _EXACT else number.mantissa > _SMALL


def _lies_on(value: Value, taken: Sequence[Value]) -> bool:
    return any(value.start < other.end and other.start < value.end for other in taken)
