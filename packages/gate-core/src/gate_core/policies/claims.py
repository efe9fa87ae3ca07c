"""The claims of an answer, each with what it cites, held to the evidence (spec 40, "Typed units").

A claim may cite a call by its id, its tool or what it touched, a statement of the user, or what the host added. Every
value its text names has to stand in what it cites, however its attributes look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gate_core.admission.lint import gives
from gate_core.admission.observed import names_of, pool_of
from gate_core.admission.pipeline import admit_units
from gate_core.admission.policy import Policy, RuleContext, Ruling, reject
from gate_core.admission.ready import attributes_supported, cites_something
from gate_core.admission.result import Judged, Status
from gate_core.admission.units import ClaimUnit, Pool, Proposal
from gate_core.checks.finding import finding
from gate_core.checks.values import check_answer
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json, JsonObject
from gate_core.model.verdict import Finding

_LISTS = ("claims", "units")
_LONGEST = 64  # characters of an id in a finding
_UNFOUND = frozenset({Code.VALUE_UNSUPPORTED, Code.VALUE_MISPAIRED, Code.VALUE_UNIT, Code.VALUE_SIGN})


@gives(Code.MISSING_EVIDENCE.value)
def values_cited(unit: ClaimUnit, evidence: Sequence[Evidence], context: RuleContext[ClaimUnit]) -> Ruling | None:
    """Every value of the text stands in what the claim cites, or follows from it (spec 30)."""
    if not any(char.isdigit() for char in unit.text) or not evidence:
        return None
    report = check_answer(unit.text, [told_by(piece) for piece in evidence])
    wrong = [value for value in report.values if value.code in _UNFOUND]
    return reject(unit, Code.MISSING_EVIDENCE, "a value of the text is not in what it cites") if wrong else None


def told_by(piece: Evidence) -> Json:
    """What a piece of evidence says: its result, its text, else all of its attributes."""
    for name in ("result", "text"):
        if piece.says(name) is not None:
            return piece.says(name)
    return dict(piece.attributes)


sourced: Policy[ClaimUnit] = Policy(
    name="answers.sourced", rules=(cites_something, values_cited, attributes_supported("reported"))
)
"""Claims that rest on what they cite: a source each, all values in it, attributes beyond it named."""


def units_in(output: Json) -> tuple[JsonObject, ...]:
    """The claims of a typed answer: a list `claims` or `units` whose items all have an `id` and `cites`; else ()."""
    for name in _LISTS:
        listed = output.get(name) if isinstance(output, Mapping) else None
        if isinstance(listed, list | tuple) and listed:
            found = [item for item in listed if isinstance(item, Mapping) and "id" in item and "cites" in item]
            if len(found) == len(listed):
                return tuple(found)
    return ()


def check_units(units: Sequence[JsonObject], ledger: Ledger) -> Iterator[Finding]:
    """The findings on the claims of an answer: one per unit that is rejected or goes beyond what it cites."""
    pool = Pool(pool_of(ledger))
    known = names_of(pool)
    claims = tuple(_claim(unit, known) for unit in units)
    for item in admit_units(Proposal(id="answer", units=claims), sourced, pool).judged:
        if item.status is not Status.APPROVED:
            yield _finding(item)


def _finding(item: Judged[ClaimUnit]) -> Finding:
    told = item.id[:_LONGEST]
    return finding(Code(item.code), f"unit:{told}", where=f"unit {told}", evidence=())


def _claim(unit: object, known: Mapping[str, str]) -> ClaimUnit:
    """A unit as it came, with its citations as ids of the pool; what has another shape has no id and is refused."""
    given = unit if isinstance(unit, Mapping) else {}
    cites, attributes = given.get("cites"), given.get("attributes")
    listed = cites if isinstance(cites, list | tuple) else () if cites is None else (cites,)
    return ClaimUnit(
        id=_text(given.get("id")),
        text=_text(given.get("text")),
        grade=_text(given.get("grade")),
        cites=tuple(known.get(str(name), str(name)) for name in listed),
        attributes=attributes if isinstance(attributes, Mapping) else {},
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
