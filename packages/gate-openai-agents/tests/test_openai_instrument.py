"""What the SDK hides: failures that look like results, and what MCP servers say of their tools."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import (
    Agent,
    CustomTool,
    RunResult,
    ShellCallOutcome,
    ShellCommandOutput,
    ShellResult,
    ShellTool,
    ToolGuardrailFunctionOutput,
    WebSearchTool,
    function_tool,
    set_tracing_disabled,
    tool_output_guardrail,
)
from agents.mcp import MCPServer
from agents.testing import ScriptedModel, assistant_message, function_call
from mcp.types import CallToolResult, GetPromptResult, ListPromptsResult, TextContent, ToolAnnotations
from mcp.types import Tool as MCPTool
from openai.types.responses import ResponseCustomToolCall, ResponseFunctionShellToolCall

from gate_core import Fact, GateConfig, Outcome, ToolCall
from gate_core.gate import Gate
from gate_core.model.json import text_of
from gate_core.model.profile import parse_profile
from gate_openai_agents import GateRunner

set_tracing_disabled(True)
ASSIST = GateConfig(posture="assist")  # type: ignore[arg-type]  # strings are accepted


def say(text: str) -> Any:
    return assistant_message(text, item_id=f"m-{len(text)}")


def facts(agent: Agent[Any], gate: GateRunner) -> list[Fact]:
    result = asyncio.run(gate.run(agent, "go"))
    assert isinstance(result.result, RunResult)
    return sorted(result.gate.state.facts.values(), key=lambda fact: fact.call)


@pytest.fixture
def observed(monkeypatch: pytest.MonkeyPatch) -> list[ToolCall]:
    """The calls as they are handed to the gate."""
    calls: list[ToolCall] = []
    inner = Gate.observe

    def observe(gate: Gate, call: ToolCall) -> Fact:
        calls.append(call)
        return inner(gate, call)

    monkeypatch.setattr(Gate, "observe", observe)
    return calls


class Server(MCPServer):
    """An MCP server in this process: `look` with hints, `fail` with `isError`."""

    @property
    def name(self) -> str:
        return "files"

    async def connect(self) -> None:
        pass

    async def cleanup(self) -> None:
        pass

    async def list_tools(self, run_context: object = None, agent: object = None) -> list[MCPTool]:
        schema = {"type": "object", "properties": {}}
        hints = ToolAnnotations(read_only_hint=True, destructive_hint=False)
        return [
            MCPTool(name="look", description="x", input_schema=schema, annotations=hints),
            MCPTool(name="fail", description="x", input_schema=schema),
        ]

    async def call_tool(self, tool_name: str, arguments: object, meta: object = None) -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text="3 tests passed")], is_error=tool_name == "fail")

    async def list_prompts(self) -> ListPromptsResult:
        raise NotImplementedError

    async def get_prompt(self, name: str, arguments: object = None) -> GetPromptResult:
        raise NotImplementedError


def mcp_agent(server: MCPServer) -> Agent[Any]:
    steps = [[function_call("look", {}, call_id="c1"), function_call("fail", {}, call_id="c2")], [say("UNVERIFIED: x")]]
    return Agent(name="worker", model=ScriptedModel(steps), mcp_servers=[server])


def test_an_mcp_error_is_a_failure_without_any_setting(observed: list[ToolCall]) -> None:
    """`isError` reaches no hook, yet the call is a failure; a result of the same words without it is none."""
    server = Server()
    for _ in range(2):  # a second run finds its piece already there
        facts(mcp_agent(server), GateRunner(config=ASSIST))
    ended = {call.call_id: (call.status.value, text_of(call.result)) for call in observed}
    assert ended == {"c1": ("ok", "3 tests passed"), "c2": ("error", "3 tests passed")}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("ValidationError: tax id missing", Outcome.FAILED), ("the connection was reset", Outcome.UNKNOWN)],
)
def test_an_mcp_error_is_judged_by_its_own_words(text: str, outcome: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal excludes an effect and owes no look; what may have happened owes one."""

    async def fail(server: Server, tool_name: str, arguments: object, meta: object = None) -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)

    monkeypatch.setattr(Server, "call_tool", fail)
    config = GateConfig(posture="assist", profiles={"fail": parse_profile("fail", {"effect": "change"})})  # type: ignore[arg-type]
    assert facts(mcp_agent(Server()), GateRunner(config=config))[1].outcome is outcome


def test_the_users_extractor_is_asked_as_well() -> None:
    """A custom data extractor of the user's stays in force, asynchronous ones too."""
    seen: list[bool | None] = []

    async def users(context: Any) -> dict[str, Any]:
        seen.append(context.is_error)
        return {"mine": True}

    server = Server()
    server.custom_data_extractor = users
    agent = mcp_agent(server)
    result = asyncio.run(GateRunner(config=ASSIST).run(agent, "go"))
    assert sorted(map(bool, seen)) == [False, True]
    assert "'mine': True" in str([getattr(item, "custom_data", None) for item in result.result.new_items])


def test_the_hints_of_a_server_are_handed_to_the_core(observed: list[ToolCall]) -> None:
    """Annotations go to `side["annotations"]` in their wire spelling, with the server as origin."""
    facts(mcp_agent(Server()), GateRunner(config=ASSIST))
    (call,) = [call for call in observed if call.call_id == "c1"]
    assert call.origin == "mcp:files"
    assert call.side["annotations"] == {"readOnlyHint": True, "destructiveHint": False}


@function_tool(failure_error_function=lambda context, error: "3 tests passed")
def run_tests(path: str) -> str:
    """Test."""
    raise ValueError("no tests")


async def _custom(context: Any, given: str) -> str:
    raise ValueError("no such thing")


CUSTOM = CustomTool(name="lookup", description="x", on_invoke_tool=_custom)
CUSTOM_CALL = ResponseCustomToolCall(type="custom_tool_call", id="x1", call_id="c1", name="lookup", input="a")


@tool_output_guardrail
def hide(data: object) -> ToolGuardrailFunctionOutput:
    """Hide."""
    return ToolGuardrailFunctionOutput.reject_content("[hidden]")


@function_tool(tool_output_guardrails=[hide])
def read_file(path: str) -> str:
    """Read."""
    return "secret = 30"


HIDDEN: list[Any] = [
    pytest.param(run_tests, function_call("run_tests", {"path": "a"}, call_id="c1"), id="own-error-function"),
    pytest.param(CUSTOM, CUSTOM_CALL, id="custom-tool-raises"),
    pytest.param(read_file, function_call("read_file", {"path": "a"}, call_id="c1"), id="result-replaced"),
]


@pytest.mark.parametrize("instrumented", [False, True])
@pytest.mark.parametrize(("tool", "call"), HIDDEN)
def test_an_instrumented_tool_shows_its_failure(
    tool: Any, call: Any, instrumented: bool, observed: list[ToolCall]
) -> None:
    """What looks like a result without `instrument` is a failure with it; the given agent is left as it was."""
    gate = GateRunner(config=ASSIST)
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([[call], [say("UNVERIFIED: x")]]), tools=[tool])
    asyncio.run(gate.run(gate.instrument(agent) if instrumented else agent, "go"))
    assert [call.status.value for call in observed] == ["error" if instrumented else "ok"]
    assert agent.tools == [tool]


def test_a_copy_is_instrumented_once() -> None:
    """Instrumenting twice adds nothing, and tools that hide nothing come back as they are."""
    gate = GateRunner(config=ASSIST)
    once = gate.instrument(read_file)
    twice = gate.instrument(once)
    assert len(getattr(twice, "tool_output_guardrails", [])) == 2
    search = WebSearchTool()
    assert gate.instrument(search) is search


def shell_call(call_id: str) -> ResponseFunctionShellToolCall:
    action = {"commands": ["make"]}
    item = {"id": call_id, "call_id": call_id, "type": "shell_call", "status": "completed", "action": action}
    return ResponseFunctionShellToolCall.model_validate(item)


def shell_result(*codes: int | None) -> ShellResult:
    outcomes = [ShellCallOutcome(type="exit", exit_code=code) for code in codes]
    return ShellResult(output=[ShellCommandOutput(stdout="text", outcome=outcome) for outcome in outcomes])


EXITS: list[Any] = [
    pytest.param("all good", None, "ok", id="text-proves-no-code"),
    pytest.param(shell_result(0, 0), 0, "ok", id="exact-zero"),
    pytest.param(shell_result(0, None), None, "ok", id="one-without-code"),
    pytest.param(shell_result(0, 3), 3, "error", id="exact-failure"),
]


@pytest.mark.parametrize(("result", "code", "status"), EXITS)
def test_an_exit_code_is_that_of_the_executor(
    result: Any, code: int | None, status: str, observed: list[ToolCall]
) -> None:
    """The SDK invents code 0 for an executor that returns a text; an instrumented one is asked itself."""

    def execute(request: object) -> Any:
        return result

    gate = GateRunner(config=ASSIST)
    model = ScriptedModel([[shell_call("s1")], [say("UNVERIFIED: x")]])
    agent: Agent[Any] = Agent(name="w", model=model, tools=[ShellTool(executor=execute)])
    asyncio.run(gate.run(gate.instrument(agent), "go"))
    assert [(call.exit_code, call.status.value) for call in observed] == [(code, status)]


def test_a_gate_without_instruments_believes_no_zero(observed: list[ToolCall]) -> None:
    """Without `instrument` a code 0 is passed on as unknown."""
    model = ScriptedModel([[shell_call("s1")], [say("UNVERIFIED: x")]])
    agent: Agent[Any] = Agent(name="w", model=model, tools=[ShellTool(executor=lambda request: shell_result(0))])
    (fact,) = facts(agent, GateRunner(config=ASSIST))
    assert (observed[0].exit_code, fact.outcome) == (None, Outcome.OK)
