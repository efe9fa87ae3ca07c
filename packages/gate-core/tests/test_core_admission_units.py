"""Typed units: the fixed pipeline, what fails closed, and the evasions that must not pass (spec 40)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core.admission import (
    ActionUnit,
    ClaimUnit,
    Conflict,
    Evidence,
    Policy,
    Pool,
    Proposal,
    RuleContext,
    Ruling,
    StateWrite,
    Weight,
    admit_units,
    all_type,
    approve,
    by_field,
    content_hash,
    downgrade,
    field_of,
    find_type,
    first_failing,
    gives,
    has_type,
    lint,
    one_value_per,
    reject,
    where,
)
from gate_core.admission.ready import attributes_supported, cites_something, uncontradicted
from gate_core.model.errors import GateUsageError

Check = Callable[[Any, Sequence[Evidence], RuleContext[Any]], Ruling | None]


def claim(ident: str, *cites: str, grade: str = "proven", **attributes: Any) -> ClaimUnit:
    """A claim that cites some evidence."""
    return ClaimUnit(id=ident, text=f"claim {ident}", grade=grade, cites=cites, attributes=attributes)


def piece(ident: str, source_type: str = "document", **attributes: Any) -> Evidence:
    """One piece of evidence."""
    return Evidence(id=ident, source_type=source_type, source_id=f"doc-{ident}", attributes=attributes)


def proposal(*units: Any, kind: str = "response") -> Proposal[Any]:
    """A proposal of these units."""
    return Proposal(id="p", units=units, kind=kind)


def sourced(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
    """A claim needs a source."""
    return None if evidence else reject(unit, "no-source")


def yes(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
    """Everything stands."""
    return approve(unit)


SOURCED = Policy[Any](rules=(sourced,), codes={"no-source": "cite a document"}, name="sourced")
POOL = (piece("e1", brand="Acme"), piece("e2"))


def told(units: Sequence[Any], policy: Policy[Any] = SOURCED, evidence: Iterable[Evidence] = POOL) -> dict[str, str]:
    """Unit -> "status code"."""
    result = admit_units(proposal(*units), policy, evidence)
    return {item.id: f"{item.status} {item.code}".strip() for item in result.judged}


def with_conflicts(*found: Any, rules: tuple[Check, ...] = (yes,)) -> Policy[Any]:
    """A policy whose conflicts are given."""
    return Policy[Any](rules=rules, conflicts=lambda units, context: list(found))


def test_a_supported_unit_is_approved_and_an_unsupported_one_rejected() -> None:
    """Side by side; one drags the other nowhere."""
    assert told([claim("a", "e1"), claim("b")]) == {"a": "approved", "b": "rejected no-source"}


def test_a_unit_that_cites_what_is_not_there_is_rejected() -> None:
    """Whatever the rules say; what a model writes becomes no evidence."""
    assert told([claim("a", "e1", "made-up")], Policy(rules=(yes,))) == {"a": "rejected missing-evidence"}


def test_what_goes_beyond_the_evidence_is_downgraded_and_named() -> None:
    """The brand is not in the document; the size is."""
    policy = Policy[Any](rules=(attributes_supported("derived"),))
    result = admit_units(proposal(claim("a", "e1", size=2, brand="Oatly")), policy, [piece("e1", size=2)])
    (item,) = result.admitted
    assert (item.status, item.code, item.grade, item.unsupported) == (
        "downgraded", "over-specific", "derived", ("brand",)
    )  # fmt: skip


def test_a_unit_none_of_whose_attributes_is_supported_is_rejected() -> None:
    """An unrelated clause proves nothing, and the value must be the very one."""
    policy = Policy[Any](rules=(attributes_supported("derived"),))
    assert told([claim("a", "e1", price=410)], policy, [piece("e1", price=14100)]) == {"a": "rejected missing-evidence"}


@pytest.mark.parametrize(("grade", "status"), [("derived", "rejected missing-evidence"), ("guess", "approved")])
def test_a_grade_without_evidence_is_a_guess(grade: str, status: str) -> None:
    """No evidence at grade derived does not pass, and a lower grade in no wording does either."""
    assert told([claim("a", grade=grade)], Policy(rules=(cites_something,))) == {"a": status}


def test_evidence_that_was_not_cited_counts_too() -> None:
    """Leaving the incriminating earlier call out does not help."""
    policy = Policy[Any](rules=(uncontradicted("state", "contradicted-by-pool"),))
    pool = [piece("e1", subject="flight", state="open"), piece("e2", subject="flight", state="cancelled")]
    assert told([claim("a", "e1")], policy, pool) == {"a": "rejected contradicted-by-pool"}
    assert told([claim("a", "e1")], policy, pool[:1]) == {"a": "approved"}


def test_an_informational_conflict_leaves_a_note() -> None:
    """Approved and downgraded units keep their standing."""

    def halves(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
        return downgrade(unit, "too-much", "derived") if unit.id == "b" else None

    noted = Conflict(units=("a", "b"), code="two-sources", severity=Weight.INFORMATIONAL, note="they differ")
    result = admit_units(proposal(claim("a"), claim("b"), claim("c")), with_conflicts(noted, rules=(halves,)))
    assert [(item.id, item.status.value, item.note, item.conflicts) for item in result.admitted] == [
        ("a", "approved_with_conflict", "they differ", ("two-sources",)),
        ("b", "downgraded", "they differ", ("two-sources",)),
        ("c", "approved", "", ()),
    ]
    assert result.explain()["conflicts"] == 1


def test_a_blocking_conflict_rejects_all_in_it_and_keeps_their_own_codes() -> None:
    """Nobody decides which one is right."""

    def halves(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
        return downgrade(unit, "too-much", "derived") if unit.id == "b" else None

    policy = with_conflicts(Conflict(units=("a", "b"), code="both-ways"), rules=(halves,))
    result = admit_units(proposal(claim("a"), claim("b"), claim("c")), policy)
    assert [(item.id, item.code, item.own_code) for item in result.rejected] == [
        ("a", "blocking-conflict", ""),
        ("b", "blocking-conflict", "too-much"),
    ]
    assert [item.id for item in result.admitted] == ["c"]


def test_a_rejected_unit_drags_nobody_down() -> None:
    """Its conflict with a valid one is none, and it keeps its own code."""
    policy = with_conflicts(Conflict(units=("a", "b"), code="both-ways"), rules=(sourced,))
    assert told([claim("a", "e1"), claim("b")], policy) == {"a": "approved", "b": "rejected no-source"}


def test_all_of_a_b_a_are_in_the_conflict() -> None:
    """A duplicate hides no contradiction, and the third is not left out."""
    policy = Policy[Any](rules=(yes,), conflicts=one_value_per(by_field("key"), by_field("value"), "two-values"))
    units = [StateWrite(id=str(n), subject="u", key="diet", value=value) for n, value in enumerate("ABA")]
    other = StateWrite(id="x", subject="u", key="city", value="Rome")
    assert told([*units, other], policy) == {
        "x": "approved", "0": "rejected blocking-conflict", "1": "rejected blocking-conflict",
        "2": "rejected blocking-conflict",
    }  # fmt: skip


def raises(*_: Any) -> Any:
    """A policy's own mistake."""
    raise KeyError("price")


def odd(ruling: Any) -> Check:
    """A rule that answers with something that is no ruling."""
    return lambda unit, evidence, context: ruling


BROKEN = {
    "a rule raises": Policy[Any](rules=(raises,)),
    "a rule answers true": Policy[Any](rules=(odd(True),)),
    "an unknown decision": Policy[Any](rules=(odd(Ruling(unit="a", decision="maybe")),)),
    "a ruling about another": Policy[Any](rules=(odd(Ruling(unit="z", decision="approve")),)),
    "a code that is none": Policy[Any](rules=(odd(Ruling(unit="a", decision="reject", code="No Way")),)),
    "a downgrade to nothing": Policy[Any](rules=(odd(Ruling(unit="a", decision="downgrade", code="x")),)),
    "binding raises": Policy[Any](rules=(yes,), bind=raises),
    "binding brings its own": Policy[Any](rules=(yes,), bind=lambda unit, pool: [piece("e1", brand="Acme", new=1)]),
    "binding brings a copy": Policy[Any](rules=(yes,), bind=lambda unit, pool: [replace(POOL[0])]),
    "structure raises": Policy[Any](rules=(yes,), structure=raises),
    "conflicts raise": Policy[Any](rules=(yes,), conflicts=raises),
    "a conflict that is none": with_conflicts("a"),
    "a conflict of unknown severity": with_conflicts(Conflict(units=("a", "b"), code="x", severity="fatal")),
    "a conflict with an unknown unit": with_conflicts(Conflict(units=("a", "zz"), code="x")),
}


@pytest.mark.parametrize("policy", BROKEN.values(), ids=BROKEN)
def test_whatever_a_policy_does_wrong_rejects(policy: Policy[Any]) -> None:
    """Fail closed, with one code, and the call itself never raises."""
    assert told([claim("a", "e1")], policy)["a"] == "rejected policy-error"


@pytest.mark.parametrize("unit", [{"text": "x"}, {"id": ""}, {"id": 7}, SimpleNamespace(text="x")], ids=str)
def test_a_unit_without_an_id_is_rejected(unit: Any) -> None:
    """It could not be told apart."""
    result = admit_units(proposal(unit, claim("a", "e1")), SOURCED, POOL)
    assert [item.code for item in result.rejected] == ["policy-error"]
    assert [item.id for item in result.admitted] == ["a"]


def test_one_id_for_two_units_rejects_both() -> None:
    """The good one cannot lend its name."""
    assert told([claim("a", "e1"), claim("a", "e2"), claim("b", "e1")]) == {
        "b": "approved", "a": "rejected policy-error"
    }  # fmt: skip


def test_a_structure_error_rejects_every_unit() -> None:
    """And the errors are in the result."""
    policy = replace(SOURCED, structure=lambda p: ["no title"])
    result = admit_units(proposal(claim("a", "e1")), policy, POOL)
    assert (result.code, result.errors, result.ok) == ("structure-invalid", ("no title",), False)
    assert [item.code for item in result.rejected] == ["structure-invalid"]
    assert admit_units(proposal(claim("a", "e1"), kind="poem"), SOURCED, POOL).code == "structure-invalid"


def test_an_empty_proposal_is_no_success() -> None:
    """Saying nothing is not being right."""
    result = admit_units(proposal(), SOURCED, POOL)
    assert (result.code, result.ok, result.explain()["codes"]) == ("empty-proposal", False, {"empty-proposal": 1})


def test_rules_are_asked_in_order_and_the_first_ruling_decides() -> None:
    """An approval ends it; `first_failing` listens to objections alone."""
    asked: list[str] = []

    def note(name: str, build: Callable[[Any], Ruling | None]) -> Check:
        def rule(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
            asked.append(name)
            return build(unit)

        return rule

    no = note("no", lambda unit: reject(unit, "no"))
    silent, good = note("silent", lambda unit: None), note("good", approve)
    assert told([claim("a")], Policy(rules=(silent, good, no))) == {"a": "approved"}
    assert asked == ["silent", "good"]
    assert told([claim("a")], Policy(rules=(first_failing(good, no), yes))) == {"a": "rejected no"}
    assert told([claim("a")], Policy(rules=(first_failing(good, silent),))) == {"a": "approved"}


def test_two_policies_compose() -> None:
    """Rules, conflicts and structure of both count; hints of both are known."""
    other = Policy[Any](
        rules=(odd(None),),
        conflicts=one_value_per(by_field("text"), by_field("grade"), "two-grades"),
        structure=lambda p: ["too many"] if len(p.units) > 2 else [],
        codes={"two-grades": "one grade per text"},
        name="other",
    )
    both = SOURCED | other
    units = [replace(claim("a", "e1"), text="t"), replace(claim("b", "e1", grade="derived"), text="t")]
    assert told(units, both) == {"a": "rejected blocking-conflict", "b": "rejected blocking-conflict"}
    assert admit_units(proposal(*units, claim("c")), both, POOL).code == "structure-invalid"
    assert (both.name, both.hint("no-source"), both.hint("two-grades")) == (
        "sourced|other", "cite a document", "one grade per text"
    )  # fmt: skip
    assert both.hint("over-specific")
    assert both.hint("unheard-of") == ""
    two = other | SOURCED | other
    assert told(units, two)["a"] == "rejected blocking-conflict"


def test_a_policy_that_asks_nothing_is_an_error() -> None:
    """It would admit everything; and a code that is no code is one too."""
    with pytest.raises(GateUsageError, match="no rule"):
        Policy[Any](rules=())
    with pytest.raises(GateUsageError, match="kebab-case"):
        Policy[Any](rules=(yes,), codes={"No Source": "x"})


def test_evidence_is_checked_when_it_is_made() -> None:
    """An id, a type, and one content per id."""
    with pytest.raises(GateUsageError, match="id and a source type"):
        Evidence(id="", source_type="document")
    with pytest.raises(GateUsageError, match="two different"):
        Pool([piece("e1"), piece("e1", x=1)])
    assert len(Pool([piece("e1"), piece("e1")])) == 1
    assert piece("e1", x=1).content_hash == piece("e2", x=1).content_hash != piece("e1").content_hash


def test_queries() -> None:
    """By type and by attribute, of what a rule is given and of a whole pool."""
    pool = Pool([piece("a", x=1), piece("b", "permission", x=1), piece("c", "permission")])
    assert [e.id for e in all_type(pool, "permission", "document")] == ["b", "c", "a"]
    assert [e.id for e in all_type(tuple(pool), "permission")] == ["b", "c"]
    assert (has_type(pool, "finding"), find_type(pool, "document")) == (False, pool.get("a"))
    assert [e.id for e in where(pool, x=1)] == ["a", "b"]
    assert [e.id for e in pool.having("x", 1)] == ["a", "b"]


def test_a_unit_is_any_frozen_object_or_mapping() -> None:
    """Fields are read the same way."""
    assert field_of({"id": "a"}, "id") == field_of(ActionUnit(id="a", tool="t"), "id") == "a"
    assert StateWrite(subject="u", key="k", value=1).id == "u.k"
    assert told([{"id": "m", "cites": "e1"}, {"id": "n", "cites": ["e1"]}, {"id": "o", "cites": 5}]) == {
        "m": "approved", "n": "approved", "o": "rejected no-source",
    }  # fmt: skip
    hashes = {content_hash(unit) for unit in ({"a": {1}}, {"a": b"x"}, SimpleNamespace(a=1), 5, claim("a"), claim("b"))}
    assert len(hashes) == 6


def test_lint_finds_what_is_wrong_before_anything_is_judged() -> None:
    """Rules nobody reaches, codes nobody declared, codes that help nobody."""

    @gives("declared-code")
    def declared(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
        return None

    def unknown(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
        return reject(unit, "never-declared") if unit.grade == "x" else None

    policy = Policy[Any](
        rules=(declared, first_failing(sourced, unknown), yes, declared, sourced),
        codes={"declared-code": "do it", "no-source": " "},
    )
    assert list(map(str, lint(policy))) == [
        "unknown-code: unknown: never-declared",
        "unreachable-rule: declared",
        "unreachable-rule: sourced",
        "code-without-hint: no-source",
    ]
    assert lint(SOURCED) == ()
    assert lint(Policy[Any](rules=(SimpleNamespace(), raises))) == ()  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.booleans(), st.sampled_from(["x", "y"])), max_size=8))
def test_judging_is_a_function_of_what_it_is_given(rows: list[tuple[str, bool, str]]) -> None:
    """Twice the same; every unit in one place; the order of independent units changes nothing about them."""
    units = [claim(f"{name}{n}", *(["e1"] if good else []), grade=grade) for n, (name, good, grade) in enumerate(rows)]
    first, again = (admit_units(proposal(*units), SOURCED, POOL) for _ in range(2))
    assert first == again
    assert sorted(item.id for item in first.judged) == sorted(unit.id for unit in units)
    turned = admit_units(proposal(*reversed(units)), SOURCED, POOL)
    assert {item.id: item for item in first.judged} == {item.id: item for item in turned.judged}


def test_the_pool_costs_nothing_per_unit() -> None:
    """Rules are asked once per unit, and a bigger pool asks no more questions."""
    asked = 0

    def counted(unit: Any, evidence: Sequence[Evidence], context: RuleContext[Any]) -> Ruling | None:
        nonlocal asked
        asked += len(evidence)
        return None

    for size in (10, 1000):
        asked = 0
        pool = [piece(f"e{n}") for n in range(size)]
        admit_units(proposal(*(claim(f"u{n}", "e1") for n in range(100))), Policy(rules=(counted,)), pool)
        assert asked == 100
