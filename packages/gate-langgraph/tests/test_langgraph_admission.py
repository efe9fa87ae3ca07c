"""The seat before a tool runs: what the core stops does not run, and a person can be asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from gate_core import GateConfig, GateState, Layer, Posture, Strength, ToolEffect, ToolProfile
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import (
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

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
ASK: Any = {"messages": [HumanMessage("Cancel reservation R1.", id="h1")]}
OVER = ModelStep(text="I could not confirm it.")
CONFIG = GateConfig(
    layers={**GateConfig().layers, Layer.ACTIONS: Strength.BLOCK},
    profiles={
        "cancel": ToolProfile(
            name="cancel",
            effect=ToolEffect.DELETE,
            targets=("reservation:{id}",),
            domain="reservation",
            family="cancel",
            risk="high",
            reversible=False,
        )
    },
)


def cancel_step(*ids: str) -> ModelStep:
    return ModelStep(calls=tuple(CaseCall(id=f"c{i}", tool="cancel", args={"id": i}) for i in ids))


@pytest.fixture
def ran() -> list[str]:
    return []


def agent_of(ran: list[str], *steps: ModelStep, config: GateConfig = CONFIG, around: Any = ()) -> Any:
    return create_agent(
        ScriptedModel.of(*steps, OVER),
        [_cancel(ran)],
        middleware=with_gate([*around], config=config),
        checkpointer=InMemorySaver(),
    )


def graph_of(ran: list[str], *steps: ModelStep, config: GateConfig = CONFIG) -> Any:
    model, gate = ScriptedModel.of(*steps, OVER), GraphGate(config=config)
    graph: StateGraph[Any] = StateGraph(GateMessagesState, input_schema=MessagesState)
    graph.add_node("start", reset_node(gate))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", recorded_tool_node(gate, [_cancel(ran)]))
    graph.add_node("gate", gate_node(gate))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("gate", gate_route())
    check_builder(graph)
    return graph.compile(checkpointer=InMemorySaver())


def _cancel(ran: list[str]) -> Any:
    @tool
    def cancel(id: str) -> str:  # noqa: A002 - the name the model sees
        """Cancel a reservation."""
        ran.append(id)
        return f"reservation {id} cancelled"

    return cancel


def results_of(agent: Any) -> list[tuple[str, str]]:
    found = agent.get_state(THREAD).values["messages"]
    return [(m.status, m.text) for m in found if isinstance(m, ToolMessage)]


FORMS = pytest.mark.parametrize("form", [agent_of, graph_of], ids=["agent", "graph"])


@FORMS
def test_a_person_is_asked_for_the_word_that_lacks(ran: list[str], form: Callable[..., Any]) -> None:
    """The interrupt shows the call as it would run; a yes lets exactly this call run, once."""
    agent = form(ran, cancel_step("R1"))
    paused = agent.invoke(ASK, THREAD)
    (question,) = paused["__interrupt__"]
    assert question.value["type"] == "gate.confirm"
    assert (question.value["tool"], question.value["args"]) == ("cancel", {"id": "R1"})
    assert question.value["codes"] == ["confirmation-required"]
    assert question.value["reasons"] != [""]
    assert ran == []
    agent.invoke(Command(resume=True), THREAD)
    assert ran == ["R1"]
    assert results_of(agent) == [("success", "reservation R1 cancelled")]
    state = agent.get_state(THREAD).values
    kept = GateState.join(state["gate_facts"], state["gate_run"]["state"])
    assert [confirmation.spent for confirmation in kept.grants.confirmations] == [True]
    assert state["gate_grants"] == {}  # folded into the state at the boundary


@FORMS
@pytest.mark.parametrize("answer", [False, "no", 1, {"type": "reject"}])
def test_anything_but_a_plain_yes_is_a_no(ran: list[str], form: Callable[..., Any], answer: Any) -> None:
    """The model is told, the call is denied and no evidence."""
    agent = form(ran, cancel_step("R1"))
    agent.invoke(ASK, THREAD)
    agent.invoke(Command(resume=answer), THREAD)
    assert ran == []
    assert results_of(agent) == [("error", "The user did not approve this call. It was not run.")]
    values = agent.get_state(THREAD).values
    (fact,) = GateState.join(values["gate_facts"], values["gate_run"]["state"]).facts.values()
    assert (fact.tool, fact.note) == ("cancel", "denied")


def test_what_the_user_did_not_ask_for_is_stopped_without_asking(ran: list[str]) -> None:
    """Only the lack of a confirmation is worth a question; the rest goes back to the model with what would help."""
    agent = agent_of(ran, cancel_step("R1"))
    agent.invoke({"messages": [HumanMessage("What is the weather like?")]}, THREAD)
    ((status, text),) = results_of(agent)
    assert (ran, status) == ([], "error")
    assert "not run" in text


@FORMS
def test_parallel_calls_are_asked_one_by_one(ran: list[str], form: Callable[..., Any]) -> None:
    """Each keeps its own grant beside the others."""
    agent = form(ran, cancel_step("R1", "R2"))
    paused = agent.invoke({"messages": [HumanMessage("Cancel reservations R1 and R2.")]}, THREAD)
    asked = {i.id: i.value["args"]["id"] for i in paused["__interrupt__"]}
    assert sorted(asked.values()) == ["R1", "R2"]
    agent.invoke(Command(resume={name: thing == "R2" for name, thing in asked.items()}), THREAD)
    assert ran == ["R2"]


def test_what_a_person_edited_is_what_is_admitted(ran: list[str]) -> None:
    """The seat is inside of every other middleware: it sees the call that would run."""
    approve = HumanInTheLoopMiddleware(interrupt_on={"cancel": True})
    agent = agent_of(ran, cancel_step("R9"), around=[approve])
    agent.invoke(ASK, THREAD)
    edit = {"type": "edit", "edited_action": {"name": "cancel", "args": {"id": "R1"}}}
    paused = agent.invoke(Command(resume={"decisions": [edit]}), THREAD)
    assert paused["__interrupt__"][0].value["args"] == {"id": "R1"}
    agent.invoke(Command(resume="approve"), THREAD)
    assert ran == ["R1"]


def test_a_retry_asks_nobody_again(ran: list[str]) -> None:
    """The attempts of a retry are one call."""

    @tool
    def cancel(id: str) -> str:  # noqa: A002 - the name the model sees
        """Cancel a reservation."""
        ran.append(id)
        if len(ran) == 1:
            raise TimeoutError("busy")
        return "cancelled"

    retry = ToolRetryMiddleware(max_retries=2, initial_delay=0)
    model, config = ScriptedModel.of(cancel_step("R1"), OVER), CONFIG
    middleware = with_gate([retry], config=config)
    agent: Any = create_agent(model, [cancel], middleware=middleware, checkpointer=InMemorySaver())
    agent.invoke(ASK, THREAD)
    result = agent.invoke(Command(resume=True), THREAD)
    assert "__interrupt__" not in result
    assert ran == ["R1", "R1"]
    assert results_of(agent) == [("success", "cancelled")]


def test_switched_off_or_only_warning_nothing_is_stopped(ran: list[str]) -> None:
    """The default: actions off."""
    agent_of(ran, cancel_step("R1"), config=GateConfig(profiles=CONFIG.profiles)).invoke(ASK, THREAD)
    warn = GateConfig(layers={**CONFIG.layers, Layer.ACTIONS: Strength.WARN}, profiles=CONFIG.profiles)
    agent_of(ran, cancel_step("R2"), config=warn).invoke(ASK, THREAD)
    note = GateConfig(layers=CONFIG.layers, profiles=CONFIG.profiles, posture=Posture.ASSIST)
    agent_of(ran, cancel_step("R3"), config=note).invoke(ASK, THREAD)
    assert ran == ["R1", "R2", "R3"]


def test_a_path_outside_is_asked_about_with_real_files(tmp_path: Path) -> None:
    """The neutral case of the docs: a tool without a profile of its own is let through."""

    @tool
    def look(path: str) -> str:
        """Look at a file."""
        return Path(path).read_text("utf-8")

    (tmp_path / "a").write_text("x", "utf-8")
    step = ModelStep(calls=(CaseCall(id="l", tool="look", args={"path": str(tmp_path / "a")}),))
    agent = create_agent(ScriptedModel.of(step, OVER), [look], middleware=with_gate(config=CONFIG))
    assert [m.text for m in agent.invoke(ASK)["messages"] if isinstance(m, ToolMessage)] == ["x"]
