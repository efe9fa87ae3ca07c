"""What commands share about ending well: being told to stop, and a reader that goes away."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


def close_pipe() -> None:
    """The reader has gone away: nothing more is written, and nothing complains at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def stoppable() -> Iterator[None]:
    """Being told to stop is taken like Ctrl-C, so that servers, processes and folders are cleaned up on the way out."""

    def stop(number: int, frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)  # whoever handles Ctrl-C, an event loop too, handles this

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, stop) for number in known}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
