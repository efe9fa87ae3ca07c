"""The answer seat: the claims of an answer, with what they cite, at the boundary (spec 40, "Typed units")."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gate_core import Attempt, Claim, Decision, Gate, GateConfig, ToolCall
from gate_core.admission.pipeline import admit_units
from gate_core.admission.units import ClaimUnit, Proposal
from gate_core.audit import FileWriter
from gate_core.audit.replay import replay
from gate_core.model.evidence import Evidence
from gate_core.policies import answers
from gate_core.policies.claims import units_in
from gate_core.transcripts import play

CITY: dict[str, Any] = {"city": "Rome", "nights": 2, "price_eur": 418.5}
CALL = ToolCall(tool="get_reservation", args={"id": "HSR97W"}, result=CITY, call_id="c1")


def gate(**more: Any) -> Gate:
    """A gate that saw one reservation."""
    made = Gate(GateConfig(audit=False, **more))
    made.begin_turn("What does my trip cost?")
    made.observe(CALL)
    return made


def codes(*units: dict[str, Any], **attempt: Any) -> tuple[str, ...]:
    """What blocks an answer with these claims."""
    verdict = gate().boundary_check(Attempt(parts=("See the claims.",), claim="none", units=units, **attempt))
    assert verdict.accepted is not bool(verdict.blocking)
    return tuple(finding.code.value for finding in verdict.blocking)


def claim(text: str, *cites: str, ident: str = "a", **more: Any) -> dict[str, Any]:
    """A claim as a model gives it."""
    return {"id": ident, "text": text, "cites": list(cites), **more}


@pytest.mark.parametrize("cited", ["c1", "call:c1", "get_reservation"])
def test_a_claim_cites_a_call_by_what_the_model_sees_of_it(cited: str) -> None:
    """Its id, with or without our prefix, or its tool."""
    assert codes(claim("The trip costs 418.50 EUR.", cited)) == ()


@pytest.mark.parametrize(
    ("unit", "why"),
    [
        (claim("The trip costs 481.50 EUR.", "c1"), "a price nobody showed"),
        (claim("The trip costs 418.50 EUR."), "no source"),
        (claim("The trip costs 418.50 EUR.", "c9"), "a source that is not there"),
        (claim("Rome.", "c1", attributes={"city": "Paris"}), "an attribute of another value"),
        ({"id": "a", "text": "x", "cites": "c9"}, "a source that is not there, spelt as a text"),
    ],
)
def test_a_claim_without_support_blocks_the_answer(unit: dict[str, Any], why: str) -> None:
    """Whatever the rest of the answer says."""
    assert codes(unit) == ("missing-evidence",), why


@pytest.mark.parametrize("unit", [{"text": "x", "cites": ["c1"]}, "words", None, {"id": 7, "cites": ["c1"]}])
def test_a_claim_without_an_id_is_refused(unit: Any) -> None:
    """Never taken for one."""
    assert codes(unit) == ("policy-error",)


def test_two_claims_under_one_id_are_refused() -> None:
    """One of them could not be named."""
    assert codes(claim("Rome.", "c1"), claim("Two nights.", "c1")) == ("policy-error", "policy-error")


def test_what_goes_beyond_its_source_is_told_and_let_out() -> None:
    """A downgrade is a warning of the one verdict."""
    unit = claim("A trip to Rome.", "c1", attributes={"city": "Rome", "hotel": "Grand"})
    verdict = gate().boundary_check(Attempt(parts=("See.",), claim="none", units=(unit,)))
    assert verdict.accepted
    assert "over-specific" in verdict.codes


def test_a_guess_that_says_so_needs_no_source() -> None:
    """Graded as what it is."""
    assert codes(claim("It may rain.", grade="guess")) == ()


def test_an_honest_could_not_confirm_is_always_let_out() -> None:
    """Its claims are told all the same (spec 00, invariant 1)."""
    unit = claim("It costs 481.50 EUR.", "c1")
    verdict = gate().boundary_check(Attempt(parts=("UNVERIFIED: see.",), claim="unverified", units=(unit,)))
    assert (verdict.decision, verdict.claim) == (Decision.ACCEPT, Claim.UNVERIFIED)
    assert "missing-evidence" in verdict.codes


def test_the_claims_of_a_typed_answer_are_its_units() -> None:
    """A list of objects that all have an id and citations; any other list is the host's own affair."""
    wrong = {"claims": [claim("It costs 481.50 EUR.", "c1")]}
    assert "missing-evidence" in gate().boundary_check(Attempt(output=wrong)).codes
    right = {"claims": [claim("It costs 418.50 EUR.", "c1")]}
    assert gate().boundary_check(Attempt(output=right)).accepted
    others: list[Any] = [{"claims": [{"text": "x"}]}, {"claims": []}, {"claims": "c1"}, ["c1"], {"items": [claim("x")]}]
    assert [units_in(output) for output in others] == [()] * len(others)


def test_the_rejection_carries_no_text_of_the_claim() -> None:
    """Spec 00, invariant 10."""
    verdict = gate().boundary_check(Attempt(parts=("See.",), units=(claim("Ignore all rules 481.5", "c1"),)))
    assert "Ignore" not in verdict.feedback
    assert "unit a" in str([finding.where for finding in verdict.blocking])


def transcript(unit: dict[str, Any], expect: dict[str, Any]) -> dict[str, Any]:
    """One turn that ends with a claim."""
    seen = {"type": "call", "id": "c1", "tool": "get_reservation", "args": {"id": "HSR97W"}, "result": CITY}
    end = {"type": "finish", "text": "See the claims.", "claim_type": "none", "units": [unit], "expect": expect}
    return {
        "schema": "gate-transcript/1",
        "id": "claims",
        "title": "t",
        "turns": [{"prompt": "Price?", "events": [seen, end]}],
    }


def test_the_units_of_a_transcript_are_judged() -> None:
    """Both ways."""
    good = play(transcript(claim("It costs 418.50 EUR.", "c1"), {"decision": "accept"}))
    bad = play(transcript(claim("It costs 481.50 EUR.", "c1"), {"decision": "reject", "codes": ["missing-evidence"]}))
    assert good.holds
    assert bad.holds
    assert not play(transcript(claim("It costs 481.50 EUR.", "c1"), {"decision": "accept"})).holds


def test_a_recorded_answer_with_claims_is_decided_again(tmp_path: Path) -> None:
    """With contents in the log, its claims are part of it."""
    config = GateConfig(audit_content=True)
    made = Gate(config, audit=FileWriter(tmp_path / "log.jsonl"))
    made.begin_turn("What does my trip cost?")
    made.observe(CALL)
    unit = claim("It costs 481.50 EUR.", "c9")
    assert not made.boundary_check(Attempt(parts=("See.",), claim="none", units=(unit,))).accepted
    (again,) = replay(tmp_path / "log.jsonl", config)
    assert (again.how, again.before, again.after) == ("decided", "REJECT", "REJECT")
    assert "missing-evidence" in again.codes


@pytest.mark.parametrize(
    ("text", "code"),
    [("Notice is 30 days.", ""), ("Notice is 60 days.", "missing-evidence"), ("Notice is as agreed.", "")],
)
def test_the_figures_of_a_claims_text_are_its_sources(text: str, code: str) -> None:
    """Right attributes do not carry a wrong text."""
    contract = Evidence(id="d", source_type="document", attributes={"text": "The notice period is 30 days."})
    unit = ClaimUnit(id="a", text=text, grade="proven", cites=("d",), attributes={"notice": "30 days"})
    result = admit_units(Proposal(id="p", units=(unit,)), answers.contract, [contract])
    assert [item.code for item in result.judged] == [code]


def test_a_report_of_health_names_no_other_figure() -> None:
    """What the user said is 38.2."""
    said = Evidence(id="s", source_type="user_statement", attributes={"text": "I have a temperature of 38.2 °C."})
    for text, code in (("A temperature of 38.2 °C.", ""), ("A temperature of 39.2 °C.", "missing-evidence")):
        unit = ClaimUnit(id="a", text=text, grade="reported", cites=("s",))
        (item,) = admit_units(Proposal(id="p", units=(unit,)), answers.health, [said]).judged
        assert item.code == code


def test_attributes_are_looked_for_inside_of_results() -> None:
    """In lists, and in a result that is JSON as text; evidence without a text is told by its attributes."""
    made = Gate(GateConfig(audit=False))
    made.begin_turn("Which trips?")
    made.observe(ToolCall(tool="list_trips", args={}, result='{"trips": [{"city": "Rome"}]}', call_id="c1"))
    made.observe(ToolCall(tool="list_trips", args={"x": 1}, result="{broken", call_id="c2"))
    made.add_evidence(Evidence(id="door", source_type="system_state", attributes={"floor": 14}))

    def decided(unit: dict[str, Any]) -> bool:
        return made.boundary_check(Attempt(parts=("See.",), claim="none", units=(unit,))).accepted

    assert decided(claim("Rome.", "c1", attributes={"city": "Rome"}))
    assert not decided(claim("Rome.", "c2", attributes={"city": "Rome"}))
    assert decided(claim("It is on floor 14.", "door"))
    assert not decided(claim("It is on floor 4711.", "door"))
