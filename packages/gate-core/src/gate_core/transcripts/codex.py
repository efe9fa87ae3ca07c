"""Reads rollout files of the Codex CLI (`~/.codex/sessions/**/rollout-*.jsonl`) as neutral transcripts (spec 60).

A rollout is a log: `{"timestamp", "type", "payload"}` a line. Of it are read the items that went to the model
(`response_item`) and the working folder; what the CLI shows beside (`event_msg`) says the same again. A message of the
user begins a turn; results are matched with their calls by id; calls without a result between them are one response;
texts before a call are narration, texts before the next message of the user are an attempt to finish.

Commands become the neutral `shell`. What the CLI tells the model in the user's name (instructions, environment) is no
prompt, and its plans change nothing.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gate_core.model.json import Json, JsonObject
from gate_core.model.late import late

NAME = "codex"
"""The word for `--from`."""

_LINES = ("session_meta", "response_item", "turn_context", "event_msg", "compacted")
_NOT_SAID = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>", "<skill")
_SHELLS = ("shell", "container.exec", "shell_command", "exec_command", "local_shell")
_HEAD = late(r"(?:(?:Chunk ID|Exit code|Wall time|Process|Total output lines|Original token count)\b[^\n]*\n)+")
_EXIT = late(r"^(?:Exit code:|Process exited with code) (-?\d+)\s*$", re.MULTILINE)
_RUNS_ON = late(r"^Process running with session ID (\d+)", re.MULTILINE)
_REFUSED = late(r"(?:exec command |patch )?rejected by user", re.IGNORECASE)
_FAILED = late(r"(?:apply_patch verification failed|failed to parse|error:)", re.IGNORECASE)


def detects(head: str) -> bool:
    """True when these first lines of a file are a rollout."""
    for line in head.splitlines():
        row = _parsed(line)
        if isinstance(row, dict):
            return row.get("type") in _LINES and isinstance(row.get("payload"), dict)
    return False


def read(lines: Iterable[str], problem: Callable[[int, str], None] = lambda line, what: None) -> Iterator[JsonObject]:
    """The conversation of one rollout, as an object that follows the schema; none when nobody said anything.

    `problem` is told the number of every line that cannot be read, and why; such a line is skipped.
    """
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _parsed(line)
        if isinstance(row, dict):
            reader.row(row)
        else:
            problem(number, "expected a JSON object")
    turns = reader.end()
    if turns:
        yield {"schema": "gate-transcript/1", "id": reader.session or "session", "tags": [NAME], "turns": turns}


@dataclass(slots=True)
class _Reader:
    session: str = ""
    cwd: str = ""
    turns: list[dict[str, Json]] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    calls: dict[str, dict[str, Json]] = field(default_factory=dict)  # called, and no result yet
    running: dict[str, str] = field(default_factory=dict)  # session of a command that runs on -> its call
    texts: list[Json] = field(default_factory=list)
    step: int = 0
    answered: bool = True  # a result came after the last call

    def row(self, row: JsonObject) -> None:
        """One line of the file."""
        payload = row.get("payload")
        if not isinstance(payload, Mapping):
            return
        if row.get("type") in ("session_meta", "turn_context"):
            self.session = self.session or _text(payload.get("id"))
            self.cwd = _text(payload.get("cwd")) or self.cwd
        elif row.get("type") == "response_item":
            kind = _text(payload.get("type"))
            if kind == "message":
                self._message(payload)
            elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
                self._called(payload)
            elif kind.endswith("_call_output"):
                self._result(payload)

    def end(self) -> list[Json]:
        """All turns; a call whose result never came may still run."""
        self._finish()
        self.events += [{**call, "status": "pending"} for call in self.calls.values() if "tool" in call]
        self.calls = {}
        self._close()
        return list(self.turns)

    def _message(self, payload: JsonObject) -> None:
        text = _text(payload.get("content"))
        if payload.get("role") == "assistant" and text.strip():
            self.texts.append(text)
        elif payload.get("role") == "user" and text.strip() and not text.lstrip().startswith(_NOT_SAID):
            self._finish()
            self._close()
            self.turns.append({"prompt": text, "events": []})
            self.step = 0

    def _called(self, payload: JsonObject) -> None:
        self.texts = []
        if self.answered:
            self.step, self.answered = self.step + 1, False
        ident = _text(payload.get("call_id")) or _text(payload.get("id"))
        self.calls[ident] = {"type": "call", "id": ident, "step": self.step, **self._asked(payload)}

    def _asked(self, payload: JsonObject) -> dict[str, Json]:
        """Tool, arguments and working folder of a call."""
        name, args = _text(payload.get("name")), _object(payload.get("arguments"))
        if payload.get("type") == "local_shell_call":
            name, args = "local_shell", _object(payload.get("action"))
        elif payload.get("type") == "custom_tool_call":
            args = {"input": payload.get("input")}
        if name not in _SHELLS:
            plan: dict[str, Json] = {"profile": {"effect": "neutral"}} if name == "update_plan" else {}
            return {"tool": name, "args": args, **({"cwd": self.cwd} if self.cwd else {}), **plan}
        cwd = _text(args.get("workdir")) or _text(args.get("working_directory")) or self.cwd
        command = args.get("command", args.get("cmd"))
        return {"tool": "shell", "args": {"command": _command(command)}, **({"cwd": cwd} if cwd else {})}

    def _result(self, payload: JsonObject) -> None:
        call = self.calls.pop(_text(payload.get("call_id")), None)
        self.answered = True
        if call is None:
            return
        result, exit_code = _output(payload.get("output"))
        if call["tool"] == "write_stdin":
            self._goes_on(call, result, exit_code)
            return
        event: dict[str, Json] = {**call, "result": result, "status": _status(result)}
        runs_on = _RUNS_ON.search(_text(payload.get("output"))) if exit_code is None else None
        if runs_on is not None:
            event["status"] = "pending"
            self.running[runs_on[1]] = str(call["id"])
        if exit_code is not None:
            event["exit_code"] = exit_code
        self.events.append(event)

    def _goes_on(self, call: Mapping[str, Json], result: Json, exit_code: int | None) -> None:
        """More of a command that runs on: only its end is news."""
        session = str(_object(call.get("args")).get("session_id"))
        if exit_code is not None and session in self.running:
            ended: dict[str, Json] = {"type": "background", "id": self.running.pop(session), "status": "ok"}
            self.events.append({**ended, "exit_code": exit_code, "result": result})

    def _finish(self) -> None:
        if self.texts:
            self.events.append({"type": "finish", "parts": self.texts})
        self.texts = []

    def _close(self) -> None:
        if self.events and not self.turns:
            self.turns.append({"prompt": "", "events": []})
        if self.events:
            self.turns[-1]["events"] = self.events
        self.events = []


def _command(command: Json) -> str:
    """A command line; `bash -lc TEXT` is its text."""
    if isinstance(command, str):
        return command
    words = [str(word) for word in command] if isinstance(command, Sequence) else []
    if len(words) == 3 and words[1] in ("-c", "-lc") and words[0].rpartition("/")[2] in ("bash", "sh", "zsh"):
        return words[2]
    return shlex.join(words)


def _output(output: Json) -> tuple[Json, int | None]:
    """(what the command printed, its exit status) of a result in any of the forms the CLI has had."""
    whole = _parsed(output) if isinstance(output, str) else output
    if isinstance(whole, Mapping) and isinstance(whole.get("metadata"), Mapping):
        code = _object(whole["metadata"]).get("exit_code")
        return whole.get("output"), code if isinstance(code, int) else None
    text = _text(output)
    head = _HEAD.match(text)
    if head is None or not text.startswith("Output:", head.end()):
        return text, None
    code_line = _EXIT.search(head[0])
    return text[head.end() :].partition("\n")[2], int(code_line[1]) if code_line else None


def _status(result: Json) -> str:
    text = result.lstrip() if isinstance(result, str) else ""
    return "denied" if _REFUSED.match(text) else "error" if _FAILED.match(text) else "ok"


def _parsed(text: str) -> Json:
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _object(value: Json) -> dict[str, Json]:
    found = _parsed(value) if isinstance(value, str) else value
    return dict(found) if isinstance(found, Mapping) else {}


def _text(value: Json) -> str:
    """A text, or the texts of a list of blocks."""
    if isinstance(value, str):
        return value
    blocks = value if isinstance(value, Sequence) else ()
    found = [block.get("text") for block in blocks if isinstance(block, Mapping)]
    return "\n".join(text for text in found if isinstance(text, str))
