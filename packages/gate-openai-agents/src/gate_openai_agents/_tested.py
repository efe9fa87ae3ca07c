"""The versions this adapter's tests ran with, oldest and newest."""

from __future__ import annotations

TESTED = {"openai-agents": ("0.24.0", "0.24.0")}
"""Distribution -> (oldest, newest)."""
