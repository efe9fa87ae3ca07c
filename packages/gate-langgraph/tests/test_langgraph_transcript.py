"""LangChain message lists as neutral transcripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    add_notification_metadata,
    messages_to_dict,
)

from gate_core import CallStatus
from gate_core.transcripts import Read, read_file
from gate_langgraph.transcript import NAME, detects, read, transcript_of

EDIT = {"name": "edit_file", "args": {"path": "a", "old": "5", "new": "30"}, "id": "e", "type": "tool_call"}
RUN = {"name": "shell", "args": {"command": "make"}, "id": "s", "type": "tool_call"}
THREAD: list[BaseMessage] = [
    SystemMessage("Be brief."),
    HumanMessage("Set it to 30."),
    AIMessage("I will.", tool_calls=[EDIT, RUN]),
    ToolMessage("ok", tool_call_id="e"),
    ToolMessage("failed", tool_call_id="s", status="error", artifact={"exit_code": 2}),
    AIMessage("Done."),
    add_notification_metadata(HumanMessage("Look again."), source="gate"),
    AIMessage("Done, I looked."),
    HumanMessage("Thanks."),
    AIMessage("Bye."),
]
CALLS = [
    {"type": "call", "id": "e", "tool": "edit_file", "args": EDIT["args"], "result": "ok", "status": "ok", "step": 1},
    {
        "type": "call",
        "id": "s",
        "tool": "shell",
        "args": RUN["args"],
        "result": "failed",
        "status": "error",
        "step": 1,
        "exit_code": 2,
    },
]
TURNS = [
    {
        "prompt": "Set it to 30.",
        "events": [
            *CALLS,
            {"type": "finish", "parts": ["Done."]},
            {"type": "finish", "parts": ["Done, I looked."]},
        ],
    },
    {"prompt": "Thanks.", "events": [{"type": "finish", "parts": ["Bye."]}]},
]


def test_a_thread_becomes_turns_of_calls_and_attempts() -> None:
    """Calls of one response share a step; what a harness wrote is no prompt."""
    assert transcript_of(THREAD, "x") == {
        "schema": "gate-transcript/1",
        "id": "x",
        "tags": ["langchain"],
        "system": "Be brief.",
        "turns": TURNS,
    }


def test_a_message_in_the_place_of_a_refused_call_is_no_execution() -> None:
    """LangChain marks it."""
    refused = ToolMessage("no", tool_call_id="e", additional_kwargs={"lc_source": "hitl_interrupt_decision"})
    turns: Any = transcript_of([THREAD[1], THREAD[2], refused])["turns"]
    assert turns[0]["events"][0]["status"] == CallStatus.NOT_EXECUTED.value


SPELLINGS = {
    "constructors": [dumpd(m) for m in THREAD],
    "typed": messages_to_dict(THREAD),
    "flat": [m.model_dump(mode="json") for m in THREAD],
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("shape", ["array", "pretty", "state", "thread per line", "message per line"])
def test_every_spelling_and_shape_gives_the_same_conversation(spelling: str, shape: str, tmp_path: Path) -> None:
    """Also through a file; what comes out follows the schema."""
    rows = SPELLINGS[spelling]
    text = {
        "array": json.dumps(rows),
        "pretty": json.dumps(rows, indent=2),
        "state": json.dumps({"messages": rows}),
        "thread per line": json.dumps(rows) + "\n\n" + json.dumps({"messages": rows}) + "\n",
        "message per line": "\n".join(json.dumps(row) for row in rows),
    }[shape]
    assert detects(text[:4000])
    problems: list[tuple[int, str]] = []
    found = list(read(text.splitlines(keepends=True), lambda line, what: problems.append((line, what))))
    assert [c["turns"] for c in found] == [TURNS] * (2 if shape == "thread per line" else 1)
    assert problems == []
    file = tmp_path / "x.jsonl"
    file.write_text("\n".join(json.dumps(c) for c in found), "utf-8")
    assert all(isinstance(item, Read) for item in read_file(file))


def test_other_files_are_not_taken() -> None:
    """A neutral transcript, a session of Claude Code, prose."""
    for text in ('{"schema": "gate-transcript/1"}', '{"sessionId": "x", "type": "user"}', "Hello.", "[1, 2]", ""):
        assert not detects(text)


def test_what_cannot_be_read_is_named_and_skipped() -> None:
    """By its line."""
    problems: list[tuple[int, str]] = []
    lines = ["{", json.dumps([1]), json.dumps({"type": "remove", "id": "x"}), json.dumps({"type": "tool"})]
    lines.append(json.dumps({"type": "human", "content": "Hi"}))
    (found,) = read([line + "\n" for line in lines], lambda line, what: problems.append((line, what)))
    assert found["turns"] == [{"prompt": "Hi", "events": []}]
    assert [line for line, _ in problems] == [1, 2, 3, 4]
    assert NAME == "langchain"
