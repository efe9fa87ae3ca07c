"""The file writer: one locked append per record, one write each, mode 0600 (spec 40, "Audit log").

A record counts as written when `append` returns. What a killed process left half-written is moved aside into
`<log>.torn` by the next writer, which says so in a record of its own; nothing is ever glued to it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from gate_core.audit.chain import AuditError, Head, line_of, read_line
from gate_core.audit.lock import available, lock, unlock
from gate_core.model.json import JsonObject

_LOG = logging.getLogger("gate_core.audit")
DEFAULT = ".gate/audit.jsonl"
"""Where records go unless the host says so, in the working directory at the first record."""

_CHUNK = 65_536
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class AuditWriter(Protocol):
    """Where audit records go."""

    def append(self, record: JsonObject) -> None:
        """Write a record. It is written for good when this returns; else it raises `AuditError`."""
        ...


class FileWriter:
    """Writes records to a JSON Lines file that is created with the first of them. Safe between threads, across forks,
    and with the extra `[audit]` between processes; without it the writer says so once and refuses to go on when
    somebody else writes to its log.

    Raises:
        AuditError: from `append`: the record was not written.
    """

    def __init__(
        self, path: str | Path = DEFAULT, *, fsync: bool = False, clock: Callable[[], str] | None = None
    ) -> None:
        self.path = Path(path)
        self._fsync = fsync
        self._clock = clock or _now
        self._threads = threading.Lock()
        self._handle, self._pid = -1, -1
        self._known: tuple[int, int, int] | None = None  # device, inode and size behind our last record
        self._head = Head()

    @property
    def head(self) -> Head:
        """The head of the log as this writer last saw it."""
        return self._head

    @property
    def single_process(self) -> bool:
        """True when nothing guards the log against other processes."""
        return not available()

    def append(self, record: JsonObject) -> None:
        """Write one record."""
        if self._pid not in (-1, os.getpid()):
            self._threads = threading.Lock()  # a fork copies a lock that may be held by a thread it does not copy
        with self._threads:
            try:
                with self._locked() as size:
                    self._write(record, size)
            except OSError as error:
                raise self._error(f"the record was not written: {error.strerror or type(error).__name__}") from None

    def close(self) -> None:
        """Close the file; the next append opens it again."""
        with self._threads:
            self._drop()

    def _drop(self) -> None:
        if self._handle >= 0 and self._pid == os.getpid():
            with contextlib.suppress(OSError):
                os.close(self._handle)
        self._handle, self._known = -1, None

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Hold the lock on the file that has the log's name now; gives its size."""
        while True:
            self._open()
            handle = self._handle
            if not lock(handle):
                raise self._error("the record was not written: another process holds the log")
            try:
                here = os.fstat(handle)
                if not self._has_the_name(here):
                    self._known = None
                    continue
                self._look(here)
                yield here.st_size if self._known is None else self._known[2]
                return
            finally:
                unlock(handle)
                if self._known is None:
                    self._drop()

    def _open(self) -> None:
        """A lock belongs to an open file, which a fork shares; a child opens its own."""
        if self._handle >= 0 and self._pid == os.getpid():
            return
        first = self._known is None and self._pid == -1
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._handle, self._pid, self._known = os.open(self.path, _FLAGS, 0o600), os.getpid(), None
        if first and self.single_process:
            _LOG.warning("%s: one process only; for several, install gate-core[audit]", self.path)

    def _has_the_name(self, here: os.stat_result) -> bool:
        """False when the log was moved away or deleted since it was opened."""
        try:
            named = os.stat(self.path)
        except FileNotFoundError:
            return False
        return (named.st_dev, named.st_ino) == (here.st_dev, here.st_ino)

    def _look(self, here: os.stat_result) -> None:
        """See what the log ends with, unless nobody has written since we did."""
        place = (here.st_dev, here.st_ino, here.st_size)
        if place == self._known:
            return
        if self._known is not None and self.single_process:
            raise self._error("the record was not written: another process writes here too; install gate-core[audit]")
        torn = self._find_head(here.st_size)
        self._known = (here.st_dev, here.st_ino, here.st_size - torn)
        if torn:
            self._move_aside(here.st_size - torn, torn)

    def _find_head(self, size: int) -> int:
        """Set the head to the last whole line; gives the number of bytes behind it."""
        tail = b""
        start = size
        while start > 0 and tail.count(b"\n") < 2:
            start = max(0, start - _CHUNK)
            tail = _read(self._handle, size - start, start)
        whole, newline, torn = tail.rpartition(b"\n")
        if not newline:
            self._head = Head()
            return len(torn)
        line = read_line(whole.rpartition(b"\n")[2])
        if isinstance(line, str):
            raise self._error(f"the record was not written: the last line of the log {line}")
        if not line.whole:
            raise self._error("the record was not written: the last line of the log was edited; start a new log")
        self._head = line.head
        return len(torn)

    def _move_aside(self, start: int, torn: int) -> None:
        aside = self.path.with_name(f"{self.path.name}.torn")
        rest = _read(self._handle, torn, start)
        into = os.open(aside, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            _put(into, rest + b"\n")
            os.fsync(into)
        finally:
            os.close(into)
        os.ftruncate(self._handle, start)
        _LOG.warning("%s: %d bytes of an unfinished record were moved to %s", self.path, torn, aside)
        self._write({"kind": "torn-tail", "metadata": {"bytes": torn, "moved_to": aside.name}}, start)

    def _write(self, record: JsonObject, size: int) -> None:
        line, head = line_of(record, self._head, self._clock())
        try:
            _put(self._handle, line)
            if self._fsync:
                os.fsync(self._handle)
        except OSError:
            self._known = None  # look again before the next record
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, size)
            raise
        self._head = head
        if self._known is not None:
            self._known = (self._known[0], self._known[1], size + len(line))

    def _error(self, message: str) -> AuditError:
        return AuditError(message, path=str(self.path))


_SHARED: dict[str, FileWriter] = {}


def writer_of(path: str | os.PathLike[str] | bool | None = None) -> FileWriter:
    """This process's writer of a log, the default one unless `path` is a path.

    One per log: where a gate is made for every event, each would otherwise hold the file open for itself.
    """
    place = os.path.abspath(DEFAULT if path is None or isinstance(path, bool) else path)
    return _SHARED.setdefault(place, FileWriter(place))


def _put(handle: int, data: bytes) -> None:
    """One write; a short one is a failed one."""
    if os.write(handle, data) != len(data):
        raise OSError(0, "the disk took only a part of it")


def _read(handle: int, count: int, start: int) -> bytes:
    os.lseek(handle, start, os.SEEK_SET)
    return os.read(handle, count)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
