"""`/gate wrong`: the last turn of a session as a case (`gate-transcript/1`), for whoever looks into a wrong verdict.

Secrets do not belong into it: what looks like one, mail addresses and the names of folders above the project are
replaced, the same text by the same placeholder, and long results are cut. It stays on this machine, with mode 0600,
until somebody who has looked through it sends it.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from gate_claude_sdk._neutral import turn_of_events
from gate_claude_sdk._payload import as_object, as_text
from gate_claude_sdk.command.rows import rows
from gate_claude_sdk.command.status import folders
from gate_claude_sdk.plugin.scripts import spool
from gate_core import GateUserError, Json, JsonObject

LONGEST = 4000
"""Characters of a text that are kept."""

_SECRET = re.compile(
    r"[A-Za-z0-9_\-.+]{1,64}@[A-Za-z0-9\-]{1,64}(?:\.[A-Za-z0-9\-]{1,64})+"
    r"|\b(?:sk|pk|ghp|gho|ghs|xox[abp]|AKIA|eyJ)[A-Za-z0-9_\-]{12,500}"
    r"|\b(?=[\w+\-]{0,60}[0-9])(?=[\w+\-]{0,60}[A-Z])(?=[\w+\-]{0,60}[a-z])[\w+\-]{28,500}"
)
_ASSIGNED = re.compile(
    r"(?i)\b(password|passwd|secret|token|api[_-]?key)([\"']?\s{0,3}[:=]\s{0,3}[\"']?)([^\s\"',;]{1,500})"
)


class Redaction:
    """Replaces what should not leave the machine; equal texts stay equal, so that the verdict can be seen again."""

    def __init__(self, root: str) -> None:
        self._names: dict[str, str] = {}
        home = os.path.expanduser("~")
        self._places = [(root, "/project"), (home, "/home/user")]

    def text(self, text: str) -> str:
        """One text without secrets, cut when it is long."""
        for place, name in self._places:
            if len(place) > 1:
                text = text.replace(place, name)
        text = _ASSIGNED.sub(lambda found: f"{found[1]}{found[2]}{self._name(found[3])}", text)
        text = _SECRET.sub(lambda found: self._name(found[0]), text)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]} [cut]"

    def json(self, value: Json) -> Json:
        """A value with all its texts redacted, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(key)): self.json(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.json(item) for item in value]
        return value

    def _name(self, secret: str) -> str:
        return self._names.setdefault(secret, f"REDACTED{len(self._names) + 1}")


def write(session: str, out: str) -> Path:
    """Write the last turn of a session (of the latest one without an id) and return where.

    Raises:
        GateUserError: there is no such session.
        OSError: the file cannot be written.
    """
    path = _spool_of(session)
    events = [as_object(json.loads(line)) for _, _, line in rows(path, 0) if _is_json(line)]
    name = path.name.removesuffix(".spool.jsonl")
    case = _case(name, events)
    target = Path(out) if out else path.with_name(f"{name}.wrong.json")
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(case, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return target


def _case(name: str, events: list[JsonObject]) -> Json:
    root = next((as_text(event.get("cwd")) for event in events if event.get("cwd")), "")
    turn = turn_of_events(events)
    return Redaction(root).json(
        {
            "schema": "gate-transcript/1",
            "id": f"wrong-{name[:8]}",
            "title": "A verdict somebody calls wrong.",
            "tags": ["wrong", "claude-code"],
            "turns": [turn],
        }
    )


def _spool_of(session: str) -> Path:
    found = sorted(
        (path for folder in folders() for path in folder.glob("*.spool.jsonl")), key=lambda path: path.stat().st_mtime
    )
    if session:
        found = [path for path in found if path.name == f"{spool.file_name(session)}.spool.jsonl"]
    if not found:
        raise GateUserError(f"no session {session or 'at all'} in {', '.join(map(str, folders()))}")
    return found[-1]


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
