"""Inputs made to be slow must cost time in proportion: twice the text at most 2.3 times the time.

A text is doubled until one run takes long enough to be measured well, or until it has its full size; the last doubling
is what is reported. So a quadratic step shows at whatever size it starts to hurt, and does not hold up the benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from benchmarks.measure import MS, beside, seconds, sound
from benchmarks.observing import FLOOR_ONLY
from benchmarks.table import Row, Sample, Target
from benchmarks.texts import HOSTILE
from gate_core import Attempt, Gate, ToolCall, check_answer

FULL = {"observe": 5_000_000, "boundary check": 200_000, "values": 1_000_000}
"""Work -> characters of the largest text. Answers are cut at their maximum, so that larger ones cost no more."""
_ENOUGH = 0.2  # seconds
_FIRST = 2_500  # characters
LINEAR = Target(ratio=2.3)


def observed(*, quick: bool) -> Iterator[Row]:
    """Hostile results and arguments."""
    for seat, observe in _SEATS.items():
        yield from _rows(f"observe, {seat}", observe, full=5_000 if quick else FULL["observe"], quick=quick)


def answered(*, quick: bool) -> Iterator[Row]:
    """Hostile answers, prompts, and changes that a look has to show again."""
    for seat, work in _BOUNDARY.items():
        yield from _rows(seat, work, full=5_000 if quick else FULL["boundary check"], quick=quick)


def valued(*, quick: bool) -> Iterator[Row]:
    """Hostile evidence, and hostile answers over plain evidence, for the values check."""
    for seat, (work, full) in _VALUED.items():
        yield from _rows(f"values, {seat}", work, full=5_000 if quick else full, quick=quick)


def _rows(name: str, work: Callable[[str], float], *, full: int, quick: bool) -> Iterator[Row]:
    """A detail for each kind of text, then the two that matter: the steepest, and the slowest for its length."""
    rows: list[tuple[float, Row]] = []
    for kind, text in HOSTILE.items():
        size = _grown(work, text, full)
        whole, half = _doubled(work, text(size), text(size // 2), rounds=1 if quick else 3)
        row = _row(f"{name}: {kind}", size, whole, half)
        rows.append((whole.minimum / size, row))
        yield row
    steepest = max((row for _, row in rows), key=lambda row: row.ratio or 0)
    slowest = max(rows, key=lambda pair: pair[0])[1]
    yield from (replace(row, detail=False) for row in dict.fromkeys((steepest, slowest)))


def _doubled(work: Callable[[str], float], whole: str, half: str, *, rounds: int) -> tuple[Sample, Sample]:
    taken = beside({"half": lambda: work(half), "whole": lambda: work(whole)}, rounds=rounds)
    return taken["whole"], taken["half"]


def _row(name: str, size: int, whole: Sample, half: Sample) -> Row:
    return Row(
        detail=True,
        name=name,
        unit="ms",
        ours=whole.scaled(MS),
        reference=half.scaled(MS),
        beside="half the text",
        target=LINEAR,
        note=f"{size:,} characters",
    )


def _grown(work: Callable[[str], float], text: Callable[[int], str], full: int) -> int:
    """The size to report: the full one, or the first that takes long enough."""
    size = min(_FIRST, full)
    while size < full and work(text(size)) < _ENOUGH:
        size = min(size * 2, full)
    return size


def _observe(call: ToolCall) -> float:
    gate = Gate(FLOOR_ONLY)
    gate.begin_turn("Look at app.cfg.")
    return _sound(gate, seconds(lambda: gate.observe(call)))


def _sound(gate: Gate, measure: float) -> float:
    sound(gate)
    return measure


_SEATS: dict[str, Callable[[str], float]] = {
    "a read": lambda text: _observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result=text)),
    "a search": lambda text: _observe(ToolCall(tool="grep", args={"pattern": "x", "path": "src"}, result=text)),
    "a command": lambda text: _observe(ToolCall(tool="shell", args={"command": text}, result="ok", exit_code=0)),
    "its output": lambda text: _observe(ToolCall(tool="shell", args={"command": "make"}, result=text, exit_code=0)),
    "a path": lambda text: _observe(ToolCall(tool="write_file", args={"path": text, "content": text}, result="ok")),
}


def _answer(text: str) -> float:
    gate = _after_change("Set the timeout in app.cfg to 30.", "timeout = 5", "timeout = 30")
    return _sound(gate, seconds(lambda: gate.boundary_check(Attempt(parts=(text,)))))


def _prompt(text: str) -> float:
    return seconds(lambda: Gate(FLOOR_ONLY).begin_turn(text))


def _prompt_and_answer(text: str) -> float:
    gate = _after_change(text, "timeout = 5", "timeout = 30")
    return _sound(gate, seconds(lambda: gate.boundary_check(Attempt(parts=(text,)))))


def _read_back(text: str) -> float:
    gate = _after_change("Rewrite app.cfg.", text[: len(text) // 2], text)
    return _sound(gate, seconds(lambda: gate.boundary_check(Attempt(parts=("I rewrote app.cfg.",)))))


def _after_change(prompt: str, old: str, new: str) -> Gate:
    """A gate that saw an edit and the read after it."""
    gate = Gate(FLOOR_ONLY)
    gate.begin_turn(prompt)
    edit = {"path": "app.cfg", "old": old, "new": new}
    gate.observe(ToolCall(tool="edit_file", args=edit, result="ok", call_id="c1"))
    gate.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result=new, call_id="c2"))
    return gate


_BOUNDARY: dict[str, Callable[[str], float]] = {
    "boundary check": _answer,
    "begin a turn": _prompt,
    "boundary check, prompt repeated": _prompt_and_answer,
    "boundary check, change read back": _read_back,
}


_SAID = (
    "It took 4,711 ms on 2026-11-30 at 14:05 in src/app/main.py for T-4471, 85% of 1.2 million, v1.2.3 and ana@x.org."
)
_numbers = count()


def _shown(text: str) -> float:
    shown = f"{text} {next(_numbers)}"  # no text twice: its index would be there
    return seconds(lambda: check_answer(_SAID, [shown]))


def _said(text: str) -> float:
    said = f"{text} {next(_numbers)}"
    return seconds(lambda: check_answer(said, ["took 4711 ms on 2026-11-30", {"ticket": "T-4471"}]))


_VALUED: dict[str, tuple[Callable[[str], float], int]] = {
    "a result": (_shown, FULL["values"]),
    "an answer": (_said, FULL["boundary check"]),
}
