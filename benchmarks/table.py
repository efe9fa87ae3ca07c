"""A measured row of spec 80 and the ways to print it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

Cell: TypeAlias = "str | float | bool | None"

COLUMNS = ("name", "ours", "reference", "ratio", "target", "met?")
PACED = "at the targets' pace"
"""The column of times as they would be on the machine for which spec 80 sets them."""

_TIMES = frozenset({"ms", "µs"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Repeated measures of one thing."""

    median: float
    minimum: float

    @classmethod
    def of(cls, measures: Iterable[float]) -> Sample:
        """The sample of one or more measures."""
        taken = list(measures)
        return cls(median=median(taken), minimum=min(taken))

    def scaled(self, factor: float) -> Sample:
        """The same in another unit."""
        return Sample(median=self.median * factor, minimum=self.minimum * factor)

    def beyond(self, other: Sample) -> Sample:
        """What this takes beyond the other; on a busy machine it may come out as nothing."""
        return Sample(median=max(0.0, self.median - other.median), minimum=max(0.0, self.minimum - other.minimum))


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a row must reach: `most` and `least` bound our own figure in its unit, `ratio` bounds ours / reference.

    A rate has a `least`, which is held against its median: the minimum of a rate is its worst moment.
    """

    most: float | None = None
    least: float | None = None
    ratio: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table. `beside` names the reference; a `detail` is printed while measuring and in JSON only."""

    name: str
    unit: str
    ours: Sample
    reference: Sample | None = None
    beside: str = ""
    target: Target = Target()
    note: str = ""
    detail: bool = False

    @property
    def ratio(self) -> float | None:
        """Ours / reference, of minima; less is better."""
        if self.reference is None or not self.reference.minimum:
            return None
        return self.ours.minimum / self.reference.minimum

    @property
    def met(self) -> bool | None:
        """Whether every bound of the target holds; None when there is none, or what it needs was not measured."""
        wanted: list[tuple[float | None, float | None]] = [
            (self.ours.minimum, self.target.most),
            (self.ratio, self.target.ratio),
        ]
        if self.target.least is not None:
            wanted.append((self.target.least, self.ours.median))
        known = [(value, bound) for value, bound in wanted if bound is not None]
        if not known or any(value is None for value, _ in known):
            return None
        return all(value is not None and value <= bound for value, bound in known)

    def cells(self) -> tuple[str, ...]:
        """The row under `COLUMNS`."""
        name = f"{self.name} ({self.note})" if self.note else self.name
        reference = "" if self.reference is None else f"{_told(self.reference, self.unit)} {self.beside}".strip()
        ratio = "" if self.ratio is None else f"{self.ratio:.3g}"
        return (name, _told(self.ours, self.unit), reference, ratio, self._wanted(), _MET[self.met])

    def paced(self, pace: float | None) -> float | None:
        """A time with a bound of its own as it would be at the pace of the targets; None for anything else."""
        if pace is None or self.target.most is None or self.unit not in _TIMES:
            return None
        return self.ours.minimum / pace

    def paced_cell(self, pace: float | None) -> str:
        """`paced` in words, and whether it meets the target there."""
        time = self.paced(pace)
        if time is None or self.target.most is None:
            return ""
        return f"{time:.3g} {self.unit}: {_MET[time <= self.target.most]}"

    def _wanted(self) -> str:
        bounds = []
        if self.target.most is not None:
            bounds.append(f"≤ {self.target.most:g} {self.unit}".rstrip())
        if self.target.least is not None:
            bounds.append(f"≥ {self.target.least:g} {self.unit}".rstrip())
        if self.target.ratio is not None:
            bounds.append(f"ratio ≤ {self.target.ratio:g}")
        return ", ".join(bounds)

    def to_dict(self, pace: float | None = None) -> dict[str, Cell]:
        """The row as plain values."""
        return {
            "name": self.name,
            "note": self.note,
            "unit": self.unit,
            "ours_minimum": self.ours.minimum,
            "ours_median": self.ours.median,
            "reference": self.beside if self.reference is not None else None,
            "reference_minimum": self.reference.minimum if self.reference is not None else None,
            "reference_median": self.reference.median if self.reference is not None else None,
            "ratio": self.ratio,
            "target": self._wanted(),
            "met": self.met,
            "paced_minimum": self.paced(pace),
        }


_MET = {True: "yes", False: "NO", None: ""}


def _told(sample: Sample, unit: str) -> str:
    """The minimum, and the median behind it where it differs."""
    low, middle = f"{sample.minimum:.3g}", f"{sample.median:.3g}"
    return f"{low} {unit}".rstrip() + ("" if low == middle else f" (median {middle})")


def markdown(rows: Iterable[Row], pace: float | None = None) -> str:
    """The rows as a Markdown table, with a column of times at the targets' pace where that is known."""
    shown = [row for row in rows if not row.detail]
    table = [COLUMNS, *(row.cells() for row in shown)]
    if pace is not None:
        table = [
            (*line, cell) for line, cell in zip(table, (PACED, *(row.paced_cell(pace) for row in shown)), strict=True)
        ]
    table.insert(1, tuple("---" for _ in table[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in table)


def plain(row: Row) -> str:
    """The row as one line for a terminal."""
    name, ours, reference, ratio, wanted, met = row.cells()
    parts = [ours, f"beside {reference}" if reference else "", f"ratio {ratio}" if ratio else ""]
    end = f"  [{wanted}: {met or 'not measured'}]" if wanted else ""
    return f"{name:<56} {', '.join(part for part in parts if part)}{end}"
