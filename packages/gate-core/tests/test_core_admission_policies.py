"""The ready-made policies, each with cases, and the evasions that none of them lets pass (spec 40)."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import GateConfig
from gate_core.admission import (
    ActionUnit,
    ClaimUnit,
    Evidence,
    Policy,
    Proposal,
    StateWrite,
    admit_units,
    lint,
)
from gate_core.data import load_table
from gate_core.model.profile import parse_profile
from gate_core.policies import actions, answers, plans, state

CONFIG = GateConfig(
    profiles={
        name: parse_profile(name, row)
        for name, row in {
            "order": {"effect": "change", "targets": ["order:{item}"], "family": "order"},
            "cancel": {"effect": "change", "targets": ["order:{item}"], "family": "cancel"},
            "delete": {"effect": "delete", "targets": ["list:{name}"], "family": "delete", "risk": "high"},
        }.items()
    }
)


def told(policy: Policy[Any], units: list[Any], evidence: list[Evidence], kind: str = "response") -> list[str]:
    """What became of the units, in their order."""
    result = admit_units(Proposal(id="p", units=tuple(units), kind=kind), policy, evidence)
    found = {item.id: item.code or item.status.value for item in result.judged}
    return [found[unit["id"] if isinstance(unit, dict) else unit.id] for unit in units]


def piece(ident: str, kind: str, **attributes: Any) -> Evidence:
    """A piece of evidence."""
    return Evidence(id=ident, source_type=kind, attributes=attributes)


ALL: list[Policy[Any]] = [
    answers.health,
    answers.contract,
    actions.tool_calls(CONFIG),
    actions.irreversible(CONFIG),
    state.memory,
    state.facts,
    plans.steps,
]


@pytest.mark.parametrize("policy", ALL, ids=lambda policy: policy.name)
def test_a_ready_policy_has_no_flaw(policy: Policy[Any]) -> None:
    """Every rule is reached, every code is known and has a hint."""
    assert lint(policy) == ()


@pytest.mark.parametrize("row", load_table("policies", "health.toml")["example"], ids=lambda row: row["says"])
def test_the_words_of_a_diagnosis(row: dict[str, Any]) -> None:
    """Examples in the data."""
    assert answers.says_diagnosis(row["says"]) is row["is"]


REPORT = piece("r", "user_statement", text="i have had a headache since monday")
FINDING = piece("f", "clinician_finding", text="migraine")


def symptom(text: str, *cites: str, grade: str = "reported", **flags: bool) -> ClaimUnit:
    """A claim about health."""
    return ClaimUnit(id="a", text=text, grade=grade, cites=cites, attributes=flags)


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        (symptom("Headache since Monday.", "r"), "approved"),
        (symptom("Headache since Monday."), "missing-evidence"),
        (symptom("Headache since Monday.", "r", grade="proven"), "grade-beyond-evidence"),
        (symptom("You have a migraine.", "r", diagnosis=False, treatment=False), "diagnosis-or-treatment"),
        (symptom("Take 400 mg ibuprofen.", "r", treatment=False), "diagnosis-or-treatment"),
        (symptom("Rest.", "r", treatment=True), "diagnosis-or-treatment"),
        (symptom("You have a migraine.", "f", grade="proven"), "approved"),
    ],
)
def test_health_reports_and_never_diagnoses(unit: ClaimUnit, code: str) -> None:
    """Whatever the flags say."""
    assert told(answers.health, [unit], [REPORT, FINDING]) == [code]


DOCUMENT = piece(
    "d",
    "document",
    text="The notice period is 30 days. There is no penalty clause. The fee is 14100 euros; renewal: yearly.",
)


@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        ({"notice_period": "30 days"}, "approved"),
        ({"notice_period": 30}, "approved"),
        ({"renewal": "yearly"}, "approved"),
        ({"notice_period": 60}, "not-in-document"),
        ({"fee": 410}, "not-in-document"),
        ({"fee": 14100}, "approved"),
        ({"notice_period": 14100}, "not-in-document"),
        ({"penalty": "clause"}, "denied-in-document"),
        ({"penalty": True}, "denied-in-document"),
        ({"penalty": "no penalty clause"}, "approved"),
        ({}, "empty-claim"),
    ],
)
def test_a_term_stands_in_its_clause_and_is_not_denied(attributes: dict[str, Any], code: str) -> None:
    """Not in another clause, not as digits of another figure, not inside of "no such term"."""
    unit = ClaimUnit(id="a", text="The contract says so.", grade="proven", cites=("d",), attributes=attributes)
    assert told(answers.contract, [unit], [DOCUMENT]) == [code]


REQUESTS = [
    piece("q1", "explicit_request", family="order", objects=["milk"]),
    piece("q2", "explicit_request", family="delete", objects=["old"]),
    piece("q3", "explicit_request", family="cancel", objects=["milk", "bread"]),
]


def call(ident: str, tool: str, **args: Any) -> ActionUnit:
    """A proposed action."""
    return ActionUnit(id=ident, tool=tool, args=args)


def test_actions_need_a_request_of_their_own() -> None:
    """For another action or another object there is none; a citation makes none."""
    units = [
        call("a", "order", item="milk"), call("b", "order", item="bread"), call("c", "delete", name="new"),
        ActionUnit(id="d", tool="delete", args={"name": "x"}, cites=("q1",)),
    ]  # fmt: skip
    intent = "intent-not-established"
    assert told(actions.tool_calls(CONFIG), units, REQUESTS) == ["approved", intent, intent, intent]


def test_actions_that_undo_each_other_exclude_both_and_duplicates_hide_nothing() -> None:
    """All three of order, cancel, order; a rejected one drags nobody down."""
    units = [call("a", "order", item="milk"), call("b", "cancel", item="milk"), call("c", "order", item="milk")]
    assert told(actions.tool_calls(CONFIG), units, REQUESTS) == ["blocking-conflict"] * 3
    twice = [call("a", "order", item="milk"), call("b", "order", item="milk"), call("c", "cancel", item="bread")]
    assert told(actions.tool_calls(CONFIG), twice, REQUESTS) == [
        "approved_with_conflict", "approved_with_conflict", "approved"
    ]  # fmt: skip
    unasked = [call("a", "order", item="milk"), call("b", "cancel", item="milk")]
    assert told(actions.tool_calls(CONFIG), unasked, REQUESTS[:2]) == ["approved", "intent-not-established"]


@pytest.mark.parametrize(
    ("confirmation", "now", "code"),
    [
        ({}, None, "approved"),
        ({"expires_at": 5}, None, "confirmation-required"),
        ({"expires_at": 5}, 6.0, "confirmation-required"),
        ({"expires_at": 5}, 4.0, "approved"),
        ({"key": "another"}, None, "confirmation-required"),
    ],
)
def test_what_cannot_be_taken_back_needs_a_confirmation(
    confirmation: dict[str, Any], now: float | None, code: str
) -> None:
    """Of exactly this call, in time; risk that the unit declares is not asked."""
    unit = call("a", "delete", name="old", risk="low")
    evidence = [*REQUESTS, piece("c", "confirmation", **{"key": actions.confirmation_key(unit), **confirmation})]
    assert told(actions.irreversible(CONFIG, now), [unit], evidence) == [code]
    assert told(actions.irreversible(CONFIG), [call("a", "order", item="milk")], evidence) == ["approved"]


SAID = [
    piece("s1", "user_statement", text="we are running low on milk", about="self"),
    piece("s2", "user_statement", text="i am not vegetarian", about="self", negated=True),
    piece("s3", "user_statement", text="my sister is vegan", about="other"),
    piece("s4", "user_statement", text="am i tall", question=True, about="self"),
    piece("t1", "tool_output", result={"plan": "gold", "seats": 14100}),
]


def write(value: Any, *cites: str, key: str = "k", subject: str = "user-1", ident: str = "a") -> StateWrite:
    """A state write."""
    return StateWrite(id=ident, subject=subject, key=key, value=value, cites=cites, grade="derived")


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        (write("low"), "approved"),
        (write("low", "s1"), "approved"),
        (write("low", "s2"), "inferred-not-stated"),
        (write("Oatly", "s1"), "inferred-not-stated"),
        (write("vegetarian"), "inferred-not-stated"),
        (write("vegan"), "scope-violation"),
        (write("tall"), "inferred-not-stated"),
        (write(""), "write-empty"),
        (write("ow"), "inferred-not-stated"),
        (write("gold"), "inferred-not-stated"),
        (write("low", subject="user-9"), "scope-violation"),
        (write("low", "s9"), "missing-evidence"),
    ],
)
def test_memory_holds_what_the_user_said(unit: StateWrite, code: str) -> None:
    """In the statement that is cited, where one is."""
    assert told(state.memory, [unit], SAID) == [code]


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        (write("gold", "t1"), "approved"),
        (write("silver", "t1"), "value-not-in-result"),
        (write(410, "t1"), "value-not-in-result"),
        (write("gold", "s1"), "value-not-in-result"),
        (write("gold"), "missing-evidence"),
        (write("", "t1"), "write-empty"),
        (write(14100, "t1"), "approved"),
        (write([], "t1"), "write-empty"),
    ],
)
def test_facts_hold_what_results_show(unit: StateWrite, code: str) -> None:
    """Whole values, of the call that is cited."""
    assert told(state.facts, [unit], SAID) == [code]


def test_two_values_of_one_fact_exclude_each_other() -> None:
    """All of A, B, A; a fact that was rejected marks no peer."""
    units = [write(value, "t1", ident=str(n)) for n, value in enumerate(("gold", 14100, "gold"))]
    assert told(state.facts, units, SAID) == ["blocking-conflict"] * 3
    peers = [write("gold", "t1", ident="a"), write("silver", "t1", ident="b")]
    assert told(state.facts, peers, SAID) == ["approved", "value-not-in-result"]


def test_a_step_needs_what_it_rests_on() -> None:
    """From the host, or from a step before it; never from one behind it."""
    ready = [piece("p1", "prerequisite", name="account"), piece("p2", "prerequisite", name="key", met=False)]
    steps: list[Any] = [
        {"id": "a", "needs": ["account"], "brings": ["token"]}, {"id": "b", "needs": ["token"]},
        {"id": "c", "needs": ["key"]},
        {"id": "d", "needs": ["late"]}, {"id": "e", "brings": ["late"]},
    ]  # fmt: skip
    missing = "prerequisite-missing"
    assert told(plans.steps, steps, ready, kind="plan") == ["approved", "approved", missing, missing, "approved"]
    assert told(plans.steps, steps[:1], ready) == ["structure-invalid"]
    nothing: dict[str, object] = {"needs": []}
    nameless = admit_units(Proposal[plans.Step](id="p", units=(nothing,), kind="plan"), plans.steps)
    assert nameless.errors == ("step 1: a step has an id",)
