"""What a host sees of one session."""

from __future__ import annotations

from gate_claude_sdk._session import Session
from gate_core import Action, AnswerWithheld, GateConfig, GateState, Json, Verdict, mark


class SessionView:
    """A live, read-only view of the gate of one session."""

    def __init__(self, session: Session, *, config: GateConfig, mark_text: bool) -> None:
        self._session = session
        self._config = config
        self._mark_text = mark_text

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict, None before the first. Verdicts are not kept in `state_dir`, the ledger is."""
        return self._session.verdict or self._session.gate.verdict

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """All verdicts, in order, over all turns."""
        return self._session.gate.verdicts

    @property
    def exited_unverified(self) -> bool:
        """True when an answer went out marked unverified."""
        return self._session.gate.exited_unverified

    @property
    def state(self) -> GateState:
        """The ledger."""
        return self._session.gate.state

    def progress(self) -> dict[str, Json]:
        """Counters (spec 00, `progress()`)."""
        return self._session.gate.progress()

    def result(self) -> str:
        """The answer of the last turn as it may go out, all its texts; "" while there is none.

        With `mark_text=True` an answer that goes out without support bears the marker.

        Raises:
            AnswerWithheld: posture `rails`, and the answer was not supported.
            AuditFailure: a decision about this answer, or an action before it, could not be recorded.
        """
        if self._session.unrecorded is not None:
            raise self._session.unrecorded
        verdict = self.verdict
        if verdict is None:
            return ""
        if verdict.action is Action.WITHHOLD:
            raise AnswerWithheld(verdict)
        answer = self._session.answer
        return mark(answer, verdict, self._config) if self._mark_text and answer else answer
