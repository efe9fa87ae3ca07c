"""Reads session files of Claude Code (`~/.claude/projects/*/*.jsonl`) as neutral transcripts (spec 60).

A session file is a log: one JSON object per line, one line per content block, with notes of the CLI between them. What
a person typed begins a turn; results are matched with their calls by id; a response without a call ends an attempt.
Blocks of one response share its message id, and so share a step. Left out are summaries of a compaction, feedback of
hooks and other meta messages, errors that the CLI puts into the model's mouth, and what sub-agents were told and said:
their calls are kept, with their agent's id. Sub-agents may have files of their own below the session's folder
(`SESSION/subagents/agent-*.jsonl`); `read_path` puts their lines between those of the session by their time.

What is here is what the entry-point group `gate_core.transcripts` offers to `gate replay`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from heapq import merge
from pathlib import Path
from typing import TextIO

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._neutral import background_event, call_event
from gate_claude_sdk._payload import as_list, as_object, as_text
from gate_core import CallStatus, Json, JsonObject, ToolCall

NAME = "claude-code"
"""The word for `--from`."""

Problem = Callable[[int, str], None]
_PARTS = "subagents"
_NOBODY = "<synthetic>"  # the model of a message that the CLI wrote itself
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_COMMAND = "<command-name>"
_NOT_SAID = ("<local-command-", "<bash-std", "[Request interrupted", "<command-message>")


def detects(head: str) -> bool:
    """True when these first lines of a file are a session of Claude Code."""
    for line in head.splitlines():
        try:
            row = as_object(json.loads(line))
        except (ValueError, RecursionError):
            continue
        if "sessionId" in row and "type" in row:
            return True
    return False


def is_part(path: Path) -> bool:
    """True for the file of a sub-agent whose session is there to bring it along."""
    return path.parent.name == _PARTS and path.parent.parent.with_suffix(".jsonl").is_file()


def read_path(path: Path, problem: Problem = lambda line, what: None) -> Iterator[JsonObject]:
    """The conversation of a session file and of the files of its sub-agents.

    A line of a sub-agent that cannot be read is told with the name of its file.

    Raises:
        OSError: a file cannot be read.
    """
    with ExitStack() as files:
        tells = {path: problem}
        for part in sorted((path.with_suffix("") / _PARTS).glob("*.jsonl")):
            tells[part] = _named(part, problem)
        dated = [_dated(_rows(files.enter_context(_opened(file)), tell)) for file, tell in tells.items()]
        yield from _conversation(row for _, row in merge(*dated, key=lambda row: row[0]))


def read(lines: Iterable[str], problem: Problem = lambda line, what: None) -> Iterator[JsonObject]:
    """The conversation of one session file, as an object that follows the schema; none when nobody said anything.

    `problem` is told the number of every line that cannot be read, and why; such a line is skipped.
    """
    return _conversation(_rows(lines, problem))


def _opened(path: Path) -> TextIO:
    return path.open(encoding="utf-8", errors="replace")


def _named(part: Path, problem: Problem) -> Problem:
    return lambda line, what: problem(line, f"{what} (of {_PARTS}/{part.name})")


def _rows(lines: Iterable[str], problem: Problem) -> Iterator[JsonObject]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            problem(number, f"expected JSON: {error}")
            continue
        if isinstance(row, dict):
            yield row
        else:
            problem(number, f"expected an object, got a {type(row).__name__}")


def _dated(rows: Iterable[JsonObject]) -> Iterator[tuple[str, JsonObject]]:
    """Rows with their time; a row that has none goes with the one before it."""
    latest = ""
    for row in rows:
        latest = max(latest, as_text(row.get("timestamp")))
        yield latest, row


def _conversation(rows: Iterable[JsonObject]) -> Iterator[JsonObject]:
    reader = _Reader()
    for row in rows:
        reader.row(row)
    turns = reader.end()
    if turns:
        yield {"schema": "gate-transcript/1", "id": reader.session or "session", "tags": [NAME], "turns": turns}


@dataclass(slots=True)
class _Reader:
    session: str = ""
    turns: list[dict[str, Json]] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    calls: dict[str, ToolCall] = field(default_factory=dict)  # called, and no result yet
    steps: dict[str, int] = field(default_factory=dict)  # message id -> step of the turn
    texts: list[str] = field(default_factory=list)  # of the open response
    response: str = ""

    def row(self, row: JsonObject) -> None:
        """One line of the file."""
        self.session = self.session or as_text(row.get("sessionId"))
        kind = row.get("type")
        if kind == "assistant":
            self._said(row)
        elif kind == "user" and not row.get("isMeta") and not row.get("isCompactSummary"):
            self._heard(row)
        elif kind == "attachment" and as_object(row.get("attachment")).get("type") == "queued_command":
            self._prompt(_text(as_object(row.get("attachment")).get("prompt")), row)

    def end(self) -> list[Json]:
        """All turns; a call whose result never came counts as failed: what it may have changed is owed."""
        self._finish()
        for call in self.calls.values():
            self.events.append(call_event(call))
        self.calls = {}
        self._close()
        return list(self.turns)

    def _said(self, row: JsonObject) -> None:
        message = as_object(row.get("message"))
        if message.get("model") == _NOBODY:
            return
        name = as_text(message.get("id")) or as_text(row.get("uuid"))
        agent = _agent(row)
        if not agent and name != self.response:
            self._finish()
            self.response = name
        for block in map(as_object, as_list(message.get("content"))):
            if block.get("type") == "tool_use":
                self._called(block, row, f"{agent}/{name}")
            elif block.get("type") == "text" and not agent and as_text(block.get("text")).strip():
                self.texts.append(as_text(block.get("text")))

    def _called(self, block: JsonObject, row: JsonObject, response: str) -> None:
        agent = _agent(row)
        if not agent:
            self.texts, self.response = [], as_text(as_object(row.get("message")).get("id"))
        if block.get("name") == translate.TYPED and not agent:
            self.events.append({"type": "finish", "output": dict(as_object(block.get("input")))})
            return
        event = {"tool_name": block.get("name"), "tool_input": block.get("input"), "tool_use_id": block.get("id")}
        step = self.steps.setdefault(response, len(self.steps))
        call = translate.bare_call({**event, "cwd": row.get("cwd"), "agent_id": agent}, step=step)
        self.calls[call.call_id] = call

    def _heard(self, row: JsonObject) -> None:
        content = as_object(row.get("message")).get("content")
        results = [block for block in map(as_object, as_list(content)) if block.get("type") == "tool_result"]
        for block in results:
            self._result(block, row, row.get("toolUseResult") if len(results) == 1 else None)
        if not results and not _agent(row):
            self._prompt(_text(content), row)

    def _result(self, block: JsonObject, row: JsonObject, structured: Json) -> None:
        call = self.calls.pop(as_text(block.get("tool_use_id")), None)
        if call is None:
            return
        event: dict[str, Json] = {
            "tool_name": call.tool,
            "tool_input": call.args,
            "tool_use_id": call.call_id,
            "cwd": row.get("cwd"),
            "agent_id": call.agent,
        }
        text = _text(block.get("content"))
        step = call.step or 0
        if not block.get("is_error"):
            whole = structured if isinstance(structured, dict | list) else text
            ended = translate.completed_call({**event, "tool_response": whole}, step=step)
        else:
            ended = translate.unreported_call(event, {**event, "tool_response": text}, step=step)
            if ended.status is CallStatus.ERROR:
                ended = translate.failed_call({**event, "error": text}, step=step)
        self.events.append(call_event(ended))

    def _prompt(self, text: str, row: JsonObject) -> None:
        if text.lstrip().startswith("<task-notification>"):
            self._finish()
            self.events.append(background_event({"prompt": text, "cwd": row.get("cwd")}))
            return
        if text.startswith(_COMMAND):
            found = _ARGUMENTS.search(text)
            text = found[1] if found else ""
        if not text.strip() or text.startswith(_NOT_SAID):
            return
        self._finish()
        self._close()
        self.turns.append({"prompt": text})
        self.steps = {}

    def _finish(self) -> None:
        """The open response is over; without a call it was an attempt to finish."""
        if self.texts:
            parts: list[Json] = list(self.texts)
            self.events.append({"type": "finish", "parts": parts})
        self.texts, self.response = [], ""

    def _close(self) -> None:
        if self.events and not self.turns:
            self.turns.append({"prompt": ""})
        if self.turns:
            self.turns[-1]["events"] = [*as_list(self.turns[-1].get("events")), *self.events]
        self.events = []


def _agent(row: JsonObject) -> str:
    """The sub-agent a line belongs to, "" for the main agent."""
    return (as_text(row.get("agentId")) or "sub-agent") if row.get("isSidechain") else ""


def _text(content: Json) -> str:
    """A content that is a text or a list of blocks, as text."""
    if isinstance(content, str):
        return content
    blocks = map(as_object, as_list(content))
    return "\n".join(as_text(block.get("text")) for block in blocks if block.get("type") == "text")
