"""The versions this adapter's tests ran with, oldest and newest. The SDK brings the CLI it was made for."""

from __future__ import annotations

TESTED = {"claude-agent-sdk": ("0.2.189", "0.2.189")}
"""Distribution -> (oldest, newest)."""
