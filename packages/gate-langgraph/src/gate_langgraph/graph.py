"""The gate in a hand-built graph: nodes that begin the turn, record the tools and judge the answer, and their edges.

    gate = GraphGate(config=...)
    graph = StateGraph(State, input_schema=MessagesState)   # State has the gate's channels, its callers must not
    graph.add_node("start", reset_node(gate))
    graph.add_node("tools", recorded_tool_node(gate, tools))
    graph.add_node("gate", gate_node(gate))
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_conditional_edges("gate", gate_route(revise="model"))
    check_builder(graph)

The nodes are what the middleware is made of; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, Unpack, cast

from langchain.agents.middleware import ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langchain_core.tools import BaseTool
from langgraph.config import get_stream_writer
from langgraph.graph import END
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, Send

from gate_core import Action, AnswerWithheld, AuditFailure, GateArguments, GateFactory
from gate_langgraph._announce import announce
from gate_langgraph._channels import FACTS, GRANTS, REPORT, VERDICT, channel, merge_facts
from gate_langgraph._decide import Decision, adecide, decide, start_turn
from gate_langgraph._read import read_verdict
from gate_langgraph._tested import TESTED
from gate_langgraph._trace import ToolResult
from gate_langgraph._turns import messages_of
from gate_langgraph.middleware import GateBoundary, GateRecorder

Execute: TypeAlias = "Callable[[ToolCallRequest], ToolResult]"
AsyncExecute: TypeAlias = "Callable[[ToolCallRequest], Awaitable[ToolResult]]"
Wrapper: TypeAlias = "Callable[[ToolCallRequest, Execute], ToolResult]"
AsyncWrapper: TypeAlias = "Callable[[ToolCallRequest, AsyncExecute], Awaitable[ToolResult]]"


class GraphGate:
    """One gate for the nodes of one graph; takes the keyword arguments of every adapter."""

    def __init__(self, **arguments: Unpack[GateArguments]) -> None:
        self.factory = GateFactory(arguments, tested=TESTED)


class _Node(RunnableLambda[Any, Any]):
    """A node that remembers its gate, so that `check_builder` can tell what it is."""

    def __init__(self, gate: GraphGate, func: Callable[[Any], Any], afunc: Callable[[Any], Awaitable[Any]]) -> None:
        super().__init__(func, afunc, name=type(self).__name__)
        self.gate = gate


class ResetNode(_Node):
    """Begins a turn. First in the graph."""


class GateNode(_Node):
    """Judges the answer. Last before END."""


class WithholdNode(_Node):
    """Ends a run whose answer was withheld. Behind the gate, so that the removal of the text is already kept."""


def reset_node(gate: GraphGate) -> ResetNode:
    """The first node of the graph: a message of the user begins a turn."""

    def begin(state: object) -> dict[str, object]:
        return start_turn(gate.factory, state)

    async def abegin(state: object) -> dict[str, object]:
        return start_turn(gate.factory, state)

    return ResetNode(gate, begin, abegin)


def gate_node(gate: GraphGate) -> GateNode:
    """The last node of the graph: judges the answer, and leaves it to `gate_route` where the run goes."""

    def judge(state: object) -> dict[str, object]:
        return _update(decide(state, gate.factory), gate)

    async def ajudge(state: object) -> dict[str, object]:
        return _update(await adecide(state, gate.factory), gate)

    return GateNode(gate, judge, ajudge)


def _update(decision: Decision, gate: GraphGate) -> dict[str, object]:
    announce(decision, gate.factory, get_stream_writer())
    if decision.action is Action.WITHHOLD and not decision.started:
        raise AnswerWithheld(decision.verdict)
    return decision.update


def withhold_node(gate: GraphGate) -> WithholdNode:
    """The node behind the gate under posture `rails`; raises `AnswerWithheld`."""

    def raise_withheld(state: object) -> dict[str, object]:
        verdict = read_verdict(channel(state, VERDICT))
        if verdict is not None and verdict.action is Action.WITHHOLD:
            raise AnswerWithheld(verdict)
        return {REPORT: channel(state, REPORT)}

    async def araise_withheld(state: object) -> dict[str, object]:
        return raise_withheld(state)

    return WithholdNode(gate, raise_withheld, araise_withheld)


class RecordedToolNode(ToolNode):
    """LangGraph's tool node with the gate's two halves around every call. Made by `recorded_tool_node`."""

    gate: GraphGate

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        """Run the calls; the update is one dict, as of a plain tool node."""
        with _all_recorded():
            return _one_update(super().invoke(input, config, **kwargs))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        """As `invoke`."""
        with _all_recorded():
            return _one_update(await super().ainvoke(input, config, **kwargs))


_UNRECORDED: ContextVar[list[AuditFailure] | None] = ContextVar("gate_langgraph_unrecorded", default=None)


@contextmanager
def _all_recorded() -> Iterator[None]:
    """Let a decision that could not be recorded end the node, whatever `handle_tool_errors` makes of its error."""
    failures: list[AuditFailure] = []
    token = _UNRECORDED.set(failures)
    try:
        yield
    finally:
        _UNRECORDED.reset(token)
    if failures:
        raise failures[0]


@contextmanager
def _noting_unrecorded() -> Iterator[None]:
    try:
        yield
    except AuditFailure as error:
        if (failures := _UNRECORDED.get()) is not None:
            failures.append(error)
        raise


def recorded_tool_node(
    gate: GraphGate,
    tools: Sequence[BaseTool | Callable[..., Any]],
    *,
    wrap_tool_call: Wrapper | None = None,
    awrap_tool_call: AsyncWrapper | None = None,
    **options: Any,
) -> RecordedToolNode:
    """A tool node whose calls the gate sees. Your own wrappers run between its halves, as other middleware does.

    `options` are those of `ToolNode` (`handle_tool_errors`, `name`, `tags`).
    """
    outer, inner = GateRecorder(gate.factory), GateBoundary(gate.factory)
    between = wrap_tool_call or (lambda request, execute: execute(request))
    abetween = awrap_tool_call or (lambda request, execute: execute(request))

    def wrap(request: ToolCallRequest, execute: Execute) -> ToolResult:
        with _noting_unrecorded():
            return outer.wrap_tool_call(request, lambda r: between(r, lambda q: inner.wrap_tool_call(q, execute)))

    async def awrap(request: ToolCallRequest, execute: AsyncExecute) -> ToolResult:
        with _noting_unrecorded():
            return await outer.awrap_tool_call(
                request, lambda r: abetween(r, lambda q: inner.awrap_tool_call(q, execute))
            )

    node = RecordedToolNode(tools, wrap_tool_call=wrap, awrap_tool_call=awrap, **options)
    node.gate = gate
    return node


def _one_update(result: object) -> object:
    """Commands that only bring messages and facts as one update; anything else is handed on as it is."""
    if not isinstance(result, list) or not result or not all(map(_is_plain, result)):
        return result
    updates = [cast("dict[str, Any]", item.update if isinstance(item, Command) else item) for item in result]
    merged: dict[str, Any] = {"messages": [m for update in updates for m in update.get("messages", ())]}
    for update in updates:
        if FACTS in update:
            merged[FACTS] = merge_facts(merged.get(FACTS), update[FACTS])
        if GRANTS in update:
            merged[GRANTS] = {**merged.get(GRANTS, {}), **update[GRANTS]}
    return merged


def _is_plain(item: object) -> bool:
    update = item
    if isinstance(item, Command):
        if item.graph is not None or item.goto or item.resume is not None:
            return False
        update = item.update
    return isinstance(update, dict) and update.keys() <= {"messages", FACTS, GRANTS}


class ToolsOrGate(RunnableLambda[Any, Any]):
    """The edge behind the model. Made by `tools_or_gate`."""

    def __init__(self, tools: str, gate: str) -> None:
        super().__init__(self._route, name="tools_or_gate")
        self.targets = (tools, gate)

    def _route(self, state: object) -> list[Send] | str:
        messages = messages_of(state)
        last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
        answered = {m.tool_call_id for m in messages if isinstance(m, ToolMessage)}
        pending = [call for call in last.tool_calls if call["id"] not in answered] if last else []
        return [Send(self.targets[0], [call]) for call in pending] or self.targets[1]


def tools_or_gate(tools: str = "tools", gate: str = "gate") -> ToolsOrGate:
    """The edge behind the model, in place of `tools_condition`: to the tools it asked for, else to the gate.

    Each call is a task of its own. In one task for all, a call that raises makes the others run again on resume.
    """
    return ToolsOrGate(tools, gate)


class GateRoute(RunnableLambda[Any, Any]):
    """The edge behind the gate. Made by `gate_route`."""

    def __init__(self, revise: str, accept: str, withhold: str) -> None:
        super().__init__(self._route, name="gate_route")
        self.revise, self.accept, self.withhold = revise, accept, withhold
        self.targets = (revise, accept, withhold)

    def _route(self, state: object) -> str:
        verdict = read_verdict(channel(state, VERDICT))
        ways = {Action.REVISE: self.revise, Action.WITHHOLD: self.withhold}
        return self.accept if verdict is None else ways.get(verdict.action, self.accept)


def gate_route(revise: str = "model", accept: str = END, withhold: str | None = None) -> GateRoute:
    """The edge behind the gate: back to the model with a rejected answer, on with an answer that goes out.

    Under posture `rails`, `withhold` is the name of the `withhold_node`.
    """
    return GateRoute(revise, accept, withhold or accept)
