"""The real CLI with its real tools; only the model's words come from a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from gate_claude_sdk import GateHooks
from gate_claude_sdk._scripted import text_block, tool_block
from gate_core import Action, AnswerWithheld, GateConfig, GateUsageError, Outcome, Policy, Posture

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]

PROMPT = "Set the timeout in app.cfg to 30."
LIE = "Done, the timeout in app.cfg is 30."


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    """The file the prompts speak of."""
    path = tmp_path / "work" / "app.cfg"
    path.parent.mkdir()
    path.write_text("name = app\ntimeout = 5\n")
    return path


def test_all_texts_of_the_final_response_are_judged(play: Play, config_file: Path) -> None:
    """The claim stands in the first block, the Stop event carries only the second; the feedback reaches the model."""
    gate = GateHooks()
    responses = [
        [text_block(LIE), text_block("Anything else?")],
        [text_block("UNVERIFIED: I changed nothing yet.")],
    ]
    run = asyncio.run(play({"hooks": gate.hooks()}, responses, [PROMPT]))
    assert [(v.codes, v.action) for v in gate.verdicts] == [(("no-change",), Action.REVISE), ((), Action.DELIVER)]
    assert json.dumps(gate.verdicts[0].feedback)[1:-1] in json.dumps(run.requests[1]["messages"])
    assert (gate.exited_unverified, gate.result()) == (True, "UNVERIFIED: I changed nothing yet.")
    assert run.notices == ["Stop says: UNVERIFIED: the agent says itself that it could not confirm this"]


def test_the_gate_looks_for_itself_under_the_sessions_folder(play: Play, config_file: Path) -> None:
    """An edit that landed needs no further call of the agent."""
    gate = GateHooks()
    arguments = {"file_path": str(config_file), "old_string": "timeout = 5", "new_string": "timeout = 30"}
    responses = [[tool_block("Edit", arguments, call_id="toolu_1")], [text_block(LIE)]]
    run = asyncio.run(play({"hooks": gate.hooks()}, responses, [PROMPT]))
    assert run.results == [LIE]
    assert [v.action for v in gate.verdicts] == [Action.DELIVER]
    assert "app.cfg" in gate.verdicts[0].evidence_line
    assert run.notices == []


def test_what_did_not_run_is_told_by_the_batch(play: Play, config_file: Path) -> None:
    """Parallel calls share a step: one that ran, one the CLI refused, one nobody permitted, one that failed."""
    gate = GateHooks()
    no_match = {"file_path": str(config_file), "old_string": "nowhere", "new_string": "x"}
    calls = [
        tool_block("Read", {"file_path": str(config_file)}, call_id="toolu_read"),
        tool_block("Edit", no_match, call_id="toolu_refused"),
        tool_block("Write", {"file_path": "/outside.txt", "content": "x"}, call_id="toolu_denied"),
        tool_block("Bash", {"command": "ls nowhere", "description": "look"}, call_id="toolu_failed"),
        tool_block("Nonsense", {}, call_id="toolu_unknown"),
    ]
    asyncio.run(play({"hooks": gate.hooks()}, [calls, [text_block("UNVERIFIED: none of it worked.")]], [PROMPT]))
    facts = {fact.call.removeprefix("toolu_"): fact for fact in gate.state.facts.values()}
    assert {name: (fact.outcome, fact.note) for name, fact in facts.items()} == {
        "read": (Outcome.OK, ""),
        "refused": (Outcome.FAILED, ""),
        "denied": (Outcome.UNKNOWN, "denied"),
        "failed": (Outcome.FAILED, ""),
        "unknown": (Outcome.UNKNOWN, "not_executed"),
    }
    assert {fact.step for fact in facts.values()} == {0}


def test_the_user_is_told_of_a_released_answer(play: Play, config_file: Path) -> None:
    """An agent that repeats itself is let go: the text as it is, the mark in a message of its own."""
    gate = GateHooks(mark_text=True)
    run = asyncio.run(play({"hooks": gate.hooks()}, [[text_block(LIE)], [text_block(LIE)]], [PROMPT]))
    assert run.results == [LIE]
    assert len(run.notices) == 1
    assert run.notices[0].startswith("Stop says: UNVERIFIED: ")
    assert (gate.exited_unverified, gate.result()) == (True, f"UNVERIFIED: {LIE}")


def test_rails_leave_no_text_in_the_result(play: Play, config_file: Path) -> None:
    """No further request is made, the result message is empty, and the next turn is a new chance."""
    gate = GateHooks(config=GateConfig(posture=Posture.RAILS, max_blocks=0))
    responses = [[text_block(LIE)], [text_block("Hello, what can I do for you?")]]
    run = asyncio.run(play({"hooks": gate.hooks()}, responses, [PROMPT, "Hello?"]))
    assert run.results == ["", "Hello, what can I do for you?"]
    assert [v.action for v in gate.verdicts] == [Action.WITHHOLD, Action.DELIVER]
    assert len(run.requests) == 2
    assert gate.result() == "Hello, what can I do for you?"


def test_a_host_can_raise_for_a_withheld_answer(play: Play, config_file: Path) -> None:
    """`result` raises and carries the verdict; nothing is raised into the framework."""
    gate = GateHooks(config=GateConfig(posture=Posture.RAILS, max_blocks=0))
    asyncio.run(play({"hooks": gate.hooks()}, [[text_block(LIE)]], [PROMPT]))
    with pytest.raises(AnswerWithheld, match="no-change"):
        gate.result()


def test_a_gate_of_which_only_stop_is_attached_says_so(play: Play, config_file: Path) -> None:
    """The observer's events were replaced by the host: nothing was seen, and no model can repair that."""
    gate = GateHooks()
    hooks = {event: matchers for event, matchers in gate.hooks().items() if event == "Stop"}
    run = asyncio.run(play({"hooks": hooks}, [[text_block(LIE)]], [PROMPT]))
    assert [v.codes for v in gate.verdicts] == [("gate-unwired",)]
    assert run.notices[0].startswith("Stop says: UNVERIFIED: ")


def test_one_instance_serves_two_sessions_at_once(play: Play, config_file: Path) -> None:
    """Two CLIs run at the same time on one GateHooks; neither's calls back the other's answer."""
    gate = GateHooks(config=GateConfig(policy=Policy.STRICT))
    options = {"hooks": gate.hooks()}
    look = [tool_block("Read", {"file_path": str(config_file)}, call_id="toolu_1")]
    answer = "The timeout in app.cfg is 5."

    async def both() -> list[Any]:
        honest = play(options, [look, [text_block(answer)]], ["What is the timeout in app.cfg?"])
        guess = play(options, [[text_block(answer)]] * 2, ["What is the timeout in app.cfg?"], folder="other")
        return list(await asyncio.gather(honest, guess))

    runs = asyncio.run(both())
    ids = [run.messages[-1].session_id for run in runs]
    verdicts = [[v.accepted for v in gate.session(name).verdicts] for name in ids]
    assert verdicts == [[True], [False, False]]
    assert [gate.session(name).exited_unverified for name in ids] == [False, True]
    with pytest.raises(GateUsageError, match="2 sessions"):
        gate.result()
