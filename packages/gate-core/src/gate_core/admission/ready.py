"""Rules that most policies need, ready to be put into one (spec 40, "Evasions")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gate_core.admission.policy import Rule, RuleContext, Ruling, downgrade, reject
from gate_core.admission.units import U, cited, field_of
from gate_core.model.codes import Code
from gate_core.model.evidence import Evidence
from gate_core.model.json import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNGRADED = frozenset({"", "none", "speculative", "guess"})


def cites_something(unit: U, evidence: Sequence[Evidence], context: RuleContext[U]) -> Ruling | None:
    """A unit of any grade but a guess names what it rests on; there is no grade "derived" from nothing."""
    grade = str(field_of(unit, "grade", "") or "")
    if grade.lower() in _UNGRADED - {""} or (cited(unit) and evidence):
        return None
    return reject(unit, Code.MISSING_EVIDENCE)


def attributes_supported(grade: str, *, of: str = "attributes") -> Rule[U]:
    """A rule: every attribute of a unit stands, with its value, in one piece of its evidence; else the unit is
    downgraded to `grade` and the attributes that go beyond are named. None supported at all is a rejection."""

    def supported(unit: U, evidence: Sequence[Evidence], context: RuleContext[U]) -> Ruling | None:
        given: object = field_of(unit, of, {})
        attributes: Mapping[str, object] = given if isinstance(given, dict) or hasattr(given, "items") else {}  # type: ignore[assignment]
        beyond = [name for name, value in attributes.items() if not _carried(name, value, evidence)]
        if not beyond:
            return None
        if len(beyond) == len(attributes):
            return reject(unit, Code.MISSING_EVIDENCE)
        return downgrade(unit, Code.OVER_SPECIFIC, grade, beyond)

    supported.codes = (Code.OVER_SPECIFIC.value, Code.MISSING_EVIDENCE.value)  # type: ignore[attr-defined]
    return supported


def _carried(name: str, value: object, evidence: Sequence[Evidence]) -> bool:
    wanted = canonical(value)
    return any(name in piece.attributes and canonical(piece.says(name)) == wanted for piece in evidence)


def uncontradicted(name: str, code: str) -> Rule[U]:
    """A rule: no piece of the whole pool about the same subject says otherwise of an attribute, cited or not.

    Pieces are about the same subject when they share the attribute "subject" with one that the unit cites.
    """

    def agreed(unit: U, evidence: Sequence[Evidence], context: RuleContext[U]) -> Ruling | None:
        subjects = [piece.says("subject") for piece in evidence if piece.says("subject") is not None]
        others = (other for subject in subjects for other in context.pool.having("subject", subject))
        said = {canonical(piece.says(name)) for piece in (*evidence, *others) if name in piece.attributes}
        return reject(unit, code) if len(said) > 1 else None

    agreed.codes = (code,)  # type: ignore[attr-defined]
    return agreed
