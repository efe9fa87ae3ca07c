"""One line of the log: how a record is written, hashed and read again (spec 40, "Audit log").

Every line is one JSON object. `hash` is the digest of all of the line before it, and `prev` is the hash of the line
before: no line can be edited, left out or brought in from another log without breaking the chain behind it. The chain
says that a log is whole as far as it goes; that its end was not cut off only a head kept elsewhere can say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gate_core.model.errors import GateUserError
from gate_core.model.json import Json, JsonObject, canonical, digest

VERSION = 1
"""The format of the lines this version writes and reads."""

_OWN = ("v", "seq", "prev", "timestamp", "hash")
_MARK = b',"hash":"'
_HASH = 16  # characters of a digest


class AuditError(GateUserError):
    """A record could not be written, or a log could not be read. `path` is the log."""

    def __init__(self, message: str, *, path: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The last record of a log: how many there are, and its hash. Kept elsewhere, it tells of a tail cut off."""

    seq: int = 0
    hash: str = ""

    def to_dict(self) -> dict[str, Json]:
        """The head as JSON."""
        return {"v": VERSION, "seq": self.seq, "hash": self.hash}


def line_of(record: JsonObject, after: Head, timestamp: str) -> tuple[bytes, Head]:
    """(the line with its line break, the new head). Keys that are the writer's own are not taken from the record."""
    own: dict[str, Json] = {"v": VERSION, "seq": after.seq + 1, "prev": after.hash}
    rest = {key: value for key, value in record.items() if key not in _OWN}
    body = _encoded({**own, "timestamp": timestamp, **rest})[:-1].encode("utf-8", "backslashreplace")
    mark = digest(body)
    return b"".join((body, _MARK, mark.encode(), b'"}\n')), Head(seq=after.seq + 1, hash=mark)


def _encoded(value: Mapping[str, Json]) -> str:
    try:
        return _ENCODER.encode(value)
    except TypeError:  # not JSON: what has no word in it is told by its type
        text: str = json.dumps(json.loads(canonical(value)), ensure_ascii=False, separators=(",", ":"))
        return text


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that was read: what it says, and whether its own hash fits."""

    record: Mapping[str, Any]
    whole: bool

    @property
    def head(self) -> Head:
        """The head of a log that ends here."""
        return Head(seq=int(self.record["seq"]), hash=str(self.record["hash"]))

    @property
    def prev(self) -> str:
        """The hash of the line before, as this line has it."""
        return str(self.record["prev"])


def read_line(line: bytes) -> Line | str:
    """A line (without its line break) as it stands in a log, or what is wrong with it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return "is no JSON"
    if not isinstance(record, dict):
        return "is no record"
    if record.get("v") != VERSION:
        return f"has version {record.get('v')!r:.20}; this program knows version {VERSION}"
    if not isinstance(record.get("seq"), int) or not all(isinstance(record.get(k), str) for k in ("prev", "hash")):
        return "is no record"
    body, mark, rest = line.rpartition(_MARK)
    return Line(record=record, whole=bool(mark) and rest == f'{digest(body)}"}}'.encode())
