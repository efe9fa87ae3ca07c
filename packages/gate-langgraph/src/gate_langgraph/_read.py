"""A verdict back from the JSON a thread keeps of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from gate_core import (
    Action,
    Claim,
    Code,
    Decision,
    Exit,
    Finding,
    Layer,
    Probe,
    ProbeKind,
    Severity,
    Verdict,
)


def read_verdict(data: object) -> Verdict | None:
    """The verdict that `Verdict.to_dict` wrote, None for anything else."""
    if not isinstance(data, Mapping):
        return None
    try:
        return _verdict(data)
    except (KeyError, TypeError, ValueError):
        return None


def _verdict(data: Mapping[str, object]) -> Verdict:
    return Verdict(
        decision=Decision(str(data["decision"])),
        action=Action(str(data["action"])),
        exit=Exit(str(data["exit"])) if data["exit"] else None,
        claim=Claim(str(data["claim"])),
        decided_by=int(str(data["decided_by"])),
        findings=tuple(_finding(item) for item in _rows(data["findings"])),
        provenance={str(key): str(value) for key, value in cast("Mapping[str, object]", data["provenance"]).items()},
        evidence_line=str(data["evidence_line"]),
        feedback=str(data["feedback"]),
        legal_next=tuple(str(item) for item in cast("Sequence[object]", data["legal_next"])),
        needs=tuple(_probe(row) for row in _rows(data["needs"])),
        confidence=float(str(data["confidence"])) if data["confidence"] is not None else None,
        unchecked=tuple(Layer(str(item)) for item in cast("Sequence[object]", data["unchecked"])),
        config=str(data["config"]),
    )


def _finding(row: Mapping[str, object]) -> Finding:
    return Finding(
        code=Code(str(row["code"])),
        severity=Severity(str(row["severity"])),
        subject=str(row["subject"]),
        where=str(row["where"]),
        says=str(row["says"]),
        fix=str(row["fix"]),
        evidence=tuple(str(item) for item in cast("Sequence[object]", row["evidence"])),
    )


def _probe(row: Mapping[str, object]) -> Probe:
    return Probe(
        kind=ProbeKind(str(row["kind"])),
        path=str(row["path"]),
        text=str(row["text"]),
        gone=str(row["gone"]),
        about=str(row["about"]),
    )


def _rows(value: object) -> list[Mapping[str, object]]:
    return list(cast("Sequence[Mapping[str, object]]", value))
