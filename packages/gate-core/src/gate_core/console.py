"""What commands share about ending well: being told to stop, and a reader that goes away."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


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


class Progress:
    """How far long work is, on a terminal's error stream; nothing elsewhere. The line is gone at the end."""

    def __init__(self, whole: int) -> None:
        self._whole, self._done = whole, 0
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._write("")

    def at(self, what: str) -> None:
        """Say what is being worked on."""
        share = f"{100 * self._done // self._whole:3} % " if self._whole else ""
        self._write(f"{share}{what[-70:]} ...")

    def done(self, part: int) -> None:
        """So much of the whole is done."""
        self._done += part

    def _write(self, text: str) -> None:
        if self._shown:
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()
