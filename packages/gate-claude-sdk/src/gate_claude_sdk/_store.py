"""Keeps sessions in a folder: one JSON file each, replaced as a whole, readable by its owner alone."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gate_claude_sdk._payload import as_object
from gate_claude_sdk._session import SCHEMA
from gate_core import ConfigError, Json, JsonObject, StateError

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_SUFFIX = ".session.json"


class SessionStore:
    """The sessions of one folder, which is made when it is missing.

    Raises:
        ConfigError: the folder cannot be made or written.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise ConfigError(f"state_dir: expected a folder, got {str(folder)!r}: {error}", key="state_dir") from None
        if not os.access(self._folder, os.W_OK | os.X_OK):
            raise ConfigError(f"state_dir: {str(folder)!r} cannot be written", key="state_dir")

    def ids(self) -> tuple[str, ...]:
        """The sessions that were kept, in order of their names."""
        return tuple(sorted(path.name.removesuffix(_SUFFIX) for path in self._folder.glob(f"*{_SUFFIX}")))

    def load(self, session_id: str) -> JsonObject | None:
        """What was kept of a session, or None when there is nothing.

        Raises:
            StateError: there is a file, and it cannot be read.
        """
        path = self._path(session_id, _SUFFIX)
        try:
            data = as_object(json.loads(path.read_bytes()))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StateError(f"{path.name}: {error}") from None
        if data.get("schema") != SCHEMA:
            raise StateError(f"{path.name}: expected schema {SCHEMA!r}, got {data.get('schema')!r:.60}")
        return data

    def save(self, session_id: str, data: dict[str, Json]) -> None:
        """Replace what is kept of a session, atomically, with mode 0600.

        Raises:
            OSError: the folder cannot be written.
        """
        target = self._path(session_id, _SUFFIX)
        name = target.with_name(f".writing-{os.getpid()}-{target.name}")
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(data, file, separators=(",", ":"))
            os.replace(name, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise

    def spool(self, session_id: str) -> Path:
        """Where the texts of a session's calls are appended."""
        return self._path(session_id, ".texts.jsonl")

    def _path(self, session_id: str, suffix: str) -> Path:
        name = (
            session_id
            if _SAFE.fullmatch(session_id)
            else f"id-{sha256(session_id.encode(errors='surrogatepass')).hexdigest()}"
        )
        return self._folder / f"{name}{suffix}"
