"""Who is asked, what is asked, and what counts as an answer; `Gate` downgrades.

A boundary is a dialogue: a generator that yields at most one `Question` and returns the verdict. `answered` leads it
with a verifier that answers at once; the edge `judges` leads the same dialogue with one that is awaited. So both
twins share every rule, and no rule waits.

A verifier that raises, or whose score cannot be used, has not checked the answer: the gate treats it as its own
failure (`gate-error`: one rejection, then a marked release), because neither a silent accept nor a made-up score would
be true. A verifier that wants an outage to change nothing abstains.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from gate_core.ledger import Ledger
from gate_core.model.call import Attempt
from gate_core.model.config import GateConfig
from gate_core.model.kinds import Claim
from gate_core.model.verdict import Verdict
from gate_core.verifier.looks import answer_text, supporting_looks

COMPLETION_CRITERIA = ("effect_shown", "no_overreach")
ASSERTION_CRITERIA = ("claim_supported", "no_overreach")

_LOG = logging.getLogger("gate_core")


class Verifier(Protocol):
    """Scores an accepted answer. A number, a number per criterion, or None (or an empty mapping) to abstain.

    It may also have `async def ascore(...)` with the same arguments; `Gate.aboundary_check` awaits that instead.
    """

    def score(
        self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]
    ) -> float | Mapping[str, float] | None:
        """0 for unsupported to 1 for supported. `looks` are bounded excerpts of what was looked at, oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class StubVerifier:
    """A verifier for tests: a fixed score, or a rule over the answer's text; without either it abstains."""

    fixed: float | None = None
    rule: Callable[[str], float | None] | None = None

    def score(
        self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]
    ) -> float | Mapping[str, float] | None:
        """The rule's score, else the fixed one."""
        return self.rule(answer_text(attempt)) if self.rule is not None else self.fixed


class ScoreError(ValueError):
    """A verifier gave something that is no score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a verifier is asked about one answer."""

    attempt: Attempt
    looks: tuple[str, ...]
    criteria: tuple[str, ...]


Dialogue: TypeAlias = Generator[Question, "float | None", Verdict]
"""Yields questions, takes the confidence or None for an abstention, returns the verdict."""


def criteria_for(claim: Claim, config: GateConfig) -> tuple[str, ...]:
    """What is asked about a claim; strict grounding asks a completion's questions of assertions too."""
    return COMPLETION_CRITERIA if claim is Claim.COMPLETION or config.strict_grounding else ASSERTION_CRITERIA


def question_of(attempt: Attempt, verdict: Verdict, ledger: Ledger) -> Question | None:
    """The question about an answer; None unless an assertion or completion was accepted with nothing against it."""
    if not verdict.accepted or verdict.blocking or verdict.claim not in (Claim.ASSERTION, Claim.COMPLETION):
        return None
    criteria = criteria_for(verdict.claim, ledger.config)
    return Question(attempt=attempt, looks=supporting_looks(attempt, ledger), criteria=criteria)


def weakest(score: object) -> float | None:
    """The score that counts: the lowest one; None when the verifier abstained from every criterion.

    Criteria that were not asked for count as well: a verifier may be stricter than the gate, and a misspelt name must
    not hide a low score.

    Raises:
        ScoreError: a truth value, a text, NaN, a number outside 0..1, or anything else that is no score.
    """
    if isinstance(score, Mapping):
        return min((number for item in score.values() if (number := _number(item)) is not None), default=None)
    return _number(score)


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not _is_real(value) or not 0 <= value <= 1:  # type: ignore[operator]  # a number
        raise ScoreError(f"a verifier's score is a number from 0 to 1, or None, got {value!r:.60}")
    return float(value)  # type: ignore[arg-type]


def _is_real(value: object) -> bool:
    if isinstance(value, int | float):
        return True
    from numbers import Real  # only a number of another library needs it, like those of numpy

    return isinstance(value, Real)


def answered(dialogue: Dialogue, verifier: Verifier | None) -> Verdict:
    """Lead a dialogue to its verdict. Whatever goes wrong with the verifier is raised inside the dialogue."""
    try:
        question = next(dialogue)
        while True:
            try:
                confidence = weakest(_score(verifier, question))
            except Exception as error:  # noqa: BLE001 - it goes where failures of the gate are handled
                question = dialogue.throw(failed(error))
            else:
                question = dialogue.send(confidence)
    except StopIteration as ended:
        verdict: Verdict = ended.value
        return verdict


def _score(verifier: Verifier | None, question: Question) -> object:
    if verifier is None:
        return None
    score: object = verifier.score(question.attempt, question.looks, question.criteria)
    if isinstance(score, Coroutine):
        score.close()
        raise ScoreError("this verifier has to be awaited; use Gate.aboundary_check")
    return score


def failed(error: Exception) -> Exception:
    """Log a failure of the verifier by its type alone, as its text may hold what the agent saw."""
    _LOG.warning("the verifier failed: %s", type(error).__name__)
    return error
