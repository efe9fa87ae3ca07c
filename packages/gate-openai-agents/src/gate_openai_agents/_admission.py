"""The seat before a tool runs (spec 40, "Actions"): the gate's word as a tool input guardrail and as an approval.

A guardrail carries what `Gate.admit` says: an admitted call runs, any other gets the feedback as its result. Tools that
are to ask a person have their approval asked for when nothing but the confirmation is missing; an approval given is the
confirmation of exactly this call.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Collection
from typing import Any

from agents import Agent, FunctionTool, ToolGuardrailFunctionOutput, ToolInputGuardrail, ToolInputGuardrailData
from agents.tool_context import ToolContext

from gate_core import JsonObject, ToolCall, Verdict
from gate_openai_agents import _translate
from gate_openai_agents._hooks import annotations_of, origin_of
from gate_openai_agents._ledger import Find

GUARDRAIL = "action_gate"


class Admission:
    """Asks the gate about a call before it runs; once, however often the SDK asks."""

    def __init__(self, find: Find[Any]) -> None:
        self.find = find

    def guarded(self, tool: FunctionTool, ask: Collection[str]) -> FunctionTool:
        """A copy of the tool behind the seat; with its name in `ask` it also asks for approvals."""
        made = copy.copy(tool)
        made.tool_input_guardrails = [*(tool.tool_input_guardrails or []), self.guardrail(tool)]
        if tool.name in ask:
            made.needs_approval = self._approval(tool)
        return made

    def guardrail(self, tool: FunctionTool | None = None) -> ToolInputGuardrail[Any]:
        """The seat as a guardrail, for one tool or for all tools of an MCP server."""

        def admit(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
            context = data.context
            found = tool or _tool_of(data.agent, context.tool_name)
            call = _call(context, _translate.arguments(context.tool_arguments), found, data.agent)
            approved = context.is_tool_approved(context.tool_name, context.tool_call_id) is True
            verdict = self._admitted(context, call, approved=approved)
            if verdict.accepted:
                return ToolGuardrailFunctionOutput.allow(verdict)
            return ToolGuardrailFunctionOutput.reject_content(verdict.feedback, verdict)

        return ToolInputGuardrail(guardrail_function=admit, name=GUARDRAIL)

    def _admitted(self, context: Any, call: ToolCall, *, approved: bool) -> Verdict:
        ledger = self.find(context)
        verdict = ledger.admitted.pop(call.call_id, None)
        if verdict is not None and (verdict.accepted or not approved):
            return verdict
        if approved:
            ledger.gate.confirm(call)
        return ledger.gate.admit(call)

    def _approval(self, tool: FunctionTool) -> Any:
        users = tool.needs_approval

        async def needs_approval(context: Any, args: dict[str, Any], call_id: str) -> bool:
            asked = users(context, args, call_id) if callable(users) else users
            if await asked if inspect.isawaitable(asked) else asked:
                return True
            ledger = self.find(context)
            given = _translate.json_of(args)
            call = ToolCall(
                tool=tool.name, args=given if isinstance(given, dict) else {}, call_id=call_id, agent=ledger.agent
            )
            verdict = ledger.admitted[call_id] = ledger.gate.admit(call)
            return verdict.approvable

        return needs_approval


def is_guarded(tool: object) -> bool:
    """True for a tool that has the seat."""
    seats = tool.tool_input_guardrails or [] if isinstance(tool, FunctionTool) else []
    return any(seat.name == GUARDRAIL for seat in seats)


def _call(context: ToolContext[Any], args: JsonObject, tool: object, agent: Agent[Any]) -> ToolCall:
    hints = annotations_of(tool)
    return ToolCall(
        tool=context.tool_name,
        args=args,
        call_id=context.tool_call_id,
        agent=agent.name,
        origin=origin_of(tool),
        side={"annotations": hints} if hints else {},
    )


def _tool_of(agent: Agent[Any], name: str) -> object:
    return next((tool for tool in agent.tools if getattr(tool, "name", None) == name), None)
