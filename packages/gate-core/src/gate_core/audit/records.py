"""What a record says of a decision: enough to decide it again, with contents hashed unless the host wants them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gate_core.admission.result import AdmissionResult
from gate_core.model.config import GateConfig
from gate_core.model.json import Json, JsonObject, canonical, digest
from gate_core.model.verdict import Finding, Verdict

U = TypeVar("U")


def record_of(
    kind: str,
    verdict: Verdict,
    *,
    audit_id: str,
    conversation_id: str,
    unit: JsonObject,
    raw: Sequence[Finding],
    retry_attempts: int = 0,
    metadata: JsonObject | None = None,
) -> dict[str, Json]:
    """The record of a verdict. `raw` are the findings before any dial made them lighter."""
    return {
        "audit_id": audit_id,
        "conversation_id": conversation_id,
        "attempt_of": "",
        "kind": kind,
        "unit": unit,
        "evidence": sorted({key for finding in raw for key in finding.evidence}),
        "config": verdict.config,
        "findings": [{"code": f.code.value, "severity": f.severity.value, "subject": f.subject} for f in raw],
        "verdict": verdict.decision.value,
        "counts": {"block": len(verdict.blocking), "findings": len(raw)},
        "retry_attempts": retry_attempts,
        "metadata": metadata or {},
    }


def record_of_units(
    result: AdmissionResult[U], *, conversation_id: str, config: str, evidence: int, metadata: JsonObject | None = None
) -> dict[str, Json]:
    """The record of an admission: one for all units of a proposal."""
    told = result.explain()
    return {
        "audit_id": result.audit_id,
        "conversation_id": conversation_id,
        "attempt_of": result.attempts[0] if len(result.attempts) > 1 else "",
        "kind": "units",
        "unit": {"proposal": result.proposal_id, "content": result.content, "policy": result.policy},
        "evidence": [],
        "config": config,
        "findings": [
            {"code": item.code, "severity": "block" if not item.admitted else "warn", "subject": item.id}
            for item in result.judged
            if item.code
        ],
        "verdict": "ACCEPT" if result.ok else "REJECT",
        "counts": {key: value for key, value in told.items() if isinstance(value, int)},
        "retry_attempts": len(result.attempts) - 1,
        "metadata": {"pool": evidence, "errors": list(result.errors), "code": result.code, **(metadata or {})},
    }


def content(value: Json, config: GateConfig) -> Json:
    """A content as it may stand in a record: its digest, or with `audit_content` itself, redacted."""
    if not config.audit_content:
        return digest(canonical(value))
    return _redacted(value, config.redact) if config.redact is not None else value


def _redacted(value: Json, redact: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redact(str(key)): _redacted(item, redact) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_redacted(item, redact) for item in value]
    return value
