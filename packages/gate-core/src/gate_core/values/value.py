"""What a text says in figures: numbers with their written precision, partial instants, identifiers (spec 30)."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias


class Kind(StrEnum):
    """What a value is."""

    NUMBER = "number"
    INSTANT = "instant"
    NAME = "name"


class Shape(StrEnum):
    """What an identifier looks like; it decides how spellings are compared."""

    URL = "url"
    EMAIL = "email"
    PATH = "path"
    VERSION = "version"
    HASH = "hash"
    SYMBOL = "symbol"
    ID = "id"
    CODE = "code"
    PROPER = "proper name"
    DECLARED = "declared"


class Number(NamedTuple):
    """`mantissa` x 10**`exponent` of a unit ("" for none); the exponent is the written precision."""

    mantissa: int
    exponent: int
    unit: str = ""

    @property
    def exact(self) -> Fraction:
        """The number without its unit."""
        return _scaled(self.mantissa, self.exponent)


Instant: TypeAlias = "tuple[int | None, int | None, int | None, int | None, int | None, int | None, int | None]"
"""Year, month, day, hour, minute, second, minutes east of Greenwich; None is not said."""


class Value(NamedTuple):
    """One value as a text spells it, between `start` and `end` of the normalised text. A tuple, because there are
    thousands of them: it is made and hashed several times faster than a dataclass.

    `numbers` and `instants` are its readings: a spelling with two may match either, an impossible date has none.
    `second` are the less likely of the readings, which no unit conversion may rescue. `sign` is -1 or 1 when written,
    0 when not; `loose` says that brackets leave it open. `noun` is the word behind a bare number, lower case. `part`
    marks the ends of a range or reading, `floor` "1,000+", `ordinal` "3rd",
    `cut` "2 h 15 min", which may leave out seconds.
    """

    kind: Kind
    text: str
    start: int
    end: int
    numbers: tuple[Number, ...] = ()
    instants: tuple[Instant, ...] = ()
    second: tuple[Number, ...] = ()
    shape: Shape = Shape.ID
    sign: int = 0
    loose: bool = False
    noun: str = ""
    part: bool = False
    floor: bool = False
    ordinal: bool = False
    cut: bool = False

    def moved(self, by: int) -> Value:
        """The same value so many signs further on."""
        return Value(self[0], self[1], self[2] + by, self[3] + by, *self[4:])

    @property
    def scaled(self) -> bool:
        """True for a number with a magnitude word: "4.82 million"."""
        return any(number.exponent > 0 for number in self.numbers)

    def counted_in(self, power: int) -> Value:
        """The value as a number of thousands or millions."""
        return self._replace(numbers=tuple(n._replace(exponent=n.exponent - power) for n in self.numbers), second=())

    @property
    def plain(self) -> str:
        """The digits of a whole number without a unit, "" for any other value."""
        first = self.numbers[0] if self.numbers else None
        return str(first.mantissa) if first is not None and not first.unit and first.exponent == 0 else ""

    @property
    def unit(self) -> str:
        """The unit of its first reading."""
        return self.numbers[0].unit if self.numbers else ""


def _scaled(mantissa: int, exponent: int) -> Fraction:
    return Fraction(mantissa * 10**exponent) if exponent >= 0 else Fraction(mantissa, 10**-exponent)
