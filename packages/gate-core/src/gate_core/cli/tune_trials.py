"""The trials of `gate tune`: every candidate over the same scripts, each paired with the shipped values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, TypeAlias, cast

from gate_core.cli.tune_scripts import Script
from gate_core.gate import Gate
from gate_core.loop import turn_loop
from gate_core.model.config import MODEL_CLASSES, GateConfig
from gate_core.model.json import Json, JsonObject
from gate_core.model.kinds import Layer, Strength
from gate_core.model.state import GateState
from gate_core.model.verdict import Verdict
from gate_core.transcripts import play

CAPS = (3, 4, 5, 6, 8)
REFILLS = (1, 2, 3)
_Z = 1.959964  # two-sided 95 %


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Candidate:
    """Values to try. `strict` is strict grounding, which the model class `skipper` brings."""

    cap: int
    refill: int
    strict: bool

    @property
    def model_class(self) -> str:
        """The class that brings `strict`; cap and refill override its own."""
        return "skipper" if self.strict else "default"

    def config(self) -> GateConfig:
        """The configuration of a trial. The budget blocks, as a rope that only warns decides nothing."""
        layers = {Layer.BUDGET: Strength.BLOCK}
        return GateConfig(model_class=self.model_class, cap=self.cap, refill=self.refill, layers=layers)


Trial: TypeAlias = Callable[[Candidate], bool]
"""One script under a candidate: True when it is won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One candidate over `trials` scripts: how many it wins, and how many it alone or the shipped values alone win."""

    candidate: Candidate
    shipped: bool
    trials: int
    wins: int
    better: int
    worse: int

    @property
    def rate(self) -> float:
        """The paired win rate: 1 for a script that only the candidate wins, 0 for the other way, 1/2 for no
        difference."""
        return 0.5 + (self.better - self.worse) / (2 * self.trials)

    @property
    def lower(self) -> float:
        """The lower 95 % bound of `rate`. Above 0.5 the candidate is better than the shipped values.

        Only scripts with a difference are uncertain; the bound of their share is Wilson's.
        """
        differ = self.better + self.worse
        same = self.trials - differ
        return (differ * _wilson(self.better, differ) + same / 2) / self.trials

    def to_dict(self) -> dict[str, Json]:
        """The result as JSON; `model_class`, `cap` and `refill` are the configuration keys to set."""
        return {
            "cap": self.candidate.cap,
            "refill": self.candidate.refill,
            "strict": self.candidate.strict,
            "model_class": self.candidate.model_class,
            "shipped": self.shipped,
            "trials": self.trials,
            "wins": self.wins,
            "better": self.better,
            "worse": self.worse,
            "rate": round(self.rate, 4),
            "lower": round(self.lower, 4),
        }


def _wilson(won: int, number: int) -> float:
    if number == 0:
        return 0.0
    share, room = won / number, _Z * _Z / number
    spread = _Z * sqrt(share * (1 - share) / number + room / (4 * number))
    return max(0.0, (share + room / 2 - spread) / (1 + room))


def shipped_values(profile: str | None) -> Candidate:
    """The values this version ships for a profile; without a model class of its own, the default's."""
    name = profile if profile in MODEL_CLASSES else "default"
    cap, refill = MODEL_CLASSES[str(name)]
    return Candidate(cap=cap, refill=refill, strict=name == "skipper")


def candidates() -> tuple[Candidate, ...]:
    """Everything that is tried; the shipped values are among them."""
    pairs = [(cap, refill) for cap in CAPS for refill in REFILLS if refill < cap]
    return tuple(Candidate(cap=c, refill=r, strict=strict) for strict in (False, True) for c, r in pairs)


def compare(trials: Sequence[Trial], shipped: Candidate) -> Iterator[Result]:
    """One result per candidate, in the order they are tried."""
    before = [trial(shipped) for trial in trials]
    for candidate in candidates():
        won = before if candidate == shipped else [trial(candidate) for trial in trials]
        pairs = list(zip(won, before, strict=True))
        yield Result(
            candidate=candidate,
            shipped=candidate == shipped,
            trials=len(trials),
            wins=sum(won),
            better=sum(new and not old for new, old in pairs),
            worse=sum(old and not new for new, old in pairs),
        )


def ranked(results: Iterable[Result]) -> list[Result]:
    """Best lower bound first; among equals the better rate, then the shipped values, then the smaller ones."""
    return sorted(results, key=lambda r: (-r.lower, -r.rate, not r.shipped, r.candidate))


def script_trial(script: Script) -> Trial:
    """A scripted turn through `turn_loop`: won when its terminals are decided as they deserve, each of them."""
    begun = GateState()
    Gate(state=begun).begin_turn(script.prompt)  # read once: no candidate changes what a prompt says

    def trial(candidate: Candidate) -> bool:
        state = replace(begun, facts={}, config="")
        _, trace = turn_loop(script.steps, state, candidate.config())
        decided = tuple(found.accepted for _, found in trace if isinstance(found, Verdict))
        return decided == script.truth

    return trial


def transcript_trial(transcript: JsonObject) -> Trial | None:
    """A transcript: won when every labelled finish is decided as its label says; None when it has no label."""
    raw = cast("Mapping[str, Any]", transcript)  # the schema was checked
    turns = [{**turn, "events": [_only_label(event) for event in turn["events"]]} for turn in raw["turns"]]
    if not any("expect" in event for turn in turns for event in turn["events"]):
        return None

    def trial(candidate: Candidate) -> bool:
        return play({**raw, "gate": _overridden(raw.get("gate", {}), candidate), "turns": turns}).holds

    return trial


def _only_label(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with nothing expected of it but the decision of a finish."""
    bare = {key: value for key, value in event.items() if key != "expect"}
    decision = event.get("expect", {}).get("decision") if event["type"] == "finish" else None
    return {**bare, "expect": {"decision": decision}} if decision else bare


def _overridden(gate: Mapping[str, Any], candidate: Candidate) -> dict[str, Any]:
    kept = {key: value for key, value in gate.items() if key != "budget"}
    layers = {**gate.get("layers", {}), "budget": "block"}
    own = {"model_class": candidate.model_class, "cap": candidate.cap, "refill": candidate.refill}
    return {**kept, **own, "layers": layers}
