"""Copies of tools through which the gate sees what the SDK hides, and through which it can refuse a call.

Which failures are hidden, and where each is seen: a function tool's own error function (asked for the text, so it is
told of the exception), a custom tool that raises, the exit code of a shell executor, and results that an output
guardrail of the tool replaces.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import Collection
from typing import Any, TypeVar

from agents import (
    Agent,
    CustomTool,
    FunctionTool,
    RunContextWrapper,
    ShellCommandRequest,
    ShellResult,
    ShellTool,
    Tool,
    ToolGuardrailFunctionOutput,
    ToolOutputGuardrail,
    ToolOutputGuardrailData,
    default_tool_error_function,
)
from agents.tool import resolve_function_tool_failure_error_function, set_function_tool_failure_error_function
from agents.tool_context import ToolContext

from gate_openai_agents import _translate
from gate_openai_agents._admission import Admission, is_guarded
from gate_openai_agents._errors import see_errors
from gate_openai_agents._ledger import Find
from gate_openai_agents._pictures import without_data
from gate_openai_agents._submit import SUBMIT

TContext = TypeVar("TContext")
SPY = "evidence_gate_result"


class Instruments:
    """Makes the copies. With `admission` calls have to be admitted before they run."""

    def __init__(self, find: Find[Any], admission: Admission | None) -> None:
        self._find = find
        self._admission = admission

    def agent(self, agent: Agent[TContext], ask: Collection[str]) -> Agent[TContext]:
        """A copy of the agent with copies of its tools. Its MCP server objects stay the same; the gate's pieces are
        set on them once."""
        see_errors(agent.mcp_servers)
        for server in agent.mcp_servers if self._admission else ():
            seats = list(getattr(server, "tool_input_guardrails", None) or [])
            if self._admission and not any(seat.name == self._admission.guardrail().name for seat in seats):
                server.tool_input_guardrails = [*seats, self._admission.guardrail()]
        return agent.clone(tools=[self.tool(tool, ask) for tool in agent.tools])

    def tool(self, tool: Tool, ask: Collection[str] = ()) -> Tool:
        """A copy of one tool; tools of which the SDK hides nothing come back as they are."""
        if isinstance(tool, FunctionTool):
            return self._function(tool, ask)
        if isinstance(tool, CustomTool):
            return self._custom(tool)
        if isinstance(tool, ShellTool) and tool.executor is not None:
            return self._shell(tool)
        return tool

    def _function(self, tool: FunctionTool, ask: Collection[str]) -> FunctionTool:
        if tool.name == SUBMIT:
            return tool
        made = copy.copy(tool)
        errors = resolve_function_tool_failure_error_function(tool)
        if errors is not None and errors is not default_tool_error_function:
            set_function_tool_failure_error_function(made, self._told(errors))
        guards = tool.tool_output_guardrails or []
        if guards and guards[0].name != SPY:
            made.tool_output_guardrails = [self._spy(), *guards]
        if self._admission is not None and not is_guarded(tool):
            made = self._admission.guarded(made, ask)
        return made

    def _told(self, inner: Any) -> Any:
        async def failed(context: RunContextWrapper[Any], error: Exception) -> str:
            call_id = context.tool_call_id if isinstance(context, ToolContext) else ""
            self._find(context).calls.raised(call_id, f"{type(error).__name__}: {error}")
            text = inner(context, error)
            return str(await text if inspect.isawaitable(text) else text)

        return failed

    def _spy(self) -> ToolOutputGuardrail[Any]:
        def look(data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
            output = without_data(_translate.json_of(data.output))
            self._find(data.context).calls.returned(data.context.tool_call_id, output)
            return ToolGuardrailFunctionOutput.allow()

        return ToolOutputGuardrail(guardrail_function=look, name=SPY)

    def _custom(self, tool: CustomTool) -> CustomTool:
        inner = tool.on_invoke_tool

        async def invoke(context: ToolContext[Any], given: str) -> Any:
            try:
                result = inner(context, given)
                return await result if inspect.isawaitable(result) else result
            except Exception as error:
                self._find(context).calls.raised(context.tool_call_id, f"{type(error).__name__}: {error}")
                raise

        return dataclasses.replace(tool, on_invoke_tool=invoke)

    def _shell(self, tool: ShellTool) -> ShellTool:
        inner: Any = tool.executor

        async def execute(request: ShellCommandRequest) -> str | ShellResult:
            done = inner(request)
            result: str | ShellResult = await done if inspect.isawaitable(done) else done
            self._find(request.ctx_wrapper).calls.exited(request.data.call_id, _code_of(result))
            return result

        return dataclasses.replace(tool, executor=execute)


def _code_of(result: object) -> int | None:
    """The first code that is not 0, 0 when every command gave one, None when one gave none."""
    if not isinstance(result, ShellResult) or not result.output:
        return None
    codes = [chunk.outcome.exit_code for chunk in result.output]
    if any(code is None for code in codes):
        return next((code for code in codes if code), None)
    return next((code for code in codes if code), 0)
