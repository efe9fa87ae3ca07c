"""Whole conversations, honest ones and evasions, in eleven languages (admission_talks.jsonl): a false block weighs the
same as a leak.

A step is [who, ...]: `user` and `agent` speak, a tool `ran`, the host took a `confirm`, a call `runs` unasked about,
one `asks` to run and meets these codes, a write `stores` or meets these codes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, ToolCall
from gate_core.admission.units import StateWrite
from gate_core.data import load_table
from gate_core.model.profile import parse_profile
from gate_core.shell import available
from gate_core.values.numerals import spelt

TALKS = [json.loads(line) for line in Path(__file__).with_name("admission_talks.jsonl").read_text("utf-8").splitlines()]
FINAL: dict[str, Any] = {"reversible": False}
RISKY: dict[str, Any] = {"risk": "high"}
PROFILES: dict[str, dict[str, Any]] = {
    "order_item": {"effect": "change", "targets": ["order:{item}"], "family": "order"},
    "delete_list": {"effect": "delete", "targets": ["list:{name}"], "family": "delete", **FINAL, **RISKY},
    "send_email": {"effect": "change", "targets": ["email:{to}"], "family": "send", **FINAL},
    "delete_file": {"effect": "delete", "targets": ["{path}"], "family": "delete", **FINAL},
    "get_reservation": {"effect": "read", "targets": ["reservation:{id}"]},
    "search_orders": {"effect": "read", "targets": ["order:{query}"]},
    "read_file": {"effect": "read", "targets": ["{path}"]},
    "list_files": {"effect": "read", "targets": ["{path}"]},
    "get_email": {"effect": "read", "targets": ["email:{id}"]},
    "cancel_reservation": {
        "effect": "change", "targets": ["reservation:{id}"], "family": "cancel", "sourced": ["id"], **FINAL,
    },
    "transfer": {
        "effect": "change", "targets": ["account:{to}"], "family": "pay", "sourced": ["amount", "to"], **FINAL, **RISKY,
    },
    "refund_order": {
        "effect": "change", "targets": ["order:{order_id}"], "family": "refund", "sourced": ["order_id", "amount"],
        **FINAL,
    },
    "return_item": {
        "effect": "change", "targets": ["order:{order_id}"], "family": "exchange", "sourced": ["order_id"], **FINAL,
    },
    "deploy_service": {"effect": "change", "targets": ["service:{name}"], "family": "deploy", **RISKY},
    "restart_service": {"effect": "change", "targets": ["service:{name}"], "family": "deploy", **RISKY},
    "merge_pr": {"effect": "change", "targets": ["pr:{number}"], "family": "merge"},
    "publish_post": {"effect": "change", "targets": ["post:{title}"], "family": "publish"},
    "book_table": {"effect": "change", "targets": ["table:{place}"], "family": "book"},
    "invite_user": {"effect": "change", "targets": ["user:{email}"], "family": "send"},
    "grant_role": {
        "effect": "change", "targets": ["user:{user}"], "family": "grant", "authorization": "permission", **RISKY,
    },
    "close_ticket": {"effect": "change", "targets": ["ticket:{id}"], "family": "close"},
    "delete_user": {"effect": "delete", "targets": ["user:{id}"], "family": "delete", **FINAL, **RISKY},
}  # fmt: skip
LAYERS: Any = {"actions": "block", "writes": "block"}
CONFIG = GateConfig(layers=LAYERS, profiles={n: parse_profile(n, row) for n, row in PROFILES.items()}, audit=False)


class Talk:
    """A conversation; each step is a method."""

    def __init__(self) -> None:
        self.gate = Gate(CONFIG)
        self.wrong: list[str] = []

    def user(self, text: str) -> None:
        """The user speaks."""
        self.gate.begin_turn(text)

    def agent(self, text: str) -> None:
        """The agent answers."""
        self.gate.boundary_check(Attempt(parts=(text,), claim="none"))

    def ran(self, tool: str, args: Any, result: Any, agent: str = "") -> None:
        """A call ran."""
        self.gate.observe(ToolCall(tool=tool, args=args, result=result, agent=agent))

    def confirm(self, tool: str, args: Any) -> None:
        """The host took a confirmation."""
        self.gate.confirm(ToolCall(tool=tool, args=args))

    def runs(self, tool: str, args: Any) -> None:
        """A call is admitted."""
        self.asks(tool, args, [])

    def asks(self, tool: str, args: Any, codes: list[str]) -> None:
        """A call asks to run."""
        verdict = self.gate.admit(ToolCall(tool=tool, args=args))
        self._compare((tool, args), codes, [finding.code.value for finding in verdict.blocking])

    def stores(self, key: str, value: Any, codes: list[str]) -> None:
        """A write asks to be stored."""
        verdict = self.gate.admit_write(StateWrite(subject="user-1", key=key, value=value))
        self._compare((key, value), codes, [finding.code.value for finding in verdict.blocking])

    def _compare(self, what: object, wanted: list[str], got: list[str]) -> None:
        if sorted({*got}) != wanted:
            self.wrong.append(f"{what}: expected {wanted}, got {got}")


@pytest.mark.parametrize("talk", TALKS, ids=[talk["id"] for talk in TALKS])
def test_a_conversation_is_judged_as_a_person_would(talk: dict[str, Any]) -> None:
    """Every step of it."""
    if not available() and any(step[1:2] == ["Bash"] for step in talk["steps"]):
        pytest.skip("the extra [shell] is not installed")
    played = Talk()
    for step, *given in talk["steps"]:
        getattr(played, step)(*given)
    assert played.wrong == []


def test_both_sides_are_there() -> None:
    """No side of the table is empty, and no id is used twice."""
    sides = [talk["id"].partition("-")[0] for talk in TALKS]
    assert min(sides.count("honest"), sides.count("lie")) >= 100
    assert len({talk["id"] for talk in TALKS}) == len(TALKS)


@pytest.mark.parametrize("row", load_table("values", "numerals.toml")["example"], ids=lambda row: row["says"])
def test_numbers_in_words(row: dict[str, Any]) -> None:
    """In each language."""
    assert list(spelt(row["says"], row["language"])) == row["gives"]
