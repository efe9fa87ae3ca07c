"""The seat before a tool runs: may this action run? (spec 40, "Actions")

The core decides. A call that it stops is answered in the tool's place, with what would satisfy it; one that only lacks
a person's word is put to that person with LangGraph's `interrupt`, as any human in the loop. What the seat gave has to
outlive the call, and calls run in parallel, so it goes into a channel of its own until the next boundary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain.agents.middleware import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import interrupt

from gate_core import Gate, GateFactory, GateState, Json, ToolCall, Verdict
from gate_langgraph._channels import GRANTS
from gate_langgraph._decide import open_thread
from gate_langgraph._translate import SOURCE, read_call


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """What the seat decided. `answer` stands in for the tool's when the call does not run; `update` is kept."""

    answer: ToolMessage | None = None
    update: dict[str, Any] = field(default_factory=dict)


def is_on(factory: GateFactory) -> bool:
    """True when calls are admitted at all; else the seat costs nothing."""
    return factory.config.admits


def admit(factory: GateFactory, request: ToolCallRequest) -> Admitted:
    """Ask the core about a call that is about to run.

    Raises:
        GraphInterrupt: a person has to approve; the run goes on with `Command(resume=True)`.
    """
    gate = open_thread(factory, request.state).gate
    call = read_call(request)
    verdict = gate.admit(call)
    if verdict.approvable:
        if not _approves(interrupt(_question(call, verdict))):
            return Admitted(answer=denied(call, "The user did not approve this call. It was not run."))
        gate.confirm(call)
        verdict = gate.admit(call)
    if not verdict.accepted:
        return Admitted(answer=denied(call, verdict.feedback))
    return Admitted(update=_given(gate, call))


def _question(call: ToolCall, verdict: Verdict) -> dict[str, Json]:
    """What the host gets to show; it is the call as it would run."""
    reasons: list[Json] = [finding.says for finding in verdict.blocking]
    return {
        "type": f"{SOURCE}.confirm",
        "tool": call.tool,
        "args": dict(call.args),
        "codes": list(verdict.codes),
        "reasons": reasons,
    }


def _approves(answer: object) -> bool:
    """Only a plain yes is one: True, "approve", or `{"type": "approve"}` as in LangChain's own decisions."""
    said = answer.get("type") if isinstance(answer, Mapping) else answer
    return said is True or said == "approve"


def denied(call: ToolCall, text: str) -> ToolMessage:
    """What stands in for the result of a call that the gate stopped."""
    mark = {"lc_source": SOURCE, "lc_data": {"denied": True}}  # as LangChain marks what a harness wrote
    return ToolMessage(text, name=call.tool, tool_call_id=call.ref, status="error", additional_kwargs=mark)


def _given(gate: Gate, call: ToolCall) -> dict[str, Any]:
    grants = gate.state.grants
    if not grants:
        return {}
    return {GRANTS: {f"{call.call_id}@{call.step}": GateState(turn=gate.state.turn, grants=grants).split()[1]}}
