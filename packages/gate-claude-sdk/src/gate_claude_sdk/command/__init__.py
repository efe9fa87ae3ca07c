"""`gate-claude-hook`: the gate for the Claude Code CLI itself, through hooks in settings or a plugin."""

from __future__ import annotations

from gate_claude_sdk.command.main import main

__all__ = ["main"]
