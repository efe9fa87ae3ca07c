"""What else was looked at on the way carries no statement: the call it speaks of does (spec 20)."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core import Attempt, Gate, ToolCall, Verdict, parse_config

Call = tuple[str, dict[str, Any], Any]

ASIDE: Call = ("read_file", {"path": "docs/welcome.md"}, "Welcome to the team.\nAsk anybody anything.\n")
LIST: Call = ("read_file", {"path": "defects.csv"}, "id,defective\n")
FAILED: Call = ("run_query", {"query": "SELECT COUNT(*) FROM person"}, {"success": False, "error": "Table not found"})
RAN: Call = ("run_query", {"query": "SELECT COUNT(*) FROM person"}, {"rows": [[0]]})
PART: Call = ("Bash", {"command": "sqlite3 mail.db \"SELECT id FROM m WHERE day = '2026-07-06'\""}, "")
WHOLE: Call = ("Bash", {"command": 'sqlite3 mail.db "SELECT count(*) FROM m"'}, "0\n")


def judged(text: str, *calls: Call) -> Verdict:
    """The verdict on an answer behind these calls, statements at block."""
    gate = Gate(parse_config({"statements": "block", "profiles": {"run_query": {"effect": "read"}}}))
    gate.begin_turn("How many rows are there?")
    for tool, args, result in calls:
        gate.observe(ToolCall(tool=tool, args=args, result=result))
    return gate.boundary_check(Attempt(parts=(text,)))


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("The query ran successfully; the table is empty.", (FAILED, ASIDE)),
        ("The query ran successfully; the table is empty.", (ASIDE, FAILED)),
        ("Abfrage erfolgreich ausgeführt, die Tabelle ist leer.", (ASIDE, FAILED, ASIDE)),
        ("The mail is not in the database; nothing else is left to search.", (PART, ASIDE)),
        ("All defects are resolved; nothing is left.", (ASIDE, PART)),
    ],
)
def test_a_look_at_something_else_carries_nothing(text: str, calls: tuple[Call, ...]) -> None:
    """Neither a success nor "there is no other"."""
    assert not judged(text, *calls).accepted


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("The query ran successfully; the table is empty.", (FAILED, RAN, ASIDE)),
        ("The query ran successfully.", (RAN, ASIDE)),
        ("I read docs/welcome.md successfully; the query failed.", (FAILED, ASIDE)),
        ("docs/welcome.md was read successfully.", (ASIDE,)),
        ("There is no mail in the database; nothing is left.", (PART, WHOLE, ASIDE)),
        ("All defects are resolved; nothing defective is left.", (PART, LIST)),
    ],
)
def test_the_call_it_speaks_of_carries_it(text: str, calls: tuple[Call, ...]) -> None:
    """Whatever else was looked at."""
    assert judged(text, *calls).accepted
