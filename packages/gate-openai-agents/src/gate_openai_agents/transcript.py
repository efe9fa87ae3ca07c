"""Reads histories of the OpenAI Agents SDK and of the Responses API as neutral transcripts (spec 60).

A history is a list of items: what `result.to_input_list()` and `session.get_items()` give, the `output` of a response,
or a `RunState`. A user message begins a turn; results are matched with their calls by id; model items with no output
between them are one response, and share a step; a response without a local call ends an attempt.

A history does not tell everything the hooks see: which calls of refused approvals and unknown tools never ran is known
only by the SDK's own sentences, failures hidden in results stay hidden, and what agents used as tools did is not there.

`detects` and `read` are what the entry-point group `gate_core.transcripts` offers to `gate replay`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gate_core import CallStatus, Json, JsonObject, ToolCall
from gate_openai_agents import _translate
from gate_openai_agents._calls import completed
from gate_openai_agents._translate import Answered, Asked

NAME = "openai"
"""The word for `--from`."""

_PROGRAM = ("program", "program_output")
_ITEM_TYPES = frozenset({*_translate.LOCAL, *_translate.OUTPUTS, *_translate.HOSTED, *_PROGRAM, "reasoning", "message"})
_FAILED = re.compile(
    r"An error occurred while running the tool\. Please try again\.( Error: .*)?"
    r"|Tool '.*' timed out after .* seconds\.",
    re.DOTALL,
)
_NEVER_RAN = re.compile(r"Tool execution was not approved\.|Tool '?.*'? not found.*|Multiple handoffs detected.*")


def detects(head: str) -> bool:
    """True when this beginning of a file is a history of items of the Responses API, or a `RunState`."""
    found = {match[1] for match in re.finditer(r'"type"\s*:\s*"(\w+)"', head)}
    if '"original_input"' in head and '"model_responses"' in head:
        return True
    typical = {*_translate.LOCAL, *_translate.OUTPUTS, *_translate.HOSTED, "output_text"}
    return bool(found & typical) and "sessionId" not in head


def read(lines: Iterable[str], problem: Callable[[int, str], None] = lambda line, what: None) -> Iterator[JsonObject]:
    """The conversations of a file, each as an object that follows the schema.

    A file is one JSON document, or JSON Lines: a line that is an item belongs to the one conversation of the file, a
    line that is a list or an object of items is one by itself. `problem` is told the number of every line that cannot
    be read, and why; such a line is skipped.
    """
    loose: list[Json] = []
    number = 0
    for document in _documents(iter(lines), problem):
        if _is_item(document):
            loose.append(document)
            continue
        number += 1
        told = transcript_of(items_of(document), name=f"history-{number}")
        if told["turns"]:
            yield told
    told = transcript_of(loose, name=f"history-{number + 1}")
    if told["turns"]:
        yield told


def _documents(lines: Iterator[str], problem: Callable[[int, str], None]) -> Iterator[Json]:
    """The one document of a file, or that of every line; a file whose first line is one is never held whole."""
    head: list[str] = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    if head and _parsed(head[-1]) is not None:
        yield from _by_line(chain(head, lines), problem)
        return
    text = [*head, *lines]
    whole = _parsed("\n".join(line.rstrip("\n") for line in text))
    yield from [whole] if whole is not None else _by_line(text, problem)


def _by_line(lines: Iterable[str], problem: Callable[[int, str], None]) -> Iterator[Json]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _parsed(line)
            if isinstance(row, dict | list):
                yield row
            else:
                problem(number, "expected an item, a list of items or a run state as JSON")


def _parsed(text: str) -> Json:
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _is_item(row: Json) -> bool:
    return isinstance(row, dict) and (row.get("type") in _ITEM_TYPES or ("role" in row and "content" in row))


def items_of(document: Json) -> list[Json]:
    """The items in a document: a list, an object with `input`, `output` or `items`, or a run state."""
    if isinstance(document, list):
        return list(document)
    if not isinstance(document, dict):
        return []
    found: list[Json] = []
    for name in ("original_input", "input", "items", "generated_items", "output"):
        part = document.get(name)
        rows: list[Json] = [{"role": "user", "content": part}] if isinstance(part, str) else []
        for row in part if isinstance(part, list) else rows:
            raw = row.get("raw_item") if isinstance(row, dict) else None
            found.append(row if raw is None else raw)
    return found


def transcript_of(items: Sequence[object], *, name: str = "history") -> dict[str, Json]:
    """The conversation of a history, as an object of `gate-transcript/1`. Pure; items may be objects or mappings."""
    outputs = {output.call_id: output for output in _translate.answered(items)}
    reader = _Reader(outputs=outputs, programs=_translate.programs(items))
    for item in items:
        reader.item(item)
    reader.close()
    system: dict[str, Json] = {"system": "\n".join(reader.system)} if reader.system else {}
    return {"schema": "gate-transcript/1", "id": name, "tags": [NAME], **system, "turns": list(reader.turns)}


@dataclass(slots=True)
class _Reader:
    outputs: dict[str, Answered]
    programs: dict[str, str]
    turns: list[dict[str, Json]] = field(default_factory=list)
    system: list[str] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    response: list[object] = field(default_factory=list)  # model items with no output between them
    said: list[str] = field(default_factory=list)  # the user's messages before the next model item
    step: int = 0

    def item(self, item: object) -> None:
        """One item of the history."""
        kind, role = _translate.word(item, "type"), _translate.word(item, "role")
        if role in ("user", "system", "developer"):
            self._respond()
            text = _translate.user_text([{"role": "user", "content": _translate.field(item, "content")}])
            (self.said if role == "user" else self.system).append(text)
        elif kind in _translate.OUTPUTS:
            self._respond()
        else:
            self._turn()
            self.response.append({"type": "message", **item} if role and isinstance(item, dict) else item)

    def close(self) -> None:
        """The history ended."""
        self._respond()
        self._turn()
        self._flush()

    def _turn(self) -> None:
        if self.said:
            self._flush()
            self.turns.append({"prompt": "\n".join(text for text in self.said if text), "events": []})
            self.said = []

    def _flush(self) -> None:
        if self.events and not self.turns:
            self.turns.append({"prompt": "", "events": []})
        if self.events:
            self.turns[-1]["events"] = self.events
            self.events = []

    def _respond(self) -> None:
        """The open response is over; without a local call its texts were an attempt to finish."""
        items, self.response = self.response, []
        if not items:
            return
        self.step += 1
        asked = [call for call in _translate.asked(items) if not self._hands_over(call)]
        programs = _translate.program_outputs(items, self.programs)
        ran = [*_translate.hosted(items), *programs, *map(self._ended, asked)]
        self.events += [_event(call, self.step) for call in ran]
        parts: list[Json] = list(_translate.texts(items))
        if parts and not _translate.asked(items):
            self.events.append({"type": "finish", "parts": parts})

    def _hands_over(self, call: Asked) -> bool:
        """A hand-off answers with the name of the agent that goes on."""
        output = self.outputs.get(call.call_id)
        result = _parsed(output.result) if output is not None and isinstance(output.result, str) else None
        return isinstance(result, dict) and set(result) == {"assistant"}

    def _ended(self, asked: Asked) -> ToolCall:
        output = self.outputs.get(asked.call_id)
        if output is None:
            return completed(asked, Answered(call_id=asked.call_id, result=None, status=CallStatus.PENDING))
        status = output.status
        if isinstance(output.result, str):
            text = output.result.strip()
            if _NEVER_RAN.fullmatch(text):
                status = CallStatus.NOT_EXECUTED
            elif _FAILED.fullmatch(text):
                status = CallStatus.ERROR
        exit_code = output.exit_code if status is output.status else None
        return completed(
            asked, Answered(call_id=asked.call_id, result=output.result, status=status, exit_code=exit_code)
        )


def _event(call: ToolCall, step: int) -> dict[str, Json]:
    """A `call` event."""
    event: dict[str, Json] = {"type": "call", "tool": call.tool, "args": dict(call.args), "result": call.result}
    event |= {"status": call.status.value, "step": step}
    if call.exit_code is not None:
        event["exit_code"] = call.exit_code
    named: dict[str, Json] = {"id": call.call_id, "cwd": call.cwd, "origin": call.origin}
    return {**event, **{name: value for name, value in named.items() if value}}
