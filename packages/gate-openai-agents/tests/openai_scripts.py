"""What most tests of this package share: two tools, what a model says and calls, and a gate that takes no probe."""

from __future__ import annotations

from typing import Any

from agents import function_tool
from agents.testing import assistant_message, function_call

from gate_core import GateConfig

STRICT = GateConfig(policy="strict")  # type: ignore[arg-type]  # strings are accepted
LIE = "Done, the timeout in a.cfg is 30."
HONEST = "Done; I read a.cfg back, the timeout is 30."


@function_tool
def read_file(path: str) -> str:
    """Read."""
    return "timeout = 30"


@function_tool
def edit_file(path: str, old: str, new: str) -> str:
    """Edit."""
    return "ok"


@function_tool(needs_approval=True, name_override="edit_file")
def edit_with_approval(path: str, old: str, new: str) -> str:
    """Edit."""
    return "ok"


def edit(call_id: str = "c1") -> Any:
    """The model edits a.cfg."""
    return function_call("edit_file", {"path": "a.cfg", "old": "5", "new": "30"}, call_id=call_id)


def read(call_id: str = "c2") -> Any:
    """The model reads a.cfg."""
    return function_call("read_file", {"path": "a.cfg"}, call_id=call_id)


def say(text: str, number: int = 1) -> Any:
    """The model says something."""
    return assistant_message(text, item_id=f"m{number}")
