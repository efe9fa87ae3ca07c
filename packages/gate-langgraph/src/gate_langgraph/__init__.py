"""The gate for LangChain and LangGraph: middleware that checks what the agent says against what it did.

`create_agent(model, tools, middleware=with_gate([...]))` is the whole wiring; `results(...)` reads the verdict.
Hand-built graphs take the nodes and edges of `gate_langgraph.graph`, and `check_builder` looks them over.
"""

from __future__ import annotations

from gate_langgraph._channels import GateChannels, merge_facts, merge_grants
from gate_langgraph._decide import Decision, adecide, decide
from gate_langgraph.check import check_builder
from gate_langgraph.graph import (
    GraphGate,
    gate_node,
    gate_route,
    recorded_tool_node,
    reset_node,
    tools_or_gate,
    withhold_node,
)
from gate_langgraph.memory import GatedStore, WriteRefused
from gate_langgraph.middleware import AnyMiddleware, GateBoundary, GateMiddleware, GateRecorder
from gate_langgraph.react import create_gated_react_agent
from gate_langgraph.results import GateResult, results
from gate_langgraph.states import GateFields, GateMessagesState, GateModel
from gate_langgraph.streaming import agated_stream, gated_stream
from gate_langgraph.wiring import check_middleware, with_gate

__all__ = [
    "AnyMiddleware",
    "Decision",
    "GateBoundary",
    "GateChannels",
    "GateFields",
    "GateMessagesState",
    "GateMiddleware",
    "GateModel",
    "GateRecorder",
    "GateResult",
    "GatedStore",
    "GraphGate",
    "WriteRefused",
    "adecide",
    "agated_stream",
    "check_builder",
    "check_middleware",
    "create_gated_react_agent",
    "decide",
    "gate_node",
    "gate_route",
    "gated_stream",
    "merge_facts",
    "merge_grants",
    "recorded_tool_node",
    "reset_node",
    "results",
    "tools_or_gate",
    "with_gate",
    "withhold_node",
]
