"""What came of a proposal: every unit with its status, and the whole in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Generic, NamedTuple, Self

from gate_core.admission.units import U
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json, digest


class Weight(StrEnum):
    """What a conflict does."""

    BLOCKING = "blocking"
    INFORMATIONAL = "informational"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Units (by id) that contradict each other, and under which code of the policy."""

    units: tuple[str, ...]
    code: str
    severity: str = Weight.BLOCKING
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(dict.fromkeys(self.units)))


class Status(StrEnum):
    """What became of a unit."""

    APPROVED = "approved"
    DOWNGRADED = "downgraded"
    APPROVED_WITH_CONFLICT = "approved_with_conflict"
    REJECTED = "rejected"


class Judged(NamedTuple, Generic[U]):
    """A unit and what became of it.

    Attributes:
        code: the reason, "" for an approval.
        own_code: the reason it had before a blocking conflict took it down.
        grade: the grade it stands at.
        unsupported: the attributes no evidence carries.
        evidence: what it was judged by.
        conflicts: the codes of the conflicts it is in.
    """

    unit: U
    id: str
    status: Status
    code: str = ""
    own_code: str = ""
    grade: str = ""
    unsupported: tuple[str, ...] = ()
    note: str = ""
    evidence: tuple[Evidence, ...] = ()
    conflicts: tuple[str, ...] = ()

    @property
    def admitted(self) -> bool:
        """True unless it was rejected."""
        return self.status is not Status.REJECTED

    def to_dict(self) -> dict[str, Json]:
        """Everything but the unit's own contents."""
        return {
            "id": self.id,
            "status": self.status.value,
            "code": self.code,
            "own_code": self.own_code,
            "grade": self.grade,
            "unsupported": list(self.unsupported),
            "evidence": [piece.id for piece in self.evidence],
            "conflicts": list(self.conflicts),
        }


@dataclass(frozen=True, kw_only=True)
class AdmissionResult(Generic[U]):
    """What came of a proposal.

    Attributes:
        errors: what is wrong with the proposal as a whole.
        code: why nothing was judged ("structure-invalid", "empty-proposal"), else "".
        earlier: the audit ids of the attempts before this one.
        snapshot: everything the units said when they were judged; `order` are the units as they were proposed.
    """

    proposal_id: str
    admitted: tuple[Judged[U], ...]
    rejected: tuple[Judged[U], ...]
    conflicts: tuple[Conflict, ...] = ()
    earlier: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    code: str = ""
    policy: str = ""
    snapshot: str = field(default="", repr=False)
    order: tuple[U, ...] = field(default=(), repr=False)

    @classmethod
    def made(cls, **given: object) -> Self:
        """A result of all its fields, at a third of what the generated constructor of a frozen class takes."""
        result = cls.__new__(cls)
        object.__setattr__(result, "__dict__", given)
        return result

    @cached_property
    def content(self) -> str:
        """The digest of the units as they were judged."""
        return digest(self.snapshot)

    @cached_property
    def audit_id(self) -> str:
        """The same for the same proposal, policy and outcome, in every process."""
        outcome = "\n".join([f"{item.id} {item.status.value} {item.code}" for item in self.judged if item.code])
        return digest("units", self.proposal_id, self.content, self.policy, self.code, outcome)

    @property
    def attempts(self) -> tuple[str, ...]:
        """The audit ids of all attempts so far, this one last."""
        return (*self.earlier, self.audit_id)

    @property
    def ok(self) -> bool:
        """True when there was something to judge and nothing of it was rejected."""
        return bool(self.admitted) and not self.rejected and not self.code

    @property
    def judged(self) -> tuple[Judged[U], ...]:
        """All units, the admitted ones first."""
        return (*self.admitted, *self.rejected)

    def of(self, ident: str) -> Judged[U] | None:
        """The unit of an id."""
        return next((item for item in self.judged if item.id == ident), None)

    def explain(self) -> dict[str, Json]:
        """Counts by status, codes by number, and what was wrong with the whole."""
        statuses = Counter(item.status.value for item in self.judged)
        codes = Counter(code for item in self.judged for code in (item.code, item.own_code) if code)
        if self.code and not self.judged:
            codes[self.code] += 1
        return {
            "proposal": self.proposal_id,
            "units": len(self.judged),
            **{status.value: statuses[status.value] for status in Status},
            "conflicts": len(self.conflicts),
            "codes": dict(sorted(codes.items())),
            "errors": list(self.errors),
        }
