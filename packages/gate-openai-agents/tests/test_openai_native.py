"""Native calls and hand-offs that no other file plays: `local_shell`, and two hand-offs of one response."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import Agent, LocalShellTool, SQLiteSession, set_tracing_disabled
from agents.testing import ScriptedModel, function_call
from openai.types.responses.response_output_item import LocalShellCall
from openai_scripts import STRICT, read, read_file, say

from gate_core import Action, Fact, GateConfig
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
ASSIST = GateConfig(posture="assist")  # type: ignore[arg-type]  # strings are accepted
END = say("UNVERIFIED: end", 9)


def local(*command: str) -> LocalShellCall:
    """The model runs a command on this machine."""
    action = {"type": "exec", "command": list(command), "env": {}, "working_directory": "/w"}
    item = {"id": "l1", "call_id": "l1", "type": "local_shell_call", "status": "completed", "action": action}
    return LocalShellCall.model_validate(item)


def play(printed: str, *responses: list[Any], config: GateConfig = ASSIST) -> GatedResult:
    """Run the responses with a shell that prints this."""
    tool = LocalShellTool(executor=lambda request: printed)
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([*responses]), tools=[tool])
    return asyncio.run(GateRunner(config=config).run(agent, "Run the tests."))


def facts(result: GatedResult) -> list[Fact]:
    return list(result.gate.state.facts.values())


def test_a_local_command_is_read_where_it_ran() -> None:
    """The working directory of the call is that of the paths in it."""
    (fact,) = facts(play("timeout = 30", [local("cat", "a.cfg")], [END]))
    assert (fact.tool, fact.outcome.value, fact.ran) == ("local_shell", "ok", ("cat a.cfg",))
    assert ("showed", "/w/a.cfg") in [(effect.did.value, effect.target) for effect in fact.effects]


@pytest.mark.parametrize(
    ("printed", "actions"),
    [("3 passed in 0.1s", ["DELIVER"]), ("1 failed, 2 passed in 0.1s", ["REVISE", "DELIVER"])],
)
def test_a_local_run_without_a_code_is_its_summary(printed: str, actions: list[str]) -> None:
    """The SDK has no exit code of it, so what the program says of itself is all there is."""
    last = [] if len(actions) == 1 else [[say("UNVERIFIED: one test fails.", 2)]]
    result = play(printed, [local("pytest", "-q")], [say("All tests pass.")], *last, config=GateConfig())
    assert [verdict.action for verdict in result.verdicts] == [Action[name] for name in actions]


def test_a_local_shell_that_breaks_leaves_its_call_open() -> None:
    """The SDK ends the run with the executor's error; how far the command came nobody knows."""

    def breaks(request: object) -> str:
        raise RuntimeError("no shell")

    session, gate = SQLiteSession("s"), GateRunner(config=STRICT)
    tool = LocalShellTool(executor=breaks)
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([[local("make", "deploy")]]), tools=[tool])
    with pytest.raises(RuntimeError, match="no shell"):
        asyncio.run(gate.run(agent, "Deploy.", session=session))
    kept = gate.gate_of(session)
    assert kept is not None
    assert [(fact.call, fact.outcome.value) for fact in kept.state.facts.values()] == [("l1", "pending")]
    session.close()


def test_a_second_handoff_is_no_call_either() -> None:
    """The SDK follows the first one and answers the other with a sentence; neither shows anything."""
    over = [function_call(f"transfer_to_{name}", {}, call_id=name) for name in ("b", "c")]
    model = ScriptedModel([[*over, read("c1")], [END]])
    others: list[Agent[Any]] = [Agent(name=name, model=model) for name in ("b", "c")]
    first: Agent[Any] = Agent(name="a", model=model, handoffs=[*others], tools=[read_file])
    result = asyncio.run(GateRunner(config=ASSIST).run(first, "go"))
    assert ([fact.call for fact in facts(result)], result.result.last_agent.name) == (["c1"], "b")
