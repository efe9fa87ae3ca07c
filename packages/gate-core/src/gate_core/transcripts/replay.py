"""Unlabelled conversations through the gate: what it would have done (spec 60, `gate replay`).

Looks at files cannot be taken afterwards. `assume` takes every local edit that succeeded as found where the gate would
have looked for it, and counts how often that was needed; `none` leaves it to the agent's own looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from gate_core.gate import Gate
from gate_core.model.config import GateConfig
from gate_core.model.json import Json
from gate_core.model.kinds import Outcome, Severity
from gate_core.model.verdict import Probe, ProbeResult, Verdict
from gate_core.transcripts.files import Read
from gate_core.transcripts.play import Judged, play


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One attempt (or action, or write) of a conversation and what the gate says of it. `turn` counts from 1."""

    file: str
    conversation: str
    turn: int
    event: str
    pointer: str
    verdict: Verdict

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that block, then those that warn."""
        return tuple(dict.fromkeys((*codes_of(self.verdict, Severity.BLOCK), *codes_of(self.verdict, Severity.WARN))))

    def to_dict(self) -> dict[str, Json]:
        """The row as JSON, with the whole verdict."""
        return {
            "file": self.file,
            "conversation": self.conversation,
            "turn": self.turn,
            "event": self.event,
            "at": self.pointer,
            "decision": self.verdict.decision.value,
            "codes": list(self.codes),
            "verdict": self.verdict.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A conversation that was replayed; `assumed` edits were taken as found."""

    rows: tuple[Row, ...]
    calls: int
    assumed: int


def codes_of(verdict: Verdict, severity: Severity) -> Iterator[str]:
    """The codes of one severity, each once."""
    yield from dict.fromkeys(f.code.value for f in verdict.findings if f.severity is severity)


def replay(item: Read, config: GateConfig | None = None, *, assume: bool = True) -> Replayed:
    """Play a conversation; `config` takes the place of what the transcript itself says under `gate`."""
    prober = Assumed() if assume else None
    played = play(item.transcript, config, prober=prober)
    turns = cast("Mapping[str, Any]", item.transcript)["turns"]
    rows = tuple(_row(item, played.id, judged, turns) for judged in played.judged if judged.verdict)
    calls = sum(1 for turn in turns for event in turn["events"] if event["type"] == "call")
    return Replayed(rows=rows, calls=calls, assumed=len(prober.taken) if prober is not None else 0)


def _row(item: Read, name: str, judged: Judged, turns: Any) -> Row:
    _, _, turn, _, event = judged.pointer.split("/")
    assert judged.verdict is not None
    return Row(
        file=item.file,
        conversation=name,
        turn=int(turn) + 1,
        event=turns[int(turn)]["events"][int(event)]["type"],
        pointer=judged.pointer,
        verdict=judged.verdict,
    )


class Assumed:
    """A prober that looks nowhere: what an ok call changed is taken to be there; of other changes it knows nothing."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self._gate: Gate | None = None

    def attach(self, gate: Gate) -> None:
        """Whose calls are asked for their outcome."""
        self._gate = gate

    def take(self, probes: tuple[Probe, ...]) -> tuple[ProbeResult, ...]:
        """One result per probe."""
        return tuple(ProbeResult(probe=probe, held=self._held(probe)) for probe in probes)

    def _held(self, probe: Probe) -> bool | None:
        fact = self._gate.state.facts.get(probe.about) if self._gate is not None else None
        if fact is None or fact.outcome is not Outcome.OK:
            return None
        self.taken.add(f"{probe.about} {probe.path}")
        return True
