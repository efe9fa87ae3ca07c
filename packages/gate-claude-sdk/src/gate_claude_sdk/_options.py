"""Options of a run under the gate: the gate's hooks beside the user's own, and nothing that silences them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher
from claude_agent_sdk.types import HookEvent

from gate_claude_sdk._payload import as_object, as_text
from gate_core import ConfigError

BUFFER = 50 << 20
"""Bytes of one message from the CLI. The SDK's own 1 MB ends the run at an edit of a file that is larger: the hook's
payload carries the whole old file."""

_SILENT_FLAGS = ("bare", "safe-mode")
_SIMPLE = "CLAUDE_CODE_SIMPLE"
_CAP = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
_USUAL_CAP = 8
_NO = ("", "0", "false", "no", "off")


def merged(
    options: ClaudeAgentOptions, hooks: Mapping[HookEvent, list[HookMatcher]], *, max_blocks: int
) -> ClaudeAgentOptions:
    """A copy of the options with the gate's matchers after the user's own.

    Raises:
        ConfigError: under these options the CLI would call no hook, or would end the gate's blocks before it does.
    """
    _refuse_silence(options)
    _refuse_low_cap(options, max_blocks)
    own = options.hooks or {}
    both = {event: [*own.get(event, ()), *hooks.get(event, ())] for event in dict.fromkeys((*own, *hooks))}
    size = max(BUFFER, options.max_buffer_size or 0)
    return replace(options, hooks=both, max_buffer_size=size)


def system_text(given: object) -> str:
    """What the host itself states in the system prompt, the CLI's own preset left out."""
    return given if isinstance(given, str) else as_text(as_object(given).get("append"))


def _refuse_silence(options: ClaudeAgentOptions) -> None:
    for flag in _SILENT_FLAGS:
        if flag in options.extra_args:
            raise ConfigError(f"extra_args: with --{flag} the CLI calls no hooks; leave it out", key="extra_args")
    if _variable(options, _SIMPLE).lower() not in _NO:
        raise ConfigError(f'env: with {_SIMPLE} the CLI calls no hooks; set it to ""', key="env")


def _refuse_low_cap(options: ClaudeAgentOptions, max_blocks: int) -> None:
    """At its own cap the CLI lets the answer go, and the text of the ResultMessage is lost."""
    told = _variable(options, _CAP)
    cap = int(told) if told.isdecimal() else _USUAL_CAP
    if cap and max_blocks > cap:
        raise ConfigError(
            f"max_blocks: {max_blocks} is more than the CLI lets a Stop hook block ({cap}); lower it, or set {_CAP}",
            key="max_blocks",
        )


def _variable(options: ClaudeAgentOptions, name: str) -> str:
    """As the CLI will see it: the SDK lays `env` over the process's environment."""
    return str(options.env.get(name, os.environ.get(name, "")))
