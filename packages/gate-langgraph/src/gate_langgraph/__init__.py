"""The gate for LangChain and LangGraph: middleware that checks what the agent says against what it did.

`create_agent(model, tools, middleware=with_gate([...]))` is the whole wiring; `results(...)` reads the verdict.
"""

from __future__ import annotations

from gate_langgraph._channels import GateChannels, merge_facts
from gate_langgraph._decide import Decision, decide
from gate_langgraph.middleware import AnyMiddleware, GateBoundary, GateMiddleware, GateRecorder
from gate_langgraph.results import GateResult, results
from gate_langgraph.wiring import check_middleware, with_gate

__all__ = [
    "AnyMiddleware",
    "Decision",
    "GateBoundary",
    "GateChannels",
    "GateMiddleware",
    "GateRecorder",
    "GateResult",
    "check_middleware",
    "decide",
    "merge_facts",
    "results",
    "with_gate",
]
