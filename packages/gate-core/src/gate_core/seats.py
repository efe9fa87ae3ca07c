"""The seats of a gate besides the boundary: before a tool runs, before a state write, for typed units (spec 40).

`Gate` hands in its state; what is decided here is written to the audit log before anybody relies on it. Everything but
that one write is a function of state, configuration and what is asked.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gate_core.admission.action import STORE, family_for, key_of, proposed
from gate_core.admission.intent import intents_of, offers_of
from gate_core.admission.memory import writes_of
from gate_core.admission.observed import pool_of
from gate_core.admission.pipeline import admit_units
from gate_core.admission.policy import Policy
from gate_core.admission.result import AdmissionResult
from gate_core.admission.stated import statements_of
from gate_core.admission.told import told_to_run
from gate_core.admission.units import Pool, Proposal, StateWrite
from gate_core.admission.wording import is_known
from gate_core.checks.actions import Supported, check_actions
from gate_core.checks.finding import finding
from gate_core.checks.writes import check_writes
from gate_core.decide import decide
from gate_core.feedback import PREFIX
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt, ToolCall
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.errors import AuditFailure
from gate_core.model.evidence import Evidence
from gate_core.model.grants import Done, Grants, Intent
from gate_core.model.json import Json, canonical, digest
from gate_core.model.kinds import Action as Move
from gate_core.model.kinds import Claim, Layer, Strength
from gate_core.model.reading import Reading
from gate_core.model.state import GateState
from gate_core.model.verdict import Finding, Verdict

if TYPE_CHECKING:
    from gate_core.audit import AuditWriter

_LOG = logging.getLogger("gate_core")
_MOST = 8  # reasons in one message
U = TypeVar("U")


class Seats:
    """The seats of one conversation. `writer` takes the records, in place of the file that the configuration names."""

    def __init__(self, config: GateConfig, writer: AuditWriter | None = None) -> None:
        self.config = config
        self._given_writer = writer

    @property
    def listens(self) -> bool:
        """True when a layer is on that needs to know what was said."""
        return any(self.config.layers[layer] is not Strength.OFF for layer in (Layer.ACTIONS, Layer.WRITES))

    def heard(self, state: GateState, text: str) -> None:
        """A message of the top-level user arrived: keep what it asks for and what it states."""
        if not self.listens:
            return
        try:
            intents = intents_of(text, state.grants.intents, families=self._families(), turn=state.turn)
            commands = told_to_run(text, self.config, turn=state.turn)
            state.grants = state.grants.heard((*intents, *commands), statements_of(text, turn=state.turn))
        except Exception:  # noqa: BLE001 - the run goes on; what could not be read asks for nothing
            _LOG.exception("a message was not read")

    def answered(self, ledger: Ledger, attempt: Attempt, verdict: Verdict) -> Verdict:
        """An answer was judged: record that where the host asked for it, and keep what an answer that goes out asks
        leave for."""
        state = ledger.state
        if self.listens and verdict.exit is not None:
            state.grants = state.grants.heard(self._offers(attempt, state.turn))
        asked_for = self._given_writer is not None or self.config.audit not in (None, False)
        return self._boundary(ledger, attempt, verdict) if asked_for else verdict

    def _offers(self, attempt: Attempt, turn: int) -> tuple[Intent, ...]:
        try:
            return offers_of(attempt.text, families=self._families(), turn=turn)
        except Exception:  # noqa: BLE001 - an answer that could not be read offers nothing
            _LOG.exception("an answer was not read")
            return ()

    def confirmed(self, state: GateState, call: ToolCall, expires_at: float | None) -> None:
        """The user approved exactly this call."""
        state.grants = state.grants.confirmed(key_of(call.tool, call.args), state.turn, expires_at)

    def given(self, state: GateState, evidence: Iterable[Evidence]) -> None:
        """The host adds evidence; an id that is taken keeps its first content."""
        state.grants = state.grants.merge(Grants(evidence=tuple(evidence)))

    def _families(self) -> tuple[str, ...]:
        """The families of the host's profiles that have no wording of their own."""
        found = {family_for(profile) for profile in self.config.profiles.values()} - {""}
        return tuple(sorted(family for family in found if not is_known(family)))

    def admit(
        self, ledger: Ledger, call: ToolCall, *, now: float | None = None, supported: Supported | None = None
    ) -> Verdict:
        """May this action run? An admitted one uses up its confirmation."""
        state = ledger.state
        writes = writes_of(call, self.config) if self._on(Layer.WRITES) else ()
        raw = _safely(lambda: self._findings(call, writes, ledger, now, supported))
        verdict = _verdict(raw, ledger, f"{PREFIX} This call was not run:")
        if not self._on(Layer.ACTIONS) and not writes:
            return verdict

        def unit() -> dict[str, Json]:
            asks = proposed(call, self.config)
            actions: list[Json] = [[a.family, a.risk, a.reversible] for a in asks.actions]
            return {"tool": call.tool, "key": asks.key, "args": self._content(dict(call.args)), "actions": actions}

        verdict = self._audited("action", verdict, raw, ledger, unit)
        if verdict.accepted:
            asks, turn = proposed(call, self.config), state.turn
            done = [Done(turn=turn, key=asks.key, family=a.family, objects=a.objects) for a in asks.actions if a.family]
            needed = any(a.final or a.authorization for a in asks.actions)
            grants = state.grants.spent(asks.key, turn, now) if needed else state.grants
            state.grants = grants.acted(done)
        return verdict

    def _findings(
        self,
        call: ToolCall,
        writes: tuple[StateWrite, ...],
        ledger: Ledger,
        now: float | None,
        supported: Supported | None,
    ) -> tuple[Finding, ...]:
        """About the action, and about what it would remember. Where writes are judged, remembering needs no request of
        its own: what was stated may be kept."""
        grants, found = ledger.state.grants, list[Finding]()
        if self._on(Layer.ACTIONS):
            found += check_actions(call, ledger, grants, self.config, now=now, supported=supported)
        if writes:
            stores = all(action.family == STORE for action in proposed(call, self.config).actions)
            found = [f for f in found if not (stores and f.code is Code.INTENT_NOT_ESTABLISHED)]
        found += [f for write in writes for f in check_writes(write, grants.stated)]
        return tuple(dict.fromkeys(found))

    def admit_write(self, ledger: Ledger, write: StateWrite) -> Verdict:
        """May this be remembered?"""
        if not self._on(Layer.WRITES):
            return _verdict((), ledger, "")
        raw = _safely(lambda: check_writes(write, ledger.state.grants.stated))
        verdict = _verdict(raw, ledger, f"{PREFIX} This was not stored:")

        def unit() -> dict[str, Json]:
            return {"subject": write.subject, "key": write.key, "value": self._content(write.value)}

        return self._audited("write", verdict, raw, ledger, unit)

    def admit_units(
        self,
        ledger: Ledger,
        proposal: Proposal[U],
        policy: Policy[U],
        evidence: Iterable[Evidence] = (),
        attempts: tuple[str, ...] = (),
    ) -> AdmissionResult[U]:
        """Typed units against what was observed and what the host gave; `evidence` is the host's, for this once."""
        pool = Pool((*pool_of(ledger), *evidence))
        result = admit_units(proposal, policy, pool, attempts=attempts)

        def record() -> dict[str, Json]:
            from gate_core.audit.records import record_of_units

            conversation = _conversation(ledger.state)
            return record_of_units(result, conversation_id=conversation, config=self.config.digest, evidence=len(pool))

        self._write("units", record)
        return result

    def _boundary(self, ledger: Ledger, attempt: Attempt, verdict: Verdict) -> Verdict:
        def unit() -> dict[str, Json]:
            return {"claim": verdict.claim.value, "text": self._content(attempt.text)}

        metadata: dict[str, Json] = {}
        if self.config.audit_content:
            given: dict[str, Json] = {"output": attempt.output, "claim": attempt.claim, "units": list(attempt.units)}
            metadata = {"state": ledger.state.to_json(), **given}
        return self._audited("boundary", verdict, verdict.findings, ledger, unit, metadata)

    def _on(self, layer: Layer) -> bool:
        return self.config.layers[layer] is not Strength.OFF

    def _content(self, value: Json) -> Json:
        from gate_core.audit.records import content

        return content(value, self.config)

    def _audited(
        self,
        kind: str,
        verdict: Verdict,
        raw: tuple[Finding, ...],
        ledger: Ledger,
        unit: Callable[[], dict[str, Json]],
        metadata: Mapping[str, Json] | None = None,
    ) -> Verdict:
        def record() -> dict[str, Json]:
            from gate_core.audit.records import record_of

            state, about = ledger.state, unit()
            place = f"{state.turn}.{ledger.last_step}.{len(state.facts)}.{len(state.grants.done)}"
            codes = ",".join(f.code.value for f in raw)
            return record_of(
                kind,
                verdict,
                audit_id=digest(kind, _conversation(state), place, canonical(about), codes, verdict.config),
                conversation_id=_conversation(state),
                unit=about,
                raw=raw,
                retry_attempts=len(ledger.tries),
                metadata=metadata,
            )

        return replace(verdict, audited=self._write(kind, record))

    def _writer(self) -> AuditWriter | None:
        """The host's writer, else the file; None where the host switched it off."""
        if self._given_writer is not None or self.config.audit is False:
            return self._given_writer
        from gate_core.audit import writer_of

        return writer_of(self.config.audit)

    def _write(self, kind: str, record: Callable[[], Mapping[str, Json]]) -> bool:
        """True when it was written. One that could not be is an error before the verdict is used, or with "degrade" a
        verdict that says so."""
        try:
            writer = self._writer()
            if writer is None:
                return False
            writer.append(record())
        except Exception as error:
            if self.config.audit_on_error == "raise":
                raise AuditFailure(f"a decision ({kind}) was not recorded, so it is not used: {error}") from error
            _LOG.exception("the audit record was not written")
            return False
        return True


def _verdict(findings: Iterable[Finding], ledger: Ledger, head: str) -> Verdict:
    """The one way from findings to a verdict, with the words of this seat. There is no answer to be read here and no
    retry to be counted, so the ledger has no part in it."""
    verdict = decide(findings, Reading(claim=Claim.NONE), Ledger(GateState(), ledger.config))
    if verdict.accepted:
        return replace(verdict, action=Move.DELIVER, exit=None)
    reasons = list(dict.fromkeys((f.says, f.fix) for f in verdict.blocking))
    lines = [head, *(f"{number}. {says}. Next: {fix}." for number, (says, fix) in enumerate(reasons[:_MOST], 1))]
    return replace(verdict, action=Move.REVISE, exit=None, feedback="\n".join(lines))


def _conversation(state: GateState) -> str:
    """What the records of one conversation share: the digest of its first message."""
    return state.said[0].digest if state.said else ""


def _safely(check: Callable[[], tuple[Finding, ...]]) -> tuple[Finding, ...]:
    """A bug of ours admits nothing."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever it was, the call is refused and not the run ended
        _LOG.exception("an admission check failed")
        return (finding(Code.GATE_ERROR, where=type(error).__name__),)
