"""The lock around one append. With the extra `[audit]` it holds between processes, without it inside this one only."""

from __future__ import annotations

import time
from functools import cache
from importlib.util import find_spec

PATIENCE = 20.0
"""Seconds to wait for another process; a stopped one must not stop an agent for good."""

_FIRST, _LONGEST = 0.0001, 0.005  # seconds between two tries


@cache
def available() -> bool:
    """True when the extra `[audit]` is installed."""
    return find_spec("portalocker") is not None


def lock(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file for this process, waiting for others; False when they did not let go in time."""
    if not available():
        return True
    import portalocker

    kind = portalocker.LockFlags.SHARED if shared else portalocker.LockFlags.EXCLUSIVE
    flags, wait, end = kind | portalocker.LockFlags.NON_BLOCKING, _FIRST, 0.0
    while True:
        try:
            portalocker.lock(handle, flags)
        except portalocker.exceptions.AlreadyLocked:
            now = time.monotonic()
            end = end or now + PATIENCE
            if now > end:
                return False
            time.sleep(wait)
            wait = min(wait * 2, _LONGEST)
        else:
            return True


def unlock(handle: int) -> None:
    """Let go."""
    if available():
        import portalocker

        portalocker.unlock(handle)
