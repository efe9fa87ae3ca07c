"""The spellings of numbers in a text, by size (spec 30, "Evidence"): what is looked up, and what a sieve knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.values.digits import pieces, readings
from gate_core.values.lexicon import compounds, table
from gate_core.values.numbers import numbers_in

# The blank behind what was found is no beginning of a further group: the digits before it are taken.
_GROUPS = late(r" (?<=\d )(?=\d\d)(?:(?<=(\d\d\d) )|(?<=(\d\d) )|(?<=(\d) ))(\d{2,3}(?: \d{2,3})*(?!\d)(?:[.,]\d+)?) ?")
_POINTED = late(r"\.\d+")
_LONG = 10_000  # signs of a text
_SHORT = 30  # signs of a number that is read without more ado
_LETTER = late(r"[^\W\d_]")


def _magnitudes() -> tuple[str, ...]:
    """The magnitude words that may follow a number, longest first."""
    words = sorted(table("words")["magnitudes"], key=lambda w: (-len(w), w))
    return (*words, *(word.capitalize() for word in words if word.isascii()), "k", "K", "M", "B", "b", "T", "MM")


_MAGNITUDES = _magnitudes()


@lru_cache(256)
def _number_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Runs of digits with one of some magnitude words. What is left out in most numbers is the last of several ways,
    because those are passed over by their first sign."""
    first = "".join(sorted({re.escape(word[0]) for word in words}))
    spelt = rf"(?=[{first}])(?:{'|'.join(map(re.escape, words))})(?![A-Za-z])"
    scaled = rf"(?: {spelt}|{spelt}|)" if words else ""
    return re.compile(rf"[0-9][0-9]*+(?:[.,'][0-9]+)*+(?:[eE][+-]?[0-9]{{1,3}}(?!\w)|){scaled}")


def _numbers(text: str, runs: AbstractSet[str]) -> list[str]:
    """Runs of digits with the magnitude words that may follow them. In a long text few of those words are looked for:
    the runs of its letters tell which it has."""
    if len(text) < _LONG or not text.isascii():
        return _number_pattern(_MAGNITUDES).findall(text)
    return _number_pattern(tuple(word for word in _MAGNITUDES if word.lower() in runs)).findall(text)


class _Compound(NamedTuple):
    """How a measure in parts is written, "3d4h", "2 hours and 30 minutes", "5 ft 9 in": the words of its first unit,
    the whole."""

    words: frozenset[str]
    whole: re.Pattern[str]


@cache
def _compound() -> _Compound:
    words: dict[bool, set[str]] = {True: set(), False: {"in"}}
    for row in table("units")["units"]:
        if row["symbol"] in compounds():
            leads = bool(compounds()[row["symbol"]])
            words[leads].update(word for word in (*row["words"], *row.get("tight", ())) if word.isascii())

    def part(spelt: set[str], number: str = r"\d++") -> str:
        return rf"{number} ?(?:{'|'.join(sorted(map(re.escape, spelt), key=lambda word: (-len(word), word)))})"

    more = r"\d++(?:\.\d{1,9})?"  # "1m22.013s"
    joint = r"(?:,? |, and | and | und | et | y | e )?"
    pattern = rf"(?<![\w.]){part(words[True])}(?:{joint}{part(words[True] | words[False], more)}){{1,3}}(?!\w)"
    return _Compound(frozenset(words[True]), re.compile(pattern))


def sizes_in(text: str, runs: AbstractSet[str]) -> dict[float, str]:
    """The sizes of all readings of all spellings of numbers: size -> spellings, one a line. `runs` are the runs of
    letters and digits of the text in one case."""
    found: dict[float, str] = {}
    strange: list[str] = []
    letters = "".join(sorted({word[0] for word in _compound().words if word.lower() in runs}))
    parted = _parted(text, letters) if letters else ()
    for spelling in dict.fromkeys(chain(_numbers(text, runs), _POINTED.findall(text), _grouped(text), parted)):
        if "," in spelling:
            strange.append(spelling)
            continue
        try:
            size = float(spelling)
        except ValueError:
            strange.append(spelling)
            continue
        found[size] = f"{found[size]}\n{spelling}" if size in found else spelling
    for spelling in strange:
        for size in _comma(spelling) or _readings(spelling):
            found[size] = f"{found[size]}\n{spelling}" if size in found else spelling
    return found


@lru_cache(256)
def _behind_digits(letters: str) -> re.Pattern[str]:
    """One of some letters where a unit may begin."""
    return re.compile(rf"[{re.escape(letters)}](?<=[\d ].)(?:(?<=\d.)|(?<=\d .))")


def _parted(text: str, letters: str) -> Iterator[str]:
    """Measures in parts. Looked for by the first letter of a word they begin with, which is much faster than by
    digits."""
    whole = _compound().whole
    end = 0
    for word in _behind_digits(letters).finditer(text):
        start = word.start()
        if start < end:
            continue
        start -= text[start - 1] == " "
        while text[start - 1].isdecimal():
            start -= 1
        match = whole.match(text, start)
        if match is not None:
            end = match.end()
            yield match[0]


def _grouped(text: str) -> list[str]:
    """Different numbers in groups with blanks: up to three digits, groups of two or three, decimals. Looked for by the
    blank before the second group, which is much faster than by digits."""
    return [f"{three}{two}{one} {rest}" for three, two, one, rest in dict.fromkeys(_GROUPS.findall(text))]


def _comma(spelling: str) -> tuple[float, ...]:
    """What `_readings` finds for two runs of digits with a comma between, of which logs are full; () for others."""
    head, _, tail = spelling.partition(",")
    if not (head.isdecimal() and tail.isdecimal() and len(spelling) <= _SHORT):
        return ()
    whole = len(tail) == 3 and len(head) < 4 and head[0] != "0"
    decimal = len(tail) < 3 or (len(tail) == 3 and len(head) < 4) or head == "0"
    if not (whole or decimal):
        return float(head), float(tail)
    return (*((float(head + tail),) if whole else ()), *((float(f"{head}.{tail}"),) if decimal else ()))


@lru_cache(4_096)
def _readings(spelling: str) -> tuple[float, ...]:
    """The sizes a run with separators or a magnitude word may have."""
    if _LETTER.search(spelling):
        exact = [number.exact for value in numbers_in(spelling) for number in value.numbers]
        return tuple(abs(size) for part in exact if (size := _float(part)) is not None)
    bodies = readings(spelling) or tuple(way for piece in pieces(spelling) for way in readings(piece))
    if not bodies and spelling.count(".") > 1:  # a version, which may be cut short
        bodies = readings(".".join(spelling.split(".")[:2]))
    sizes = (mantissa * 10**power if power >= 0 else mantissa / 10**-power for mantissa, power in bodies)
    return tuple(found for size in sizes if (found := _float(size)) is not None)


def _float(size: Fraction | float) -> float | None:
    try:
        return float(size)
    except OverflowError:
        return None
