"""`check_builder`: refuses a hand-built graph in which the gate would fail without a word, and says what to change.

LangGraph drops writes to undeclared channels silently, keeps the last of several writes where a reducer is missing, and
ends a run wherever an edge says so. Each of these would let an unchecked answer out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, get_type_hints

from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode

from gate_core import ConfigError, Posture
from gate_langgraph._channels import FACTS, GRANTS, KEYS, REPORT, RUN, VERDICT, merge_facts, merge_grants
from gate_langgraph.graph import (
    GateNode,
    GateRoute,
    GraphGate,
    RecordedToolNode,
    ResetNode,
    ToolsOrGate,
    WithholdNode,
)

_Builder: TypeAlias = StateGraph[Any, Any, Any, Any]
_DECLARE = "let the state inherit GateMessagesState (TypedDict), GateModel (pydantic) or GateFields (dataclass)"


def check_builder(graph: _Builder) -> None:
    """Check a graph before it is compiled.

    Raises:
        ConfigError: what is wrong, and how to fix it.
    """
    name, node = _the_gate(graph)
    _check_nodes(graph, node.gate)
    _check_channels(graph, node.gate)
    _check_input(graph)
    _check_start(graph)
    _check_way_back(graph, name, node.gate)
    _check_ways_out(graph, name)


def _refuse(problem: str, fix: str) -> ConfigError:
    return ConfigError(f"{problem}; {fix}", key="graph")


def _nodes(graph: _Builder, kind: type) -> dict[str, Any]:
    return {name: spec.runnable for name, spec in graph.nodes.items() if isinstance(spec.runnable, kind)}


def _the_gate(graph: _Builder) -> tuple[str, GateNode]:
    found = _nodes(graph, GateNode)
    if len(found) != 1:
        raise _refuse(
            f"expected one gate_node in the graph, got {len(found)}", "add_node('gate', gate_node(gate)) exactly once"
        )
    return next(iter(found.items()))


def _check_nodes(graph: _Builder, gate: GraphGate) -> None:
    for name, tools in _nodes(graph, ToolNode).items():
        if not isinstance(tools, RecordedToolNode):
            raise _refuse(
                f"node {name!r} is a ToolNode that the gate does not see", "use recorded_tool_node(gate, tools)"
            )
    for kind in (ResetNode, RecordedToolNode, WithholdNode):
        for name, node in _nodes(graph, kind).items():
            if node.gate is not gate:
                raise _refuse(f"node {name!r} belongs to another gate", "make all nodes of a graph with one GraphGate")


def _check_channels(graph: _Builder, gate: GraphGate) -> None:
    wanted = [FACTS, RUN, VERDICT, REPORT, *([GRANTS] if gate.factory.config.admits else [])]
    if missing := [key for key in wanted if key not in graph.channels]:
        raise _refuse(
            f"the state has no channel {', '.join(missing)}, and LangGraph drops what is written to it", _DECLARE
        )
    for key, reducer in ((FACTS, merge_facts), (GRANTS, merge_grants)):
        if key in graph.channels and getattr(graph.channels[key], "operator", None) is not reducer:
            raise _refuse(
                f"channel {key} is not merged by {reducer.__name__}: a later call would overwrite an earlier one",
                f"{_DECLARE}, or annotate it with the reducer in the last place",
            )
    if not _replaces(graph.channels.get("messages")):
        raise _refuse(
            "channel messages cannot replace and remove messages by id, so a rejected draft would stay",
            "declare messages: Annotated[list[AnyMessage], add_messages]",
        )


def _replaces(channel: object) -> bool:
    """Tried, not guessed: a reducer of the user's own may do it too."""
    if channel is None:
        return False
    reducer = getattr(channel, "operator", None)
    if reducer is None:
        return hasattr(channel, "reducer")  # a delta channel is written by one that folds messages
    try:
        return bool(reducer([AIMessage("", id="a")], [RemoveMessage("a")]) == [])
    except Exception:  # noqa: BLE001 - whatever a reducer of the user's own does with it
        return False


def _check_input(graph: _Builder) -> None:
    open_keys = sorted(set(get_type_hints(graph.input_schema)) & {*KEYS})
    if open_keys:
        raise _refuse(
            f"a caller may hand in {', '.join(open_keys)}, its own evidence",
            "give the graph an input without them: StateGraph(State, input_schema=MessagesState)",
        )


def _check_start(graph: _Builder) -> None:
    first = _targets(graph, START)
    if not first or first - _nodes(graph, ResetNode).keys():
        raise _refuse(
            "the graph does not start with a reset_node, so a turn would go on with the looks of the last one",
            "add_node('start', reset_node(gate)) and add_edge(START, 'start')",
        )


def _check_way_back(graph: _Builder, gate: str, owner: GraphGate) -> None:
    routes = [branch.path for branch in graph.branches.get(gate, {}).values()]
    if len(routes) != 1 or not isinstance(routes[0], GateRoute) or any(start == gate for start, _ in _edges(graph)):
        raise _refuse(
            f"a rejected answer does not go back from {gate!r} to the model",
            f"let add_conditional_edges({gate!r}, gate_route(revise='model')) be its only edge",
        )
    route = routes[0]
    if route.revise not in graph.nodes:
        raise _refuse(f"gate_route sends rejected answers to {route.revise!r}, which is no node", "name the model node")
    if owner.factory.config.posture is Posture.RAILS and route.withhold not in _nodes(graph, WithholdNode):
        raise _refuse(
            "posture 'rails' needs a node behind the gate, or the run would end without its AnswerWithheld",
            "add_node('withhold', withhold_node(gate)) and gate_route(..., withhold='withhold')",
        )


def _check_ways_out(graph: _Builder, gate: str) -> None:
    """No way from START to an end that does not pass the gate. A node without an edge is an end too."""
    seen, waiting = {START}, [START]
    while waiting:
        name = waiting.pop()
        targets = _targets(graph, name)
        if END in targets or not targets:
            raise _refuse(
                f"the run can end at {name!r} without passing the gate",
                f"lead {name!r} to {gate!r}; behind the model, tools_or_gate() takes the place of tools_condition",
            )
        new = targets - seen - {gate}
        seen |= new
        waiting += sorted(new)


def _edges(graph: _Builder) -> set[tuple[str, str]]:
    return graph.edges | {(start, end) for starts, end in graph.waiting_edges for start in starts}


def _targets(graph: _Builder, name: str) -> set[str]:
    """Where a run can go from a node: edges, conditional edges, and what the node declared for its commands."""
    found = {end for start, end in _edges(graph) if start == name}
    for branch in graph.branches.get(name, {}).values():
        found |= set(_branch_targets(branch, name))
    spec = graph.nodes.get(name)
    return found | set(spec.ends or () if spec is not None else ())


def _branch_targets(branch: Any, name: str) -> Iterator[str]:
    if isinstance(branch.path, ToolsOrGate | GateRoute):
        yield from branch.path.targets
    elif branch.ends is not None:
        yield from branch.ends.values()
    else:
        raise _refuse(
            f"a conditional edge of {name!r} does not say where it may lead", "give it a path_map, or a Literal type"
        )
