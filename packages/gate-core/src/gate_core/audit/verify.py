"""Is a log whole? Edits, gaps, lines of other logs, a torn tail, a tail cut off (spec 40, "Audit log").

What is found is evidence of accidents: whoever may write the file can also write a whole new chain. A head that is kept
where the writer's user cannot reach it says more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from gate_core.audit.chain import VERSION, AuditError, Head, Line, read_line
from gate_core.audit.lock import lock, unlock
from gate_core.model.json import Json

_MOST = 20  # problems told one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """One thing wrong with a log: "edited", "gap", "foreign", "unreadable", "version", "torn" or "cut", and where."""

    kind: str
    line: int
    says: str

    def to_dict(self) -> dict[str, Json]:
        """As JSON."""
        return {"kind": self.kind, "line": self.line, "says": self.says}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found. `head` is that of the last whole line."""

    path: str
    records: int
    head: Head
    damage: tuple[Damage, ...] = field(default=())

    @property
    def whole(self) -> bool:
        """True when nothing is wrong."""
        return not self.damage

    def to_dict(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "path": self.path,
            "records": self.records,
            "whole": self.whole,
            "head": self.head.to_dict(),
            "damage": [item.to_dict() for item in self.damage[:_MOST]],
            "damages": len(self.damage),
        }


def read_log(path: str | Path) -> Iterator[tuple[int, bytes, bool]]:
    """(number, line, complete) of every line that was there when reading began; writers may go on meanwhile.

    Raises:
        AuditError: the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            size = _settled_size(file)
            read = 0
            for number, line in enumerate(file, 1):
                if read >= size:
                    return
                read += len(line)
                yield number, line.removesuffix(b"\n"), line.endswith(b"\n")
    except OSError as error:
        raise AuditError(f"cannot be read: {error.strerror}", path=str(path)) from None


def _settled_size(file: BinaryIO) -> int:
    """The size between two appends."""
    held = lock(file.fileno(), shared=True)
    try:
        return os.fstat(file.fileno()).st_size
    finally:
        if held:
            unlock(file.fileno())


def records_of(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, record) of every line that is one, whatever the chain says."""
    for number, line, complete in read_log(path):
        found = read_line(line) if complete else ""
        if isinstance(found, Line):
            yield number, dict(found.record)


def verify(path: str | Path, *, head: Head | None = None, expect_head: str = "") -> Report:
    """Follow the chain. `head` is an earlier head that must still be in it, `expect_head` the hash it must end with.

    Raises:
        AuditError: the file cannot be read.
    """
    walk = _Walk(head)
    for number, line, complete in read_log(path):
        walk.line(number, line, complete=complete)
    walk.end(expect_head)
    return Report(path=str(path), records=walk.records, head=walk.head, damage=tuple(walk.damage))


class _Walk:
    """Goes along the chain and notes where it is broken."""

    def __init__(self, earlier: Head | None) -> None:
        self.head = Head()
        self.records = 0
        self.damage: list[Damage] = []
        self._earlier = earlier
        self._met = earlier is None or earlier.seq == 0
        self._last = 0

    def line(self, number: int, line: bytes, *, complete: bool) -> None:
        self._last = number
        if not complete:
            self._note("torn", f"{len(line)} bytes of an unfinished record")
            return
        found = read_line(line)
        if isinstance(found, str):
            self._note("version" if found.startswith("has version") else "unreadable", f"the line {found}")
            return
        self.records += 1
        self._chained(found)
        self.head = found.head
        earlier = self._earlier
        if earlier is not None and self.head.seq == earlier.seq:
            self._met = True
            if self.head.hash != earlier.hash:
                self._note("foreign", f"record {earlier.seq} is not the one of the head that was kept")

    def _chained(self, found: Line) -> None:
        wanted, seq = self.head.seq + 1, found.head.seq
        if not found.whole:
            self._note("edited", "the line was edited")
        if seq > wanted:
            self._note("gap", f"records {wanted} to {seq - 1} are missing")
        elif seq < wanted:
            self._note("foreign", f"record {seq} stands where {wanted} belongs: two logs were merged, or a line moved")
        elif found.prev != self.head.hash:
            self._note("foreign", "the line does not follow the one before it: edited, or from another log")

    def end(self, expect_head: str) -> None:
        earlier = self._earlier
        if not self._met and earlier is not None:
            self._note("cut", f"the head that was kept is record {earlier.seq}; the log ends with {self.head.seq}")
        if expect_head and expect_head != self.head.hash:
            self._note("cut", f"the log ends with the hash {self.head.hash or 'of nothing'}, not with {expect_head}")

    def _note(self, kind: str, says: str) -> None:
        self.damage.append(Damage(kind=kind, line=self._last, says=says))


def load_head(path: str | Path) -> Head:
    """A head that was kept in a file.

    Raises:
        AuditError: the file holds no head.
    """
    try:
        data = json.loads(Path(path).read_text("utf-8"))
        if data["v"] != VERSION:
            raise ValueError
        return Head(seq=int(data["seq"]), hash=str(data["hash"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise AuditError(
            "holds no head; write one with: gate audit verify LOG --save-head FILE", path=str(path)
        ) from None
