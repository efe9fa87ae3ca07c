"""Facts in the order they happened, and the calls that end later than they return."""

from __future__ import annotations

from collections.abc import Iterable

from gate_core.model.fact import Fact
from gate_core.model.kinds import Outcome


def in_order(facts: Iterable[Fact], ended: frozenset[str]) -> tuple[Fact, ...]:
    """Facts in order, without the pending calls whose end is among them or known."""
    ordered = sorted(facts, key=lambda fact: (fact.turn, fact.step, fact.key))
    if not [fact for fact in ordered if fact.outcome is Outcome.PENDING]:
        return tuple(ordered)
    over = ended | calls_ended(ordered)
    return tuple(fact for fact in ordered if not (pends(fact) and fact.call in over))


def when(fact: Fact) -> tuple[int, int]:
    """`Fact.at`, as the key of a step: facts of one are unordered."""
    return (fact.turn, fact.step)


def pends(fact: Fact) -> bool:
    """True for a call that still ran when it was observed."""
    return fact.outcome is Outcome.PENDING


def calls_ended(facts: Iterable[Fact]) -> frozenset[str]:
    """The ids of calls whose end was seen."""
    return frozenset(f.call for f in facts if f.call and f.outcome is not Outcome.PENDING and f.executed)
