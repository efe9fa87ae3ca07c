"""`check_builder`: wiring that would let an unchecked answer out is refused, with the way to fix it."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command

from gate_core import ConfigError, GateConfig, Posture
from gate_langgraph import (
    GateMessagesState,
    GraphGate,
    check_builder,
    gate_node,
    gate_route,
    merge_facts,
    recorded_tool_node,
    reset_node,
    tools_or_gate,
)
from gate_langgraph._scripted import file_tools


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path


class Typed(GateMessagesState):
    """A state that has what it needs."""


class NoKeys(MessagesState):
    """A state without the gate's channels."""


class NoReducer(MessagesState):
    """The channels, the last write wins."""

    gate_facts: dict[str, Any]
    gate_run: dict[str, Any]
    gate_verdict: dict[str, Any]
    gate_report: dict[str, Any]


class ReducerNotLast(MessagesState):
    """LangGraph takes a reducer only from the last place."""

    gate_facts: Annotated[dict[str, Any], merge_facts, "private"]
    gate_run: dict[str, Any]
    gate_verdict: dict[str, Any]
    gate_report: dict[str, Any]


class Appends(TypedDict):
    """Messages that cannot be replaced."""

    messages: Annotated[list[AnyMessage], operator.add]
    gate_facts: Annotated[dict[str, Any], merge_facts]
    gate_run: dict[str, Any]
    gate_verdict: dict[str, Any]
    gate_report: dict[str, Any]


class Input(TypedDict):
    """What callers hand in."""

    messages: list[AnyMessage]


def nothing(state: Any) -> dict[str, Any]:
    return {}


def wrong(workspace: Path, flaw: str) -> StateGraph[Any]:
    gate = GraphGate(config=GateConfig(posture=Posture.RAILS if flaw == "rails" else Posture.GUARD))
    state: Any = {"keys": NoKeys, "reducer": NoReducer, "last": ReducerNotLast, "append": Appends}.get(flaw, Typed)
    graph: StateGraph[Any] = StateGraph(state, input_schema=state if flaw == "input" else Input)
    graph.add_node("start", nothing if flaw == "no reset" else reset_node(gate))
    graph.add_node("model", nothing)
    tools = file_tools(workspace)
    if flaw == "tools":
        graph.add_node("tools", ToolNode(tools))
    else:
        graph.add_node("tools", recorded_tool_node(GraphGate() if flaw == "two gates" else gate, tools))
    graph.add_node("gate", nothing if flaw == "no gate" else gate_node(gate))
    if flaw == "two nodes":
        graph.add_node("gate2", gate_node(gate))
    graph.add_edge(START, "model" if flaw == "start" else "start")
    graph.add_edge("start", "model")
    if flaw == "condition":
        graph.add_conditional_edges("model", tools_condition)
    elif flaw == "open":
        graph.add_conditional_edges("model", lambda s: "gate")
    elif flaw == "command":

        def command(s: Any) -> Command[Any]:
            return Command(goto="gate")

        graph.add_node("planner", RunnableLambda(command), destinations=("tools", "gate", END))
        graph.add_edge("model", "planner")
    else:
        graph.add_conditional_edges("model", tools_or_gate())
    if flaw != "dead end":
        graph.add_edge("tools", END if flaw == "direct" else "model")
    if flaw == "straight":
        graph.add_edge("gate", END)
    else:
        graph.add_conditional_edges("gate", gate_route(revise="modle" if flaw == "typo" else "model"))
    if flaw == "both":
        graph.add_edge("gate", END)
    return graph


@pytest.mark.parametrize(
    ("flaw", "says"),
    [
        ("no gate", "expected one gate_node in the graph, got 0; add_node"),
        ("two nodes", "expected one gate_node in the graph, got 2; add_node"),
        ("tools", "'tools' is a ToolNode that the gate does not see; use recorded_tool_node"),
        ("two gates", "'tools' belongs to another gate; make all nodes"),
        (
            "keys",
            "no channel gate_facts, gate_run, gate_verdict, gate_report, .* inherit GateMessagesState",
        ),
        ("reducer", "gate_facts is not merged by merge_facts: .* let the state inherit"),
        ("last", "gate_facts is not merged by merge_facts: .* in the last place"),
        ("append", "messages cannot replace and remove .* add_messages"),
        ("input", "a caller may hand in gate_facts, .* input_schema=MessagesState"),
        ("no reset", "does not start with a reset_node"),
        ("start", "does not start with a reset_node"),
        ("straight", "a rejected answer does not go back from 'gate'"),
        ("both", "a rejected answer does not go back from 'gate'"),
        ("typo", "'modle', which is no node; name the model node"),
        ("rails", "posture 'rails' needs a node behind the gate"),
        ("condition", "can end at 'model' without passing the gate; .* tools_condition"),
        ("direct", "can end at 'tools' without passing the gate"),
        ("dead end", "can end at 'tools' without passing the gate"),
        ("open", "a conditional edge of 'model' does not say where it may lead"),
        ("command", "can end at 'planner' without passing the gate"),
    ],
)
def test_wiring_that_fails_open_is_refused_with_the_way_to_fix_it(workspace: Path, flaw: str, says: str) -> None:
    """One flaw each; without the check the run would go on, and end with an unchecked answer."""
    with pytest.raises(ConfigError, match=says):
        check_builder(wrong(workspace, flaw))


def test_a_graph_without_a_flaw_passes(workspace: Path) -> None:
    """The same graph; nodes behind the gate are the user's own."""
    graph = wrong(workspace, "")
    graph.add_node("notify", nothing)
    graph.branches["gate"].clear()
    graph.add_conditional_edges("gate", gate_route(accept="notify"))
    check_builder(graph)
