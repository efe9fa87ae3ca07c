"""The seat before a state write: instrumented tools of memory are asked about before they run."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, SQLiteSession, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from gate_core import ConfigError, GateConfig, ToolEffect, ToolProfile
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
KEPT: list[str] = []
CONFIG = GateConfig(
    layers={"writes": "block"},  # type: ignore[dict-item]  # strings are accepted
    profiles={
        "keep": ToolProfile(
            name="keep", effect=ToolEffect.CHANGE, targets=("memory:{name}",), stores=("fact",), store_key="name"
        )
    },
    audit=False,
)
END = assistant_message("UNVERIFIED: end", item_id="m1")


@function_tool
def keep(name: str, fact: str) -> str:
    """Keep a fact of the user."""
    KEPT.append(fact)
    return "kept"


@function_tool
def remember(key: str, value: str) -> str:
    """Remember a value."""
    KEPT.append(value)
    return "stored"


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    KEPT.clear()


def keeps(fact: str, call_id: str = "c1") -> list[Any]:
    return [function_call("keep", {"name": "diet", "fact": fact}, call_id=call_id)]


def agent_of(gate: GateRunner, *responses: list[Any]) -> Agent[Any]:
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([*responses]), tools=[keep, remember])
    return gate.instrument(agent)


def play(prompt: str, *responses: list[Any], config: GateConfig = CONFIG) -> GatedResult:
    gate = GateRunner(config=config)
    return asyncio.run(gate.run(agent_of(gate, *responses), prompt))


@pytest.mark.parametrize("fact", ["vegan", "User is vegan", "The user does not eat meat"])
def test_what_the_user_said_is_kept(fact: str) -> None:
    """As a value, or as a sentence that tells it."""
    play("I'm vegan. I don't eat meat.", keeps(fact), [END])
    assert [fact] == KEPT


@pytest.mark.parametrize("fact", ["halal", "User eats meat", "User likes the brand Oatly"])
def test_what_the_user_did_not_say_is_not(fact: str) -> None:
    """The tool does not run, and the model gets the reason and the remedy as its result."""
    result = play("I'm vegan. I don't eat meat.", keeps(fact), [END])
    assert KEPT == []
    told = str(result.result.to_input_list())
    assert "was not stated by the one it is about" in told
    assert "ask the user for it" in told
    (found,) = result.gate.state.facts.values()
    assert found.note == "not_executed"


def test_a_tool_of_the_catalog_needs_no_profile() -> None:
    """`remember(key, value)`."""
    calls = [
        [function_call("remember", {"key": "diet", "value": "vegan"}, call_id="c1")],
        [function_call("remember", {"key": "brand", "value": "Oatly"}, call_id="c2")],
    ]
    play("I'm vegan.", *calls, [END])
    assert KEPT == ["vegan"]


def test_the_words_of_an_earlier_run_of_the_session_count() -> None:
    """A session keeps the history, the gate what was stated in it."""
    gate, session = GateRunner(config=CONFIG), SQLiteSession("s1")

    async def go() -> None:
        await gate.run(agent_of(gate, [END]), "I'm vegan.", session=session)
        await gate.run(agent_of(gate, keeps("vegan"), [END]), "What's for dinner?", session=session)

    asyncio.run(go())
    assert KEPT == ["vegan"]


def test_tools_without_the_seat_are_a_configuration_error() -> None:
    """With the layer on, an agent that was not instrumented would remember unasked."""
    gate = GateRunner(config=CONFIG)
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([[END]]), tools=[keep])
    with pytest.raises(ConfigError, match=r"keep; use agent = gate\.instrument"):
        asyncio.run(gate.run(agent, "go"))


def test_with_the_layer_off_nothing_is_asked() -> None:
    """The default."""
    play("Hello.", keeps("halal"), [END], config=GateConfig(profiles=CONFIG.profiles, audit=False))
    assert KEPT == ["halal"]


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`examples/openai_memory.py`: the fact is kept, the invented brand is not."""
    monkeypatch.chdir(tmp_path)
    main = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "openai_memory.py"))["main"]
    brand = [function_call("keep", {"name": "brand", "fact": "User likes Oatly"}, call_id="c2")]
    model = ScriptedModel([keeps("User is vegetarian"), brand, [END]])
    kept = asyncio.run(main("I'm vegetarian and live in Rome. Remember that.", model))
    assert kept == {"diet": "User is vegetarian"}
