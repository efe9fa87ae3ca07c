"""`audit=` and `emit_progress=`: every decision is recorded, and who asks for it hears where a session stands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from gate_claude_sdk import GateHooks
from gate_claude_sdk._scripted import text_block, tool_block
from gate_core import AuditFailure, Gate, GateConfig, JsonObject, Layer, Strength
from gate_core.audit import records_of, verify

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]
Fire: TypeAlias = Callable[..., dict[str, Any]]

CLAIM = "The timeout in app.cfg is 30."
ADMITS = GateConfig(layers={Layer.ACTIONS: Strength.BLOCK})


class Full:
    """A writer whose disk is full."""

    def append(self, record: JsonObject) -> None:
        """Fail."""
        raise OSError("disk full")


def look(fire: Fire, gate: GateHooks, call_id: str = "r1") -> dict[str, Any]:
    """The agent reads app.cfg."""
    file = {"filePath": "/w/app.cfg", "content": "timeout = 30\n", "startLine": 1, "numLines": 1, "totalLines": 1}
    given = {"tool_name": "Read", "tool_input": {"file_path": "/w/app.cfg"}, "tool_use_id": call_id}
    return fire(gate, "PostToolUse", tool_response={"type": "text", "file": file}, **given)


def stop(fire: Fire, gate: GateHooks, text: str = CLAIM) -> dict[str, Any]:
    """The agent wants to finish."""
    return fire(gate, "Stop", last_assistant_message=text, stop_hook_active=False)


def played(fire: Fire, gate: GateHooks) -> list[dict[str, Any]]:
    """Claims first, is sent back, looks, says it again."""
    fire(gate, "UserPromptSubmit", prompt="What is the timeout in app.cfg?")
    return [stop(fire, gate), look(fire, gate), stop(fire, gate)]


def test_every_verdict_is_recorded(fire: Fire, tmp_path: Path) -> None:
    """In a chained log at the path that was given; the verdict says so."""
    log = tmp_path / "log.jsonl"
    gate = GateHooks(audit=log)
    played(fire, gate)
    assert [(row["kind"], row["verdict"]) for _, row in records_of(log)] == [
        ("boundary", "REJECT"),
        ("boundary", "ACCEPT"),
    ]
    assert verify(log).whole
    assert all(verdict.audited for verdict in gate.verdicts)


def test_a_verdict_that_cannot_be_recorded_stops_the_run(fire: Fire) -> None:
    """The CLI swallows what a hook raises, so the hook stops the run and the host is told when it asks for the
    answer. The next prompt begins anew."""
    gate = GateHooks(audit=Full())
    fire(gate, "UserPromptSubmit", prompt="Hello?")
    output = stop(fire, gate, "Hello.")
    assert (output["continue_"], output["decision"]) == (False, "block")
    assert output["systemMessage"].startswith("WITHHELD: a decision (boundary) was not recorded")
    with pytest.raises(AuditFailure, match="disk full"):
        gate.result()
    assert gate.verdicts == ()
    fire(gate, "UserPromptSubmit", prompt="Still there?", prompt_id="p2")
    assert gate.result() == ""


@pytest.mark.parametrize("tool", ["StructuredOutput", "Bash"])
def test_before_a_tool_it_is_denied_too(fire: Fire, tool: str) -> None:
    """A typed answer, and an action that is to be admitted."""
    gate = GateHooks(config=ADMITS, audit=Full())
    fire(gate, "UserPromptSubmit", prompt="Hello?")
    given = {"tool_name": tool, "tool_input": {"command": "ls"}, "tool_use_id": "c1"}
    output = fire(gate, "PreToolUse", **given)
    assert (output["continue_"], output["hookSpecificOutput"]["permissionDecision"]) == (False, "deny")
    with pytest.raises(AuditFailure):
        gate.result()


def test_a_sub_agents_verdict_is_recorded_too(fire: Fire, tmp_path: Path) -> None:
    """Where sub-agents are gated, and its failure stops the run as well."""
    log = tmp_path / "log.jsonl"
    end = {"agent_id": "a1", "agent_type": "worker", "last_assistant_message": CLAIM}
    gate = GateHooks(audit=log, gate_subagent_stop=True)
    fire(gate, "UserPromptSubmit", prompt="Hello?")
    assert fire(gate, "SubagentStop", **end)["decision"] == "block"
    assert [row["verdict"] for _, row in records_of(log)] == ["REJECT"]
    full = GateHooks(audit=Full(), gate_subagent_stop=True)
    fire(full, "UserPromptSubmit", prompt="Hello?")
    assert fire(full, "SubagentStop", **end)["continue_"] is False


def test_degraded_the_answer_goes_out_and_says_so(fire: Fire) -> None:
    """`audit_on_error="degrade"`."""
    gate = GateHooks(config=GateConfig(audit_on_error="degrade"), audit=Full())
    assert played(fire, gate)[-1] == {}
    assert gate.verdict is not None
    assert (gate.verdict.accepted, gate.verdict.audited, gate.result()) == (True, False, CLAIM)


def test_the_real_cli_gives_no_answer_that_is_not_recorded(play: Play) -> None:
    """Nothing of the text is in the result, and the user is told why."""
    gate = GateHooks(audit=Full())
    run = asyncio.run(play({}, [[text_block("Hello.")]], ["Hello?"], gate=gate))
    assert "Hello." not in str(run.results)
    assert any("was not recorded" in notice for notice in run.notices)
    with pytest.raises(AuditFailure):
        gate.result()


def test_progress_goes_to_a_function(fire: Fire) -> None:
    """After every verdict and every call; the shape is that of `Gate.progress()`."""
    told: list[Any] = []
    gate = GateHooks(emit_progress=told.append)
    assert [set(output) for output in played(fire, gate)] == [{"decision", "reason"}, set(), set()]
    assert [(p["rejections"], p["calls_this_turn"]) for p in told] == [(1, 0), (1, 1), (1, 1)]
    assert all(set(p) == set(Gate().progress()) for p in told)
    assert told[-1] == gate.progress()


def test_progress_is_a_message_to_the_user(fire: Fire) -> None:
    """The CLI's own channel; the model is not told. A warning to the user is not replaced by it."""
    gate = GateHooks(emit_progress=True)
    sent_back, looked, accepted = played(fire, gate)
    assert sent_back["decision"] == "block"
    assert looked == {"systemMessage": "gate: calls 1, not settled 0, sent back 1, budget 6 of 6"}
    assert accepted == {"systemMessage": "gate: calls 1, not settled 0, sent back 1, budget 6 of 6"}
    fire(gate, "UserPromptSubmit", prompt="And in b.cfg?", prompt_id="p2")
    assert stop(fire, gate, "UNVERIFIED: I could not look.")["systemMessage"].startswith("UNVERIFIED: ")


def test_the_real_cli_shows_progress_to_the_user(play: Play, tmp_path: Path) -> None:
    """As an informational message of the stream, never in a model request."""
    path = tmp_path / "work" / "app.cfg"
    path.parent.mkdir()
    path.write_text("timeout = 30\n")
    responses = [[tool_block("Read", {"file_path": str(path)}, call_id="r1")], [text_block(CLAIM)]]
    run = asyncio.run(play({}, responses, ["What is the timeout in app.cfg?"], gate=GateHooks(emit_progress=True)))
    assert [notice.partition(" says: ")[2][:13] for notice in run.notices] == ["gate: calls 1", "gate: calls 1"]
    assert "gate: calls" not in json.dumps(run.requests)
