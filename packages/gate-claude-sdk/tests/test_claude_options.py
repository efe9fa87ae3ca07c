"""`GateHooks.options`: the gate beside whatever the user has, and never where the CLI would not call it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, create_sdk_mcp_server, tool
from claude_agent_sdk.types import HookContext, HookInput, HookJSONOutput, McpStdioServerConfig
from mcp.types import ToolAnnotations

from gate_claude_sdk import GateHooks
from gate_claude_sdk._annotations import annotations_of, reported_annotations, tool_name
from gate_claude_sdk._options import BUFFER
from gate_claude_sdk._scripted import text_block, tool_block
from gate_core import Action, ConfigError, GateConfig, Json, Outcome

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]


async def own_hook(event: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
    """A hook of the user's."""
    return {}


def test_the_users_hooks_stay_and_the_gates_come_after_them() -> None:
    """Nothing of the given options is changed in place; the buffer takes whole files, and a larger one stays."""
    mine = HookMatcher(matcher="Bash", hooks=[own_hook])
    given = ClaudeAgentOptions(hooks={"PreToolUse": [mine], "Notification": [mine]}, model="m")
    options = GateHooks().options(given)
    assert options.hooks is not None
    assert options.hooks["PreToolUse"][0] is mine
    assert [matcher.matcher for matcher in options.hooks["PreToolUse"]] == ["Bash", "StructuredOutput"]
    assert options.hooks["Notification"] == [mine]
    assert given.hooks == {"PreToolUse": [mine], "Notification": [mine]}
    assert (options.model, options.max_buffer_size) == ("m", BUFFER)
    assert GateHooks().options(ClaudeAgentOptions(max_buffer_size=2 * BUFFER)).max_buffer_size == 2 * BUFFER
    assert GateHooks().options().hooks is not None


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"extra_args": {"bare": None}}, "extra_args"),
        ({"extra_args": {"safe-mode": None}}, "extra_args"),
        ({"env": {"CLAUDE_CODE_SIMPLE": "1"}}, "env"),
        ({"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "2"}}, "max_blocks"),
    ],
    ids=["bare", "safe-mode", "simple", "low cap"],
)
def test_settings_that_silence_hooks_are_refused(options: dict[str, Any], key: str) -> None:
    """The CLI would run without the gate, or end its blocks, and say nothing."""
    with pytest.raises(ConfigError) as refused:
        GateHooks().options(ClaudeAgentOptions(**options))
    assert refused.value.key == key


def test_the_environment_of_the_process_counts_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK hands it to the CLI; an empty value in the options takes it back."""
    monkeypatch.setenv("CLAUDE_CODE_SIMPLE", "true")
    with pytest.raises(ConfigError, match="CLAUDE_CODE_SIMPLE"):
        GateHooks().options()
    GateHooks().options(ClaudeAgentOptions(env={"CLAUDE_CODE_SIMPLE": ""}))


def test_more_blocks_than_the_cli_allows_are_refused() -> None:
    """Its cap is eight; with the cap switched off or raised, more are fine."""
    gate = GateHooks(config=GateConfig(max_blocks=9))
    with pytest.raises(ConfigError, match="max_blocks"):
        gate.options()
    for cap in ("0", "9"):
        gate.options(ClaudeAgentOptions(env={"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": cap}))


@tool("look_up", "Look a thing up.", {"key": str}, annotations=ToolAnnotations.model_validate({"readOnlyHint": True}))
async def look_up(args: dict[str, Any]) -> dict[str, Any]:
    """A tool that says it only reads."""
    return {"content": [{"type": "text", "text": f"{args['key']} is 4471"}]}


@tool("note", "Note something.", {"key": str})
async def note(args: dict[str, Any]) -> dict[str, Any]:
    """A tool that says nothing of itself."""
    return {"content": [{"type": "text", "text": "noted"}], "is_error": True}


def test_annotations_come_from_the_given_servers() -> None:
    """In-process servers are asked, others are not started, one that cannot answer has none."""
    lab = create_sdk_mcp_server("lab", tools=[look_up, note])
    outside: McpStdioServerConfig = {"command": "never-started"}
    servers: dict[str, object] = {"my lab": lab, "far": outside, "odd": {"type": "sdk", "instance": object()}}
    assert asyncio.run(annotations_of(servers)) == {"mcp__my_lab__look_up": {"readOnlyHint": True}}


def test_annotations_come_from_the_status_too() -> None:
    """The client's status names them in other words; tools without any are left out."""
    tools: list[Json] = [{"name": "a b", "annotations": {"readOnly": True, "openWorld": False}}, {"name": "c"}, 7]
    status: dict[str, Json] = {"mcpServers": [{"name": "x", "tools": tools}, None]}
    assert reported_annotations(status) == {tool_name("x", "a b"): {"readOnlyHint": True, "openWorldHint": False}}
    assert reported_annotations({}) == {}


def test_a_server_the_user_trusts_is_believed(play: Play) -> None:
    """The tool's name says nothing of reading; its annotation does, and a failing tool is a failed call."""
    gate = GateHooks(config=GateConfig(trusted_servers=("lab",)))
    lab = create_sdk_mcp_server("lab", tools=[look_up, note])
    calls = [
        tool_block("mcp__lab__look_up", {"key": "ticket"}, call_id="toolu_1"),
        tool_block("mcp__lab__note", {"key": "ticket"}, call_id="toolu_2"),
    ]
    options = {"mcp_servers": {"lab": lab}, "allowed_tools": ["mcp__lab__look_up", "mcp__lab__note"], "tools": None}
    asyncio.run(play(options, [calls, [text_block("UNVERIFIED: the note failed.")]], gate=gate))
    found = {
        fact.call: (fact.profile, fact.outcome, [e.did.value for e in fact.effects])
        for fact in gate.state.facts.values()
    }
    assert found["toolu_1"][1:] == (Outcome.OK, ["showed"])
    assert found["toolu_2"][1] is not Outcome.OK


def test_annotations_from_the_status_reach_the_call(fire_raw: Callable[..., Any]) -> None:
    """For servers that are not in this process."""
    gate = GateHooks(config=GateConfig(trusted_servers=("crm",)), probe_roots=())
    gate.learn_annotations(
        {"mcpServers": [{"name": "crm", "tools": [{"name": "zap", "annotations": {"readOnly": True}}]}]}
    )
    event = {"session_id": "s", "tool_name": "mcp__crm__zap", "tool_input": {"id": "4471"}, "tool_use_id": "c1"}
    fire_raw(gate, "PostToolUse", {**event, "tool_response": [{"type": "text", "text": "open"}]})
    (fact,) = gate.state.facts.values()
    assert [effect.did.value for effect in fact.effects] == ["showed"]


def test_a_settings_file_cannot_silence_the_callbacks(play: Play, tmp_path: Path) -> None:
    """`disableAllHooks` silences command hooks; the gate in the host's process still judges."""
    settings = tmp_path / "work" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"disableAllHooks": true}')
    gate = GateHooks()
    lie = [text_block("Done, the timeout in app.cfg is 30.")]
    options = {"setting_sources": ["project"]}
    asyncio.run(play(options, [lie, lie], ["Set the timeout in app.cfg to 30."], gate=gate))
    assert [v.action for v in gate.verdicts] == [Action.REVISE, Action.RELEASE]


def test_an_edit_of_a_large_file_does_not_end_the_run(play: Play, tmp_path: Path) -> None:
    """The hook's payload carries the whole old file: three megabytes pass, and the edit is settled by a look."""
    path = tmp_path / "work" / "big.cfg"
    path.parent.mkdir()
    path.write_text("timeout = 5\n" + "# filler\n" * (3 << 20 >> 3))
    arguments = {"file_path": str(path), "old_string": "timeout = 5", "new_string": "timeout = 30"}
    gate = GateHooks()
    answer = "Done, the timeout in big.cfg is 30."
    responses = [[tool_block("Edit", arguments, call_id="toolu_1")], [text_block(answer)]]
    run = asyncio.run(play({}, responses, ["Set the timeout in big.cfg to 30."], gate=gate))
    assert (run.results, [v.action for v in gate.verdicts]) == ([answer], [Action.DELIVER])


def test_the_users_own_hooks_run_beside_the_gate(play: Play) -> None:
    """Both are called for the same event, and the user's denial is on the gate's record."""
    seen: list[str] = []

    async def deny(event: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        seen.append(str(cast("dict[str, Any]", event)["tool_name"]))
        reason = {"permissionDecision": "deny", "permissionDecisionReason": "not on Fridays"}
        return cast("HookJSONOutput", {"hookSpecificOutput": {"hookEventName": "PreToolUse", **reason}})

    gate = GateHooks()
    options = {"hooks": {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[deny])]}}
    call = [tool_block("Bash", {"command": "make", "description": "x"}, call_id="toolu_1")]
    asyncio.run(play(options, [call, [text_block("UNVERIFIED: it was not allowed.")]], gate=gate))
    assert seen == ["Bash"]
    assert [(fact.outcome, fact.note) for fact in gate.state.facts.values()] == [(Outcome.UNKNOWN, "denied")]


@pytest.mark.parametrize(
    "prompt",
    ["A bag costs $57.", {"type": "preset", "preset": "claude_code", "append": "A bag costs $57."}],
    ids=["text", "preset"],
)
def test_what_the_system_prompt_states_needs_no_other_source(prompt: Any) -> None:
    """Said once, however many prompts follow."""
    gate = GateHooks()
    hooks = gate.options(ClaudeAgentOptions(system_prompt=prompt)).hooks or {}
    submitted: Any = hooks["UserPromptSubmit"][-1].hooks[0]
    for number in (1, 2):
        event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "And?", "prompt_id": str(number)}
        asyncio.run(submitted(event, None, {"signal": None}))
    assert [said.values for said in gate.state.said if said.role == "system"] == [("$57",)]
