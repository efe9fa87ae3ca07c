"""The versions this adapter's tests ran with, oldest and newest; `.ci/floor` runs the oldest."""

from __future__ import annotations

TESTED = {"langchain": ("1.5.0", "1.5.2"), "langchain-core": ("1.8.0", "1.8.3"), "langgraph": ("1.2.12", "1.2.24")}
"""Distribution -> (oldest, newest)."""
