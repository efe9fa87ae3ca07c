"""A gated `create_react_agent`, for those who are still on it. New code takes `create_agent` and `with_gate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool
from langgraph.config import get_stream_writer
from langgraph.graph.state import CompiledStateGraph
from langgraph.managed import RemainingSteps
from langgraph.prebuilt import create_react_agent
from langgraph.types import Command

from gate_core import Action, ConfigError, Posture
from gate_langgraph._announce import announce
from gate_langgraph._decide import Decision, adecide, decide
from gate_langgraph._turns import messages_of
from gate_langgraph.graph import GraphGate, recorded_tool_node
from gate_langgraph.states import GateMessagesState

_Agent: TypeAlias = CompiledStateGraph[Any, Any, Any, Any]
_OWN = ("post_model_hook", "state_schema", "response_format")
_INSTEAD = "use create_agent(..., middleware=with_gate([...]))"


class ReactState(GateMessagesState):
    """The state of the agent: its messages, and the gate's channels."""

    remaining_steps: RemainingSteps


def create_gated_react_agent(
    model: Any, tools: Sequence[BaseTool | Callable[..., Any]], gate: GraphGate, **options: Any
) -> _Agent:
    """`create_react_agent` with the gate behind the model and around the tools; `options` are its own.

    Raises:
        ConfigError: what this agent hands out past every hook: a structured response, a tool whose result is the
            answer; and posture `rails`, which needs a node behind the gate.
    """
    for name in _OWN:
        if options.get(name) is not None:
            raise ConfigError(f"create_react_agent with {name} has no place for the gate; {_INSTEAD}", key=name)
    if gate.factory.config.posture is Posture.RAILS:
        raise ConfigError(f"posture 'rails' needs a node behind the gate; {_INSTEAD}", key="posture")
    node = recorded_tool_node(gate, tools)
    if direct := sorted(name for name, tool in node.tools_by_name.items() if tool.return_direct):
        raise ConfigError(f"the result of {', '.join(direct)} would go out past the gate; {_INSTEAD}", key="tools")
    entry = "pre_model_hook" if options.get("pre_model_hook") is not None else "agent"
    create: Any = create_react_agent  # its own warning says that it is deprecated
    agent: _Agent = create(model, node, post_model_hook=_hook(gate, entry), state_schema=ReactState, **options)
    return agent


def _hook(gate: GraphGate, entry: str) -> RunnableLambda[Any, Any]:
    """Judges what the model said when it asks for no tool; its own router ends the run, so a rejection jumps."""

    def judge(state: object) -> object:
        return _next(decide(state, gate.factory, wired=True), gate, entry) if _is_done(state) else {}

    async def ajudge(state: object) -> object:
        return _next(await adecide(state, gate.factory, wired=True), gate, entry) if _is_done(state) else {}

    return RunnableLambda(judge, ajudge, name="gate")


def _is_done(state: object) -> bool:
    last = messages_of(state)[-1:]
    return bool(last) and isinstance(last[0], AIMessage) and not last[0].tool_calls


def _next(decision: Decision, gate: GraphGate, entry: str) -> object:
    announce(decision, gate.factory, get_stream_writer())
    if decision.action is Action.REVISE:
        return Command(update=decision.update, goto=entry)
    return decision.update
