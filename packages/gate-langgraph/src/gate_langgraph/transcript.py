"""Reads LangChain message lists as neutral transcripts (spec 60).

`transcript_of` takes the messages of a thread. `detects` and `read` are what the entry-point group
`gate_core.transcripts` offers to `gate replay`: files with one thread as a JSON array (or an object with `messages`),
or one thread or one message per line, in any of the three spellings LangChain writes: `dumpd`, `messages_to_dict` and
the flat one of its servers.

Messages do not tell what ran: the arguments are those the model asked for, a refused call looks like a failed one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
    get_notification_metadata,
)

from gate_core import Json, JsonObject, ToolCall
from gate_langgraph._served import served_by
from gate_langgraph._translate import calls_by_id, read_message_call, to_json
from gate_langgraph._turns import is_user, text_parts

NAME = "langchain"
"""The word for `--from`."""

Problem = Callable[[int, str], None]
_KINDS = {
    "HumanMessage": "human",
    "HumanMessageChunk": "human",
    "AIMessage": "ai",
    "AIMessageChunk": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
}
_TYPES = frozenset(_KINDS.values())


def transcript_of(messages: Sequence[BaseMessage], name: str = "thread") -> JsonObject:
    """A thread as one conversation. What a harness wrote (summaries, feedback) is no prompt and starts no turn."""
    asked = calls_by_id(messages)
    turns: list[dict[str, Json]] = []
    events: list[Json] = []
    step = 0
    for message in messages:
        if is_user(message):
            events = []
            turns.append({"prompt": "\n".join(text_parts(message.content)), "events": events})
            step = 0
        elif isinstance(message, AIMessage):
            step += 1
            events += [_served(call, step) for call in served_by(message)]
            if not message.tool_calls:
                events.append({"type": "finish", "parts": list(text_parts(message.content))})
        elif isinstance(message, ToolMessage):
            events.append(_call(message, asked.get(message.tool_call_id), step))
    told: dict[str, Json] = {"schema": "gate-transcript/1", "id": name, "tags": [NAME]}
    system = [part for m in messages if isinstance(m, SystemMessage) for part in text_parts(m.content)]
    if system:
        told["system"] = "\n".join(system)
    return {**told, "turns": cast("list[Json]", turns)}


def _served(call: ToolCall, step: int) -> dict[str, Json]:
    """A call that the provider ran itself; it stands in the model's message, with its result."""
    return {
        "type": "call",
        "id": call.call_id,
        "tool": call.tool,
        "args": dict(call.args),
        "result": call.result,
        "status": call.status.value,
        "origin": call.origin,
        "step": step,
    }


def _call(message: ToolMessage, asked: Mapping[str, object] | None, step: int) -> dict[str, Json]:
    call = read_message_call(message, asked)
    event: dict[str, Json] = {
        "type": "call",
        "id": call.call_id,
        "tool": call.tool,
        "args": dict(call.args),
        "result": call.result,
        "status": "not_executed" if get_notification_metadata(cast("HumanMessage", message)) else call.status.value,
        "step": step,
    }
    return event if call.exit_code is None else {**event, "exit_code": call.exit_code}


def detects(head: str) -> bool:
    """True when these first lines of a file are messages of LangChain."""
    text = head.lstrip()
    if '"langchain_core"' in text or '"lc"' in text:
        return True
    if not text.startswith(("[", "{")):
        return False
    shaped = '"tool_calls"' in text or '"additional_kwargs"' in text or '"response_metadata"' in text
    return shaped and any(f'"type": "{kind}"' in text or f'"type":"{kind}"' in text for kind in ("human", "ai"))


def read(lines: Iterable[str], problem: Problem = lambda line, what: None) -> Iterator[JsonObject]:
    """The conversations of one file. A line that cannot be read is told to `problem` and skipped.

    A file whose first line is a thread is read thread by thread; any other is held whole.
    """
    loose: list[BaseMessage] = []
    number = 0
    for line, row in _documents(iter(lines), problem):
        thread = row.get("messages") if isinstance(row, Mapping) and "messages" in row else row
        if isinstance(thread, list):
            number += 1
            messages = [m for item in thread if (m := _message(item, line, problem)) is not None]
            if messages:
                yield transcript_of(messages, f"thread-{number}")
        elif (message := _message(thread, line, problem)) is not None:
            loose.append(message)
    if loose:
        yield transcript_of(loose)


def _documents(lines: Iterator[str], problem: Problem) -> Iterator[tuple[int, object]]:
    """(line, value) of the one document of a file, or of every line."""
    head: list[str] = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    if head and _json(head[-1]) is not None:
        yield from _rows(chain(head, lines), problem)
        return
    text = [*head, *lines]
    whole = _json("".join(text))
    yield from [(1, whole)] if whole is not None else _rows(text, problem)


def _rows(lines: Iterable[str], problem: Problem) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _json(line)
            if row is None:
                problem(number, "expected JSON")
            else:
                yield number, row


def _json(text: str) -> object:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _message(item: object, line: int, problem: Problem) -> BaseMessage | None:
    """One message in any spelling; a kind this reader does not know (remove, function) is none."""
    flat = _flat(item)
    if flat is None:
        problem(line, f"expected a message, got {to_json(item)!r:.60}")
        return None
    try:
        return convert_to_messages([flat])[0]
    except Exception as error:  # noqa: BLE001 - whatever a foreign file holds, the rest is still read
        problem(line, f"not a message: {type(error).__name__}")
        return None


def _flat(item: object) -> dict[str, object] | None:
    if not isinstance(item, Mapping):
        return None
    inner: object = item
    kind = item.get("type")
    if kind == "constructor" and isinstance(item.get("id"), list):
        kind, inner = _KINDS.get(str(item["id"][-1])), item.get("kwargs")
    elif isinstance(item.get("data"), Mapping):
        inner = item["data"]
    if kind not in _TYPES or not isinstance(inner, Mapping):
        return None
    return {**inner, "type": kind}
