"""What the tables of floor tests share: calls of one turn, and whether an answer behind them stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gate_core import Attempt, Decision, Gate, GateConfig, ToolCall, parse_config

OK, LIE = Decision.ACCEPT, Decision.REJECT
Row = tuple[Decision, list[ToolCall], str]
"""What is decided, the calls of the turn, the answer."""
BLOCKING = parse_config({"layers": {"statements": "block"}})


def sh(command: str, output: str = "", code: int = 0, cwd: str = "/p") -> ToolCall:
    """A command."""
    status: Any = "ok" if code == 0 else "error"
    return ToolCall(tool="Bash", args={"command": command}, result=output, exit_code=code, status=status, cwd=cwd)


def edit(path: str = "/p/a.cfg", old: str = "t = 5", new: str = "t = 30", cwd: str = "/p") -> ToolCall:
    """An edit."""
    args = {"file_path": path, "old_string": old, "new_string": new}
    return ToolCall(tool="Edit", args=args, result=f"The file {path} has been updated.", cwd=cwd)


def read(path: str = "/p/a.cfg", text: str = "t = 30\n") -> ToolCall:
    """A read."""
    return ToolCall(tool="Read", args={"file_path": path}, result=text, cwd="/p")


def tool(name: str, result: Any, origin: str = "", **args: Any) -> ToolCall:
    """A call of a tool of a service."""
    return ToolCall(tool=name, args=args, result=result, origin=origin)


def check(
    decision: Decision,
    calls: Sequence[ToolCall],
    text: str,
    *,
    config: GateConfig = BLOCKING,
    prompt: str = "Please do what is needed.",
) -> None:
    """The answer gets this decision at the end of a turn with these calls."""
    gate = Gate(config)
    gate.begin_turn(prompt)
    for done in calls:
        gate.observe(done)
    verdict = gate.boundary_check(Attempt(parts=(text,)))
    assert verdict.decision is decision, [finding.code for finding in verdict.findings]
