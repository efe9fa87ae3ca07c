"""Universal statements over looks that were cut short warn (spec 20, "Statements": statement-wider)."""

from __future__ import annotations

from typing import Any

import pytest
from floor_turns import BLOCKING, sh, tool

from gate_core import Attempt, Gate, ToolCall
from gate_core.checks.stated.cut import most_of_command, says_more
from gate_core.data import load_table
from gate_core.model.kinds import Severity

ROWS = [{"id": n, "state": "closed"} for n in range(10)]
FIRST = tool("list_orders", ROWS, limit=10)
FEW = tool("list_orders", ROWS, limit=50)
PAGE = tool("list_orders", {"orders": ROWS, "has_more": True}, state="any")
WHOLE = tool("list_orders", {"orders": ROWS, "has_more": False}, state="any")
HEAD = sh("grep -rn TODO src | head -3", "src/a.py:1: TODO\nsrc/b.py:2: TODO\nsrc/c.py:9: TODO\n")
SHORT = sh("grep -rn TODO src | head -3", "src/a.py:1: TODO\n")
MORE = tool("search_files", "src/a.py\nsrc/b.py\n(and 14 more files)", pattern="TODO")

LEFT = "Nothing is left to close: all orders are closed."
TOLD: dict[str, tuple[bool, list[ToolCall], str]] = {
    "as many rows as were asked for": (True, [FIRST], LEFT),
    "the part is told": (False, [FIRST], "All orders are closed, of the first page."),
    "its size is told": (False, [FIRST], "All 10 orders are closed."),
    "fewer rows than were asked for": (False, [FEW], LEFT),
    "a page with more behind it": (True, [PAGE], LEFT),
    "a page with nothing behind it": (False, [WHOLE], LEFT),
    "a page, and all of it": (False, [PAGE, WHOLE], LEFT),
    "a result that goes on": (True, [MORE], "No files are left."),
    "no universal statement": (False, [FIRST], "Order 3 is closed."),
    "a question": (False, [FIRST], "Are all orders closed?"),
}
SHELL: dict[str, tuple[bool, list[ToolCall], str]] = {
    "the first lines": (True, [HEAD], "No other TODOs remain."),
    "all lines there are": (False, [SHORT], "No other TODOs remain."),
    "the lines are told": (False, [HEAD], "Among the first 3 hits no other TODOs remain."),
}


def _wider(calls: list[ToolCall], text: str) -> list[Severity]:
    gate = Gate(BLOCKING)
    gate.begin_turn("Is there anything left?")
    for call in calls:
        gate.observe(call)
    found = gate.boundary_check(Attempt(parts=(text,))).findings
    return [item.severity for item in found if item.code == "statement-wider"]


@pytest.mark.parametrize("case", TOLD)
def test_all_told_of_a_part_warns(case: str) -> None:
    wider, calls, text = TOLD[case]
    assert _wider(calls, text) == ([Severity.WARN] if wider else [])


@pytest.mark.parametrize("case", SHELL)
def test_all_told_of_the_first_lines_warns(case: str) -> None:
    pytest.importorskip("tree_sitter_bash", reason="needs gate-core[shell]")
    wider, calls, text = SHELL[case]
    assert _wider(calls, text) == ([Severity.WARN] if wider else [])


_TABLE = load_table("checks", "stated", "cut.toml")


@pytest.mark.parametrize("row", _TABLE["commands_examples"], ids=str)
def test_how_much_a_command_shows(row: dict[str, Any]) -> None:
    assert most_of_command(row["text"]) == row["most"]


@pytest.mark.parametrize("row", _TABLE["rest_examples"], ids=str)
def test_how_a_result_says_that_it_goes_on(row: dict[str, Any]) -> None:
    assert says_more(row["text"]) is row["cut"]
