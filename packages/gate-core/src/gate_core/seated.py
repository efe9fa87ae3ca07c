"""The half of `Gate` that asks the other seats (spec 40): before a tool runs, before a state write, for units."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from gate_core.memory import Memory
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.evidence import Evidence
from gate_core.model.kinds import Layer, Strength
from gate_core.model.state import GateState
from gate_core.model.verdict import Verdict

if TYPE_CHECKING:
    from gate_core.admission import AdmissionResult, Policy, Proposal, StateWrite
    from gate_core.admission.units import U
    from gate_core.audit import AuditWriter
    from gate_core.seats import Seats


class Seated:
    """A conversation with its seats. `_audit` takes the records, in place of the file that the configuration names."""

    config: GateConfig
    state: GateState
    _memory: Memory
    _audit: AuditWriter | None

    def admit(self, call: ToolCall, *, now: float | None = None) -> Verdict:
        """May this action run? Asked before it does (spec 40, "Actions"); `now` is the host's clock, for what expires.

        Raises:
            AuditFailure: the decision could not be recorded.
        """
        return self._seats.admit(self._memory.ledger(self.state), call, now=now)

    def confirm(self, call: ToolCall, *, expires_at: float | None = None) -> None:
        """The user approved exactly this call, once; only host code may say so."""
        self._seats.confirmed(self.state, call, expires_at)

    def add_evidence(self, *evidence: Evidence) -> None:
        """What the ledger cannot know (permissions, documents, prerequisites); only host code may say so."""
        self._seats.given(self.state, evidence)

    def admit_write(self, write: StateWrite) -> Verdict:
        """May this be remembered? (spec 40, "State writes")

        Raises:
            AuditFailure: the decision could not be recorded.
        """
        return self._seats.admit_write(self._memory.ledger(self.state), write)

    def admit_units(
        self,
        proposal: Proposal[U],
        policy: Policy[U],
        evidence: Iterable[Evidence] = (),
        *,
        attempts: tuple[str, ...] = (),
    ) -> AdmissionResult[U]:
        """Typed units against what was observed and what the host gave (spec 40, "Typed units").

        Raises:
            AuditFailure: the decision could not be recorded.
        """
        return self._seats.admit_units(self._memory.ledger(self.state), proposal, policy, evidence, attempts)

    @property
    def _seated(self) -> bool:
        """True when something besides the boundary is switched on: what was said is kept, what is decided is logged."""
        dials = (self.config.layers[Layer.ACTIONS], self.config.layers[Layer.WRITES])
        return self._audit is not None or bool(self.config.audit) or dials != (Strength.OFF, Strength.OFF)

    @cached_property
    def _seats(self) -> Seats:
        from gate_core.seats import Seats  # what only admission needs is loaded where it is on

        return Seats(self.config, self._audit)
