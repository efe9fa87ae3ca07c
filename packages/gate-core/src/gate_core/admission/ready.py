"""Rules that most policies need, ready to be put into one (spec 40, "Evasions")."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from gate_core.admission.policy import Rule, RuleContext, Ruling, downgrade, reject
from gate_core.admission.units import U, cited, field_of
from gate_core.model.codes import Code
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json, canonical

_MOST_OBJECTS = 2_000
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
    """True when a piece has the attribute with this value, itself or in an object of the result it holds."""
    wanted = canonical(value)
    return any(
        name in holder and canonical(holder[name]) == wanted
        for piece in evidence
        for holder in (piece.attributes, *_objects(piece.says("result")))
    )


def _objects(result: Json) -> Iterator[Mapping[str, Json]]:
    """The objects of a result, those in its lists and in a JSON text too."""
    stack: list[Json] = [_read(result)]
    for _ in range(_MOST_OBJECTS):
        if not stack:
            return
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, list | tuple):
            stack.extend(item)


def _read(result: Json) -> Json:
    if isinstance(result, str) and result.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            read: Json = json.loads(result)
            return read
    return result


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
