"""What `GateRunner.run_streamed` returns: the SDK's events, with every text held until the gate lets it go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

from agents import MaxTurnsExceeded, RunResultStreaming, StreamEvent, TResponseInputItem

from gate_core import Gate, Json, Verdict, mark
from gate_openai_agents._events import Held
from gate_openai_agents._ledger import at_work
from gate_openai_agents._turn import TRIPPED, Tripped, Turn, unwrapped


class GatedStream:
    """A gated run as a stream. All attempts are one stream, and the text deltas in it are the delivered answer: drafts
    that were refused are never shown.

    What a model says beside its calls is shown only with `narration=True`. Everything that is no text comes at once.
    A run that is cancelled in the middle of an answer shows nothing of it: it was not judged.
    """

    def __init__(self, turn: Turn[Any], *, narration: bool = False) -> None:
        self._turn = turn
        self._narration = narration
        self._run = turn.run_streamed()

    async def stream_events(self) -> AsyncIterator[StreamEvent]:
        """The events of all attempts, as `RunResultStreaming.stream_events` gives those of one.

        Raises:
            AnswerWithheld: posture `rails`, and no attempt was supported.
            AuditFailure: a decision could not be recorded.
            Whatever the SDK's stream raises, guardrails of the user included.
        """
        try:
            with at_work(self._turn.ledger), unwrapped():
                async for event in self._attempts():
                    yield event
        finally:
            self._turn.close()

    async def _attempts(self) -> AsyncIterator[StreamEvent]:
        while True:
            held = Held(narration=self._narration)
            asked = len(self.verdicts)
            tripped: Tripped | None = None
            try:
                async for event in self._run.stream_events():
                    for shown in held.take(event):
                        yield shown
            except TRIPPED as error:
                tripped = error
            except MaxTurnsExceeded as error:
                raise self._turn.exhausted(error) from None
            if tripped is None:
                if len(self.verdicts) > asked and self._turn.ledger.refused is None:
                    for shown in held.rest(self._prefix()):
                        yield shown
                return
            self._turn.refused(tripped)
            self._run = self._turn.run_streamed()

    def cancel(self, mode: Literal["immediate", "after_turn"] = "immediate") -> None:
        """Cancel the run, as `RunResultStreaming.cancel` does."""
        self._run.cancel(mode)

    @property
    def result(self) -> RunResultStreaming:
        """The SDK's own result of the current attempt."""
        return self._run

    @property
    def gate(self) -> Gate:
        """The conversation's gate; pass it on as `run(..., gate=stream.gate)`."""
        return self._turn.ledger.gate

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts of this run so far, one per try to finish."""
        return tuple(self._turn.ledger.verdicts)

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict; None before the first."""
        return self.verdicts[-1] if self.verdicts else None

    @property
    def final_output(self) -> object:
        """The answer, None until it was let go."""
        if self.verdict is None or self._turn.ledger.refused is not None:
            return None
        output: object = self._run.final_output
        return self._prefix() + output if isinstance(output, str) else output

    @property
    def exited_unverified(self) -> bool:
        """True when the answer goes out without support."""
        return self.verdict is not None and self.verdict.unverified

    def progress(self) -> dict[str, Json]:
        """Where the conversation stands (`Gate.progress`)."""
        return self.gate.progress()

    def to_input_list(self) -> list[TResponseInputItem]:
        """The history without refused drafts and feedback."""
        return self._run.to_input_list()

    def _prefix(self) -> str:
        """The marker in front of a released text, where the user asked for it."""
        output = self._run.final_output
        if not self._turn.mark_text or self.verdict is None or not isinstance(output, str):
            return ""
        return mark(output, self.verdict, self.gate.config).removesuffix(output)
