"""What a gated run returns."""

from __future__ import annotations

from dataclasses import dataclass

from agents import RunResult

from gate_core import Gate, Json, Verdict, mark


@dataclass(frozen=True, slots=True, kw_only=True)
class GatedResult:
    """The SDK's own result with the gate's verdicts beside it.

    `verdicts` are those of this run, in order: one per try to finish. `gate` is the conversation's gate: pass it on as
    `run(..., gate=result.gate)`, or store `gate.to_json()` beside `result.to_state().to_json()` and load it with
    `GateRunner.restore`. A run that stopped for an approval has no verdict yet.
    """

    result: RunResult
    gate: Gate
    verdicts: tuple[Verdict, ...] = ()
    mark_text: bool = False

    @property
    def final_output(self) -> object:
        """The answer; with `mark_text=True` a released text carries the unverified marker."""
        output: object = self.result.final_output
        if self.mark_text and self.verdict is not None and isinstance(output, str):
            return mark(output, self.verdict, self.gate.config)
        return output

    @property
    def verdict(self) -> Verdict | None:
        """The verdict about this answer; None when the run stopped before it."""
        return self.verdicts[-1] if self.verdicts else None

    @property
    def exited_unverified(self) -> bool:
        """True when the answer goes out without support: it says so itself, or it was released."""
        return self.verdict is not None and self.verdict.unverified

    def progress(self) -> dict[str, Json]:
        """Where the conversation stands (`Gate.progress`)."""
        return self.gate.progress()
