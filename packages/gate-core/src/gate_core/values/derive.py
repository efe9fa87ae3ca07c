"""Derivations: a closed list of formulas over anchored operands (spec 30, "Derivations: closed, typed, anchored")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from gate_core.values.lexicon import units
from gate_core.values.match import rounds_to
from gate_core.values.operands import Operand
from gate_core.values.units import in_unit, same_dimension
from gate_core.values.value import Value

_RATIO = "ratio"
BUDGET = 6_000
"""Formulas tried per value; past it the value is unsupported."""

_PRICED_BY = {"mg": "g", "g": "kg", "ml": "l", "cm": "m", "m": "km", "s": "h", "min": "h", "MB": "GB", "Wh": "kWh"}
"""The unit of which things are priced whose amount is given in a smaller one: 350 g, so much per kg."""

Result = tuple[str, Fraction, str]
"""Formula, size, unit; "ratio" as a unit is a pure fraction."""


def pair_results(x: Operand, y: Operand) -> Iterator[Result]:
    """What two operands give, in this order."""
    if x.place is not None and x.place == y.place:
        return
    if _addable(x, y):
        other = in_unit(y.size, y.unit, x.unit)[0] if y.unit and x.unit else y.size
        yield f"{x.name} + {y.name}", x.size + other, x.unit or y.unit
        yield f"{x.name} - {y.name}", x.size - other, x.unit or y.unit
        if other:
            yield f"{x.name} / {y.name}", x.size / other, _RATIO
            yield f"({x.name} - {y.name}) / {y.name}", (x.size - other) / other, _RATIO
    if not y.unit and x.unit:
        yield f"{x.name} x {y.name}", x.size * y.size, x.unit
        if y.size:
            yield f"{x.name} / {y.name}", x.size / y.size, x.unit
    elif not x.unit and not y.unit:
        yield f"{x.name} x {y.name}", x.size * y.size, ""
    elif not x.unit and y.size and _dimension(y.unit) != _RATIO:
        yield f"{x.name} / {y.name}", x.size / y.size, ""  # so much per unit
    elif _dimension(y.unit) == _RATIO and _dimension(x.unit) != _RATIO:
        part = x.size * y.size * units()[y.unit].sizes[0]
        yield f"{y.name} of {x.name}", part, x.unit
        yield f"{x.name} less {y.name}", x.size - part, x.unit
        yield f"{x.name} plus {y.name}", x.size + part, x.unit
    elif x.unit and y.size and not _addable(x, y) and _dimension(x.unit) != _RATIO:
        yield from _prices(x, y)


def _prices(x: Operand, y: Operand) -> Iterator[Result]:
    """So much for one of the other's unit, or of a larger one."""
    yield f"{x.name} per {y.name}", x.size / y.size, x.unit
    larger = _PRICED_BY.get(y.unit)
    for size in in_unit(y.size, y.unit, larger) if larger else ():
        yield f"{x.name} per {y.name} in {larger}", x.size / size, x.unit


def ratio_results(x: Operand, y: Operand) -> Iterator[Result]:
    """Shares and changes alone: what a percentage can be of two numbers of a table."""
    return (result for result in pair_results(x, y) if result[2] == _RATIO)


def differences(x: Operand, y: Operand) -> Iterator[Result]:
    """What one is more than the other: points of a percentage."""
    return (result for result in pair_results(x, y) if " - " in result[0] and result[2] != _RATIO)


def _addable(x: Operand, y: Operand) -> bool:
    return same_dimension(x.unit, y.unit) and _dimension(x.unit) == _dimension(y.unit)


def _dimension(unit: str) -> str:
    return units()[unit].dimension if unit in units() else ""


def complement(x: Operand) -> Iterator[Result]:
    """The rest to a hundred percent."""
    if _dimension(x.unit) == _RATIO:
        yield f"100% - {x.name}", 1 - x.size * units()[x.unit].sizes[0], _RATIO


def share_results(operands: Sequence[Operand]) -> Iterator[Result]:
    """The share of each in the sum of all, where they can be added."""
    total = sum((operand.size for operand in operands), Fraction(0))
    if len(operands) > 1 and total and all(_addable(operands[0], operand) for operand in operands):
        yield from ((f"{x.name} / sum of {len(operands)}", x.size / total, _RATIO) for x in operands)


def sum_results(operands: Sequence[Operand]) -> Iterator[Result]:
    """Sums of three and more neighbours, where they can be added."""
    for first in range(len(operands) - 2):
        for last in range(first + 3, len(operands) + 1):
            part = operands[first:last]
            if all(operand.unit == part[0].unit for operand in part):
                yield f"sum of {len(part)}", sum((o.size for o in part), Fraction(0)), part[0].unit


def conversions(operands: Iterable[Operand], unit: str) -> Iterator[Result]:
    """The operands themselves, in another unit."""
    return ((f"{x.name} in {unit}", x.size, x.unit) for x in operands if unit and x.unit and x.unit != unit)


def aggregate(word: str, column: Sequence[Operand]) -> Iterator[Result]:
    """What a whole column gives."""
    sizes = sorted(operand.size for operand in column)
    if len(sizes) < 2:
        return
    unit = column[0].unit
    name = column[0].name.rpartition(" ")[0]
    middle = len(sizes) // 2
    median = sizes[middle] if len(sizes) % 2 else (sizes[middle - 1] + sizes[middle]) / 2
    found = {
        "sum": sum(sizes, Fraction(0)),
        "mean": sum(sizes, Fraction(0)) / len(sizes),
        "median": median,
        "max": sizes[-1],
        "min": sizes[0],
    }
    yield f"{word} of {name} over {len(sizes)} rows", found[word], unit


def others(said: Value, operands: Iterable[Operand]) -> list[Operand]:
    """The operands that are not the value itself: it follows from none that it equals."""
    return [operand for operand in operands if not _is(said, operand.size, operand.unit)]


def supports(said: Value, results: Iterable[Result]) -> str:
    """The first formula whose result is the value at its written precision, "" for none."""
    for tried, (formula, size, unit) in enumerate(results):
        if tried >= BUDGET:
            return ""
        if _is(said, size, unit):
            return formula
    return ""


def _is(said: Value, size: Fraction, unit: str) -> bool:
    for number in said.numbers:
        for converted in _converted(size, unit, number.unit):
            if number in said.second and converted.denominator == 1:  # "1,000" is not 1
                continue
            if rounds_to(converted, number.mantissa, number.exponent) and not said.sign * converted < 0:
                return number.mantissa != 0 or converted == 0
    return False


def _converted(size: Fraction, unit: str, wanted: str) -> tuple[Fraction, ...]:
    if unit == _RATIO:
        if not wanted:
            return (size,)
        return (size / units()[wanted].sizes[0],) if _dimension(wanted) == _RATIO else ()
    if not wanted or not unit:
        return (size,)
    return in_unit(size, unit, wanted)
