"""The run hooks record what the SDK really executed, and how it ended; the real `Runner` runs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import (
    Agent,
    ApplyPatchTool,
    Handoff,
    RunConfig,
    RunHooks,
    RunState,
    ShellCallOutcome,
    ShellCommandOutput,
    ShellResult,
    ShellTool,
    ToolGuardrailFunctionOutput,
    function_tool,
    handoff,
    set_tracing_disabled,
    tool_input_guardrail,
)
from agents.editor import ApplyPatchOperation, ApplyPatchResult
from agents.mcp import MCPServer
from agents.testing import ScriptedModel, assistant_message, function_call
from mcp.types import CallToolResult, GetPromptResult, ListPromptsResult, TextContent
from mcp.types import Tool as MCPTool
from openai.types.responses import ResponseApplyPatchToolCall, ResponseFunctionShellToolCall, ResponseFunctionWebSearch

from gate_core import Did, GateConfig, Outcome
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
ASSIST = GateConfig(posture="assist")  # type: ignore[arg-type]  # strings are accepted


@function_tool
def read_file(path: str) -> str:
    """Read."""
    return f"{path}: 30"


@function_tool
def edit_file(path: str, old: str, new: str) -> str:
    """Edit."""
    if old == "missing":
        raise ValueError("No match for old")
    return "ok"


def read(call_id: str, path: str = "a.cfg") -> Any:
    return function_call("read_file", {"path": path}, call_id=call_id)


def edit(call_id: str, old: str = "5") -> Any:
    return function_call("edit_file", {"path": "a.cfg", "old": old, "new": "30"}, call_id=call_id)


def say(text: str) -> Any:
    return assistant_message(text, item_id=f"m-{abs(hash(text))}")


def play(*responses: list[Any], tools: list[Any], **extra: Any) -> GatedResult:
    """Run the responses and then an honest end, under posture assist: nothing is sent back."""
    model = ScriptedModel([*responses, [say("UNVERIFIED: end")]])
    agent = Agent(name="worker", model=model, tools=tools, **{k: extra.pop(k) for k in ("handoffs",) if k in extra})
    return asyncio.run(GateRunner(config=ASSIST).run(agent, "go", **extra))


def seen(result: GatedResult) -> list[tuple[str, int, str, str]]:
    """(call id, step, outcome, why it did not run) of every fact, in order of the call ids."""
    facts = sorted(result.gate.state.facts.values(), key=lambda fact: fact.call)
    return [(fact.call, fact.step, fact.outcome.value, fact.note) for fact in facts]


def test_calls_of_one_response_share_a_step() -> None:
    """Calls of one response share a step, and the next response is the next step."""
    result = play([edit("c1"), read("c2")], [read("c3")], tools=[edit_file, read_file])
    assert seen(result) == [("c1", 1, "ok", ""), ("c2", 1, "ok", ""), ("c3", 2, "ok", "")]


def test_a_call_is_recorded_with_agent_and_effect() -> None:
    """A fact carries the agent's name and what the call did, by the tool's profile."""
    (fact,) = play([read("c1")], tools=[read_file]).gate.state.facts.values()
    assert (fact.agent, fact.tool, fact.turn) == ("worker", "read_file", 1)
    assert [(effect.did, effect.target) for effect in fact.effects] == [(Did.SHOWED, "a.cfg")]


def test_a_tool_that_raised_is_a_failure() -> None:
    """A tool that raised is no success, though the SDK hides the exception behind a fixed sentence."""
    result = play([edit("c1", old="missing")], tools=[edit_file])
    assert [outcome for _, _, outcome, _ in seen(result)] != ["ok"]


def test_a_tool_that_timed_out_is_a_failure() -> None:
    """The SDK's time-out sentence is told from a result word for word."""

    @function_tool(timeout=0.01)
    async def read_slow(path: str) -> str:
        """Read."""
        await asyncio.Event().wait()
        return "never"

    result = play([function_call("read_slow", {"path": "a.cfg"}, call_id="c1")], tools=[read_slow])
    assert seen(result) == [("c1", 1, "failed", "")]


def test_a_result_that_quotes_the_sdk_is_a_result() -> None:
    """A text that only contains the SDK's error sentence is what the tool returned."""

    @function_tool
    def read_log(path: str) -> str:
        """Read."""
        return "log: An error occurred while running the tool. Please try again."

    result = play([function_call("read_log", {"path": "x.log"}, call_id="c1")], tools=[read_log])
    assert seen(result) == [("c1", 1, "ok", "")]


def test_a_call_stopped_by_an_input_guardrail_did_not_run() -> None:
    """A rejection by a tool input guardrail is an output to the model, but nothing was executed."""

    @tool_input_guardrail
    def never(data: object) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.reject_content("not allowed")

    @function_tool(tool_input_guardrails=[never])
    def write_file(path: str) -> str:
        """Write."""
        raise AssertionError("executed")

    result = play([function_call("write_file", {"path": "a.cfg"}, call_id="c1")], tools=[write_file])
    assert seen(result) == [("c1", 1, "unknown", "not_executed")]


def test_an_unknown_tool_did_not_run() -> None:
    """A call of a tool that does not exist is not executed, whatever the SDK tells the model."""
    config = RunConfig(tool_not_found_behavior="return_error_to_model")
    result = play([function_call("nothing", {}, call_id="c1")], tools=[read_file], run_config=config)
    assert seen(result) == [("c1", 1, "unknown", "not_executed")]


def paused(*responses: list[Any], tools: list[Any]) -> tuple[GateRunner, Agent[Any], GatedResult]:
    model = ScriptedModel([*responses, [say("UNVERIFIED: end")]])
    agent: Agent[Any] = Agent(name="worker", model=model, tools=tools)
    gate = GateRunner(config=ASSIST)
    return gate, agent, asyncio.run(gate.run(agent, "go"))


@function_tool(needs_approval=True)
def delete_file(path: str) -> str:
    """Delete."""
    return "ok"


def deletion(call_id: str) -> Any:
    return function_call("delete_file", {"path": "a.cfg"}, call_id=call_id)


def test_a_refused_approval_did_not_run_and_an_approved_one_did() -> None:
    """An approval decides whether a call is a fact; the pause costs no step and starts no turn."""
    gate, agent, before = paused(
        [read("c0")], [read("c1"), deletion("c2"), deletion("c3")], tools=[read_file, delete_file]
    )
    assert before.verdict is None
    assert len(before.result.interruptions) == 2
    state: RunState[Any] = before.result.to_state()
    yes, no = state.get_interruptions()
    state.approve(yes)
    state.reject(no)
    after = asyncio.run(gate.run(agent, state, gate=before.gate))
    assert seen(after) == [
        ("c0", 1, "ok", ""),
        ("c1", 2, "ok", ""),
        ("c2", 2, "ok", ""),
        ("c3", 2, "unknown", "not_executed"),
    ]
    assert after.gate.state.turn == 1


def test_a_handoff_is_no_call() -> None:
    """Handing over is control, under any name; the other agent's calls are facts of the same ledger."""
    model = ScriptedModel([[function_call("give", {}, call_id="h1")], [read("c1")], [say("UNVERIFIED: end")]])
    other: Agent[Any] = Agent(name="other", model=model, tools=[read_file])
    over: Handoff[Any, Any] = handoff(other, tool_name_override="give")
    first: Agent[Any] = Agent(name="first", model=model, handoffs=[over])
    result = asyncio.run(GateRunner(config=ASSIST).run(first, "go"))
    assert [(fact.call, fact.agent) for fact in result.gate.state.facts.values()] == [("c1", "other")]


def test_calls_of_an_agent_used_as_a_tool_are_facts_when_it_has_the_hooks() -> None:
    """The SDK does not pass run hooks to an agent used as a tool; with `as_tool(hooks=)` its calls are facts."""
    gate = GateRunner(config=ASSIST)
    inner: Agent[Any] = Agent(
        name="inner", model=ScriptedModel([[read("n1")], [say("inner says done")]]), tools=[read_file]
    )
    tool = inner.as_tool("ask_inner", "asks", hooks=gate.hooks())
    model = ScriptedModel([[function_call("ask_inner", {"input": "x"}, call_id="c1")], [say("UNVERIFIED: end")]])
    result = asyncio.run(gate.run(Agent(name="outer", model=model, tools=[tool]), "go"))
    assert {(fact.call, fact.agent) for fact in result.gate.state.facts.values()} == {("n1", "inner"), ("c1", "outer")}
    assert result.gate.state.turn == 1
    assert len(result.verdicts) == 1


class LocalServer(MCPServer):
    """An MCP server inside this process."""

    @property
    def name(self) -> str:
        return "files"

    async def connect(self) -> None:
        pass

    async def cleanup(self) -> None:
        pass

    async def list_tools(self, run_context: object = None, agent: object = None) -> list[MCPTool]:
        return [MCPTool(name="lookup", description="x", input_schema={"type": "object", "properties": {}})]

    async def call_tool(self, tool_name: str, arguments: object, meta: object = None) -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text="found")])

    async def list_prompts(self) -> ListPromptsResult:
        raise NotImplementedError

    async def get_prompt(self, name: str, arguments: object = None) -> GetPromptResult:
        raise NotImplementedError


def test_an_mcp_call_is_bound_to_its_server() -> None:
    """A call of a local MCP server's tool lies in that server's world, not among the built-ins."""
    model = ScriptedModel([[function_call("lookup", {}, call_id="c1")], [say("UNVERIFIED: end")]])
    agent: Agent[Any] = Agent(name="worker", model=model, mcp_servers=[LocalServer()])
    gate = GateRunner(config=ASSIST, profiles={"lookup": {"effect": "exec"}})
    (fact,) = asyncio.run(gate.run(agent, "go")).gate.state.facts.values()
    assert "mcp:files" in {effect.domain for effect in fact.effects}


def shell_call(call_id: str) -> ResponseFunctionShellToolCall:
    return ResponseFunctionShellToolCall.model_validate(
        {
            "id": call_id,
            "call_id": call_id,
            "type": "shell_call",
            "status": "completed",
            "action": {"commands": ["make"]},
        }
    )


@pytest.mark.parametrize(("code", "outcome"), [(0, "ok"), (3, "failed")])
def test_a_shell_call_ends_with_its_exit_code(code: int, outcome: str) -> None:
    """A native shell call is completed by the output the model sees next, since its hooks carry no call id."""

    async def execute(request: object) -> ShellResult:
        return ShellResult(
            output=[ShellCommandOutput(stdout="text", outcome=ShellCallOutcome(type="exit", exit_code=code))]
        )

    assert seen(play([shell_call("s1")], tools=[ShellTool(executor=execute)])) == [("s1", 1, outcome, "")]


def test_a_refused_shell_call_did_not_run() -> None:
    """The SDK writes a refused shell call as exit code 1; that it never started tells the truth."""

    async def execute(request: object) -> str:
        raise AssertionError("executed")

    def refuse(context: object, item: object) -> dict[str, Any]:
        return {"approve": False, "reason": "not now"}

    tool = ShellTool(executor=execute, needs_approval=True, on_approval=refuse)  # type: ignore[arg-type]
    assert seen(play([shell_call("s1")], tools=[tool])) == [("s1", 1, "unknown", "not_executed")]


class Editor:
    """An editor that refuses to delete."""

    def create_file(self, operation: ApplyPatchOperation) -> str:
        return "created"

    def update_file(self, operation: ApplyPatchOperation) -> str:
        return "updated"

    def delete_file(self, operation: ApplyPatchOperation) -> ApplyPatchResult:
        return ApplyPatchResult(status="failed", output="permission denied")


def patch(call_id: str, kind: str) -> ResponseApplyPatchToolCall:
    operation = {"type": kind, "path": "a.py", **({} if kind == "delete_file" else {"diff": "+x"})}
    item = {
        "id": call_id,
        "call_id": call_id,
        "type": "apply_patch_call",
        "status": "completed",
        "operation": operation,
    }
    return ResponseApplyPatchToolCall.model_validate(item)


def test_a_patch_changes_its_path() -> None:
    """A native patch is a change of its path; a failed one is a failure."""
    result = play([patch("p1", "update_file"), patch("p2", "delete_file")], tools=[ApplyPatchTool(editor=Editor())])
    one, two = sorted(result.gate.state.facts.values(), key=lambda fact: fact.call)
    assert [(effect.did, effect.target) for effect in one.effects] == [(Did.CHANGED, "a.py")]
    assert (one.outcome, two.outcome) == (Outcome.OK, Outcome.FAILED)


def test_a_hosted_call_is_recorded_from_the_response() -> None:
    """No hook tells of calls the provider runs; their items in the response do."""
    item = {"id": "w1", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}}
    call = ResponseFunctionWebSearch.model_validate(item)
    result = play([call, read("c1")], tools=[read_file])
    assert [(call_id, step) for call_id, step, _, _ in seen(result)] == [("c1", 1), ("w1", 1)]


class Recorder(RunHooks[Any]):
    """A user's hooks."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        self.heard.append("agent_start")

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        self.heard.append("agent_end")

    async def on_llm_start(self, context: Any, agent: Any, system_prompt: Any, input_items: Any) -> None:
        self.heard.append("llm_start")

    async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
        self.heard.append("llm_end")

    async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
        self.heard.append("tool_start")

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
        self.heard.append("tool_end")

    async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
        self.heard.append(f"handoff to {to_agent.name}")


def test_the_users_hooks_are_all_called() -> None:
    """The gate's hooks compose with the user's: every event arrives, hand-offs by keyword."""
    model = ScriptedModel([[read("c1")], [function_call("transfer_to_b", {}, call_id="h")], [say("UNVERIFIED: end")]])
    other: Agent[Any] = Agent(name="b", model=model)
    first: Agent[Any] = Agent(name="a", model=model, tools=[read_file], handoffs=[other])
    hooks = Recorder()
    asyncio.run(GateRunner().run(first, "go", hooks=hooks))
    assert hooks.heard == [
        *["agent_start", "llm_start", "llm_end", "tool_start", "tool_end"],
        *["llm_start", "llm_end", "handoff to b"],
        *["agent_start", "llm_start", "llm_end", "agent_end"],
    ]


def test_a_failure_inside_the_gate_stays_inside(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A hook of the gate that fails is logged and the run goes on; the call is on record as a failure."""

    def broken(tool: object) -> str:
        raise RuntimeError("bug")

    monkeypatch.setattr("gate_openai_agents._hooks.origin_of", broken)
    result = play([read("c1")], tools=[read_file])
    assert seen(result) == [("c1", 1, "failed", "")]
    assert "the gate failed in on_tool_end" in caplog.text
