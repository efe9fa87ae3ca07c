"""`audit=` and `emit_progress=`: every decision is recorded, and who asks for it hears where a run stands."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph

from gate_core import AuditFailure, Gate, GateConfig, JsonObject, Layer, Strength
from gate_core.audit import records_of, verify
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import (
    GateMessagesState,
    GateMiddleware,
    GraphGate,
    create_gated_react_agent,
    gate_node,
    gate_route,
    recorded_tool_node,
    reset_node,
    results,
    tools_or_gate,
    with_gate,
)
from gate_langgraph._scripted import ScriptedModel

ASK: Any = {"messages": [HumanMessage("What does a.txt say?", id="h1")]}
LOOK = ModelStep(calls=(CaseCall(id="c1", tool="read_file", args={"path": "a.txt"}),))
SAYS = ModelStep(text="a.txt says blue.")
STEPS = (SAYS, LOOK, SAYS)  # claims first, is sent back, looks, says it again


class Kept:
    """A writer that keeps records, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.records: list[JsonObject] = []
        self._error = error

    def append(self, record: JsonObject) -> None:
        """Keep it."""
        if self._error is not None:
            raise self._error
        self.records.append(record)


@tool
def read_file(path: str) -> str:
    """Read a file."""
    return "blue"


def graph_of(model: Any, node: Any = None, **arguments: Any) -> Any:
    gate = GraphGate(**arguments)
    graph: StateGraph[Any] = StateGraph(GateMessagesState, input_schema=MessagesState)
    graph.add_node("start", reset_node(gate))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", recorded_tool_node(gate, [read_file], **(node or {})))
    graph.add_node("gate", gate_node(gate))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("gate", gate_route(revise="model"))
    return graph.compile()


def agents(form: str, *steps: ModelStep, **arguments: Any) -> Any:
    model = ScriptedModel.of(*(steps or STEPS))
    if form == "graph":
        return graph_of(model, **arguments)
    if form == "react":
        return create_gated_react_agent(model, [read_file], GraphGate(**arguments))
    gate: Any = [GateMiddleware(**arguments)] if form == "alone" else with_gate([], **arguments)
    return create_agent(model, [read_file], middleware=gate)


FORMS = ["list", "alone", "graph", "react"]
pytestmark = pytest.mark.filterwarnings("ignore:create_react_agent has been moved")


@pytest.mark.parametrize("form", FORMS)
def test_every_verdict_is_recorded(form: str, tmp_path: Path) -> None:
    """In a chained log at the path that was given; the verdict says so."""
    log = tmp_path / "log.jsonl"
    agent = agents(form, audit=log)
    verdict = results(agent.invoke(ASK)).verdict
    assert verdict is not None
    assert verdict.audited
    assert [(row["kind"], row["verdict"]) for _, row in records_of(log)] == [
        ("boundary", "REJECT"),
        ("boundary", "ACCEPT"),
    ]
    assert verify(log).whole


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_verdict_that_cannot_be_recorded_leaves_as_an_error(form: str, asynchronous: bool) -> None:
    """Before it is used: no answer comes back."""
    agent = agents(form, SAYS, audit=Kept(OSError("disk full")))
    with pytest.raises(AuditFailure, match="disk full"):
        asyncio.run(agent.ainvoke(ASK)) if asynchronous else agent.invoke(ASK)


def test_degraded_the_run_goes_on_and_says_so() -> None:
    """`audit_on_error="degrade"`."""
    agent = agents("list", audit=Kept(OSError("disk full")), config=GateConfig(audit_on_error="degrade"))
    verdict = results(agent.invoke(ASK)).verdict
    assert verdict is not None
    assert (verdict.accepted, verdict.audited) == (True, False)


ADMITS = GateConfig(layers={Layer.ACTIONS: Strength.BLOCK})


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_an_admission_that_cannot_be_recorded_is_no_tool_error(asynchronous: bool) -> None:
    """A middleware that turns errors of tools into results does not get hold of it."""
    model = ScriptedModel.of(LOOK, SAYS)
    retries: Any = ToolRetryMiddleware(max_retries=1, on_failure="continue", initial_delay=0.0)
    gate: Any = with_gate([retries], config=ADMITS, audit=Kept(OSError("disk full")))
    agent: Any = create_agent(model, [read_file], middleware=gate)
    with pytest.raises(AuditFailure, match=r"\(action\)"):
        asyncio.run(agent.ainvoke(ASK)) if asynchronous else agent.invoke(ASK)


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_a_tool_node_that_handles_all_errors_does_not_handle_this_one(asynchronous: bool) -> None:
    """`handle_tool_errors=True` is about tools."""
    graph = graph_of(
        ScriptedModel.of(LOOK, SAYS), {"handle_tool_errors": True}, config=ADMITS, audit=Kept(OSError("disk full"))
    )
    with pytest.raises(AuditFailure, match=r"\(action\)"):
        asyncio.run(graph.ainvoke(ASK)) if asynchronous else graph.invoke(ASK)


def test_admissions_are_recorded(tmp_path: Path) -> None:
    """Each call that asked to run, beside the answers."""
    log = tmp_path / "log.jsonl"
    agents("list", LOOK, SAYS, config=ADMITS, audit=str(log)).invoke(ASK)
    assert [row["kind"] for _, row in records_of(log)] == ["action", "boundary"]


def progress_of(agent: Any) -> list[Any]:
    events = list(agent.stream(ASK, stream_mode="custom"))
    return [event["progress"] for event in events if event["type"].endswith(".progress")]


@pytest.mark.parametrize("form", FORMS)
def test_progress_is_a_custom_stream_event(form: str) -> None:
    """After every verdict and every call; the shape is that of `Gate.progress()`."""
    told = progress_of(agents(form, emit_progress=True))
    assert [(p["rejections"], p["calls_this_turn"], p["looks_this_turn"]) for p in told] == [
        (1, 0, 0),
        (1, 1, 1),
        (1, 1, 1),
    ]
    assert all(set(p) == set(Gate().progress()) for p in told)
    assert told[-1]["grounded"] == 1


@pytest.mark.parametrize("form", FORMS)
def test_progress_goes_to_a_function_instead(form: str) -> None:
    """Then no event is in the stream."""
    told: list[Any] = []
    assert progress_of(agents(form, emit_progress=told.append)) == []
    assert [p["calls_this_turn"] for p in told] == [0, 1, 1]


def test_progress_is_told_only_to_who_asked_for_it() -> None:
    """Verdicts are in the custom stream all the same."""
    assert progress_of(agents("list")) == []


def test_progress_counts_the_calls_of_earlier_steps() -> None:
    """The whole ledger of the thread is read for it, and the facts in the thread stay the same."""
    two = ModelStep(calls=(CaseCall(id="c2", tool="read_file", args={"path": "b.txt"}),))
    told: list[Any] = []
    loud = agents("list", LOOK, two, SAYS, emit_progress=told.append).invoke(ASK)
    assert [p["calls_this_turn"] for p in told] == [1, 2, 2]
    assert results(loud).progress() == told[-1]
    assert results(loud).verdict == results(agents("list", LOOK, two, SAYS).invoke(ASK)).verdict
