"""The gate for the Claude Agent SDK: hooks that check what the agent says against what it did.

options = ClaudeAgentOptions(hooks=GateHooks().hooks())
"""

from __future__ import annotations

from gate_claude_sdk._view import SessionView
from gate_claude_sdk.hooks import GateHooks

__all__ = ["GateHooks", "SessionView"]
