"""Where spans of OpenTelemetry begin (spec 50, "Telemetry"); the edge that makes them is loaded where it is used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from gate_core.model.fact import Fact
from gate_core.model.verdict import Verdict

End: TypeAlias = Callable[[Fact | Verdict | None], None]

OBSERVE, BOUNDARY = "gate.observe", "gate.boundary_check"


def begun(name: str) -> End:
    """Begin a span; gives what ends it with its outcome. Nothing happens in a process that never imported the API of
    OpenTelemetry: no provider can be set there."""
    if "opentelemetry.trace" not in sys.modules:
        return _nothing
    return _recorder()(name) or _nothing


@cache
def _recorder() -> Callable[[str], End | None]:
    """Loaded once: with every observed call, the import alone would cost more than all the rest here."""
    from gate_core.telemetry import begun as recorded

    return recorded


def _nothing(outcome: Fact | Verdict | None) -> None:
    """Nobody records."""
