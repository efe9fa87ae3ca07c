"""A lock that is a file: whoever holds it is the only one of its kind in the folder, and ends when the file goes."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self


class Lock:
    """Held from `with` on until its end, and let go by the system when the process dies. The file is made by whoever
    wants a holder: so it can be taken away again before there is one.

    Raises:
        FileNotFoundError: it was taken away.
        BlockingIOError: another process holds it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        self._handle = os.open(self._path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)

    def __enter__(self) -> Self:
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._handle)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.held():
            with suppress(OSError):
                os.unlink(self._path)
        os.close(self._handle)

    def held(self) -> bool:
        """False when the file was taken away, or is another one by now."""
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(self._handle))
        except OSError:
            return False
