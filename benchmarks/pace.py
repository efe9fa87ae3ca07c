"""How fast this machine is beside the one for which spec 80 sets its targets in milliseconds.

A ratio holds on any machine, a time does not. So the one work for which the specification tells a time and that can be
repeated here, the peer's look at 100 KB, tells the pace, and times are shown at the pace of the targets as well.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from benchmarks.measure import MS
from benchmarks.observing import looked_at_by_peer

THEN = 32.0
"""Milliseconds: the least of the 32 to 39 in spec 80, as the least of some rounds is taken here."""

_CHARACTERS = 100_000
_ROUNDS = 9


def pace() -> float | None:
    """What this machine takes for one of the other's milliseconds; None without the peer."""
    look = looked_at_by_peer(_CHARACTERS)
    return None if look is None else min(_taken(look) for _ in range(_ROUNDS)) * MS / THEN


def _taken(look: Callable[[], object]) -> float:
    """Processor time, for whatever else runs here says nothing of the machine."""
    start = process_time()
    look()
    return process_time() - start
