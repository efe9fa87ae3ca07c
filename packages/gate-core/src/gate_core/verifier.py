"""The optional second opinion: it may turn an accept into a reject, never the other way (spec 10, "Verifier tier")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from gate_core.model.call import Attempt
from gate_core.model.config import GateConfig
from gate_core.model.kinds import Claim

COMPLETION_CRITERIA = ("effect_shown", "no_overreach")
ASSERTION_CRITERIA = ("claim_supported", "no_overreach")


class Verifier(Protocol):
    """Scores an accepted answer. A number, a number per criterion, or None (or an empty mapping) to abstain."""

    def score(
        self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]
    ) -> float | Mapping[str, float] | None:
        """0 for unsupported to 1 for supported. `looks` are bounded excerpts of what was looked at."""
        ...


@dataclass(frozen=True, slots=True)
class StubVerifier:
    """A verifier for tests: a fixed score, or a rule over the answer's text."""

    fixed: float | None = None
    rule: Callable[[str], float | None] | None = None

    def score(
        self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]
    ) -> float | Mapping[str, float] | None:
        """The rule's score, else the fixed one."""
        return self.rule(attempt.text) if self.rule is not None else self.fixed


def criteria_for(claim: Claim, config: GateConfig) -> tuple[str, ...]:
    """What is asked about a claim; strict grounding asks a completion's questions of assertions too."""
    return COMPLETION_CRITERIA if claim is Claim.COMPLETION or config.strict_grounding else ASSERTION_CRITERIA


def weakest(score: float | Mapping[str, float] | None) -> float | None:
    """The score that counts: the lowest criterion; None when the verifier abstained."""
    if isinstance(score, Mapping):
        return min(score.values(), default=None)
    return score
