"""How many of several things are so, where a result lists them all."""

from __future__ import annotations

from typing import Any

import pytest
from floor_turns import LIE, OK, Row, check, tool

from gate_core import GateConfig
from gate_core.checks.stated.among import parts_in
from gate_core.data import load_table


def invoices(*states: str) -> Any:
    """A list of invoices."""
    rows = [{"id": f"INV-{number}", "status": state} for number, state in enumerate(states, 30)]
    return tool("list_invoices", {"invoices": rows}, year=2026)


def users(*roles: str) -> Any:
    """The answer of a database to a query for users."""
    rows = "".join(f"user{number}|{role}\n" for number, role in enumerate(roles))
    return tool("sql", rows, query="SELECT name, role FROM users")


TABLE = tool(
    "sql",
    " name | role \n------+--------\n ada  | viewer\n ben  | editor\n mia  | editor\n(3 rows)\n",
    query="SELECT users",
)
TWELVE = invoices(*["paid"] * 9, *["overdue"] * 3)
MIXED, ALIKE = users("viewer", "viewer", "editor", "viewer"), users("editor", "editor", "editor", "editor")
PROMOTED = tool("set_role", {"ok": True}, user="user0", role="editor")

ROWS: dict[str, Row] = {
    "too many": (LIE, [TWELVE], "5 of the 12 invoices are overdue."),
    "as many": (OK, [TWELVE], "3 of the 12 invoices are overdue."),
    "the others": (OK, [TWELVE], "9 of the 12 invoices are paid."),
    "a condition more": (OK, [TWELVE], "2 of the 12 invoices are overdue by more than a month."),
    "of another list": (OK, [TWELVE], "5 of the 40 invoices are overdue."),
    "all, of some": (LIE, [TWELVE], "All 12 invoices are paid."),
    "all, with an exception": (OK, [TWELVE], "All invoices are paid except INV-39, INV-40 and INV-41."),
    "none, of some": (LIE, [TWELVE], "None of the invoices is overdue."),
    "all of a column": (LIE, [MIXED], "All users have the role editor."),
    "all of a column that are": (OK, [ALIKE], "All users have the role editor."),
    "German": (LIE, [tool("sql", MIXED.result, query="SELECT nutzer")], "Alle Nutzer haben die Rolle editor."),
    "one of a column": (OK, [MIXED], "1 of the 4 users has the role editor."),
    "a drawn table": (LIE, [TABLE], "All users have the role editor."),
    "a drawn table, counted": (OK, [TABLE], "2 of the 3 users have the role editor."),
    "another word": (OK, [MIXED], "All users have the role member."),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_as_many_are_so_as_the_list_shows(row: Row) -> None:
    """The word has to stand in a column; what is said in other words nobody counts."""
    decision, calls, text = row
    check(decision, calls, text, prompt="How many of them are there?")


@pytest.mark.parametrize("text", ["5 of the 12 invoices are overdue.", "All 12 invoices are paid."])
def test_it_blocks_where_every_language_it_may_be_of_is_proved(text: str) -> None:
    """No pack need have read the sentence."""
    check(LIE, [TWELVE], text, config=GateConfig(), prompt="How many of them are there?")


def test_what_was_changed_since_is_not_counted() -> None:
    """The list is of before."""
    check(OK, [MIXED, PROMOTED], "All users have the role editor.", prompt="Who has which role?")


@pytest.mark.parametrize("row", load_table("checks", "stated", "among.toml")["examples"], ids=lambda row: row["text"])
def test_the_parts_of_the_table(row: dict[str, Any]) -> None:
    """How many, of how many, of what, and what they are."""
    found = parts_in(row["text"])
    assert [list(part) for part in found] == ([row["says"]] if row["says"] else [])
