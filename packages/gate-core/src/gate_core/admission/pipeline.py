"""structure -> bind -> rules -> conflicts, always in this order, each once, linear in the units.

Whatever a policy does wrong rejects the units it concerns (spec 40: fail closed): a rule that raises, an answer that is
no ruling, a severity nobody knows, evidence from outside of the pool. What the policy's code is given it cannot change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Generic, TypeVar

from gate_core.admission.policy import (
    KEBAB,
    Detector,
    Policy,
    RuleContext,
    Ruled,
    Ruling,
    bind_cited,
    grade_of,
    no_errors,
    rule_name,
)
from gate_core.admission.result import AdmissionResult, Conflict, Judged, Status, Weight
from gate_core.admission.units import Kind, Pool, Proposal, U, cited, encoded_all, heads_of, text_field
from gate_core.model.codes import Code
from gate_core.model.evidence import Evidence

_KINDS = frozenset(kind.value for kind in Kind)
_LONGEST = 200  # characters of a structure error
_STATUS = itemgetter(2)
_APPROVED, _REJECTED = Status.APPROVED, Status.REJECTED
_judged, _context = partial(tuple.__new__, Judged), partial(tuple.__new__, RuleContext)
"""What `Judged(...)` does, without its defaults: most units come this way."""


def admit_units(
    proposal: Proposal[U], policy: Policy[U], evidence: Iterable[Evidence] = (), *, attempts: tuple[str, ...] = ()
) -> AdmissionResult[U]:
    """Judge every unit of a proposal (spec 40, "Typed units"); pure, and never raises for what a policy does.

    `evidence` may be a ready `Pool`. `attempts` are the audit ids of the attempts before this one.
    """
    pool = evidence if isinstance(evidence, Pool) else Pool(evidence)
    snapshot = encoded_all(proposal.units)
    context: RuleContext[U] = _context((proposal, pool))
    code, errors = _whole(proposal, policy)
    if code:
        judged = [_refused(unit, _ident(unit), code) for unit in proposal.units]
        conflicts: tuple[Conflict, ...] = ()
    else:
        judged = _Judge(policy, context).all()
        conflicts = ()
        if policy.conflicts is not None:
            judged, conflicts, broken = _conflicts(judged, policy.conflicts, context)
            errors = (*errors, *broken)
    some = _REJECTED in map(_STATUS, judged)
    return AdmissionResult.made(
        proposal_id=proposal.id,
        admitted=tuple([item for item in judged if item[2] is not _REJECTED] if some else judged),
        rejected=tuple([item for item in judged if item[2] is _REJECTED]) if some else (),
        conflicts=conflicts,
        earlier=attempts,
        errors=errors,
        code=code,
        policy=policy.name,
        snapshot=snapshot,
        order=proposal.units,
    )


def _whole(proposal: Proposal[U], policy: Policy[U]) -> tuple[str, tuple[str, ...]]:
    """(code, errors) of the proposal as a whole."""
    if not proposal.units:
        return Code.EMPTY_PROPOSAL.value, ("the proposal has no units",)
    if policy.structure is no_errors and proposal.kind in _KINDS:
        return "", ()
    errors = [] if proposal.kind in _KINDS else [f"kind: expected one of {', '.join(sorted(_KINDS))}"]
    try:
        errors += [str(error)[:_LONGEST] for error in policy.structure(proposal)]
    except Exception as error:  # noqa: BLE001 - a policy is the user's code; what it does wrong admits nothing
        return Code.POLICY_ERROR.value, (f"structure raised {type(error).__name__}",)
    return (Code.STRUCTURE_INVALID.value, tuple(errors)) if errors else ("", ())


def _ident(unit: object) -> str:
    return text_field(unit, "id")


def _refused(unit: U, ident: str, code: str, note: str = "", evidence: tuple[Evidence, ...] = ()) -> Judged[U]:
    return Judged(unit=unit, id=ident, status=Status.REJECTED, code=code, note=note, evidence=evidence)


class _Judge(Generic[U]):
    """Judges the units of one proposal, each by itself."""

    __slots__ = ("context", "policy")

    def __init__(self, policy: Policy[U], context: RuleContext[U]) -> None:
        self.policy = policy
        self.context = context

    def all(self) -> list[Judged[U]]:
        units = self.context.proposal.units
        idents, grades, cites = heads_of(units)
        if len(units) == 1 and idents[0]:
            return [self.one(units[0], idents[0], cites[0], grades[0])]
        if len({*idents}) == len(idents) and "" not in idents:
            return list(map(self.one, units, idents, cites, grades))
        often = Counter(idents)
        return [
            self.one(unit, ident, cited(unit), grade_of(unit))
            if ident and often[ident] == 1
            else _refused(unit, ident, Code.POLICY_ERROR, "the id is used twice" if ident else "the unit has no id")
            for unit, ident in zip(units, idents, strict=True)
        ]

    def one(self, unit: U, ident: str, cites: Sequence[str], grade: str) -> Judged[U]:
        policy, context = self.policy, self.context
        bound = context.pool.all_of(cites)
        if bound is None:
            return _refused(unit, ident, Code.MISSING_EVIDENCE, "it cites what is not in the pool")
        if policy.bind is not bind_cited:
            bound = self.bound(unit)
            if bound is None:
                return _refused(unit, ident, Code.POLICY_ERROR, "bind failed, or brought what is not in the pool")
        for rule in policy.rules:
            try:
                ruling = rule(unit, bound, context)
            except Exception as error:  # noqa: BLE001 - see `_whole`
                return _refused(unit, ident, Code.POLICY_ERROR, f"{rule_name(rule)} raised {type(error).__name__}")
            if ruling is not None:
                return _ruled(unit, ident, ruling, rule_name(rule), bound)
        return _judged((unit, ident, _APPROVED, "", "", grade, (), "", bound, ()))

    def bound(self, unit: U) -> tuple[Evidence, ...] | None:
        """What the policy's own binding brings; None when it raises or brings what is not in the pool."""
        pool = self.context.pool
        try:
            found = tuple(self.policy.bind(unit, pool))
            return found if all(pool.get(piece.id) is piece for piece in found) else None
        except Exception:  # noqa: BLE001 - see `_whole`
            return None


def _ruled(unit: U, ident: str, ruling: Ruling, rule: str, bound: tuple[Evidence, ...]) -> Judged[U]:
    wrong = _wrong(ruling, ident)
    if wrong:
        return _refused(unit, ident, Code.POLICY_ERROR, f"{rule}: {wrong}", bound)
    if ruling.decision == Ruled.REJECT:
        return _refused(unit, ident, ruling.code, ruling.note, bound)
    if ruling.decision == Ruled.APPROVE:
        return Judged(unit=unit, id=ident, status=Status.APPROVED, grade=grade_of(unit), evidence=bound)
    return Judged(
        unit=unit,
        id=ident,
        status=Status.DOWNGRADED,
        code=ruling.code,
        grade=ruling.grade,
        unsupported=ruling.unsupported,
        note=ruling.note,
        evidence=bound,
    )


def _wrong(ruling: object, ident: str) -> str:
    """What is wrong with a ruling, "" for nothing."""
    if not isinstance(ruling, Ruling):
        return f"a {type(ruling).__name__} is no ruling"
    if ruling.unit != ident:
        return "the ruling is about another unit"
    if ruling.decision == Ruled.APPROVE:
        return ""
    if ruling.decision not in (Ruled.REJECT, Ruled.DOWNGRADE):
        return "unknown decision"
    if not KEBAB.fullmatch(ruling.code):
        return "a code is written in kebab-case"
    return "a downgrade names the new grade" if ruling.decision == Ruled.DOWNGRADE and not ruling.grade else ""


def _conflicts(
    judged: list[Judged[U]], detector: Detector[U], context: RuleContext[U]
) -> tuple[list[Judged[U]], tuple[Conflict, ...], tuple[str, ...]]:
    """(units, conflicts that count, errors) after the conflicts of the admitted units."""
    standing = {item.id: item for item in judged if item.status is not Status.REJECTED}
    detect: Callable[..., Iterable[object]] = detector  # whatever it says it gives
    given, error = _tried(lambda: list(detect(tuple(standing.values()), context)))
    found = [item for item in given or () if isinstance(item, Conflict)]
    if given is None or len(found) != len(given):
        return [_broken(item) for item in judged], (), (error or "conflicts gave something that is no conflict",)
    known = {item.id for item in judged}
    bad = [c for c in found if c.severity not in tuple(Weight) or not known >= {*c.units}]
    hurt = {name for c in bad for name in c.units}
    counted = _counted([c for c in found if c not in bad], standing)
    weighed = [_weighed(item, counted) for item in judged] if counted else judged
    if bad:
        weighed = [_broken(item) if item.id in hurt else item for item in weighed]
        return weighed, tuple(counted.values()), ("a conflict of unknown severity, or about unknown units",)
    return weighed, tuple(counted.values()), ()


T = TypeVar("T")


def _tried(work: Callable[[], T]) -> tuple[T | None, str]:
    try:
        return work(), ""
    except Exception as error:  # noqa: BLE001 - see `_whole`
        return None, f"conflicts raised {type(error).__name__}"


def _broken(item: Judged[U]) -> Judged[U]:
    if item.status is Status.REJECTED:
        return item
    return item._replace(status=Status.REJECTED, own_code=item.code, code=Code.POLICY_ERROR.value)


class _Counted(dict[int, Conflict]):
    """The conflicts that count, and which of them each unit is in."""

    def __init__(self) -> None:
        super().__init__()
        self.of: dict[str, list[Conflict]] = {}


def _counted(found: Sequence[Conflict], standing: dict[str, Judged[U]]) -> _Counted:
    """The conflicts between units that stand. One whose other side was rejected is none."""
    counted = _Counted()
    for conflict in found:
        left = tuple(name for name in conflict.units if name in standing)
        if not left or (len(left) == 1 and len(conflict.units) > 1):
            continue
        kept = replace(conflict, units=left)
        counted[len(counted)] = kept
        for name in left:
            counted.of.setdefault(name, []).append(kept)
    return counted


def _weighed(item: Judged[U], counted: _Counted) -> Judged[U]:
    mine = counted.of.get(item.id)
    if not mine or item.status is Status.REJECTED:
        return item
    codes = tuple(dict.fromkeys(conflict.code for conflict in mine))
    note = item.note or next((conflict.note for conflict in mine if conflict.note), "")
    if any(conflict.severity == Weight.BLOCKING for conflict in mine):
        return item._replace(
            status=Status.REJECTED,
            own_code=item.code,
            code=Code.BLOCKING_CONFLICT.value,
            note=note,
            conflicts=codes,
        )
    status = Status.APPROVED_WITH_CONFLICT if item.status is Status.APPROVED else item.status
    return item._replace(status=status, note=note, conflicts=codes)
