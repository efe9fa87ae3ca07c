"""Finds the numbers of a text with sign, magnitude word, unit and currency (spec 30, "What is examined"). Linear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from gate_core.model.late import late
from gate_core.values.digits import BODY, MAX_DIGITS, pieces, readings
from gate_core.values.lexicon import Suffix, abouts, compounds, floors, pair_heads, signs, table, units
from gate_core.values.units import meanings
from gate_core.values.value import Kind, Number, Shape, Value

_POWER = late(r"[eE]([+-]?\d{1,3})(?![\dA-Za-z])| ?[x×·*] ?10\^?(?P<to>-?(?:\^?-?\d){1,3})(?!\d)")
_BEFORE = late(r"(?:([A-Za-z]{0,3}[$€£¥₹₩₽₺₫₴₪₦₱฿₿])|(?<![A-Za-z])([A-Z]{3,4}|Rs\.?|RMB|kr)) ?$")
_LETTERS = "A-Za-z\u00aa-\u024f\u0370-\u03ff\u0400-\u04ff\u0900-\u097f"  # scripts that part words by blanks
_WORD = late(rf"[%‰¢$€£¥₹₩₽₺₫₴₪₦₱฿₿]|°? ?[{_LETTERS}°]+(?:\^?[23](?![0-9])|/[A-Za-z]{{1,4}})?\.?|[^\W\d_]+")
_GLUED = late(r"[kKMB][$€£¥₹₽]")
_ENDS = frozenset("$€£¥₹₩₽₺₫₴₪₦₱฿₿.rsABCDEFGHIJKLMNOPQRSTUVWXYZ")  # what `_BEFORE` ends in
_TIMES = frozenset("x×·*")  # what `_POWER` begins with, behind a blank or not
_UNMARKED = frozenset(f"{letter} " for letter in "abcdefghijklmnopqtuvwxyz")  # ends of what is no sign and no currency
_GOES_FURTHER = _TIMES | frozenset("eEsnrtºªè")  # what a power, the other side of a picture or an ordinal begins with
_SIDES = frozenset("x×")
_ORDINALS = frozenset("snrtºªeè")  # what `_ORDINAL` begins with
_ORDINAL = late(r"(?:st|nd|rd|th|º|ª|er|ère|ème|e)(?![\w])")
_CJK = late(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_LONGEST = 24  # characters of a unit word


def bare_number(text: str) -> Value | None:
    """The number of a text that is nothing but digits, with or without a point; None where they say none."""
    found = readings(text)
    if len(found) == 1:
        return Value(Kind.NUMBER, text, 0, len(text), (Number(*found[0]),))
    return _value(text, 0, len(text), found) if found else None


def numbers_in(text: str) -> list[Value]:
    """All numbers of a normalised text, in order. Digits inside names are none: the caller masks names first."""
    found: list[Value] = []
    matches = list(BODY.finditer(text))
    bodies = [readings(match[0]) for match in matches]
    for match, ways in zip(matches, bodies, strict=True):
        start = match.start()
        if found and start < found[-1].end:
            continue
        if _inside_word(text, start) and not (found and start == found[-1].end and _goes_on(found[-1])):
            continue
        value = _number(text, match, ways) or _long_decimal(text, match)
        if value is not None:
            found.append(value)
        elif pieces(match[0]):
            found.extend(_split(match))
    return _joined(text, _ranged(text, found))


_LONG_DECIMAL = late(r"(\d{1,3}),(\d{4,9})")
_GOES_ON = late(r" ?[%‰$€£¥]| [^\W\d_]|[.)](?:\s|$)")


def _long_decimal(text: str, match: re.Match[str]) -> Value | None:
    """ "1,0842 Dollar": a decimal comma, where the words go on behind it; in a row of data it parts two numbers."""
    found = _LONG_DECIMAL.fullmatch(match[0])
    if found is None or not _GOES_ON.match(text, match.end()):
        return None
    ways, end, noun = _behind(text, match.end(), currency=False)
    mantissa, places = int(found[1] + found[2]), -len(found[2])
    numbers = tuple(Number(mantissa, places + way.power, way.unit) for way in ways)
    whole = text[match.start() : end]
    return _value(whole, match.start(), end, ((mantissa, places),))._replace(numbers=numbers, noun=noun)


def in_words(text: str, start: int, end: int, number: int) -> Value | None:
    """A number that stands there in words, with the unit behind it; None where there is none."""
    ways, stop, _ = _behind(text, end, currency=False)
    numbers = tuple(Number(number, way.power, way.unit) for way in ways if way.unit)
    return Value(Kind.NUMBER, text[start:stop], start, stop, numbers) if numbers else None


def _goes_on(value: Value) -> bool:
    """True for the first part of "3d4h"."""
    return any(number.unit in compounds() for number in value.numbers)


def _inside_word(text: str, start: int) -> bool:
    before = text[start - 1] if start else " "
    if before == " ":
        return False
    if before == "_" or (before.isalpha() and (before.isascii() or ord(before) < 0x2E80)):
        return _BEFORE.search(text, max(0, start - 5), start) is None
    return False


def _split(match: re.Match[str]) -> Iterator[Value]:
    """The numbers of a list without blanks."""
    start = match.start()
    for piece in pieces(match[0]):
        found = readings(piece)
        if found:
            yield _value(piece, start, start + len(piece), found)
        start += len(piece) + 1


def _value(text: str, start: int, end: int, found: Sequence[tuple[int, int]]) -> Value:
    return Value(Kind.NUMBER, text, start, end, tuple([Number(m, e) for m, e in found]))


def _number(text: str, match: re.Match[str], bodies: Sequence[tuple[int, int]]) -> Value | None:
    """The number of a run of digits that may be read in some ways, None where there are none."""
    if not bodies:
        return None
    body, (start, end) = match[0], match.span()
    currency, sign, start = _ahead(text, start) if text[start - 2 : start] not in _UNMARKED else ("", 0, start)
    power, behind = 0, text[end : end + 2]
    if behind[:1] in _GOES_FURTHER or behind[1:] in _TIMES:
        power, end = (0, end) if _is_side(text, body, end) else _scientific(text, end)
        if text[end : end + 1] in _ORDINALS and _ORDINAL.match(text, end) and "." not in body:
            return _value(text[start:end], start, end, bodies)._replace(ordinal=True)
    ways, end, noun = _behind(text, end, currency=bool(currency))
    money = signs()[currency] if currency else ""
    numbers = [
        Number(m, e + power + way.power, money or way.unit)
        for way in ways
        for m, e in bodies
        if abs(e + power + way.power) <= MAX_DIGITS
    ]
    readable = tuple(dict.fromkeys(numbers)) if len(numbers) > 1 else tuple(numbers)
    second = tuple([n for n in numbers if n.exponent < 0]) if len(bodies) > 1 and "," in body else ()
    if body[-1] == "0" and _is_about(text, start):
        readable = tuple(dict.fromkeys((*readable, *map(_rounded, readable))))
    loose = not sign and text[max(0, start - 1) : start] == "(" and text[end : end + 1] == ")"
    floor, said = _is_floor(text, start, end), text[start:end].strip()
    return Value(Kind.NUMBER, said, start, end, readable, (), second, Shape.ID, sign, loose, noun, False, floor)


def _is_about(text: str, start: int) -> bool:
    words, ends = abouts()
    near = text[max(0, start - 20) : start].rstrip(" ~≈*").lower()
    return text[max(0, start - 2) : start].rstrip(" ")[-1:] in _ROUGHLY or (
        near[-1:] in ends and f" {near}".endswith(words)
    )


_ROUGHLY = frozenset("~≈")
_FEWEST = 2  # digits that a round number has before its zeros, or one and a zero


def _rounded(number: Number) -> Number:
    """A number that ends in zeros at the precision of its other digits: 6,800 as 68 hundred, 2,000 as 20 hundred."""
    digits = str(number.mantissa)
    zeros = min(len(digits) - len(digits.rstrip("0")), len(digits) - _FEWEST)
    if zeros < 1 or number.exponent or (len(digits) < 4 and not number.unit):
        return number
    return Number(number.mantissa // 10**zeros, zeros, number.unit)


def _is_floor(text: str, start: int, end: int) -> bool:
    """ "more than 1,200": words that make a number the lower end of what is meant."""
    ahead, behind, ends = floors()
    near = text[max(0, start - 20) : start].rstrip(" ~").lower()
    return (near[-1:] in ends and f" {near}".endswith(ahead)) or text.startswith(behind, end)


def _ahead(text: str, start: int) -> tuple[str, int, int]:
    """Currency and sign before a number, and where they start; a currency may stand on either side of the sign."""
    currency, start = _currency(text, start)
    sign, start = _sign(text, start)
    if sign and not currency:
        currency, start = _currency(text, start)
    return currency, sign, start


def _currency(text: str, start: int) -> tuple[str, int]:
    if text[max(0, start - 3) : start].rstrip(" \n")[-1:] not in _ENDS:
        return "", start
    match = _BEFORE.search(text, max(0, start - 6), start)
    if match is None:
        return "", start
    word = match[1] or match[2]
    while word and word not in signs() and match[1]:  # "us$" and other letters before a sign
        word = word[1:]
    return (word, match.end(1 if match[1] else 2) - len(word)) if word in signs() else ("", start)


def _sign(text: str, start: int) -> tuple[int, int]:
    """A written sign; a hyphen between words or numbers is none."""
    before = text[start - 1 : start]
    if before not in ("+", "-") or start < 1:
        return 0, start
    left = text[start - 2 : start - 1] if start > 1 else ""
    if left and (left.isalnum() or left in "_)]}/."):
        return 0, start
    return (-1 if before == "-" else 1), start - 1


def _is_side(text: str, body: str, end: int) -> bool:
    """ "1920×1080": no power of ten stands behind a number of three digits."""
    return text[end : end + 1] in _SIDES and len(body) > 2 and body.isdigit() and "^" not in text[end : end + 8]


def _scientific(text: str, end: int) -> tuple[int, int]:
    behind = text[end : end + 2]
    if behind[:1] not in ("e", "E") and _TIMES.isdisjoint(behind):
        return 0, end
    match = _POWER.match(text, end)
    if match is None:
        return 0, end
    power = int((match[1] or match["to"] or "0").replace("^", ""))
    return (power, match.end()) if abs(power) <= MAX_DIGITS else (0, end)


_NOTHING = (Suffix(),)


def _behind(text: str, end: int, *, currency: bool) -> tuple[tuple[Suffix, ...], int, str]:
    """Meanings of the words behind a number, where they end, and the noun when they mean nothing."""
    at = end
    gap = 0
    if text[at : at + 1] in (" ", "-") and text[at + 1 : at + 2] not in ("", " "):
        gap = 1
    glued = gap == 1 and text[at + 1] in "kKMB" and _GLUED.match(text, at + 1) is not None
    first, stop, noun = _word(text, at + gap, touching=not gap or currency or glued)
    if not first:
        return _NOTHING, end, noun if gap else ""
    powers = [way for way in first if way.power and not way.unit]
    if not powers and not any(way.power for way in first):
        return first, stop, ""
    space = 1 if text[stop : stop + 1] in (" ", "-") else 0
    second, further, noun = _word(text, stop + space, touching=not space)
    more = [way for way in second if way.unit]
    if more:
        return tuple(Suffix(power=p.power, unit=m.unit) for p in powers for m in more), further, ""
    return first if not currency else tuple(powers), stop, noun


def _word(text: str, at: int, *, touching: bool) -> tuple[tuple[Suffix, ...], int, str]:
    """The longest word or pair of words at this place that means something."""
    if not text[at : at + 1].isascii():
        cjk = _CJK.match(text, at)
        if cjk is not None:
            return _prefix(cjk[0][:_LONGEST], at)
    match = _WORD.match(text, at, at + _LONGEST + 1)
    if match is None or len(match[0]) > _LONGEST:
        return (), at, ""
    word = match[0]
    end = match.end()
    ways, size, noun, paired = _meant(word, touching)
    following = _WORD.match(text, end + 1, end + 1 + _LONGEST) if paired and text.startswith(" ", end) else None
    if following is not None:
        pair = meanings(f"{word} {following[0]}".rstrip("."), touching=touching)
        if pair:
            return pair, following.end() - following[0].endswith("."), ""
    return ways, at + size, noun


@lru_cache(4096)
def _meant(word: str, touching: bool) -> tuple[tuple[Suffix, ...], int, str, bool]:
    """What a word means by itself, so much of it; the noun it is where that is nothing; and whether one behind it may
    belong to it."""
    paired = word.partition(" ")[0].casefold() in pair_heads()
    ways = (
        (word,) if word.isalpha() else (word, word.rstrip("."), word.partition("/")[0], word.rstrip(".").rstrip("^23"))
    )
    for spelling in ways:
        found = meanings(spelling, touching=touching)
        if found:
            return found, len(spelling), "", paired
    return (), 0, word.rstrip(".").casefold(), paired


def _prefix(run: str, at: int) -> tuple[tuple[Suffix, ...], int, str]:
    for length in range(min(len(run), 8), 0, -1):
        found = meanings(run[:length], touching=True)
        if found:
            return found, at + length, ""
    return (), at, run


_RANGES = frozenset(table("words")["ranges"])
_JOINS = frozenset(table("words")["parts"])
_BETWEEN = max(map(len, _RANGES | _JOINS))


def _ranged(text: str, found: list[Value]) -> list[Value]:
    """The ends of ranges and readings share their unit: "5-10 GB", "142/91", "$3 to $5 million"."""
    for number in range(len(found) - 1):
        one, other = found[number], found[number + 1]
        if other.start - one.end > _BETWEEN:
            continue
        between = text[one.end : other.start]
        if one.sign == 0 and between in _RANGES:
            if one.ordinal or other.ordinal:
                continue
            share = between != "/" and not one.unit and other.unit and not _is_money(other.unit)
            numbers = tuple(Number(n.mantissa, n.exponent, other.unit) for n in one.numbers) if share else one.numbers
            found[number] = one._replace(numbers=numbers, part=True)
            found[number + 1] = other._replace(part=True)
    return found


def _is_money(unit: str) -> bool:
    return unit in units() and units()[unit].dimension == "currency"


def _joined(text: str, found: list[Value]) -> list[Value]:
    """Compound durations and compound magnitudes are one value: "2 h 30 min", "1億2000万"."""
    joined: list[Value] = []
    for value in found:
        near = joined and value.start - joined[-1].end <= _BETWEEN
        whole = _compound(text, joined[-1], value) if near else None
        if whole is not None:
            joined[-1] = whole
        else:
            joined.append(value)
    return joined


def _compound(text: str, one: Value, other: Value) -> Value | None:
    between = text[one.end : other.start]
    if not one.numbers or not other.numbers or between not in _JOINS:
        return None
    if one.unit == "ft" and other.noun == "in":  # a word like any other, but behind feet
        inches = tuple(Number(n.mantissa, n.exponent, "in") for n in other.numbers)
        other = other._replace(numbers=inches, end=text.index("in", other.end) + 2)
    total = _parts(one, other) or (_cjk(text, one, other) if between in ("", " ") else None)
    if total is None:
        return None
    return one._replace(
        text=text[one.start : other.end],
        end=other.end,
        numbers=(total,),
        cut=bool(total.unit) and units()[total.unit].dimension == "time",  # smaller parts may be left out
    )


def _parts(one: Value, other: Value) -> Number | None:
    """Two parts of one measure: hours and minutes, feet and inches. Counted in the smaller unit."""
    for a in one.numbers:
        for b in other.numbers:
            order = compounds().get(a.unit, ())
            if b.unit in order:
                digits = max(0, -b.exponent)  # "1m22.013s": as many as are written behind the point
                total = (a.exact * units()[a.unit].sizes[0] / units()[b.unit].sizes[0] + b.exact) * 10**digits
                if total.denominator == 1:
                    return Number(total.numerator, -digits, b.unit)
    return None


def _cjk(text: str, one: Value, other: Value) -> Number | None:
    a, b = one.numbers[0], other.numbers[0]
    if not _CJK.match(text, one.end - 1) or a.unit or a.exponent < 3 or b.exact >= Fraction(10) ** a.exponent:
        return None
    total = a.exact + b.exact
    return Number(int(total), 0, b.unit) if total.denominator == 1 else None
