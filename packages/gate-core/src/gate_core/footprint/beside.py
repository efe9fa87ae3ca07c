"""What else a run shows by what it printed: the checks that a runner of tasks ran, the build under its tests, the image
that a build exported (spec 20, "Signals")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.call import SignalEvent
from gate_core.model.kinds import SignalState


class _Row(NamedTuple):
    """What a program prints, and the signal it stands for."""

    name: str
    of: str
    passed: re.Pattern[str]
    failed: re.Pattern[str] | None


def beside(program: str, event: SignalEvent | None, text: str) -> Iterator[SignalEvent]:
    """The further signals of a run that raised `event` and printed `text`."""
    for row in _rows().get(program, ()) if event is not None else ():
        if event is None or row.name == event.name or row.of not in ("", event.name):
            continue
        if row.failed is not None and row.failed.search(text):
            yield SignalEvent(name=row.name, state=SignalState.FAILED)
        elif row.passed.search(text):
            yield SignalEvent(name=row.name, state=SignalState.PASSED)


def build_printed(text: str, *, ok: bool) -> SignalState | None:
    """How a build ended that some program or tool ran, by the line it ends with; None where nothing says so."""
    row = load_table("footprint", "beside.toml")["printed"]
    if re.search(row["failed"], text, re.MULTILINE):
        return SignalState.FAILED
    if re.search(row["passed"], text, re.MULTILINE):
        return SignalState.PASSED if ok else SignalState.FAILED
    return None


@cache
def _rows() -> dict[str, list[_Row]]:
    """Program -> what else its output shows."""
    found: dict[str, list[_Row]] = {}
    for row in load_table("footprint", "beside.toml")["beside"]:
        failed = re.compile(row["failed"], re.MULTILINE) if row["failed"] else None
        made = _Row(row["name"], row.get("of", ""), re.compile(row["passed"], re.MULTILINE), failed)
        for program in row["programs"]:
            found.setdefault(program, []).append(made)
    return found
