"""A service that made a run itself tells of it: its counts and its rows back what is said of them (spec 20)."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core import Attempt, Gate, Json, ToolCall, parse_config

SERVICE = ("get_run", {"id": "88213"})
FILE = ("read_file", {"path": "report.json"})
EDIT = ToolCall(tool="edit_file", args={"path": "a.py", "old": "a", "new": "b"}, result="ok")
SOME: Json = {"passed": 57, "failed": 3}
ALL: Json = {"run": 88213, "summary": {"passed": 60, "failed": 0, "errors": 0}}
ROWS = "build\tpass\t3m12s\ntest\tfail\t11m45s\nlint\tpass\t48s\n"


def accepted(answer: str, tool: tuple[str, dict[str, Any]], result: Json, *more: ToolCall) -> bool:
    """Whether an answer goes out behind a look, and what came after it."""
    gate = Gate(parse_config({"statements": "block", "profiles": {"get_run": {"effect": "read"}}}))
    gate.begin_turn("How did the run go?")
    for call in (ToolCall(tool=tool[0], args=tool[1], result=result), *more):
        gate.observe(call)
    return gate.boundary_check(Attempt(parts=(answer,))).accepted


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("57 of 60 checks passed (95%).", SOME),
        ("In that run 57 of 60 tests passed.", SOME),
        ("All 60 tests passed in that run.", ALL),
        ("The tests failed in that run.", SOME),
        ("Build and lint passed; the tests failed after 11m45s.", ROWS),
    ],
)
def test_what_a_service_counts_may_be_told(answer: str, result: Json) -> None:
    """Its numbers as they are."""
    assert accepted(answer, SERVICE, result)


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("58 of 60 checks passed.", SOME),
        ("All 57 tests passed.", SOME),
        ("All tests pass.", SOME),
        ("All 61 tests passed in that run.", ALL),
        ("The tests failed in that run.", ALL),
        ("All 12 tests pass.", ROWS),
    ],
)
def test_what_it_does_not_count_may_not(answer: str, result: Json) -> None:
    """Other numbers, all where some failed, a failure where none is."""
    assert not accepted(answer, SERVICE, result)


def test_a_file_and_an_older_look_tell_of_no_run() -> None:
    """A report on the disk may be of any run, and what was looked at before a change is of the state before it."""
    assert not accepted("All 60 tests passed.", FILE, ALL)
    assert not accepted("I fixed a.py, and all 60 tests pass.", SERVICE, ALL, EDIT)
