"""Numbers in words ("two hundred and fifty"), per language (numerals.toml)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

from gate_core.data import load_table

LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "ru", "zh", "ja")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numerals:
    """One language: `run` is a number in words, `word` one part of it."""

    run: re.Pattern[str]
    word: re.Pattern[str]
    small: Mapping[str, int]
    times: Mapping[str, int]
    large: Mapping[str, int]
    joins: frozenset[str]
    words: frozenset[str]
    closed: bool


@cache
def _numerals(language: str) -> _Numerals:
    table = load_table("values", "numerals.toml")[language]
    closed, joins = table.get("closed", False), table["joins"]
    words = "|".join(sorted((*table["small"], *table["times"], *table["large"]), key=lambda word: -len(word)))
    both = "|".join((*joins, words))
    run = (
        rf"(?:{words})(?:(?:{both})*(?:{words}))?"
        if closed
        else rf"(?:{words})(?:[\s-]+(?:(?:{'|'.join(joins)})\s+)?(?:{words}))*"
    )
    return _Numerals(
        run=re.compile(run if closed and language != "de" else rf"(?<!\w)(?:{run})(?!\w)"),
        word=re.compile(both),
        small=table["small"],
        times=table["times"],
        large=table["large"],
        joins=frozenset(joins),
        words=frozenset((*table["small"], *table["times"], *table["large"])),
        closed=closed,
    )


def spelt(text: str, language: str) -> tuple[int, ...]:
    """The numbers that a folded text spells out, in order; none in a language whose numerals are not in the data."""
    if language not in LANGUAGES:
        return ()
    numerals = _numerals(language)
    return tuple(number for run in numerals.run.finditer(text) for number in _values(run[0], numerals))


def spelt_at(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """(start, end, number) of each number that a folded text spells out in one run; of a run of several the last one. A
    lone word for a large number ("a million") is none."""
    numerals = _numerals(language)
    for run in numerals.run.finditer(text):
        found = tuple(_values(run[0], numerals))
        if run[0] not in numerals.times and run[0] not in numerals.large:
            yield run.start(), run.end(), found[-1]


def may_spell(words: AbstractSet[str], language: str) -> bool:
    """True when some of the words of a text are numbers in the language, or end in one where they are written closed
    up."""
    numerals = _numerals(language)
    if not numerals.words.isdisjoint(words):
        return True
    return numerals.closed and any(word.endswith(tuple(numerals.words)) for word in words)


def _values(run: str, numerals: _Numerals) -> Iterator[int]:
    """The numbers of a run of words: "twenty five" is one, "one two" are two."""
    total = section = 0
    last: int | None = None
    started = joined = False
    for word in numerals.word.findall(run):
        if word in numerals.joins:
            joined = True
            continue
        if word in numerals.small:
            value = numerals.small[word]
            if last is not None and not _adds(last, value, joined=joined):
                yield total + section + last
                total = section = 0
                last = None
            last = value + (last or 0)
        elif word in numerals.times:
            section, last = section + (last or 1) * numerals.times[word], None
        else:
            total, section, last = total + (section + (last or 0) or 1) * numerals.large[word], 0, None
        started, joined = True, False
    if started:
        yield total + section + (last or 0)


def _adds(last: int, value: int, *, joined: bool) -> bool:
    """Hundreds take what is smaller, tens take ones, ones take tens behind an "and" (German)."""
    if last >= 100 and last % 100 == 0:
        return value < 100
    if last >= 20 and last % 10 == 0:
        return value < 20
    return joined and 0 < last < 10 and value >= 20 and value % 10 == 0
