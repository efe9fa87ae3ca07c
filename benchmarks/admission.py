"""Admitting typed units, and what a record in the audit log costs, beside the library whose shape admission keeps.

Both sides hold every unit to the same: a cited source, else a rejection. Their log is off for the units and on for the
records, where it writes without a lock and without a chain.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from benchmarks.measure import MS, beside, seconds
from benchmarks.peers import JINGU, named, peer
from benchmarks.table import Row, Target
from gate_core.admission import ClaimUnit, Policy, Pool, Proposal, RuleContext, Ruling, admit_units, reject
from gate_core.audit import FileWriter
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json

_US = 1_000_000.0
_RECORDS = 500
RECORD: dict[str, Json] = {
    "audit_id": "0123456789abcdef", "conversation_id": "0123456789abcdef", "attempt_of": "", "kind": "action",
    "unit": {"tool": "delete_file", "key": "0123456789abcdef", "args": "0123456789abcdef", "actions": [["delete"]]},
    "evidence": ["0123456789abcdef"], "config": "0123456789abcdef",
    "findings": [{"code": "x-y", "severity": "block", "subject": "/srv/report.pdf"}],
    "verdict": "REJECT", "counts": {"block": 1, "findings": 1}, "retry_attempts": 0, "metadata": {},
}  # fmt: skip


def units(*, quick: bool) -> Iterator[Row]:
    """1, 100 and 10,000 units with a small pool, 10,000 with a large one, and the two beside each other."""
    many = 100 if quick else 10_000
    theirs = peer(JINGU)
    for number, size in ((1, 10), (100, 10), (many, 10), (many, 1_000)):
        works = {"ours": _ours(number, size)}
        if theirs is not None:
            works["theirs"] = _theirs(theirs, number, size)
        if size > 10:
            works["small"] = _ours(number, 10)
        rounds = 1 if quick else 200 if number <= 100 else 7
        taken = {name: sample.scaled(MS) for name, sample in beside(works, rounds=rounds).items()}
        yield Row(
            name=f"admit {number:,} units, pool {size:,}",
            unit="ms",
            ours=taken["ours"],
            reference=taken.get("theirs"),
            beside=named(JINGU),
            target=Target(most=60) if size > 10 else Target(ratio=0.5),
        )
        if size > 10:
            yield Row(
                name=f"admit {number:,} units, pool {size:,} beside 10",
                unit="ms",
                ours=taken["ours"],
                reference=taken["small"],
                beside="ours at 10",
                target=Target(ratio=1.1),
            )


def records(*, quick: bool) -> Iterator[Row]:
    """One append: locked and chained, the same forced to the disk, and theirs."""
    number = 5 if quick else _RECORDS
    with TemporaryDirectory() as folder:
        plain, forced = FileWriter(Path(folder, "a.jsonl")), FileWriter(Path(folder, "b.jsonl"), fsync=True)
        works: dict[str, Callable[[], float]] = {
            "ours": lambda: _appended(plain, number),
            "forced": lambda: _appended(forced, number // 5),
        }
        theirs = peer(JINGU)
        if theirs is not None:
            works["theirs"] = _their_records(theirs, folder, number)
        taken = {name: sample.scaled(_US) for name, sample in beside(works, rounds=1 if quick else 7).items()}
    yield Row(
        name="audit append, locked and chained",
        unit="µs",
        ours=taken["ours"],
        reference=taken.get("theirs"),
        beside=named(JINGU),
        target=Target(most=150),
    )
    yield Row(name="audit append, forced to the disk", unit="µs", ours=taken["forced"])


def _appended(writer: FileWriter, number: int) -> float:
    def work() -> None:
        for _ in range(number):
            writer.append(RECORD)

    return seconds(work) / number


def _sourced(unit: ClaimUnit, evidence: Sequence[Evidence], context: RuleContext[ClaimUnit]) -> Ruling | None:
    return None if evidence else reject(unit, "no-source")


def _ours(number: int, size: int) -> Callable[[], float]:
    policy = Policy(rules=(_sourced,), codes={"no-source": "cite a source"})
    pool = [Evidence(id=f"e{n}", source_type="document", source_id=f"d{n}") for n in range(size)]
    claims = tuple(
        ClaimUnit(id=f"u{n}", text=f"claim {n}", grade="proven", cites=(f"e{n % size}",)) for n in range(number)
    )
    proposal = Proposal(id="p", units=claims)
    times = _times(number)
    return lambda: _quiet(lambda: [admit_units(proposal, policy, Pool(pool)) for _ in times]) / len(times)


@dataclass(frozen=True)
class _Claim:
    """A unit as the peer takes it."""

    id: str
    text: str
    grade: str
    evidence_refs: list[str] = field(default_factory=list)


class _TheirPolicy:
    """The same rule in the peer's six methods."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def validate_structure(self, proposal: Any) -> Any:
        """No demands."""
        return self._module.StructureValidationResult(valid=True)

    def bind_support(self, unit: Any, pool: Any) -> Any:
        """What it cites."""
        found = [piece for piece in pool if piece.source_id in unit.evidence_refs]
        return self._module.UnitWithSupport(unit=unit, support_ids=[piece.id for piece in found], support_refs=found)

    def evaluate_unit(self, bound: Any, context: Any) -> Any:
        """A source, else a rejection."""
        decision = "approve" if bound.support_refs else "reject"
        return self._module.UnitEvaluationResult(unit_id=bound.unit.id, decision=decision, reason_code="OK")

    def detect_conflicts(self, units: Any, pool: Any) -> Any:
        """None."""
        return []


class _Silent:
    """A log of theirs that keeps nothing."""

    async def append(self, entry: Any) -> None:
        """Nothing."""


def _theirs(module: ModuleType, number: int, size: int) -> Callable[[], float]:
    gate = module.create_trust_gate(policy=_TheirPolicy(module), audit_writer=_Silent())
    pool = [module.SupportRef(id=f"e{n}", source_type="document", source_id=f"d{n}") for n in range(size)]
    claims = [_Claim(f"u{n}", f"claim {n}", "proven", [f"d{n % size}"]) for n in range(number)]
    proposal = module.Proposal(id="p", kind="response", units=claims)
    times = _times(number)

    async def all_of() -> None:
        for _ in times:
            await gate.admit(proposal, pool)

    return lambda: _driven(all_of()) / len(times)


def _quiet(work: Callable[[], object]) -> float:
    """How long it takes without the collector, which would charge one side with the other's garbage (as `timeit`)."""
    gc.disable()
    try:
        return seconds(work)
    finally:
        gc.enable()


def _times(number: int) -> range:
    """Few units take less than a clock shows well: they are admitted several times in a row, theirs as ours."""
    return range(max(1, 50 // number))


def _their_records(module: ModuleType, folder: str, number: int) -> Callable[[], float]:
    writer = module.FileAuditWriter(str(Path(folder, "log", "c.jsonl")))
    entry = module.AuditEntry(
        audit_id="0123456789abcdef",
        timestamp="2026-01-01T00:00:00+00:00",
        proposal_id="p",
        proposal_kind="response",
        total_units=1,
        approved_count=0,
        downgraded_count=0,
        rejected_count=1,
        conflict_count=0,
        unit_support_map={"u0": ["e0"]},
        gate_results=[],
    )

    async def all_of() -> None:
        for _ in range(number):
            await writer.append(entry)

    return lambda: _driven(all_of()) / number


def _driven(work: Coroutine[Any, Any, Any]) -> float:
    """Their calls wait for nothing, so one step ends them and no loop is measured."""

    def run() -> None:
        try:
            work.send(None)
        except StopIteration:
            return
        asyncio.run(work)  # should a version of theirs ever wait

    return _quiet(run)
