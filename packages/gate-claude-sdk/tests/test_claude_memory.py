"""The seat before a state write: tools of memory are asked about in PreToolUse."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import pytest
from claude_agent_sdk import create_sdk_mcp_server, tool

from gate_claude_sdk import GateHooks
from gate_claude_sdk._scripted import text_block, tool_block
from gate_core import GateConfig, Layer, Strength, ToolEffect, ToolProfile

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]
Fire: TypeAlias = Callable[..., dict[str, Any]]

END = [text_block("UNVERIFIED: end.")]


def gate(**more: Any) -> GateHooks:
    """A gate whose layer of writes blocks; actions stay off."""
    return GateHooks(config=GateConfig(layers={Layer.WRITES: Strength.BLOCK}, audit=False, **more), probe_roots=())


def asked(fire: Fire, tool_name: str, said: str, **args: Any) -> str | None:
    """What PreToolUse decides about a call after the user said something; None lets it run."""
    made = gate()
    fire(made, "UserPromptSubmit", prompt=said)
    output = fire(made, "PreToolUse", tool_name=tool_name, tool_input=args)
    decision: str | None = output.get("hookSpecificOutput", {}).get("permissionDecision")
    return decision


def test_with_the_layer_on_every_tool_is_asked_about() -> None:
    """Tools of memory have any name."""
    matchers = {str(event): found[0].matcher for event, found in gate().hooks().items()}
    assert matchers["PreToolUse"] is None


@pytest.mark.parametrize(
    ("tool_name", "args"),
    [
        ("memory", {"command": "create", "path": "/memories/ada.md", "file_text": "# Notes\n- User is {}\n"}),
        ("memory", {"command": "insert", "path": "/memories/ada.md", "insert_line": 0, "insert_text": "User is {}"}),
        ("memory", {"command": "str_replace", "path": "/memories/ada.md", "old_str": "x", "new_str": "User is {}"}),
        ("mcp__memory__create_entities", {"entities": [{"name": "user", "observations": ["is {}"]}]}),
        ("mcp__memory__add_observations", {"observations": [{"entityName": "user", "contents": ["{}"]}]}),
    ],
)
def test_the_memory_tools_keep_what_was_said(fire: Fire, tool_name: str, args: dict[str, Any]) -> None:
    """Anthropic's memory tool and the reference server for memory: the fact as it was said, an invented one not."""
    assert asked(fire, tool_name, "I'm vegan.", **_filled(args, "vegan")) is None
    assert asked(fire, tool_name, "I'm vegan.", **_filled(args, "halal")) == "deny"
    assert asked(fire, tool_name, "My sister is vegan.", **_filled(args, "vegan")) == "deny"


def _filled(args: Any, word: str) -> Any:
    if isinstance(args, dict):
        return {key: _filled(value, word) for key, value in args.items()}
    if isinstance(args, list):
        return [_filled(item, word) for item in args]
    return args.replace("{}", word) if isinstance(args, str) else args


def test_what_is_no_memory_is_not_asked_about(fire: Fire) -> None:
    """A file of the project is none; looking at memories is free."""
    assert asked(fire, "Write", "Hello.", file_path="/w/notes.md", content="User is halal") is None
    assert asked(fire, "memory", "Hello.", command="view", path="/memories") is None


def test_a_server_of_ones_own_in_the_real_cli(play: Play) -> None:
    """A profile says what the tool stores; the refusal is the tool's result and the tool does not run."""
    kept: list[str] = []

    @tool("keep", "Keep a fact of the user.", {"fact": str})
    async def keep(args: dict[str, Any]) -> dict[str, Any]:
        kept.append(args["fact"])
        return {"content": [{"type": "text", "text": "kept"}]}

    profile = ToolProfile(name="keep", effect=ToolEffect.CHANGE, targets=("memory:facts",), stores=("fact",))
    checked = gate(profiles={"keep": profile})
    calls = [
        [tool_block("mcp__notes__keep", {"fact": "User is vegan"}, call_id="toolu_1")],
        [tool_block("mcp__notes__keep", {"fact": "User is halal"}, call_id="toolu_2")],
    ]
    options: dict[str, Any] = {"mcp_servers": {"notes": create_sdk_mcp_server("notes", tools=[keep])}, "tools": None}
    options["allowed_tools"] = ["mcp__notes__keep"]
    run = asyncio.run(play(options, [*calls, END], ["I'm vegan."], gate=checked))
    assert kept == ["User is vegan"]
    assert "was not stated by the one it is about" in str(run.requests[2]["messages"])
    assert [fact.note for fact in checked.state.facts.values() if fact.call] == ["", "denied"]
