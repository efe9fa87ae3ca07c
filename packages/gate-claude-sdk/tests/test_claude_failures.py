"""What breaks around the gate on the real CLI, which lets an answer pass when a hook does not answer properly."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from claude_agent_sdk import HookMatcher

from gate_claude_sdk import GateHooks
from gate_claude_sdk._scripted import text_block, tool_block
from gate_claude_sdk.command.settings import groups
from gate_core import Action, Attempt

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]

LIE = [text_block("Done, the timeout in app.cfg is 30.")]
PROMPT = "Set the timeout in app.cfg to 30."


@pytest.mark.parametrize("fault", ["raises", "answers no JSON", "answers nothing"])
@pytest.mark.parametrize("event", ["PostToolUse", "Stop"])
def test_a_broken_hook_of_the_users_does_not_lift_the_gates_block(play: Play, event: str, fault: str) -> None:
    """It stands before the gate's own in the list, on the same event."""

    async def broken(payload: Any, tool_use_id: str | None, context: Any) -> Any:
        if fault == "raises":
            raise RuntimeError("the user's own bug")
        return {"reason": object()} if fault == "answers no JSON" else None

    gate = GateHooks()
    run = asyncio.run(play({"hooks": {event: [HookMatcher(hooks=[broken])]}}, [LIE, LIE], [PROMPT], gate=gate))
    assert [v.action for v in gate.verdicts] == [Action.REVISE, Action.RELEASE]
    assert any(notice.startswith("Stop says: UNVERIFIED: ") for notice in run.notices)


class Slow:
    """A second opinion that takes longer than the host waits."""

    def __init__(self) -> None:
        self.asked = 0

    def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> float:
        """Nobody calls it: there is one to be awaited."""
        raise NotImplementedError

    async def ascore(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> float:
        """Wait."""
        self.asked += 1
        await asyncio.sleep(60)
        return 1.0


def test_a_stop_the_host_did_not_wait_for_is_known_to_be_unchecked(play: Play, tmp_path: Path) -> None:
    """The gate sets no timeout. A host that does gets the answer unchecked, and the message stream tells the gate."""
    path = tmp_path / "work" / "app.cfg"
    path.parent.mkdir()
    path.write_text("timeout = 5\n")
    slow = Slow()
    gate = GateHooks(verifier=slow)
    hooks = {event: [replace(matcher, timeout=1) for matcher in found] for event, found in gate.hooks().items()}
    answer = "The timeout in app.cfg is 5."
    responses = [[tool_block("Read", {"file_path": str(path)}, call_id="toolu_1")], [text_block(answer)]]
    run = asyncio.run(play({"hooks": hooks}, responses, ["What is the timeout in app.cfg?"]))
    for message in run.messages:
        gate.hear(message)
    assert (slow.asked, run.results, gate.verdicts) == (1, [answer], ())
    assert (gate.exited_unverified, gate.result()) == (True, "")


def test_a_command_hook_that_prints_garbage_leaves_an_unjudged_session(play: Play, tmp_path: Path) -> None:
    """The CLI takes garbage for consent. The gate's own command never prints any; where another one is put in its
    place, the record shows an answer nobody judged."""
    state, settings = tmp_path / "state", tmp_path / "settings.json"
    hooks = {event: [group] for event, group in groups().items()}
    garbage = f"{sys.executable} -c \"print('not json')\""
    hooks["Stop"] = [{"hooks": [{"type": "command", "command": garbage}]}]
    settings.write_text(json.dumps({"hooks": hooks}))
    options = {"settings": str(settings), "env": {"XDG_STATE_HOME": str(state), "CLAUDE_PLUGIN_DATA": ""}}
    run = asyncio.run(play(options, [LIE], [PROMPT]))
    assert (run.results, run.notices) == ([LIE[0]["text"]], [])
    assert list((state / "gate-claude").glob("*.spool.jsonl"))
    assert not list((state / "gate-claude").glob("*.session.json"))
