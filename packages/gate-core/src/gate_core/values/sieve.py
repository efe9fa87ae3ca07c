"""What a short text cannot hold, at a few hundred bytes: so that ten thousand of them need no index each (spec 80).

A sieve knows the sizes of a text's numbers and, in a Bloom filter, its runs of letters and digits. It never says no to
what a lookup would find; where it says maybe, the text is indexed and looked at.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from zlib import crc32

from gate_core.values.dates import epoch_range
from gate_core.values.index import Index
from gate_core.values.lookup import bounds
from gate_core.values.names import key_of, squeezed
from gate_core.values.normal import folded
from gate_core.values.places import runs_of
from gate_core.values.value import Instant, Kind, Shape, Value

_BITS = 10  # per run; two of them are set
_LARGEST = 3e38
_SLACK = 1e-6  # sizes are kept at single precision


class Sieve:
    """The sieve of one document."""

    __slots__ = ("_runs", "_sizes")

    def __init__(self, index: Index) -> None:
        self._sizes = array("f", [min(size, _LARGEST) for size in index.sizes])
        words = " ".join(index.words)
        self._runs = _filter(runs_of(index.folded) | runs_of(words))

    def may_hold(self, value: Value) -> bool:
        """False when no place of the text can show the value."""
        if value.kind is Kind.NUMBER:
            return self._number(value)
        if value.kind is Kind.INSTANT:
            return any(self._instant(instant) for instant in value.instants)
        return self._name(value)

    def _number(self, value: Value) -> bool:
        ranges = (span for number in value.numbers for span in bounds(number, floor=value.floor))
        if any(self._between(low, high) for low, high in ranges):
            return True
        plain = value.plain
        return len(plain) >= 7 or (len(plain) >= 3 and self._has(plain))

    def _between(self, low: float, high: float) -> bool:
        at = bisect_left(self._sizes, min(low - abs(low) * _SLACK, _LARGEST))
        return at < len(self._sizes) and self._sizes[at] <= high + abs(high) * _SLACK

    def _instant(self, instant: Instant) -> bool:
        if any(self._between(low, high) for low, high in epoch_range(instant)):
            return True
        runs = _runs_of_instant(instant)
        return not runs or any(map(self._has, runs))

    def _name(self, value: Value) -> bool:
        if value.shape in (Shape.HASH, Shape.CODE):
            return True
        if value.shape is Shape.PROPER:
            return all(map(self._has, runs_of(folded(value.text))))
        ways = (value.text, squeezed(value.text)) if value.shape is Shape.ID else (key_of(value.text, value.shape),)
        return any(all(map(self._has, runs_of(folded(way)))) for way in ways)

    def _has(self, run: str) -> bool:
        return all(self._runs[bit >> 3] >> (bit & 7) & 1 for bit in _bits(run, len(self._runs) * 8))


def _runs_of_instant(instant: Instant) -> list[str]:
    """Runs of which a text that shows the instant holds one, in whatever zone; [] where none can be named."""
    year, _, day, hour, minute, _, zone = instant
    if hour is not None:
        minutes = {((minute or 0) + shift) % 60 for shift in ((0, 15, 30, 45) if zone is not None else (0,))}
        return _spelt(minutes) if 0 not in minutes else []
    if day is not None:
        near = {day - 1, day, day + 1} | ({28, 29, 30, 31} if day == 1 else {1} if day >= 28 else set())
        return _spelt(near)
    return [str(year)] if year is not None else []


def _spelt(numbers: set[int]) -> list[str]:
    return [run for number in sorted(numbers) for run in (str(number), f"{number:02}")]


def _filter(runs: Iterable[str]) -> bytes:
    runs = list(runs)
    found = bytearray(max(8, len(runs) * _BITS // 8))
    for run in runs:
        for bit in _bits(run, len(found) * 8):
            found[bit >> 3] |= 1 << (bit & 7)
    return bytes(found)


def _bits(run: str, size: int) -> tuple[int, int]:
    """Two places of a run, the same in every process."""
    code = crc32(run.encode())
    return code % size, (code * 0x9E3779B1 >> 16) % size
