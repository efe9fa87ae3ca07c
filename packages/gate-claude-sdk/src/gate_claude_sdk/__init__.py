"""The gate for the Claude Agent SDK: hooks that check what the agent says against what it did.

options = GateHooks().options(ClaudeAgentOptions(...))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate_claude_sdk._view import SessionView
    from gate_claude_sdk.hooks import GateHooks

__all__ = ["GateHooks", "SessionView"]

_HOME = {"GateHooks": "gate_claude_sdk.hooks", "SessionView": "gate_claude_sdk._view"}
"""Where each name lives, imported when it is first asked for: the command hook must not pay for the SDK."""


if not TYPE_CHECKING:  # a type checker would take any name for one that is there

    def __getattr__(name: str) -> object:
        home = _HOME.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(home), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
