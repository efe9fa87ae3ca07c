"""Transcripts acted out as the hook events of the Claude Agent SDK; for every turn new hooks on the same folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from claude_agent_sdk.types import HookMatcher
from tests.conformance.acted import Call, Seen, script_of, seen

from gate_claude_sdk import GateHooks
from gate_core import Json
from gate_core.transcripts.play import config_of

_SHELLS = frozenset({"Bash", "PowerShell"})


async def act(transcript: dict[str, Any], folder: Path) -> list[Seen]:
    """The verdicts of the adapter."""
    script, verdicts = script_of(transcript, native=True), list[Seen]()
    config = config_of(transcript)
    for number in range(len(script.turns)):
        gate = GateHooks(
            config=config,
            on_verdict=lambda verdict: verdicts.append(seen(verdict)),
            state_dir=folder,
            probe_roots=(),
        )
        host = _Host({str(event): matchers for event, matchers in gate.hooks().items()}, f"p{number}")
        await host.fire("UserPromptSubmit", prompt=script.begin())
        while True:
            step = script.respond()
            if step.calls:
                await host.batch(step.calls, admits=config.admits)
            elif "decision" not in await host.fire("Stop", stop_hook_active=False, last_assistant_message=step.text):
                break
    return verdicts


class _Host:
    """What the CLI does with a response of the model, as far as hooks are told of it."""

    def __init__(self, hooks: dict[str, list[HookMatcher]], prompt: str) -> None:
        self._hooks = hooks
        self._prompt = prompt

    async def fire(self, event: str, cwd: str = "", **fields: Any) -> dict[str, Any]:
        """The hook's answer to an event."""
        base = {"session_id": "s1", "prompt_id": self._prompt, "cwd": cwd, "hook_event_name": event}
        payload: Any = {**base, **fields}
        answer: Any = await self._hooks[event][0].hooks[0](payload, None, {"signal": None})
        return dict(answer)

    async def batch(self, calls: tuple[Call, ...], *, admits: bool) -> None:
        """The calls of one response."""
        rows = [await self._call(call, admits=admits) for call in calls]
        await self.fire("PostToolBatch", calls[0].cwd, tool_calls=rows)

    async def _call(self, call: Call, *, admits: bool) -> dict[str, Any]:
        told: dict[str, Any] = {"tool_name": call.tool, "tool_input": call.args, "tool_use_id": call.id}
        asked = await self.fire("PreToolUse", call.cwd, **told) if admits else {}
        word: dict[str, Json] = asked.get("hookSpecificOutput", {})
        if word.get("permissionDecision") == "deny":
            reason = f"PreToolUse:{call.tool} hook error: {word['permissionDecisionReason']}"
            return {**told, "tool_response": reason}
        if word.get("permissionDecision") == "ask" and not call.approved:
            return {**told, "tool_response": "The user doesn't want to proceed with this tool use."}
        coded = call.tool in _SHELLS and call.exit_code is not None
        if not call.failed and not (coded and call.exit_code):  # any code but 0 comes as a failure
            await self.fire("PostToolUse", call.cwd, tool_response=call.result, **told)
            return {**told, "tool_response": call.text}
        error = f"Exit code {call.exit_code}\n{call.text}" if coded else call.text
        await self.fire("PostToolUseFailure", call.cwd, error=error, is_interrupt=False, **told)
        return {**told, "tool_response": error}
