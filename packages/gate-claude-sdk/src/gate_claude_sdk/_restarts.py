"""Hooks whose gate can be replaced while the CLI runs, as if the host had been restarted in the middle of a turn."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from claude_agent_sdk import HookMatcher
from claude_agent_sdk.types import HookCallback, HookContext, HookEvent, HookInput, HookJSONOutput

from gate_claude_sdk.hooks import GateHooks
from gate_core import GateArguments


class RestartableHooks:
    """The callbacks of whatever GateHooks is `current`; `restart` makes another one from the same folder."""

    def __init__(self, folder: Path, **arguments: Unpack[GateArguments]) -> None:
        self._folder = folder
        self._arguments = arguments
        self.current = GateHooks(state_dir=folder, **arguments)
        self._callbacks = _callbacks(self.current)

    def restart(self) -> None:
        """Go on with a gate that knows only what was persisted."""
        self.current = GateHooks(state_dir=self._folder, **self._arguments)
        self._callbacks = _callbacks(self.current)

    def hooks(self) -> dict[HookEvent, list[HookMatcher]]:
        """The callbacks for the options; they stay the same over restarts."""
        tools = {event: matchers[0].matcher for event, matchers in self.current.hooks().items()}
        return {event: [HookMatcher(matcher=tools[event], hooks=[self._forwarding(event)])] for event in tools}

    def _forwarding(self, event: HookEvent) -> HookCallback:
        async def callback(data: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
            return await self._callbacks[event](data, tool_use_id, context)

        return callback


def _callbacks(gate: GateHooks) -> dict[HookEvent, HookCallback]:
    return {event: matchers[0].hooks[0] for event, matchers in gate.hooks().items()}
