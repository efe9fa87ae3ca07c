"""What comes out: findings, requests for free looks, one verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gate_core.model.codes import CODES, Code
from gate_core.model.errors import StateError
from gate_core.model.json import Json
from gate_core.model.kinds import (
    LEGAL_NEXT,
    Action,
    Claim,
    Decision,
    Exit,
    Layer,
    ProbeKind,
    Severity,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One reason. `subject` is what it is about, as recorded; `says` and `fix` are safe to show to a model.

    `where` points into the answer or the ledger; `evidence` holds the keys of the facts it rests on.
    """

    code: Code
    severity: Severity
    subject: str = ""
    where: str = ""
    says: str = ""
    fix: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def layer(self) -> Layer:
        """The check this code belongs to."""
        return CODES[self.code].layer

    def to_dict(self) -> dict[str, Json]:
        """The finding as JSON."""
        return {
            "code": self.code.value,
            "severity": self.severity.value,
            "layer": self.layer.value,
            "subject": self.subject,
            "where": self.where,
            "says": self.says,
            "fix": self.fix,
            "evidence": list(self.evidence),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Json]) -> Finding:
        """The finding that `to_dict` wrote."""
        return cls(
            code=Code(str(data["code"])),
            severity=Severity(str(data["severity"])),
            subject=str(data["subject"]),
            where=str(data["where"]),
            says=str(data["says"]),
            fix=str(data["fix"]),
            evidence=_strings(data["evidence"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A free look the core asks for (spec 05, "Probes"). `text` is what a FILE_CONTAINS must find and
    `gone` what must no longer be there ("" for nothing); `about` is the key of the change it would settle."""

    kind: ProbeKind
    path: str
    text: str = ""
    gone: str = ""
    about: str = ""

    def to_dict(self) -> dict[str, Json]:
        """The probe as JSON, without the texts it looks for: they are contents, and stay in memory."""
        return {"kind": self.kind.value, "path": self.path, "about": self.about}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """What the edge saw. `held` is None when it could not look (outside the roots, too big, no permission)."""

    probe: Probe
    held: bool | None


_APPROVED = (Code.CONFIRMATION_REQUIRED, Code.AUTHORIZATION_MISSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The one answer of the gate about one attempt.

    `decided_by` is the step (1-6) of claim typing that decided, or 0 when nothing was read. `exit` is None while the
    agent revises. `feedback` is the text for the model, "" unless it is sent back; `evidence_line` is for the user.
    `unchecked` names layers that were switched on and that this version has no check for. `config` is the digest of
    the configuration the verdict was made under. `audited` says that it stands in an audit log (spec 40).
    """

    decision: Decision
    action: Action
    exit: Exit | None
    claim: Claim
    decided_by: int = 0
    findings: tuple[Finding, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)
    evidence_line: str = ""
    feedback: str = ""
    legal_next: tuple[str, ...] = LEGAL_NEXT
    needs: tuple[Probe, ...] = ()
    confidence: float | None = None
    unchecked: tuple[Layer, ...] = ()
    config: str = ""
    audited: bool = False

    @property
    def accepted(self) -> bool:
        """True when the evidence supports the answer, or the answer says it could not confirm."""
        return self.decision is Decision.ACCEPT

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """The findings that weigh as a block."""
        return tuple(f for f in self.findings if f.severity is Severity.BLOCK)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all findings, each once, in order."""
        return tuple(dict.fromkeys(f.code.value for f in self.findings))

    @property
    def approvable(self) -> bool:
        """True when only the user's word is missing: approving exactly this call settles what blocks it, and is the
        authorization too (spec 40, "Confirmation")."""
        return bool(self.blocking) and all(f.code in _APPROVED for f in self.blocking)

    @property
    def unverified(self) -> bool:
        """True when the answer goes out without support: it says so itself, or it was released."""
        return self.exit is Exit.UNVERIFIED

    @property
    def marked(self) -> bool:
        """True when the host shows the unverified mark: released, or unverified by the answer's own words. Under
        `assist` nothing is shown."""
        return self.unverified and (self.action is Action.RELEASE or self.claim is Claim.UNVERIFIED)

    def to_dict(self) -> dict[str, Json]:
        """The verdict as JSON, stable from now on."""
        return {
            "decision": self.decision.value,
            "action": self.action.value,
            "exit": self.exit.value if self.exit else None,
            "marked": self.marked,
            "claim": self.claim.value,
            "decided_by": self.decided_by,
            "findings": [f.to_dict() for f in self.findings],
            "provenance": dict(self.provenance),
            "evidence_line": self.evidence_line,
            "feedback": self.feedback,
            "legal_next": list(self.legal_next),
            "needs": [p.to_dict() for p in self.needs],
            "confidence": self.confidence,
            "unchecked": [layer.value for layer in self.unchecked],
            "config": self.config,
            "audited": self.audited,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Json]) -> Verdict:
        """The verdict that `to_dict` wrote; what probes look for is not part of it.

        Raises:
            StateError: the data is not a verdict.
        """
        try:
            return cls(
                decision=Decision(str(data["decision"])),
                action=Action(str(data["action"])),
                exit=Exit(str(data["exit"])) if data["exit"] else None,
                claim=Claim(str(data["claim"])),
                decided_by=int(str(data["decided_by"])),
                findings=tuple(Finding.from_dict(row) for row in _rows(data["findings"])),
                provenance={name: str(source) for name, source in _row(data["provenance"]).items()},
                evidence_line=str(data["evidence_line"]),
                feedback=str(data["feedback"]),
                legal_next=_strings(data["legal_next"]),
                needs=tuple(_probe(row) for row in _rows(data["needs"])),
                confidence=None if data["confidence"] is None else float(str(data["confidence"])),
                unchecked=tuple(Layer(name) for name in _strings(data["unchecked"])),
                config=str(data["config"]),
                audited=bool(data.get("audited")),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise StateError(f"not a verdict: {error}") from None


class AnswerWithheld(Exception):  # noqa: N818 - the spec's name: it states what happened, not a malfunction
    """Posture `rails`: the answer was not supported and is not handed out. `verdict` says why."""

    def __init__(self, verdict: Verdict) -> None:
        codes = ", ".join(dict.fromkeys(f.code for f in verdict.blocking)) or "no support"
        super().__init__(f"the answer was withheld: {codes}")
        self.verdict = verdict


def _probe(data: Mapping[str, Json]) -> Probe:
    return Probe(kind=ProbeKind(str(data["kind"])), path=str(data["path"]), about=str(data["about"]))


def _row(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, got {value!r:.40}")
    return value


def _rows(value: Json) -> list[Mapping[str, Json]]:
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
        raise TypeError(f"expected a list, got {value!r:.40}")
    return [_row(item) for item in value]


def _strings(value: Json) -> tuple[str, ...]:
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
        raise TypeError(f"expected a list, got {value!r:.40}")
    return tuple(str(item) for item in value)
