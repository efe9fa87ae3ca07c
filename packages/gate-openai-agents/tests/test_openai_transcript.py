"""Histories of the SDK become neutral transcripts, and the core judges them as it judged the run."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import entry_points
from typing import Any

import pytest
from agents import Agent, SQLiteSession, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, function_call
from jsonschema import validate
from openai_scripts import LIE, read_file, say

from gate_core import GateConfig
from gate_core.transcripts import play, schema
from gate_openai_agents import GateRunner, transcript

set_tracing_disabled(True)


@function_tool
def edit_file(path: str, old: str, new: str) -> str:
    """Edit."""
    if old == "missing":
        raise ValueError("no match")
    return "ok"


def edit(call_id: str = "c1", old: str = "5") -> Any:
    return function_call("edit_file", {"path": "a.cfg", "old": old, "new": "30"}, call_id=call_id)


READ = function_call("read_file", {"path": "a.cfg"}, call_id="c2")


def history(*responses: list[Any]) -> tuple[list[Any], Any, list[Any]]:
    """What a run leaves: `to_input_list()`, its state as JSON, and the items of its session."""
    session = SQLiteSession("s")
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel(list(responses)), tools=[edit_file, read_file])
    gate = GateRunner(config=GateConfig(posture="assist"))  # type: ignore[arg-type]  # strings are accepted
    result = asyncio.run(gate.run(agent, "Set it.", session=session))
    items: list[Any] = list(asyncio.run(session.get_items()))
    session.close()
    return list(result.result.to_input_list()), result.result.to_state().to_json(), items


CALLS = ([edit(), READ], [say("I check again. ", 5), function_call("read_file", {"path": "a.cfg"}, call_id="c3")])


def outline(found: Any) -> list[Any]:
    """Kinds, ids, steps and statuses of the events of all turns."""
    return [
        (event["type"], event.get("id"), event.get("step"), event.get("status"))
        for turn in found["turns"]
        for event in turn["events"]
    ]


EXPECTED = [
    ("call", "c1", 1, "ok"),
    ("call", "c2", 1, "ok"),
    ("call", "c3", 2, "ok"),
    ("finish", None, None, None),
]


@pytest.mark.parametrize("form", ["array", "lines", "state"])
def test_a_history_is_read_in_every_form(form: str) -> None:
    """A list, a session dump of one item a line, and a run state tell the same: parallel calls share a step."""
    items, state, session = history(*CALLS, [say(LIE)])
    texts = {
        "array": json.dumps(items, indent=1),
        "lines": "\n".join(json.dumps(item) for item in session),
        "state": json.dumps(state),
    }
    assert transcript.detects(texts[form])
    (found,) = transcript.read(texts[form].splitlines(keepends=True))
    validate(found, schema())
    assert outline(found) == EXPECTED
    assert [turn["prompt"] for turn in found["turns"]] == ["Set it."]  # type: ignore[union-attr, index, call-overload]


def test_the_core_judges_a_read_history() -> None:
    """The transcript of an unsupported claim is refused by the core."""
    items, _, _ = history([edit()], [say(LIE)])
    told = {**transcript.transcript_of(items), "gate": {"policy": "strict"}}
    played = play(told)
    assert [judged.verdict and judged.verdict.accepted for judged in played.judged] == [False]


def test_the_sdks_sentences_lower_a_status() -> None:
    """A failed tool is a failure, a call that never ran is none; other words are what the tool returned."""
    items, _, _ = history([edit(old="missing")], [say("UNVERIFIED: no")])
    call = {"type": "function_call", "name": "f", "arguments": "{}"}
    texts = ["Tool execution was not approved.", "Tool 'f' not found.", "Tool 'f' timed out after 3 seconds.", "hm"]
    for number, text in enumerate(texts):
        items += [
            {**call, "call_id": f"x{number}"},
            {"type": "function_call_output", "call_id": f"x{number}", "output": text},
        ]
    items.append({**call, "call_id": "open"})
    found = outline(transcript.transcript_of(items))
    assert [status for kind, _, _, status in found if kind == "call"] == [
        *["error", "not_executed", "not_executed", "error", "ok", "pending"]
    ]


def test_turns_narration_and_handoffs() -> None:
    """User messages begin turns, system text is kept apart, text beside a call is no attempt, a hand-off no call."""
    over = {"type": "function_call", "name": "transfer_to_b", "arguments": "{}", "call_id": "h"}
    items: list[Any] = [
        {"role": "system", "content": "Limit: 99."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": [{"type": "input_text", "text": "Go on"}]},
        over,
        {"type": "function_call_output", "call_id": "h", "output": '{"assistant": "b"}'},
        {"type": "web_search_call", "id": "w", "status": "failed", "action": {"type": "search", "query": "x"}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Nothing."}]},
    ]
    found = transcript.transcript_of(items)
    validate(found, schema())
    assert found["system"] == "Limit: 99."
    assert [(t["prompt"], [e["type"] for e in t["events"]]) for t in found["turns"]] == [  # type: ignore[union-attr, index, call-overload]
        ("Hi", ["finish"]),
        ("Go on", ["call", "finish"]),
    ]


def test_lines_that_cannot_be_read_are_told_and_skipped() -> None:
    """A broken line is reported by its number; the others are read; lists on lines are conversations of their own."""
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]
    problems: list[int] = []
    lines = [json.dumps(said), "{broken", "", "7", json.dumps({"input": "Hey", "output": said[1:]})]
    found = list(transcript.read(lines, lambda number, what: problems.append(number)))
    assert [item["id"] for item in found] == ["history-1", "history-2"]
    assert problems == [2, 4]


def test_other_files_are_not_taken() -> None:
    """Transcripts of others are not claimed, and the reader is registered under its name."""
    assert not transcript.detects('{"sessionId": "x", "type": "message"}')
    assert not transcript.detects('{"schema": "gate-transcript/1"}')
    (point,) = entry_points(group="gate_core.transcripts", name="openai")
    assert point.load() is transcript


@pytest.mark.parametrize(
    ("told", "action"), [("exited with code 0", "DELIVER"), ("running with session ID 7", "REVISE")]
)
def test_a_command_that_runs_on_is_read_to_its_end(told: str, action: str) -> None:
    """A history tells the end of a command in the output of another call, as the run did."""

    def pair(name: str, call_id: str, args: dict[str, Any], how: str, printed: str) -> list[dict[str, Any]]:
        call = {"type": "function_call", "name": name, "call_id": call_id, "arguments": json.dumps(args)}
        output = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess {how}\nOutput:\n{printed}"
        return [call, {"type": "function_call_output", "call_id": call_id, "output": output}]

    found = transcript.transcript_of(
        [
            {"role": "user", "content": "Run the tests."},
            *pair("exec_command", "c1", {"cmd": "pytest -q"}, "running with session ID 7", "..."),
            *pair("write_stdin", "c2", {"session_id": 7}, told, "\n3 passed in 0.1s\n"),
            {"role": "assistant", "content": [{"type": "output_text", "text": "All tests pass."}]},
        ]
    )
    assert [judged.verdict and judged.verdict.action.value for judged in play(found).judged] == [action]
