"""The spool as the fold reads it: events by place, and the texts of calls found again by reference (spec 05)."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from pathlib import Path

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._payload import as_object, as_text
from gate_core import Json, JsonObject, ToolCall


def rows(path: Path, since: int) -> Iterator[tuple[str, int, bytes]]:
    """(reference, end, line) of every whole event after byte `since`.

    Writers hold the lock while they write, so every line that is seen under it is whole, or was torn by a crash.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        fcntl.lockf(file, fcntl.LOCK_SH)
        size = file.seek(0, 2)
        fcntl.lockf(file, fcntl.LOCK_UN)
        place = since if since <= size else 0
        file.seek(place)
        while place < size:
            line = file.readline()
            begin, place = place, place + len(line)
            if line.strip():
                yield f"{begin}:{len(line)}", place, line


class SpoolTexts:
    """The texts of calls in the spool of one session. A reference is "offset:length/call id", for the end of
    background work followed by "@" and the reference of its start."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def put(self, ref: str, args: JsonObject, result: Json) -> None:
        """Nothing: the texts came from there."""

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result of the call, or None when the spool no longer has it."""
        here, _, begun = ref.partition("@")
        place, _, call_id = here.partition("/")
        try:
            offset, length = map(int, place.split(":"))
            with self._path.open("rb") as file:
                file.seek(offset)
                event = as_object(json.loads(file.read(length)))
        except (OSError, ValueError):
            return None
        started = self.call(begun) if begun else None
        call = _call(event, call_id, started[0] if started else {})
        return (call.args, call.result) if call is not None else None


def _call(event: JsonObject, call_id: str, args: JsonObject) -> ToolCall | None:
    kind = as_text(event.get("hook_event_name"))
    if kind == "PostToolUse":
        return translate.completed_call(event, step=0)
    if kind == "PostToolUseFailure":
        return translate.failed_call(event, step=0)
    if kind == "UserPromptSubmit":
        return translate.ended_call(event, "", args, step=0)
    entries = [entry for entry in translate.batch_entries(event) if as_text(entry.get("tool_use_id")) == call_id]
    return translate.unreported_call(event, entries[0], step=0) if entries else None
