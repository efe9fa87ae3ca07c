"""When what is said and what was shown are the same value (spec 30, "Matching, in value space")."""

from __future__ import annotations

import re
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache

from gate_core.values.instants import agrees
from gate_core.values.lexicon import units
from gate_core.values.names import key_of, squeezed
from gate_core.values.units import in_unit
from gate_core.values.value import Kind, Number, Shape, Value

_RATIO = "ratio"


class Fit(IntEnum):
    """How well a piece of evidence fits a value, worst first."""

    NO = 0
    UNIT = 1
    SIGN = 2
    YES = 3


def rounds_to(shown: Fraction, mantissa: int, exponent: int) -> bool:
    """True when a number, rounded half up or half to even at 10**exponent, is the mantissa. Signs are left out."""
    size, parts = abs(shown.numerator), shown.denominator
    return (
        _rounds(size, parts * 10**exponent, mantissa)
        if exponent > 0
        else _rounds(size * 10**-exponent, parts, mantissa)
    )


def _rounds(size: int, parts: int, mantissa: int) -> bool:
    low, rest = divmod(size, parts)
    if rest * 2 == parts:
        return mantissa in (low + 1, low + low % 2)
    return mantissa == low + (rest * 2 > parts)


def fit_numbers(said: Number, shown: Number, unit: str) -> Fit:
    """Whether two readings agree in size; `unit` is what the evidence says around the number, "" for nothing."""
    theirs = shown.unit or unit
    if said.unit == theirs or not (said.unit and theirs):  # most are settled without fractions
        if _same(said, shown):
            return Fit.YES
        if said.unit == theirs or not _is_ratio(said.unit or theirs):
            return Fit.NO
    return _fit_units(said, shown, theirs)


def _same(said: Number, shown: Number) -> bool:
    """`rounds_to` of two numbers as they stand."""
    more = shown.exponent - said.exponent
    if not more:
        return said.mantissa == shown.mantissa
    if more > 0:
        return said.mantissa == shown.mantissa * int(10**more)
    return _rounds(shown.mantissa, int(10**-more), said.mantissa)


@lru_cache(16384)
def _fit_units(said: Number, shown: Number, theirs: str) -> Fit:
    best = Fit.NO
    for size in _sizes(said, shown, theirs):
        if rounds_to(size, said.mantissa, said.exponent):
            return Fit.YES
    if theirs and said.unit and theirs != said.unit:
        for size in (shown.exact, *(shown.exact * scale for scale in _own_scales(theirs))):
            if rounds_to(size, said.mantissa, said.exponent):
                best = Fit.UNIT
    return best


def _own_scales(unit: str) -> tuple[Fraction, ...]:
    return units()[unit].sizes if units()[unit].dimension == "currency" else ()


def _sizes(said: Number, shown: Number, theirs: str) -> list[Fraction]:
    """The evidence in the unit of what is said."""
    exact = shown.exact
    if not said.unit or not theirs:
        found = [exact]
        if said.unit and _is_ratio(said.unit) and shown.exponent < 0 and exact <= 10:
            found.append(exact / units()[said.unit].sizes[0])
        if theirs and not said.unit and _is_ratio(theirs):
            found.append(exact * units()[theirs].sizes[0])
        return found
    return list(in_unit(exact, theirs, said.unit))


def _is_ratio(unit: str) -> bool:
    return units()[unit].dimension == _RATIO


def fit(said: Value, shown: Value, unit: str = "", *, loss: bool = False, down: bool = False) -> Fit:
    """How a value of the evidence fits the value said. `down` says that the words around allow for the other sign,
    `loss` that they call for a negative one."""
    if said.kind is Kind.NUMBER:
        return fit_number(said, shown, unit, loss=loss, down=down)
    if said.kind is not shown.kind:
        return Fit.NO
    if said.kind is Kind.INSTANT:
        return Fit.YES if any(agrees(a, e) for a in said.instants for e in shown.instants) else Fit.NO
    return Fit.YES if same_name(said, shown) else Fit.NO


def fit_number(said: Value, shown: Value, unit: str, *, loss: bool = False, down: bool = False) -> Fit:
    """`fit` for a number that is said."""
    if shown.kind is Kind.INSTANT:
        return Fit.YES if _is_year(said) and any(i[0] == said.numbers[0].mantissa for i in shown.instants) else Fit.NO
    if shown.kind is Kind.NAME:
        return Fit.YES if _in_name(said, shown) else Fit.NO
    best = _best_of_numbers(said, shown, unit)
    if best is not Fit.YES and (said.floor or said.cut):
        best = Fit.YES if any(_above(a, e, unit, whole=said.cut) for a in said.numbers for e in shown.numbers) else best
    if best is Fit.YES and not _same_sign(said, shown, loss=loss, down=down):
        return Fit.SIGN
    return best


def _best_of_numbers(said: Value, shown: Value, unit: str) -> Fit:
    best = Fit.NO
    either = bool(said.second or shown.second)
    for a in said.numbers:
        for e in shown.numbers:
            if not (either and _rescued(said, a, shown, e, unit)):
                found = fit_numbers(a, e, unit)
                if found is Fit.YES:
                    return found
                best = max(best, found)
    return best


def _rescued(said: Value, a: Number, shown: Value, e: Number, unit: str) -> bool:
    """True for a match that only a decimal comma would make: of "1,007 ms" with 1007 us, of "1,000" with 1."""
    theirs = e.unit or unit
    if a in said.second and (e.exponent >= 0 or (a.unit and theirs and a.unit != theirs)):
        return True
    return e in shown.second and a.exponent >= 0


def _above(said: Number, shown: Number, unit: str, *, whole: bool) -> bool:
    """ "1,000+" stands for what lies between it and the next number with as many zeros, a `whole` one for what lies
    between it and the next one."""
    digits = str(said.mantissa)
    step = 1 if whole else 10 ** (len(digits) - len(digits.rstrip("0") or digits))
    low = said.exact
    return any(
        low <= size < low + step * Fraction(10) ** said.exponent for size in _sizes(said, shown, shown.unit or unit)
    )


def _is_year(said: Value) -> bool:
    first = said.numbers[0] if said.numbers else Number(0, 0)
    return not first.unit and first.exponent == 0 and 1900 <= first.mantissa <= 2100 and len(said.text) == 4


def _in_name(said: Value, shown: Value) -> bool:
    """A bare number that is a whole run of digits inside an identifier, or the start of a version."""
    if shown.shape is Shape.VERSION and shown.text.lower().removeprefix("v").startswith(f"{said.text}."):
        return "." in said.text
    digits = said.plain
    if len(digits) < 3:
        return False
    if shown.shape is Shape.HASH and len(digits) >= 7 and shown.text.startswith(digits):
        return True
    return _is_run(digits, shown.text)


def _is_run(digits: str, text: str) -> bool:
    """True for digits that stand in a text and no others beside them."""
    at = text.find(digits)
    while at >= 0:
        end = at + len(digits)
        if not (text[at - 1 : at].isdigit() or text[end : end + 1].isdigit()):
            return True
        at = text.find(digits, at + 1)
    return False


def _same_sign(said: Value, shown: Value, *, loss: bool, down: bool) -> bool:
    if said.loose or shown.loose or said.numbers[0].mantissa == 0:
        return True
    negative = shown.sign < 0
    if said.sign < 0:
        return negative or down
    if said.sign > 0 and negative:
        return False
    if negative:
        return down or loss
    return not loss


def same_name(said: Value, shown: Value) -> bool:
    """True when two identifiers are one: spellings of their shape, a path's end, the start of a hash."""
    mine, theirs = key_of(said.text, said.shape), key_of(shown.text, said.shape)
    if mine == theirs:
        return True
    if said.shape is Shape.PATH:
        return theirs.endswith(f"/{mine.lstrip('/')}") or theirs.startswith((f"{mine}:", f"{mine}/"))
    if said.shape is Shape.HASH:
        return len(mine) >= 7 and squeezed(shown.text).startswith(mine)
    if said.shape is Shape.VERSION:
        return _ends_in(theirs.casefold(), mine)
    return squeezed(said.text) == squeezed(shown.text) and said.shape is Shape.ID


def _ends_in(name: str, version: str) -> bool:
    """True for the version of a package or a file: "httpx-0.27.2" is httpx at 0.27.2."""
    at = name.find(version)
    if at < 1 or not re.search(r"[a-z][\w.]{0,60}(?:[-_@/]v?|==)$", name[:at]):
        return False
    return re.match(r"$|[-_+][a-z]|\.(?:whl|tar|tgz|zip|gz|jar|deb|rpm)\b", name[at + len(version) :]) is not None
