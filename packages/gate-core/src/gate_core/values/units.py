"""Units: what a word means, what a key says, how one converts into another (spec 30, "Matching, in value space")."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache

from gate_core.model.late import late
from gate_core.values.lexicon import CURRENCY, Suffix, key_units, suffixes, table, tight, units

_PARTS = late(r"[A-Z]{2,}(?![a-z])|[A-Z]?[^\W\d_A-Z]+(?:[23](?![^\W_]))?|[A-Z]|%")


def meanings(word: str, *, touching: bool) -> tuple[Suffix, ...]:
    """What a word behind a number may mean; () for a word that is no unit and no magnitude."""
    exact, loose = suffixes()
    found = exact.get(word, ())
    if touching and word in tight():
        found = (*tight()[word], *found)
    if found:
        return found
    return loose.get(word.casefold(), ()) if len(word) > 1 else ()


@lru_cache(4096)
def unit_of_key(key: str) -> str:
    """The unit a key or column head names ("used_tb", "p95_ms", "price (USD)"), "" for none."""
    parts = _PARTS.findall(key[:200])
    if "per" in parts[1:-1]:
        at = parts.index("per", 1)
        return _rate((*parts[:at], *parts[at + 2 :]), parts[at + 1])
    known = key_units()
    for number, part in enumerate(reversed(parts)):
        low = part.casefold()
        if low in _SPEEDS and not _moving().isdisjoint(map(str.casefold, parts)):
            return _SPEEDS[low]
        if low == "min" and not number and not _lasting().isdisjoint(map(str.casefold, parts)):
            return "min"
        if low == "m" and not number and not _measured().isdisjoint(map(str.casefold, parts)):
            return "m"
        if low in known and (len(low) > 2 or number == 0 or part.isupper()):
            if len(low) == 1 and len(parts) == 1:
                continue
            return known[low]
    return ""


@lru_cache(4096)
def power_of_key(key: str) -> int:
    """The power of ten in which a key or column head counts ("revenue_m", "flow_m_eur"), 0 for none."""
    parts = [part.casefold() for part in _PARTS.findall(key[:200])]
    if parts and parts[-1] in key_units() and units()[key_units()[parts[-1]]].dimension == CURRENCY:
        parts.pop()
    if len(parts) < 2 or not _measured().isdisjoint(parts):
        return 0
    found: int = table("units")["power_keys"].get(parts[-1], 0)
    return found


def _rate(parts: Sequence[str], period: str) -> str:
    """The unit of "usd_per_hour": the amount's, or the two as one where there is such a unit."""
    unit = unit_of_key("_".join(parts))
    if not unit or units()[unit].dimension == CURRENCY:
        return unit
    return next((rate for rate in (f"{unit}/{period}", f"{unit}/{period[:1]}") if rate in units()), "")


_SPEEDS = {"ms": "m/s", "mps": "m/s", "kmh": "km/h", "kph": "km/h"}


@cache
def _moving() -> frozenset[str]:
    """Words of keys beside which "ms" are metres per second."""
    return frozenset(table("units")["speed_keys"])


@cache
def _measured() -> frozenset[str]:
    """Words of keys beside which "m" are metres."""
    return frozenset(table("units")["length_keys"])


@cache
def _lasting() -> frozenset[str]:
    """Words of keys beside which "min" are minutes, and not the least."""
    return frozenset(table("units")["time_keys"])


def same_dimension(one: str, other: str) -> bool:
    """True when values of the two units can be compared; a value without a unit can be compared with any."""
    if not one or not other:
        return True
    a, b = units()[one], units()[other]
    if a.dimension != b.dimension:
        return False
    return a.dimension != CURRENCY or bool(a.codes & b.codes)


def in_unit(number: Fraction, unit: str, target: str) -> tuple[Fraction, ...]:
    """A number of a unit as numbers of the target unit; more than one where a prefix has two sizes."""
    if unit == target or not unit or not target:
        return (number,)
    if not same_dimension(unit, target):
        return ()
    a, b = units()[unit], units()[target]
    if len(a.sizes) == len(b.sizes) == 1:
        return (((number * a.sizes[0] + a.offset) - b.offset) / b.sizes[0],)
    pairs = {(x, y) for i, x in enumerate(a.sizes) for j, y in enumerate(b.sizes) if _agree(i, j, a.sizes, b.sizes)}
    return tuple(number * x / y for x, y in sorted(pairs))


def _agree(i: int, j: int, one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> bool:
    """Both prefixes decimal or both binary, where both leave it open."""
    return i == j or len(one) == 1 or len(other) == 1


@lru_cache(256)
def scales(unit: str) -> tuple[float, ...]:
    """What a number of this unit may be multiplied with when the evidence has another unit of its dimension."""
    if not unit:
        return (1.0,)
    mine = units()[unit]
    if mine.dimension == "ratio":
        return (1.0, 0.01, 100.0, 0.1, 10.0, *((0.0001,) if mine.sizes[0] < Fraction(1, 1000) else ()))
    found = {1.0}
    for other in units().values():
        if same_dimension(unit, other.symbol) and not other.offset and not mine.offset:
            found |= {float(x / y) for x in mine.sizes for y in other.sizes}
    return tuple(sorted(found))
