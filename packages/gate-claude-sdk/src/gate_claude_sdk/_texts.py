"""Keeps the texts of observed calls on disk, so that a later process can look into them again (spec 05).

Facts hold digests only, and the core holds the texts of its own process. A spool is one JSON row per call, appended.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from gate_claude_sdk._logging import log
from gate_claude_sdk._payload import as_object, as_text
from gate_core import Json, JsonObject, TextSource


class Texts(Protocol):
    """A `TextSource` of the core that is also told of new texts."""

    def put(self, ref: str, args: JsonObject, result: Json) -> None:
        """A call was observed under this reference; never raises."""
        ...

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result of the call stored under `ref`, or None when they are gone."""
        ...


class Spool:
    """The texts of one session in a file. The file has mode 0600."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: dict[str, tuple[int, int]] | None = None  # ref -> (offset, length), read when first asked for

    def put(self, ref: str, args: JsonObject, result: Json) -> None:
        """Append the texts of one call. A file that cannot be written is logged: the run goes on."""
        row = json.dumps([ref, args, result], default=str).encode()
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "ab") as file:
                file.write(b"\n" + row)  # the line break first: a row torn by a crash must not swallow the next one
                if self._rows is not None:
                    self._rows[ref] = (file.tell() - len(row), len(row))
        except OSError as error:
            log().warning("state_dir: the texts of a call were not kept: %s", error)

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result stored under `ref`, or None when they are gone."""
        try:
            if self._rows is None:
                self._rows = _index(self._path)
            offset, length = self._rows[ref]
            with self._path.open("rb") as file:
                file.seek(offset)
                _, args, result = json.loads(file.read(length))
        except (OSError, ValueError, KeyError):
            return None
        return as_object(args), result


class Fallback:
    """The texts of a forked session: its own, and what the session it goes on from still has."""

    def __init__(self, parent: TextSource, own: Spool | None) -> None:
        self._parent = parent
        self._own = own

    def put(self, ref: str, args: JsonObject, result: Json) -> None:
        """Keep the texts of one call, if there is a place for them."""
        if self._own is not None:
            self._own.put(ref, args, result)

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result, from whoever has them."""
        found = self._own.call(ref) if self._own is not None else None
        return found or self._parent.call(ref)


def _index(path: Path) -> dict[str, tuple[int, int]]:
    """Where each row lies; rows that cannot be read are left out."""
    rows: dict[str, tuple[int, int]] = {}
    offset = 0
    with path.open("rb") as file:
        for row in file:
            with suppress(ValueError, LookupError, TypeError):
                rows[as_text(json.loads(row)[0])] = (offset, len(row))
            offset += len(row)
    return rows
