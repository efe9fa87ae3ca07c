"""Tools of a real MCP server, through langchain-mcp-adapters over stdio.

The adapters hold on to another line of `mcp` than the rest of the workspace, so CI runs this file in an environment of
its own (`.ci/mcp`).
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from gate_core import Action, Exit, Fact, GateConfig, GateState, Policy
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import results, with_gate
from gate_langgraph._origin import annotations_of, origin_of
from gate_langgraph._scripted import ScriptedModel

client = pytest.importorskip("langchain_mcp_adapters.client", reason="not installed here; .ci/mcp installs it")

SERVER = Path(__file__).with_name("langgraph_mcp_server.py")
THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
CLAIM = ModelStep(text="I looked it up: the timeout is 30.")
OVER = ModelStep(text="UNVERIFIED: I could not confirm it.")
TRUSTING = GateConfig(policy=Policy.STRICT, trusted_servers=("register",))


def step(name: str, number: int, **args: str) -> ModelStep:
    return ModelStep(calls=(CaseCall(id=f"c{number}", tool=name, args=args),))


LOOK, CHANGE = step("look_up", 1, setting="timeout"), step("change_setting", 2, setting="timeout", value="30")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "register"
    path.write_text("timeout = 5\n")
    return path


async def tools_of(file: Path) -> Any:
    command = {"transport": "stdio", "command": sys.executable, "args": [str(SERVER), str(file)]}
    return await client.MultiServerMCPClient({"register": command}).get_tools()


def run(file: Path, *steps: ModelStep, config: GateConfig = TRUSTING, ask: str = "What is the timeout?") -> Any:
    """(what came of the run, the facts of its thread)."""

    async def play() -> Any:
        agent: Any = create_agent(
            ScriptedModel.of(*steps, OVER),
            await tools_of(file),
            middleware=with_gate(config=config),
            checkpointer=InMemorySaver(),
        )
        result = await agent.ainvoke({"messages": [HumanMessage(ask, id="h1")]}, THREAD)
        held = agent.get_state(THREAD).values
        return results(result), list(GateState.join(held["gate_facts"], {}).facts.values())

    return asyncio.run(play())


def did(fact: Fact) -> list[str]:
    return [effect.did.value for effect in fact.effects]


def test_a_tool_comes_from_its_server_with_its_hints(file: Path) -> None:
    """As the adapters really keep them."""
    look_up, change = asyncio.run(tools_of(file))
    assert (origin_of(look_up), origin_of(change)) == ("mcp:register", "mcp:register")
    assert annotations_of(look_up)["readOnlyHint"] is True
    assert annotations_of(change)["destructiveHint"] is True


def test_a_look_through_a_server_the_host_trusts_is_one(file: Path) -> None:
    """Its hint says that it only reads."""
    found, (fact,) = run(file, LOOK, ModelStep(text="I looked it up: the timeout is 5."))
    assert (fact.outcome.value, did(fact)) == ("ok", ["showed"])
    assert [verdict.exit for verdict in found.verdicts] == [Exit.GROUNDED]


def test_a_server_nobody_trusts_makes_no_look_by_a_hint(file: Path) -> None:
    """A server could call anything read-only: its tools may have changed something."""
    _, (fact,) = run(file, step("change_setting", 2, setting="timeout", value="7"), config=GateConfig())
    assert did(fact) != ["showed"]


def test_a_change_is_owed_a_look(file: Path) -> None:
    """Claimed without one it goes back; with one, after it, it is let go."""
    again = step("look_up", 3, setting="timeout")
    ask = "Set the timeout to 30."
    found, facts = run(file, CHANGE, ModelStep(text="Done, the timeout is 30."), again, CLAIM, ask=ask)
    assert found.verdicts[0].action is Action.REVISE
    assert sorted((fact.call, fact.outcome.value) for fact in facts) == [("c2", "ok"), ("c3", "ok")]
    assert file.read_text() == "timeout = 30\n"


def test_an_error_of_the_server_is_a_failure(file: Path) -> None:
    """`isError` comes back as a message of status error; nothing was seen."""
    found, (fact,) = run(file, step("look_up", 1, setting="no such setting"), CLAIM)
    assert (fact.outcome.value in ("failed", "not_found"), "showed" in did(fact)) == (True, False)
    assert found.verdicts[0].action is Action.REVISE
