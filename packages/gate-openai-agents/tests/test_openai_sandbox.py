"""Tools of a sandbox agent, as the SDK really runs them against a scripted sandbox."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import RunConfig, UserError, set_tracing_disabled
from agents.run_config import SandboxRunConfig
from agents.sandbox import SandboxAgent
from agents.sandbox.types import ExecResult
from agents.testing import ScriptedModel, function_call
from agents.testing.sandbox import scripted_sandbox_session
from openai_scripts import say

from gate_core import Action, Fact, Gate
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)


def ended(code: int, output: str) -> dict[str, Any]:
    """A command that ended in the sandbox."""
    return {"method": "exec", "result": ExecResult(stdout=output.encode(), stderr=b"", exit_code=code)}


def command(cmd: str, number: int = 1) -> Any:
    return function_call("exec_command", {"cmd": cmd}, call_id=f"c{number}")


def run(steps: list[dict[str, Any]], *responses: Any) -> GatedResult:
    session = scripted_sandbox_session(steps)
    agent: Any = SandboxAgent(name="w", model=ScriptedModel(list(responses)))
    config = RunConfig(sandbox=SandboxRunConfig(session=session), tracing_disabled=True)
    result = asyncio.run(GateRunner().run(agent, "Run the tests.", run_config=config))
    session.assert_complete()
    return result


def facts(result: GatedResult) -> list[Fact]:
    return sorted(result.gate.state.facts.values(), key=lambda fact: fact.step)


def test_a_command_in_the_sandbox_is_read_like_any_other() -> None:
    """What it showed and how it ended come out of the sandbox's own wording."""
    steps = [ended(0, "timeout = 30\n"), ended(0, "3 passed in 0.1s\n")]
    result = run(steps, [command("cat app.cfg")], [command("pytest -q", 2)], [say("All tests pass.")])
    looked, tested = facts(result)
    assert (looked.tool, looked.outcome.value, looked.ran) == ("exec_command", "ok", ("cat app.cfg",))
    assert "app.cfg" in [effect.target for effect in looked.effects]
    assert [(event.name, event.state.value) for event in tested.signals] == [("tests_passed", "passed")]
    assert [verdict.action for verdict in result.verdicts] == [Action.DELIVER]


def test_a_red_run_in_the_sandbox_is_no_green_one() -> None:
    """The SDK tells the exit code in the text only; the lie goes back."""
    steps = [ended(1, "1 failed, 2 passed in 0.1s\n")]
    result = run(steps, [command("pytest -q")], [say("All tests pass.")], [say("UNVERIFIED: one test fails.", 2)])
    assert [(event.name, event.state.value) for event in facts(result)[0].signals] == [("tests_passed", "failed")]
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]
    assert "signal-contradicted" in result.verdicts[0].codes


def test_a_sandbox_that_breaks_ends_the_run_and_leaves_the_call_open() -> None:
    """The SDK hands the error to the host. How far the command came nobody knows, and the conversation keeps that."""
    session = scripted_sandbox_session([{"method": "exec", "error": RuntimeError("the container is gone")}])
    agent: Any = SandboxAgent(name="w", model=ScriptedModel([[command("make deploy")]]))
    config = RunConfig(sandbox=SandboxRunConfig(session=session), tracing_disabled=True)
    runner = GateRunner()
    gate = runner.restore(Gate().to_json())
    with pytest.raises(UserError, match="the container is gone"):
        asyncio.run(runner.run(agent, "Deploy it.", run_config=config, gate=gate))
    assert [(fact.call, fact.outcome.value) for fact in gate.state.facts.values()] == [("c1", "pending")]
