"""Reads sessions that `opencode export` writes as neutral transcripts (spec 60).

A file is one JSON object: `info`, and `messages` of `{"info": {"role"}, "parts": [...]}`. A text of the user begins a
turn, unless the program wrote it itself (`synthetic`); each `tool` part is a call with its result; a `step-start` part,
or a new message, begins a response; what the agent wrote after its last call is an attempt to finish.

The built-in tools become the neutral ones. Sub-agents have sessions of their own and are not in the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gate_core.model.json import Json, JsonObject
from gate_core.model.late import late

NAME = "opencode"
"""The word for `--from`."""

_TOOLS: dict[str, tuple[str, dict[str, str]]] = {
    "bash": ("shell", {"command": "command", "workdir": "cwd"}),
    "read": ("read_file", {"filePath": "path", "offset": "offset", "limit": "limit"}),
    "write": ("write_file", {"filePath": "path", "content": "content"}),
    "edit": ("edit_file", {"filePath": "path", "oldString": "old", "newString": "new"}),
    "list": ("list_dir", {"path": "path"}),
    "glob": ("glob", {"pattern": "pattern", "path": "path"}),
    "grep": ("grep", {"pattern": "pattern", "path": "path"}),
    "webfetch": ("http_get", {"url": "url"}),
}
"""Its tool -> the neutral one, and its arguments by their neutral names; other arguments are left out."""

_PLANS = ("todowrite", "todoread")
_STATUS = {"completed": "ok", "error": "error"}
_SESSION = late(r'"sessionID"\s*:|"id"\s*:\s*"ses_')


def detects(head: str) -> bool:
    """True when this beginning of a file is an exported session."""
    return head.lstrip().startswith("{") and '"info"' in head and _SESSION.search(head) is not None


def read(lines: Iterable[str], problem: Callable[[int, str], None] = lambda line, what: None) -> Iterator[JsonObject]:
    """The conversation of one export, as an object that follows the schema; none when nobody said anything.

    `problem` is told when the file is no such object.
    """
    try:
        whole: Json = json.loads("".join(lines))
    except (ValueError, RecursionError) as error:
        problem(getattr(error, "lineno", 1), "expected a session as JSON")
        return
    messages = whole.get("messages") if isinstance(whole, Mapping) else None
    if not isinstance(whole, Mapping) or not isinstance(messages, Sequence) or isinstance(messages, str):
        problem(1, "expected an object with messages")
        return
    info = _object(whole.get("info"))
    reader = _Reader(cwd=_text(info.get("directory")))
    for message in messages:
        reader.message(_object(message))
    turns = reader.end()
    if turns:
        yield {"schema": "gate-transcript/1", "id": _text(info.get("id")) or "session", "tags": [NAME], "turns": turns}


@dataclass(slots=True)
class _Reader:
    cwd: str
    turns: list[dict[str, Json]] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    texts: list[Json] = field(default_factory=list)
    step: int = 0

    def message(self, message: JsonObject) -> None:
        """One message with its parts."""
        role = _object(message.get("info")).get("role")
        parts = [_object(part) for part in _listed(message.get("parts"))]
        if role == "user":
            said = [_text(p.get("text")) for p in parts if p.get("type") == "text" and not p.get("synthetic")]
            if any(text.strip() for text in said):
                self._close()
                self.turns.append({"prompt": "\n".join(said), "events": []})
                self.step = 0
        elif role == "assistant":
            self.step += 1
            for part in parts:
                self._part(part)

    def end(self) -> list[Json]:
        """All turns."""
        self._close()
        return list(self.turns)

    def _part(self, part: JsonObject) -> None:
        if part.get("type") == "step-start":
            self.step += 1
        elif part.get("type") == "text" and _text(part.get("text")).strip():
            self.texts.append(part["text"])
        elif part.get("type") == "tool":
            self.texts = []
            self.events.append(self._call(part))

    def _call(self, part: JsonObject) -> dict[str, Json]:
        state, name = _object(part.get("state")), _text(part.get("tool"))
        tool, args = _neutral(name, _object(state.get("input")))
        event: dict[str, Json] = {"type": "call", "id": _text(part.get("callID")), "tool": tool, "args": args}
        event |= {"step": self.step, "status": _STATUS.get(_text(state.get("status")), "pending")}
        event["result"] = state.get("error") if event["status"] == "error" else state.get("output")
        code = _object(state.get("metadata")).get("exit")
        if isinstance(code, int) and not isinstance(code, bool):
            event["exit_code"] = code
        if self.cwd:
            event["cwd"] = self.cwd
        return {**event, "profile": {"effect": "neutral"}} if name in _PLANS else event

    def _close(self) -> None:
        if self.texts:
            self.events.append({"type": "finish", "parts": self.texts})
        self.texts = []
        if self.events and not self.turns:
            self.turns.append({"prompt": "", "events": []})
        if self.events:
            self.turns[-1]["events"] = self.events
        self.events = []


def _neutral(name: str, args: JsonObject) -> tuple[str, dict[str, Json]]:
    if name not in _TOOLS:
        return name, dict(args)
    tool, names = _TOOLS[name]
    return tool, {new: args[old] for old, new in names.items() if old in args}


def _object(value: Json) -> dict[str, Json]:
    return dict(value) if isinstance(value, Mapping) else {}


def _listed(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
