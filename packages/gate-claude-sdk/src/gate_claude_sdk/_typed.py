"""Typed answers (`output_format=`): how often one may be sent back, and what became of the last.

The CLI hands a typed answer out through a call of its tool `StructuredOutput` and ignores what a Stop hook says
afterwards, so the boundary is the call. It ends the run with an error at the fifth value that is denied or does not
fit the schema: the gate sends back at most four, those that did not fit included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gate_claude_sdk._payload import as_count
from gate_core import Action, Exit, Gate, Json, JsonObject, Posture, Verdict

MOST = 4
"""Denied and unfitting values the CLI puts up with."""


@dataclass(slots=True, kw_only=True)
class Typed:
    """The typed answers of one prompt. `refused` counts values that were denied or did not fit; `gone` says that one
    was let through, whose Stop is not judged again."""

    refused: int = 0
    gone: bool = False

    def unfit(self) -> None:
        """The value that was let through did not fit the schema; the model tries again."""
        self.refused, self.gone = self.refused + 1, False

    def judged(self, verdict: Verdict, gate: Gate) -> Verdict:
        """The verdict as it is obeyed: a revision the CLI would not survive is a release, under `rails` withheld."""
        if verdict.action is Action.REVISE and self.refused >= MOST:
            rails = gate.config.posture is Posture.RAILS
            verdict = replace(
                verdict,
                action=Action.WITHHOLD if rails else Action.RELEASE,
                exit=Exit.WITHHELD if rails else Exit.UNVERIFIED,
                feedback="",
            )
            gate.state.exited_unverified = not rails
        if verdict.action is Action.REVISE:
            self.refused += 1
        self.gone = verdict.action is not Action.REVISE
        return verdict

    def to_json(self) -> dict[str, Json]:
        """The counters as JSON."""
        return {"refused": self.refused, "gone": self.gone}

    @classmethod
    def from_json(cls, data: JsonObject) -> Typed:
        """The counters that `to_json` wrote."""
        return cls(refused=as_count(data.get("refused")) or 0, gone=data.get("gone") is True)
