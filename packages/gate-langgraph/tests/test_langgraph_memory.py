"""The seat before a state write: a store that keeps of the user only what the user said."""

from __future__ import annotations

import asyncio
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore

from gate_core import GateConfig, GateUsageError, Layer, Strength
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import (
    GatedStore,
    GateMessagesState,
    GraphGate,
    check_builder,
    gate_node,
    gate_route,
    recorded_tool_node,
    reset_node,
    tools_or_gate,
    with_gate,
)
from gate_langgraph._scripted import ScriptedModel

NAMESPACE = ("memories", "ada")
CONFIG = GateConfig(layers={**GateConfig().layers, Layer.WRITES: Strength.BLOCK}, audit=False)
OVER = ModelStep(text="I could not confirm it.")


def saved(store: InMemoryStore) -> dict[str, Any]:
    """What the store holds."""
    return {item.key: item.value for item in store.search(NAMESPACE)}


def note_step(**args: Any) -> ModelStep:
    """A model step that takes a note."""
    return ModelStep(calls=(CaseCall(id="c1", tool="take_note", args=args),))


@tool
def take_note(name: str, text: str, runtime: ToolRuntime) -> str:
    """Remember something of the user."""
    assert runtime.store is not None
    runtime.store.put(NAMESPACE, name, {"content": text})
    return "noted"


@tool
async def take_note_async(name: str, text: str, runtime: ToolRuntime) -> str:
    """Remember something of the user."""
    assert runtime.store is not None
    await runtime.store.aput(NAMESPACE, name, {"content": text})
    return "noted"


def agent_of(store: GatedStore, *steps: ModelStep, config: GateConfig = CONFIG) -> Any:
    model = ScriptedModel.of(*steps, OVER)
    return create_agent(
        model, [take_note], middleware=with_gate(config=config), store=store, checkpointer=InMemorySaver()
    )


def graph_of(store: GatedStore, *steps: ModelStep, config: GateConfig = CONFIG) -> Any:
    model, gate = ScriptedModel.of(*steps, OVER), GraphGate(config=config)
    graph: StateGraph[Any] = StateGraph(GateMessagesState, input_schema=MessagesState)
    graph.add_node("start", reset_node(gate))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", recorded_tool_node(gate, [take_note]))
    graph.add_node("gate", gate_node(gate))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("gate", gate_route())
    check_builder(graph)
    return graph.compile(store=store, checkpointer=InMemorySaver())


def said(agent: Any, text: str) -> list[tuple[str, str]]:
    """Play a turn; the results of its tools."""
    found = agent.invoke({"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": "t"}})
    return [(m.status, m.text) for m in found["messages"] if isinstance(m, ToolMessage)]


FORMS = pytest.mark.parametrize("form", [agent_of, graph_of], ids=["agent", "graph"])


@FORMS
@pytest.mark.parametrize("text", ["vegetarian", "User is vegetarian and lives in Rome"])
def test_what_the_user_said_is_kept(form: Callable[..., Any], text: str) -> None:
    """As a value, or as a sentence that tells it."""
    store = InMemoryStore()
    agent = form(GatedStore(store), note_step(name="diet", text=text))
    assert said(agent, "I'm vegetarian and live in Rome.") == [("success", "noted")]
    assert saved(store) == {"diet": {"content": text}}


@FORMS
@pytest.mark.parametrize("text", ["vegan", "User likes the brand Oatly", "User is not vegetarian"])
def test_what_the_user_did_not_say_is_not(form: Callable[..., Any], text: str) -> None:
    """The refusal is the tool's result, with reason and remedy; the run goes on."""
    store = InMemoryStore()
    agent = form(GatedStore(store), note_step(name="diet", text=text))
    ((status, told),) = said(agent, "I'm vegetarian and live in Rome.")
    assert (status, saved(store)) == ("error", {})
    assert told.startswith("[gate] This was not stored:")
    assert "ask the user for it" in told


def test_the_words_of_an_earlier_turn_count_and_may_be_overtaken() -> None:
    """The gate of the thread is asked, over its persisted state."""
    store = InMemoryStore()
    steps = (OVER, note_step(name="city", text="User lives in Rome"))
    agent = agent_of(GatedStore(store), *steps)
    said(agent, "I live in Rome.")
    assert said(agent, "What's for dinner?")[-1] == ("success", "noted")
    moved = agent_of(GatedStore(InMemoryStore()), *steps)
    said(moved, "I live in Rome.")
    assert "was stated later" in said(moved, "I live in Paris now.")[-1][1]


def test_an_asynchronous_write_is_asked_about_too() -> None:
    """Through `aput`."""
    store = InMemoryStore()
    step = ModelStep(calls=(CaseCall(id="c1", tool="take_note_async", args={"name": "diet", "text": "vegan"}),))
    model = ScriptedModel.of(step, OVER)
    agent: Any = create_agent(model, [take_note_async], middleware=with_gate(config=CONFIG), store=GatedStore(store))
    found = asyncio.run(agent.ainvoke({"messages": [HumanMessage("I'm vegetarian.")]}))
    (result,) = (m for m in found["messages"] if isinstance(m, ToolMessage))
    assert (result.status, saved(store)) == ("error", {})


def test_only_the_named_fields_are_words_of_the_user() -> None:
    """What the host adds beside them is its own affair."""

    @tool
    def take_note(name: str, text: str, runtime: ToolRuntime) -> str:
        """Remember something of the user."""
        assert runtime.store is not None
        runtime.store.put(NAMESPACE, name, {"content": text, "kind": "preference", "version": 4711})
        return "noted"

    def play(gated: GatedStore) -> str:
        model = ScriptedModel.of(note_step(name="diet", text="vegan"), OVER)
        agent: Any = create_agent(model, [take_note], middleware=with_gate(config=CONFIG), store=gated)
        found = agent.invoke({"messages": [HumanMessage("I'm vegan.")]})
        return next(m.status for m in found["messages"] if isinstance(m, ToolMessage))

    assert play(GatedStore(InMemoryStore(), fields=["content"])) == "success"
    assert play(GatedStore(InMemoryStore())) == "error"


def test_looks_and_deletions_pass_and_a_refused_batch_writes_nothing() -> None:
    """Forgetting needs nobody's word."""
    store = InMemoryStore()
    store.put(NAMESPACE, "old", {"content": "x"})
    gated = GatedStore(store)
    item = gated.get(NAMESPACE, "old")
    assert item is not None
    assert item.value == {"content": "x"}
    gated.delete(NAMESPACE, "old")
    assert saved(store) == {}


def test_without_a_call_there_is_nobody_to_ask() -> None:
    """Fail closed: code of the host writes to the store inside."""
    store = InMemoryStore()
    with pytest.raises(GateUsageError, match="store inside"):
        GatedStore(store).put(NAMESPACE, "diet", {"content": "vegan"})
    assert saved(store) == {}


def test_switched_off_everything_is_kept() -> None:
    """The default."""
    store = InMemoryStore()
    agent = agent_of(GatedStore(store), note_step(name="diet", text="vegan"), config=GateConfig(audit=False))
    assert said(agent, "Hello.") == [("success", "noted")]


def test_a_memory_tool_of_the_catalog_is_asked_before_it_runs() -> None:
    """langmem's tool needs no gated store: its profile says what it stores."""
    kept: list[str] = []

    @tool
    def manage_memory(content: str, action: str = "create") -> str:
        """Create, update, or delete a memory."""
        kept.append(content)
        return "created memory m1"

    def play(content: str) -> str:
        step = ModelStep(calls=(CaseCall(id="c1", tool="manage_memory", args={"content": content}),))
        agent: Any = create_agent(ScriptedModel.of(step, OVER), [manage_memory], middleware=with_gate(config=CONFIG))
        found = agent.invoke({"messages": [HumanMessage("I'm vegan and my name is Ada.")]})
        return next(m.status for m in found["messages"] if isinstance(m, ToolMessage))

    assert play("User is vegan") == "success"
    assert play("User is halal") == "error"
    assert kept == ["User is vegan"]


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`examples/langgraph_memory.py`: the fact is kept, the invented brand is not."""
    monkeypatch.chdir(tmp_path)
    example = runpy.run_path(str(Path(__file__).parents[3] / "examples" / "langgraph_memory.py"))
    notes = [("diet", "User is vegetarian"), ("brand", "User likes Oatly")]
    steps = [
        ModelStep(calls=(CaseCall(id=name, tool="take_note", args={"name": name, "content": text}),))
        for name, text in notes
    ]
    kept = example["main"]("I'm vegetarian and live in Rome. Remember that.", ScriptedModel.of(*steps, OVER))
    assert kept == {"diet": "User is vegetarian"}
