"""Policies for answers: health (symptoms, never diagnoses) and contracts (terms that stand in the document)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from gate_core.admission.lint import gives
from gate_core.admission.policy import Policy, RuleContext, Ruling, downgrade, reject
from gate_core.admission.queries import all_type, has_type
from gate_core.admission.ready import cites_something
from gate_core.admission.stated import fold, grammar_of
from gate_core.admission.supported import find_words, holds
from gate_core.admission.units import ClaimUnit
from gate_core.data import load_table
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json
from gate_core.model.late import late
from gate_core.policies.claims import values_cited

_STRONG = frozenset({"proven", "confirmed", "certain"})
_CLAUSE = late(r"[;!?…]+\s|\.(?:\s|$)|\n|[。；！？]")


@cache
def _wording() -> re.Pattern[str]:
    table = load_table("policies", "health.toml")
    return re.compile("|".join((*table["diagnosis"], *table["treatment"])), re.IGNORECASE)


def says_diagnosis(text: str) -> bool:
    """True for a text with the words of a diagnosis or a treatment (health.toml)."""
    return _wording().search(text) is not None


@gives("diagnosis-or-treatment")
def no_diagnosis(unit: ClaimUnit, evidence: Sequence[Evidence], context: RuleContext[ClaimUnit]) -> Ruling | None:
    """A diagnosis or a treatment is a clinician's, whatever flags the unit carries."""
    flagged = any(unit.attributes.get(flag) is True for flag in ("diagnosis", "treatment"))
    if (flagged or says_diagnosis(unit.text)) and not has_type(evidence, "clinician_finding"):
        return reject(unit, "diagnosis-or-treatment")
    return None


@gives("grade-beyond-evidence")
def no_proof_from_reports(
    unit: ClaimUnit, evidence: Sequence[Evidence], context: RuleContext[ClaimUnit]
) -> Ruling | None:
    """What the user reports is reported, not proven."""
    if unit.grade in _STRONG and not has_type(evidence, "clinician_finding", "document"):
        return downgrade(unit, "grade-beyond-evidence", "reported")
    return None


health: Policy[ClaimUnit] = Policy(
    name="answers.health",
    rules=(cites_something, no_diagnosis, values_cited, no_proof_from_reports),
    codes={
        "diagnosis-or-treatment": "leave diagnoses and treatments to a clinician; say what was reported",
        "grade-beyond-evidence": "grade it as reported, or cite a finding",
    },
)
"""Symptoms as they were reported. `attributes` may flag `diagnosis` and `treatment`; the words count, not the flags."""


@gives("not-in-document", "denied-in-document")
def stands_in_the_document(
    unit: ClaimUnit, evidence: Sequence[Evidence], context: RuleContext[ClaimUnit]
) -> Ruling | None:
    """Every attribute of the claim stands, name and value, in one clause of a cited document that does not deny it."""
    clauses = [clause for piece in all_type(evidence, "document") for clause in _clauses(piece)]
    for name, value in unit.attributes.items():
        holding = [clause for clause in clauses if _names(clause, name) and _holds(clause, value)]
        if not holding:
            return reject(unit, "not-in-document")
        if all(grammar_of(clause).negate.search(_without(clause, value)) for clause in holding):
            return reject(unit, "denied-in-document")
    return None


def _clauses(piece: Evidence) -> Iterator[str]:
    text = piece.says("text")
    yield from (fold(part) for part in _CLAUSE.split(text) if part.strip()) if isinstance(text, str) else ()


def _names(clause: str, name: str) -> bool:
    return all(find_words(clause, fold(word)) is not None for word in name.replace("_", " ").split())


def _holds(clause: str, value: Json) -> bool:
    """A value with a unit ("30 days") as words, a number as a number; True asks for the name alone."""
    return value is True or (not isinstance(value, Mapping) and holds(clause, value))


def _without(clause: str, value: Json) -> str:
    """The clause without the value: a denial inside of the value denies nothing."""
    return clause.replace(fold(str(value)), " ", 1) if isinstance(value, str) else clause


@gives("empty-claim")
def says_something(unit: ClaimUnit, evidence: Sequence[Evidence], context: RuleContext[ClaimUnit]) -> Ruling | None:
    """A claim without words, or about no term, claims nothing."""
    return None if unit.text.strip() and unit.attributes else reject(unit, "empty-claim")


contract: Policy[ClaimUnit] = Policy(
    name="answers.contract",
    rules=(says_something, cites_something, stands_in_the_document, values_cited),
    codes={
        "empty-claim": "name the term and its value in the attributes",
        "not-in-document": "cite the document that holds the term with this value",
        "denied-in-document": "the document says that there is no such term; leave it out",
    },
)
"""Terms of a document: `attributes` name each term with its value; evidence of type `document` has a `text`."""
