"""A policy: what a kind of proposal is held to. Six decisions, two without a default.

A rule is a named function `(unit, evidence, context) -> Ruling | None`. Rules are asked in order and the first ruling
decides; None is no opinion, and a unit that no rule objects to is approved. A rule judges and never edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias

from gate_core.admission.units import Pool, Proposal, U, cited, field_of, plain, text_field
from gate_core.model.codes import CODES, Code
from gate_core.model.errors import GateUsageError
from gate_core.model.evidence import Evidence
from gate_core.model.json import canonical
from gate_core.model.late import late

if TYPE_CHECKING:
    from gate_core.admission.result import AdmissionResult, Conflict, Judged

KEBAB = late(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""How a code is spelt."""


class Ruled(StrEnum):
    """What a rule says of a unit."""

    APPROVE = "approve"
    DOWNGRADE = "downgrade"
    REJECT = "reject"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One decision about one unit. `unit` is its id; `unsupported` are the attributes no evidence carries."""

    unit: str
    decision: str
    code: str = ""
    grade: str = ""
    unsupported: tuple[str, ...] = ()
    note: str = ""


class RuleContext(NamedTuple, Generic[U]):
    """What a rule may look at besides its unit: the whole proposal, and the pool with what the unit did not cite."""

    proposal: Proposal[U]
    pool: Pool


Rule: TypeAlias = "Callable[[U, Sequence[Evidence], RuleContext[U]], Ruling | None]"
Detector: TypeAlias = "Callable[[Sequence[Judged[U]], RuleContext[U]], Iterable[Conflict]]"
Structure: TypeAlias = "Callable[[Proposal[U]], Iterable[str]]"
Binder: TypeAlias = "Callable[[U, Pool], Sequence[Evidence]]"
Renderer: TypeAlias = "Callable[[U], str]"
Feedback: TypeAlias = "Callable[[AdmissionResult[U], Policy[U]], str]"


def approve(unit: object) -> Ruling:
    """The unit stands; no later rule is asked."""
    return Ruling(unit=text_field(unit, "id"), decision=Ruled.APPROVE)


def reject(unit: object, code: str, note: str | None = None) -> Ruling:
    """The unit does not stand, for the reason of that code."""
    return Ruling(unit=text_field(unit, "id"), decision=Ruled.REJECT, code=str(code), note=note or "")


def downgrade(unit: object, code: str, grade: str, unsupported: Iterable[str] = ()) -> Ruling:
    """The unit stands at a lower grade; `unsupported` names the attributes that go beyond the evidence."""
    return Ruling(
        unit=text_field(unit, "id"),
        decision=Ruled.DOWNGRADE,
        code=str(code),
        grade=grade,
        unsupported=tuple(unsupported),
    )


def first_failing(*rules: Rule[U]) -> Rule[U]:
    """One rule out of several: the first that objects speaks for all. An approval ends none of the others."""

    def ruled(unit: U, evidence: Sequence[Evidence], context: RuleContext[U]) -> Ruling | None:
        for rule in rules:
            ruling = rule(unit, evidence, context)
            if ruling is not None and ruling.decision != Ruled.APPROVE:
                return ruling
        return None

    ruled.__name__ = "first_failing(" + ", ".join(rule_name(rule) for rule in rules) + ")"
    ruled.parts = rules  # type: ignore[attr-defined]  # what `lint` looks into
    return ruled


def rule_name(rule: Callable[..., object]) -> str:
    """The name a rule is told by."""
    return getattr(rule, "__name__", type(rule).__name__)


def no_errors(proposal: Proposal[U]) -> Iterable[str]:
    """The default structure: nothing beyond what the pipeline asks of every proposal."""
    return ()


def bind_cited(unit: U, pool: Pool) -> Sequence[Evidence]:
    """The default binding: what the unit cites."""
    found = (pool.get(ident) for ident in cited(unit))
    return tuple(piece for piece in found if piece is not None)


def unit_text(unit: U) -> str:
    """The default rendering: the unit's own text, else all it says."""
    return text_field(unit, "text") or canonical(plain(unit))


@dataclass(frozen=True, kw_only=True)
class Policy(Generic[U]):
    """What units are held to.

    Attributes:
        name: what audit records call it.
        rules: asked in order.
        conflicts: which admitted units cannot stand side by side.
        structure: what is wrong with the proposal as a whole; any error rejects every unit.
        bind: the evidence a unit is judged by; all of it out of the pool.
        render: the words of an admitted unit.
        feedback: what the proposer is told; without it, the codes with their hints.
        codes: the policy's own codes with what ends each of them, in words a model can act on.

    Raises:
        GateUsageError: no rule, or a code that is not in kebab-case or has the name of one of the core's.
    """

    rules: tuple[Rule[U], ...]
    conflicts: Detector[U] | None = None
    structure: Structure[U] = no_errors
    bind: Binder[U] = bind_cited
    render: Renderer[U] = unit_text
    feedback: Feedback[U] | None = None
    codes: Mapping[str, str] = field(default_factory=dict)
    name: str = "policy"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        if not self.rules:
            raise GateUsageError(f"policy {self.name!r} has no rule; a policy that asks nothing admits everything")
        for code in self.codes:
            if not KEBAB.fullmatch(code):
                raise GateUsageError(f"policy {self.name!r}: a code is written in kebab-case, got {code!r}")

    def __or__(self, other: Policy[U]) -> Policy[U]:
        """Both policies: the rules of the first, then those of the second; what only one of them sets counts."""
        return replace(
            self,
            name=f"{self.name}|{other.name}",
            rules=(*self.rules, *other.rules),
            conflicts=_both(self.conflicts, other.conflicts),
            structure=_joined(self.structure, other.structure),
            bind=other.bind if self.bind is bind_cited else self.bind,
            render=other.render if self.render is unit_text else self.render,
            feedback=self.feedback or other.feedback,
            codes={**other.codes, **self.codes},
        )

    def hint(self, code: str) -> str:
        """What ends a code: the policy's word, else the core's, else ""."""
        own = self.codes.get(code, "")
        if own:
            return own
        return CODES[Code(code)].fix if code in _CORE else ""

    def knows(self, code: str) -> bool:
        """True for a code of the policy or of the core."""
        return code in self.codes or code in _CORE


_CORE = frozenset(code.value for code in Code)


def _both(one: Detector[U] | None, two: Detector[U] | None) -> Detector[U] | None:
    if one is None or two is None:
        return one or two
    first, second = one, two
    return lambda units, context: (*first(units, context), *second(units, context))


def _joined(one: Structure[U], two: Structure[U]) -> Structure[U]:
    if one is no_errors:
        return two
    return one if two is no_errors else lambda proposal: (*one(proposal), *two(proposal))


def grade_of(unit: object) -> str:
    """The grade a unit gives itself."""
    given = field_of(unit, "grade", "")
    return given if type(given) is str else "" if given is None else str(given)
