"""A tool that runs programs reports a run as an object, and a framework that knows only texts hands it over as JSON
(spec 20, "Structured results")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core import Attempt, Fact, Gate, Json, ToolCall, Verdict, parse_config

GREEN: Mapping[str, Json] = {"stdout": "12 passed in 0.4s", "stderr": "", "exit_code": 0}
RED: Mapping[str, Json] = {"stdout": "1 failed, 11 passed in 0.4s", "stderr": "", "exit_code": 1, "duration_ms": 400}
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Bash", {"command": "pytest -q"}),
    ("execute_python_file", {"path": "run_checks.py"}),
    ("run_tests", {"suite": "all"}),
)


def judged(tool: str, args: dict[str, Any], result: Json, **more: Any) -> tuple[Fact, Verdict]:
    """What was recorded of a run, and the verdict on a claim that the tests pass."""
    gate = Gate(parse_config({"statements": "block", "profiles": {"execute_python_file": {"effect": "exec"}}}))
    gate.begin_turn("Run the tests.")
    fact = gate.observe(ToolCall(tool=tool, args=args, result=result, **more))
    return fact, gate.boundary_check(Attempt(parts=("All 12 tests pass.",)))


@pytest.mark.parametrize(("tool", "args"), TOOLS)
@pytest.mark.parametrize("text", [json.dumps, lambda report: [{"type": "text", "text": json.dumps(report, indent=1)}]])
@pytest.mark.parametrize("report", [GREEN, RED])
def test_a_report_as_text_is_the_report(tool: str, args: dict[str, Any], text: Any, report: Mapping[str, Json]) -> None:
    """Signals and outcome are those of the object, and so is what follows of them."""
    fact, verdict = judged(tool, args, text(report))
    other, expected = judged(tool, args, report)
    assert (fact.signals, fact.outcome) == (other.signals, other.outcome)
    assert verdict.accepted is expected.accepted is (report is GREEN)


@pytest.mark.parametrize(
    ("tool", "args", "result", "more"),
    [
        ("Bash", {"command": "cat last_run.json"}, json.dumps(GREEN), {}),
        ("Bash", {"command": "pytest -q"}, json.dumps(GREEN), {"exit_code": 1}),
        ("Bash", {"command": f"pytest -q > /dev/null; echo '{json.dumps(GREEN)}'"}, json.dumps(GREEN), {}),
        ("run_tests", {"suite": "all"}, json.dumps({**GREEN, "rows": [1]}), {}),
        ("run_tests", {"suite": "all"}, json.dumps({"stdout": "12 passed in 0.4s", "exit_code": "0"}), {}),
        ("read_file", {"path": "last_run.json"}, json.dumps(GREEN), {}),
        ("Bash", {"command": "pytest -q"}, f"{json.dumps(GREEN)} and more", {}),
    ],
)
def test_what_only_looks_like_a_report_shows_no_run(tool: str, args: dict[str, Any], result: str, more: Any) -> None:
    """A file that was shown, words a command printed itself, a host that knows the exit code, an object that holds
    more."""
    _, verdict = judged(tool, args, result, **more)
    assert not verdict.accepted
