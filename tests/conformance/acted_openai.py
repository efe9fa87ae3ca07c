"""Transcripts acted out by the OpenAI Agents SDK: one session, and for every turn a new `GateRunner`, which goes on
from the gate's JSON. The tools are function tools, or those of an MCP server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, FunctionTool, Model, ModelResponse, RunConfig, SQLiteSession, Usage
from agents.items import TResponseStreamEvent
from agents.mcp import MCPServer
from agents.testing import assistant_message, function_call
from agents.tool import set_function_tool_failure_error_function, with_function_tool_failure_error_handler
from agents.tool_context import ToolContext
from mcp.types import CallToolResult, GetPromptResult, ListPromptsResult, TextContent
from mcp.types import Tool as MCPTool
from tests.conformance.acted import REFUSED, Script, Seen, script_of, seen

from gate_core.transcripts.play import config_of
from gate_openai_agents import GateRunner

SERVER = "srv"


async def act(transcript: dict[str, Any], *, served: bool = False) -> list[Seen]:
    """The verdicts of the adapter; `served` has the tools come from an MCP server."""
    script, verdicts = script_of(transcript), list[Seen]()
    state: dict[str, Any] = {}
    session = SQLiteSession(transcript["id"])
    given: Any = {"mcp_servers": [_Server(script)]} if served else {"tools": _tools(script)}
    agent: Agent[Any] = Agent(name="worker", model=_Model(script), **given)
    try:
        for _ in range(len(script.turns)):
            runner = GateRunner(config=config_of(transcript), on_verdict=lambda verdict: verdicts.append(seen(verdict)))
            state = await _turn(runner, agent, script, session, state)
    finally:
        session.close()
    return verdicts


async def _turn(
    runner: GateRunner, agent: Agent[Any], script: Script, session: SQLiteSession, state: dict[str, Any]
) -> dict[str, Any]:
    """One turn, gone on with whenever the user was asked."""
    seated = runner.instrument(agent, ask=list(script.tools))
    gate = runner.restore(state) if state else None
    entry: Any = script.begin()
    config = RunConfig(tracing_disabled=True)
    while True:
        done = await runner.run(seated, entry, session=session, gate=gate, max_turns=200, run_config=config)
        if not done.result.interruptions:
            return json.loads(json.dumps(done.gate.to_json()))  # type: ignore[no-any-return]
        paused, gate = done.result.to_state(), done.gate
        for item in paused.get_interruptions():
            call = script.named(str(getattr(item.raw_item, "call_id", "")))
            if call.approved:
                paused.approve(item)
            else:
                paused.reject(item, rejection_message=REFUSED)
        entry = paused


class _Model(Model):
    def __init__(self, script: Script) -> None:
        self._script = script
        self._count = 0

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        self._count += 1
        step = self._script.respond()
        calls: list[Any] = [function_call(c.tool, c.args, call_id=c.id) for c in step.calls]
        said = calls or [assistant_message(step.text, item_id=f"m{self._count}")]
        return ModelResponse(output=said, usage=Usage(requests=1), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise NotImplementedError


def _tools(script: Script) -> list[FunctionTool]:
    """Tools whose error function shows the model what went wrong; the SDK's own hides it, from the gate as well."""
    tools = [_tool(script, name, keys) for name, keys in script.tools.items()]
    for tool in tools:
        set_function_tool_failure_error_function(tool, lambda context, error: str(error))
    return tools


def _tool(script: Script, name: str, keys: list[str]) -> FunctionTool:
    async def call(context: ToolContext[Any], raw: str) -> Any:
        found = script.take(name, json.loads(raw))
        if found.failed:
            raise ValueError(found.text)
        return found.result

    return FunctionTool(
        name=name,
        description=name,
        params_json_schema=_schema(keys),
        strict_json_schema=False,
        on_invoke_tool=with_function_tool_failure_error_handler(call, lambda *told: None),
    )


def _schema(keys: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {key: {} for key in keys}}


class _Server(MCPServer):
    """An MCP server in this process."""

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script
        self._tools = script.tools

    @property
    def name(self) -> str:
        return SERVER

    async def connect(self) -> None:
        pass

    async def cleanup(self) -> None:
        pass

    async def list_tools(self, run_context: object = None, agent: object = None) -> list[MCPTool]:
        return [MCPTool(name=name, description=name, input_schema=_schema(k)) for name, k in self._tools.items()]

    async def call_tool(self, tool_name: str, arguments: object, meta: object = None) -> CallToolResult:
        found = self._script.take(tool_name, arguments if isinstance(arguments, dict) else {})
        return CallToolResult(content=[TextContent(type="text", text=found.text)], is_error=found.failed)

    async def list_prompts(self) -> ListPromptsResult:
        raise NotImplementedError

    async def get_prompt(self, name: str, arguments: object = None) -> GetPromptResult:
        raise NotImplementedError
