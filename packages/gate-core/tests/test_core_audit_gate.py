"""What a gate writes to its log, and what happens when it cannot (spec 40, "Audit log")."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate_core import Attempt, AuditFailure, Gate, GateConfig, GateFactory, JsonObject, ToolCall
from gate_core.admission import ClaimUnit, Policy, Proposal, StateWrite, has_type, reject
from gate_core.audit import AuditError, FileWriter, records_of, verify
from gate_core.model.evidence import Evidence

ON: Any = {"actions": "block", "writes": "block"}
LOOK = ToolCall(tool="read_file", args={"path": "a.txt"})


class Kept:
    """A writer that keeps records, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.records: list[JsonObject] = []
        self.error = error

    def append(self, record: JsonObject) -> None:
        """Keep it."""
        if self.error is not None:
            raise self.error
        self.records.append(record)


def test_actions_are_logged_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In .gate/audit.jsonl of the working directory, from the first record on; answers are not."""
    monkeypatch.chdir(tmp_path)
    gate = Gate(GateConfig(layers=ON))
    gate.begin_turn("Look at a.txt.")
    gate.boundary_check(Attempt(parts=("Hello.",)))
    assert list(tmp_path.iterdir()) == []
    assert gate.admit(LOOK).audited
    assert gate.admit_write(StateWrite(subject="user-1", key="k", value="v")).audited
    log = tmp_path / ".gate" / "audit.jsonl"
    assert [record["kind"] for _, record in records_of(log)] == ["action", "write"]
    assert verify(log).whole


def test_off_is_explicit_and_the_verdict_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, `audited` false."""
    monkeypatch.chdir(tmp_path)
    gate = Gate(GateConfig(layers=ON, audit=False))
    gate.begin_turn("Look at a.txt.")
    verdict = gate.admit(LOOK)
    assert (verdict.audited, verdict.to_dict()["audited"], list(tmp_path.iterdir())) == (False, False, [])


def test_answers_are_logged_where_the_host_asks_for_it(tmp_path: Path) -> None:
    """By a path, or by a writer of its own; the verdict says so."""
    log = tmp_path / "log.jsonl"
    gate = Gate(GateConfig(audit=str(log)))
    gate.begin_turn("Hello.")
    assert gate.boundary_check(Attempt(parts=("Hello.",))).audited
    assert asyncio.run(gate.aboundary_check(Attempt(parts=("Hello.",)))).audited
    assert [record["kind"] for _, record in records_of(log)] == ["boundary", "boundary"]
    kept = Kept()
    own = Gate(GateConfig(), audit=kept)
    own.begin_turn("Hello.")
    own.boundary_check(Attempt(parts=("Done, I changed a.txt.",)))
    (record,) = kept.records
    assert record["verdict"] == "REJECT"
    assert record["conversation_id"] == own.state.said[0].digest
    assert json.dumps(record)


def test_a_record_that_cannot_be_written_is_an_error_before_the_verdict_is_used() -> None:
    """At every seat; nothing is spent and nothing counted."""
    gate = Gate(GateConfig(layers=ON), audit=Kept(AuditError("full", path="x")))
    gate.begin_turn("Look at a.txt.")
    with pytest.raises(AuditFailure, match=r"\(action\) was not recorded") as caught:
        gate.admit(LOOK)
    assert isinstance(caught.value.__cause__, AuditError)
    with pytest.raises(AuditFailure):
        gate.admit_write(StateWrite(subject="user-1", key="k", value="v"))
    with pytest.raises(AuditFailure):
        gate.boundary_check(Attempt(parts=("Hello.",)))
    with pytest.raises(AuditFailure):
        gate.admit_units(Proposal(id="p", units=(ClaimUnit(id="a", text="x"),)), POLICY)
    assert gate.verdicts == ()
    assert gate.state.grants.done == ()


def test_degraded_the_verdict_says_that_it_was_not_recorded(caplog: pytest.LogCaptureFixture) -> None:
    """And the log of the process says why."""
    gate = Gate(GateConfig(layers=ON, audit_on_error="degrade"), audit=Kept(OSError("disk")))
    gate.begin_turn("Look at a.txt.")
    with caplog.at_level(logging.ERROR, logger="gate_core"):
        verdict = gate.admit(LOOK)
    assert (verdict.accepted, verdict.audited) == (True, False)
    assert "audit record was not written" in caplog.text


@pytest.mark.parametrize("writer", ["argument", "path", "default", "config"])
def test_an_adapters_gates_share_one_writer(writer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a framework makes a gate: by `audit=`, by a path there or in the configuration."""
    monkeypatch.chdir(tmp_path)
    log = tmp_path / ".gate" / "audit.jsonl"
    given: Any = {
        "argument": {"audit": FileWriter(log)},
        "path": {"audit": log},
        "default": {"audit": True},
        "config": {"config": GateConfig(audit=".gate/audit.jsonl")},
    }[writer]
    factory = GateFactory(given)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        gate = factory.new(wired=True)
        gate.begin_turn("Hello.")
        assert gate.boundary_check(Attempt(parts=("Hello.",))).audited
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 1
    assert [record["kind"] for _, record in records_of(log)] == ["boundary"] * 5
    assert verify(log).whole


def test_an_adapter_that_audits_nothing_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`audit=False` wins over a path in the configuration."""
    monkeypatch.chdir(tmp_path)
    gate = GateFactory({"config": GateConfig(layers=ON, audit="log.jsonl"), "audit": False}).new(wired=True)
    gate.begin_turn("Look at a.txt.")
    assert gate.admit(LOOK).audited is False
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_recorded_is_not_used(tmp_path: Path) -> None:
    """Also where the record itself cannot be made: a `redact` that fails."""

    def broken(text: str) -> str:
        raise ValueError(text)

    config = GateConfig(audit_content=True, redact=broken)
    gate = Gate(config, audit=Kept())
    gate.begin_turn("Hello.")
    with pytest.raises(AuditFailure):
        gate.boundary_check(Attempt(parts=("Hello.",)))
    degraded = Gate(replace(config, audit_on_error="degrade"), audit=Kept())
    degraded.begin_turn("Hello.")
    assert degraded.boundary_check(Attempt(parts=("Hello.",))).audited is False


def test_the_gates_own_failure_is_recorded() -> None:
    """A `gate-error` is a decision like any other, at the boundary and before a tool."""
    kept = Kept()
    gate = Gate(GateConfig(layers=ON), audit=kept)
    gate.begin_turn("Hello.")
    gate.lose()
    assert gate.boundary_check(Attempt(parts=("Done, I changed a.txt.",))).codes == ("gate-error",)
    codes: Any = [record["findings"] for record in kept.records]
    assert [[row["code"] for row in rows] for rows in codes] == [["gate-error"]]


@pytest.mark.parametrize("emit", [True, "function"])
def test_progress_goes_to_the_channel_or_to_the_users_function(emit: object) -> None:
    """And nowhere unless it is asked for; a failing receiver ends nothing."""
    told: list[Any] = []
    heard: list[Any] = []
    given: Any = {"emit_progress": told.append if emit == "function" else emit}
    factory = GateFactory(given)
    gate = factory.new(wired=True)
    factory.emit(gate.progress, heard.append)
    assert (factory.emits, told + heard) == (True, [gate.progress()])
    assert bool(told) is (emit == "function")
    silent = GateFactory({})
    silent.emit(gate.progress, heard.append)
    assert (silent.emits, len(told + heard)) == (False, 1)


def test_a_receiver_of_progress_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The run goes on."""
    factory = GateFactory({"emit_progress": True})
    factory.emit(factory.new().progress, lambda progress: 1 / 0)
    assert "emit_progress failed" in caplog.text


def sourced(unit: ClaimUnit, evidence: Any, context: Any) -> Any:
    """A claim needs a call or a document that is in the pool."""
    return None if has_type(evidence, "tool_output", "document") else reject(unit, "no-source")


POLICY: Policy[ClaimUnit] = Policy(rules=(sourced,), codes={"no-source": "cite a call"}, name="sourced")


def test_units_are_judged_by_the_ledger_and_the_hosts_evidence() -> None:
    """Calls, requests and statements of this conversation are the pool; attempts are linked in the log."""
    kept = Kept()
    gate = Gate(GateConfig(layers=ON), audit=kept)
    gate.begin_turn("Order milk. I'm vegan.")
    gate.observe(ToolCall(tool="read_file", args={"path": "a.txt"}, result="x", call_id="c1"))
    gate.observe(ToolCall(tool="read_file", args={"path": "b.txt"}, result="y", call_id="c1"))
    gate.add_evidence(Evidence(id="doc", source_type="document", attributes={"x": 1}))
    units = tuple(
        ClaimUnit(id=name, text=name, cites=(name,))
        for name in ("call:c1", "doc", "request:0", "statement:0", "none", "once")
    )
    proposal = Proposal(id="p", units=units)
    result = gate.admit_units(proposal, POLICY, [Evidence(id="once", source_type="document")])
    assert [item.id for item in result.admitted] == ["call:c1", "doc", "once"]
    assert [(item.id, item.code) for item in result.rejected] == [
        ("request:0", "no-source"), ("statement:0", "no-source"), ("none", "missing-evidence")
    ]  # fmt: skip
    gate.admit_units(proposal, POLICY, attempts=result.attempts)
    first, second = kept.records
    assert (first["attempt_of"], second["attempt_of"]) == ("", result.audit_id)
    assert (first["retry_attempts"], second["retry_attempts"], first["verdict"]) == (0, 1, "REJECT")
    assert first["counts"]["rejected"] == 3  # type: ignore[index,call-overload]


def test_contents_are_stored_redacted_where_the_host_wants_them() -> None:
    """Keys and values pass through the hook."""
    kept = Kept()
    config = GateConfig(layers=ON, audit_content=True, redact=lambda text: text.replace("secret", "***"))
    gate = Gate(config, audit=kept)
    gate.begin_turn("Hello.")
    args: Any = {"path": "secret.txt", "secret": ["a secret", 5, {"x": "secret"}]}
    gate.admit(ToolCall(tool="read_file", args=args))
    assert kept.records[0]["unit"]["args"] == {  # type: ignore[index,call-overload]
        "path": "***.txt", "***": ["a ***", 5, {"x": "***"}]
    }  # fmt: skip
    plain = Kept()
    own = Gate(GateConfig(layers=ON, audit_content=True), audit=plain)
    own.begin_turn("Hello.")
    own.admit(LOOK)
    assert plain.records[0]["unit"]["args"] == {"path": "a.txt"}  # type: ignore[index,call-overload]


def test_the_same_decision_has_the_same_id() -> None:
    """In another process too; another decision has another one."""

    def ids() -> list[Any]:
        kept = Kept()
        gate = Gate(GateConfig(layers=ON), audit=kept)
        gate.begin_turn("Look at a.txt.")
        gate.admit(LOOK)
        gate.admit(ToolCall(tool="read_file", args={"path": "b.txt"}))
        return [record["audit_id"] for record in kept.records]

    assert ids() == ids()
    assert len(set(ids())) == 2
