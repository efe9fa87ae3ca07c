"""The observer: run hooks that fill the ledger and then call the user's own.

A hook that raises ends the run, so nothing of the gate's may leave it: a hook of unexpected shape is logged, and the
call it was about is recorded with what is known.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any, TypeVar

from agents import (
    Agent,
    AgentHookContext,
    AgentsException,
    ApplyPatchTool,
    ComputerTool,
    FunctionTool,
    Handoff,
    LocalShellTool,
    ModelResponse,
    RunContextWrapper,
    RunHooks,
    ShellTool,
    Tool,
    ToolOriginType,
    TResponseInputItem,
    default_tool_error_function,
    get_current_trace,
)
from agents.tool import default_tool_timeout_error_message, get_function_tool_origin
from agents.tool_context import ToolContext

from gate_core import JsonObject, Verdict
from gate_openai_agents import _translate
from gate_openai_agents._errors import is_mcp_error, see_errors
from gate_openai_agents._ledger import Find, RunLedger
from gate_openai_agents._pictures import without_data
from gate_openai_agents._sandbox import is_sandbox_failure
from gate_openai_agents._translate import Asked

log = logging.getLogger("gate_openai_agents")

TContext = TypeVar("TContext")
_KINDS: tuple[tuple[type, str], ...] = (
    (ShellTool, "shell_call"),
    (LocalShellTool, "local_shell_call"),
    (ApplyPatchTool, "apply_patch_call"),
    (ComputerTool, "computer_call"),
)
"""Class of a native tool and item type of its calls. Their hooks carry neither call id nor arguments."""


UNHOOKED = "the agent behind the tool %s was not observed, its calls are no evidence: as_tool(..., hooks=gate.hooks())"


class GateHooks(RunHooks[TContext]):
    """Run hooks that observe every completed call (spec 50). `inner` are the user's hooks; they are always called."""

    def __init__(self, find: Find[TContext], inner: RunHooks[TContext] | None = None) -> None:
        self.find = find
        self._inner: RunHooks[TContext] = inner or RunHooks()

    async def on_agent_start(self, context: AgentHookContext[TContext], agent: Agent[TContext]) -> None:
        """Passed on; a turn starts with the first model call."""
        await self._inner.on_agent_start(context, agent)

    async def on_llm_start(
        self,
        context: RunContextWrapper[TContext],
        agent: Agent[TContext],
        system_prompt: str | None,
        input_items: list[TResponseInputItem],
    ) -> None:
        """The model is about to see these items: outputs of native tools, and what stands for calls that never ran.

        What the system prompt says needs no other source (spec 30)."""
        with self._kept("on_llm_start", context):
            ledger = self._ledger(context)
            ledger.calls.answered(input_items, agent=_name(agent))
            if not parent_of(ledger, context):
                ledger.asks(input_items, agent=_name(agent))
                if system_prompt:
                    ledger.gate.supply(system_prompt)
        await self._inner.on_llm_start(context, agent, system_prompt, input_items)

    async def on_llm_end(
        self, context: RunContextWrapper[TContext], agent: Agent[TContext], response: ModelResponse
    ) -> None:
        """A model response: a new step."""
        with self._kept("on_llm_end", context):
            ledger = self._ledger(context)
            parent = parent_of(ledger, context)
            if not parent:
                ledger.response_id = response.response_id or ledger.response_id
            ledger.responded(response.output, agent=_name(agent), handoffs=_handoffs(agent), parent=parent)
        await self._inner.on_llm_end(context, agent, response)

    async def on_tool_start(self, context: RunContextWrapper[TContext], agent: Agent[TContext], tool: Tool) -> None:
        """A tool starts; one that never starts was not executed."""
        with self._kept("on_tool_start", context):
            call_id = context.tool_call_id if isinstance(context, ToolContext) else ""
            self._ledger(context).calls.started(_name(agent), _kind(tool), call_id)
            if origin_of(tool):
                see_errors(agent.mcp_servers)
        await self._inner.on_tool_start(context, agent, tool)

    async def on_tool_end(
        self, context: RunContextWrapper[TContext], agent: Agent[TContext], tool: Tool, result: object
    ) -> None:
        """A tool ended. Native tools are completed at the next model call, where their outcome is to be seen."""
        if isinstance(context, ToolContext):
            with self._kept("on_tool_end", context):
                self._finished(context, agent, tool, result)
        await self._inner.on_tool_end(context, agent, tool, result)

    async def on_handoff(
        self, context: RunContextWrapper[TContext], from_agent: Agent[TContext], to_agent: Agent[TContext]
    ) -> None:
        """Passed on by keyword, as the SDK does; a hand-off shows nothing."""
        await self._inner.on_handoff(context=context, from_agent=from_agent, to_agent=to_agent)

    async def on_agent_end(self, context: AgentHookContext[TContext], agent: Agent[TContext], output: object) -> None:
        """Passed on. The SDK calls it before the output guardrails, so it sees rejected outputs too.

        It is the boundary where the provider keeps the history: the SDK allows no output guardrail there.

        Raises:
            Refused: the answer may not go out.
        """
        await self._inner.on_agent_end(context, agent, output)
        ledger = self.find(context)
        if not ledger.server or parent_of(ledger, context) or ledger.calls.running:
            return
        verdict = await ledger.judge(output)
        if ledger.refused is not None:
            raise Refused(verdict)

    def _ledger(self, context: RunContextWrapper[TContext]) -> RunLedger:
        ledger = self.find(context)
        if ledger.usage is None:
            ledger.usage = id(context.usage)
        if not parent_of(ledger, context):
            ledger.gate.wired = True
            ledger.trace = ledger.trace or get_current_trace()
            ledger.begin(context.turn_input)
        return ledger

    @contextlib.contextmanager
    def _kept(self, hook: str, context: RunContextWrapper[TContext]) -> Iterator[None]:
        """Keeps the gate's own failures out of the run; what was lost with one makes the turn unverifiable."""
        try:
            yield
        except Exception:
            log.exception("the gate failed in %s; the run goes on", hook)
            self.find(context).gate.lose()

    def _finished(self, context: ToolContext[TContext], agent: Agent[TContext], tool: Tool, result: object) -> None:
        ledger = self._ledger(context)
        call = Asked(
            kind=_translate.FUNCTION,
            call_id=_translate.word(context, "tool_call_id"),
            tool=_translate.word(context, "tool_name"),
            args=_translate.arguments(_translate.field(context, "tool_arguments")),
        )
        shown, origin, failed = without_data(_translate.json_of(result)), "", True
        hints: JsonObject = {}
        with self._kept("on_tool_end", context):
            origin, failed, hints = origin_of(tool), is_sdk_error(context, tool, result), annotations_of(tool)
            if is_agent(tool) and not ledger.calls.heard_from(call.call_id):
                log.warning(UNHOOKED, call.tool)
        ledger.begin(context.turn_input)  # a paused run goes on with its tools, before any model call
        failed = failed or is_mcp_error(context)
        ledger.calls.finished(call, shown, agent=_name(agent), origin=origin, failed=failed, annotations=hints)


class Refused(AgentsException):
    """An answer was refused where the SDK allows no output guardrail. It does not leave a gated run."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__("the answer was not delivered; see the verdict")
        self.verdict = verdict


def parent_of(ledger: RunLedger, context: RunContextWrapper[TContext]) -> str:
    """What this context is nested in: the call of an agent used as a tool, or a run of its own that a tool of this run
    started. "" for the run itself. Not for tool hooks, whose context names their own call."""
    if isinstance(context, ToolContext):
        return _translate.word(context, "tool_call_id") or "unknown call"
    return "" if ledger.usage in (None, id(context.usage)) else f"run {id(context.usage)}"


def origin_of(tool: object) -> str:
    """ "mcp:<server>" for a tool of a local MCP server, "" for every other tool that runs here."""
    origin = get_function_tool_origin(tool) if isinstance(tool, FunctionTool) else None
    if origin is None or origin.type is not ToolOriginType.MCP:
        return ""
    return f"mcp:{origin.mcp_server_name or ''}"


def is_agent(tool: object) -> bool:
    """True for an agent used as a tool."""
    origin = get_function_tool_origin(tool) if isinstance(tool, FunctionTool) else None
    return origin is not None and origin.type is ToolOriginType.AGENT_AS_TOOL


def annotations_of(tool: object) -> JsonObject:
    """What an MCP server says of its tool; mcp spells the hints in camel case only by alias."""
    hints = tool.mcp_annotations if isinstance(tool, FunctionTool) else None
    told = _translate.json_of(hints.model_dump(by_alias=True, exclude_none=True)) if hints is not None else None
    return told if isinstance(told, dict) else {}


def is_sdk_error(context: ToolContext[TContext], tool: object, result: object) -> bool:
    """True when the result is, word for word, what the SDK writes in place of a tool that raised or timed out, or a
    tool of its sandbox for what it did not do."""
    if is_sandbox_failure(tool, result):
        return True
    if not isinstance(result, str) or not isinstance(tool, FunctionTool):
        return False
    if result == default_tool_error_function(context, Exception()):
        return True
    seconds = tool.timeout_seconds
    return seconds is not None and result == default_tool_timeout_error_message(
        tool_name=tool.name, timeout_seconds=seconds
    )


def _handoffs(agent: Agent[Any]) -> frozenset[str]:
    """The tool names that hand over to another agent: control, not a call."""
    return frozenset(
        item.tool_name if isinstance(item, Handoff) else Handoff.default_tool_name(item) for item in agent.handoffs
    )


def _kind(tool: object) -> str:
    return next((kind for native, kind in _KINDS if isinstance(tool, native)), "")


def _name(agent: object) -> str:
    return _translate.word(agent, "name")
