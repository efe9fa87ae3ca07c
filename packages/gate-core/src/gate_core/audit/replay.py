"""Deciding the records of a log again under another configuration, and what comes out differently (spec 40).

A boundary record with contents is decided from scratch; any other by weighing its findings again. Findings of a layer
that was off when the record was written are not in it, so a record is named where the new configuration has one on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gate_core.audit.verify import records_of
from gate_core.decide import boundary_check, decide
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt
from gate_core.model.codes import CODES, Code
from gate_core.model.config import GateConfig
from gate_core.model.errors import StateError
from gate_core.model.json import Json
from gate_core.model.kinds import Claim, Severity
from gate_core.model.reading import Reading
from gate_core.model.state import GateState
from gate_core.model.verdict import Finding, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """One record and what it would be now. `how` is "decided" (from its contents), "weighed" (from its findings) or
    "kept" (nothing in a configuration changes it)."""

    line: int
    audit_id: str
    kind: str
    before: str
    after: str
    codes: tuple[str, ...]
    how: str

    @property
    def differs(self) -> bool:
        """True when the verdict is another."""
        return self.before != self.after

    def to_dict(self) -> dict[str, Json]:
        """As JSON."""
        return {
            "line": self.line,
            "audit_id": self.audit_id,
            "kind": self.kind,
            "before": self.before,
            "after": self.after,
            "codes": list(self.codes),
            "how": self.how,
            "differs": self.differs,
        }


def replay(path: str | Path, config: GateConfig) -> Iterator[Replayed]:
    """Every decision of a log under this configuration, in order.

    Raises:
        AuditError: the file cannot be read.
    """
    for line, record in records_of(path):
        if "verdict" in record:
            yield _again(line, record, config)


def _again(line: int, record: Mapping[str, Any], config: GateConfig) -> Replayed:
    before, kind = str(record["verdict"]), str(record.get("kind", ""))
    verdict, how = _verdict(record, config, kind)
    return Replayed(
        line=line,
        audit_id=str(record.get("audit_id", "")),
        kind=kind,
        before=before,
        after=before if verdict is None else verdict.decision.value,
        codes=() if verdict is None else tuple(f.code.value for f in verdict.blocking),
        how=how,
    )


def _verdict(record: Mapping[str, Any], config: GateConfig, kind: str) -> tuple[Verdict | None, str]:
    """(the verdict now, how it came about); None for what a configuration does not decide."""
    if kind == "units":
        return None, "kept"
    state = record.get("metadata", {}).get("state")
    if kind == "boundary" and isinstance(state, dict):
        try:
            return boundary_check(GateState.from_json({**state, "tries": []}), _attempt(record), config), "decided"
        except StateError:
            pass
    found = [f for row in record.get("findings", ()) if (f := _finding(row)) is not None]
    claim = record.get("unit", {}).get("claim", Claim.NONE.value)
    reading = Reading(claim=Claim(claim) if claim in tuple(Claim) else Claim.COMPLETION)
    return decide(found, reading, Ledger(GateState(), config)), "weighed"


def _attempt(record: Mapping[str, Any]) -> Attempt:
    metadata = record["metadata"]
    text, units = str(record["unit"].get("text", "")), metadata.get("units", ())
    return Attempt(parts=(text,), output=metadata.get("output"), claim=metadata.get("claim"), units=tuple(units))


def _finding(row: Mapping[str, Any]) -> Finding | None:
    """A recorded finding at the weight its code has by itself; a code of a later version keeps the recorded one out."""
    try:
        code = Code(str(row["code"]))
    except ValueError:
        return None
    made = Finding(code=code, severity=CODES[code].severity, subject=str(row.get("subject", "")))
    recorded = Severity(str(row.get("severity", made.severity)))
    return replace(made, severity=max((made.severity, recorded), key=list(Severity).index))
