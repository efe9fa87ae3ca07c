"""What texts cannot hold, at a few hundred bytes each: so that ten thousand short ones need no index each (spec 80).

A sieve knows the sizes of its texts' numbers and, in a Bloom filter, their runs of letters and digits. It never says no
to what a lookup would find; where it says maybe, the texts are indexed and looked at.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from gate_core.values.dates import EPOCHS, Spellings, epoch_range, words_of
from gate_core.values.lookup import bounds, neighbours
from gate_core.values.names import key_of, squeezed, words_in
from gate_core.values.normal import folded
from gate_core.values.places import runs_of
from gate_core.values.sizes import sizes_in
from gate_core.values.value import Kind, Shape, Value

_BITS = 8  # per word; two of them are set
_LARGEST = 3e38
_SLACK = 1e-6  # sizes are kept at single precision


class Probe(NamedTuple):
    """What a sieve is asked for a value: a size in one of the ranges, or all words of one of the ways, by their code;
    `anything` is a value that any text may hold."""

    ranges: tuple[tuple[float, float], ...]
    ways: tuple[tuple[int, ...], ...]
    anything: bool


class Sieve:
    """The sieve of some texts."""

    __slots__ = ("_sizes", "_words")

    def __init__(self, texts: Iterable[str]) -> None:
        text = "\n".join(("", *dict.fromkeys(texts), ""))
        runs = runs_of(folded(text))
        self._sizes = array("f", sorted(min(size, _LARGEST) for size in sizes_in(text, runs))).tobytes()
        parted = " ".join(words_in(text, parted=True))
        self._words = _filter(runs.union(runs_of(parted), Spellings(text, runs).words()))

    def may_hold(self, probe: Probe) -> bool:
        """False when no place of the texts can show the value."""
        return (
            probe.anything
            or any(self._between(low, high) for low, high in probe.ranges)
            or any(all(map(self._has, way)) for way in probe.ways)
        )

    def _between(self, low: float, high: float) -> bool:
        sizes = memoryview(self._sizes).cast("f")
        at = bisect_left(sizes, low)
        return at < len(sizes) and sizes[at] <= high

    def _has(self, code: int) -> bool:
        words = self._words
        return all(words[bit >> 3] >> (bit & 7) & 1 for bit in _bits(code, len(words) * 8))


class Asked:
    """A value, and what sieves are asked for it, worked out when the first of them is."""

    def __init__(self, value: Value) -> None:
        self._value = value

    @cached_property
    def probe(self) -> Probe:
        """What to ask."""
        return probe_of(self._value)


def probe_of(value: Value) -> Probe:
    """What to ask sieves for a value."""
    if value.kind is Kind.NUMBER:
        return _number(value)
    if value.kind is Kind.INSTANT:
        return _instant(value)
    return _name(value)


def _probe(ranges: Iterable[tuple[float, float]], ways: Iterable[Iterable[str]], *, anything: bool = False) -> Probe:
    spans = ((low - abs(low) * _SLACK, high + abs(high) * _SLACK) for low, high in ranges)
    codes = tuple(tuple(map(_code, way)) for way in ways)
    return Probe(tuple((min(low, _LARGEST), high) for low, high in spans), codes, anything)


def _number(value: Value) -> Probe:
    plain = value.plain
    ranges = [span for number in value.numbers for span in bounds(number, floor=value.floor or value.cut)]
    for power in (3, 6, 9) if value.scaled else ():  # of keys that count in thousands or more
        ranges += [span for number in value.counted_in(power).numbers for span in bounds(number, floor=False)]
    return _probe(ranges, [[plain]] if len(plain) >= 3 else [], anything=len(plain) >= 7)


def _instant(value: Value) -> Probe:
    alone = any(instant[3] is not None and instant[2] is None for instant in value.instants)
    ranges = [*(span for instant in value.instants for span in epoch_range(instant)), *(EPOCHS if alone else ())]
    ways = [[word] for instant in value.instants for near in (instant, *neighbours(instant)) for word in words_of(near)]
    return _probe(ranges, ways)


def _name(value: Value) -> Probe:
    if value.shape in (Shape.HASH, Shape.CODE):
        return _probe((), (), anything=True)
    ways = (value.text, squeezed(value.text)) if value.shape is Shape.ID else (key_of(value.text, value.shape),)
    if value.shape is Shape.PROPER:
        ways = (value.text,)
    return _probe((), (sorted(runs_of(folded(way))) for way in ways))


def _filter(runs: Iterable[str]) -> bytes:
    runs = list(runs)
    found = bytearray(max(8, len(runs) * _BITS // 8))
    for run in runs:
        for bit in _bits(_code(run), len(found) * 8):
            found[bit >> 3] |= 1 << (bit & 7)
    return bytes(found)


def _code(run: str) -> int:
    """A number for a run, the same in every process."""
    return crc32(run.encode("utf-8", "surrogatepass"))


def _bits(code: int, size: int) -> tuple[int, int]:
    """Two places of a run."""
    return code % size, (code * 0x9E3779B1 >> 16) % size
