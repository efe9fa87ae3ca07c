"""What single effects mean for a target: looks, changes, and what is known of it after them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gate_core.footprint.globs import is_glob
from gate_core.model.fact import Effect, Fact
from gate_core.model.kinds import Did, Outcome

LOOKS = frozenset({Did.SHOWED, Did.LISTED, Did.ABSENT})
CHANGES = frozenset({Did.CHANGED, Did.DELETED})
ACTS = CHANGES | {Did.OPAQUE}
"""Changes, and what may have changed anything."""


def acted(fact: Fact) -> bool:
    """True for a call that changed something, or may have."""
    return any(effect.did in ACTS for effect in fact.effects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """What is known of one target: the latest look, change and possible change as (turn, step), None for never.
    `absent` says that the latest look found it missing, `content` that it showed content."""

    looked: tuple[int, int] | None = None
    absent: bool = False
    content: bool = False
    changed: tuple[int, int] | None = None
    stirred: tuple[int, int] | None = None


def stirring(fact: Fact) -> Iterator[Effect]:
    """The effects of a fact that changed something, or may have."""
    if fact.outcome is not Outcome.NO_OP:
        for effect in fact.effects:
            if effect.did is Did.OPAQUE or (effect.did in CHANGES and fact.outcome is not Outcome.FAILED):
                yield effect


def touched(touch: Touch, fact: Fact, effect: Effect) -> Touch:
    """What is known of a target after one more effect on it."""
    looked, absent, content = touch.looked, touch.absent, touch.content
    changed, stirred, did = touch.changed, touch.stirred, effect.did
    if did in LOOKS:
        again = looked == fact.at
        absent = did is Did.ABSENT and not (again and not absent)
        content = did is Did.SHOWED or (again and content)
        looked = fact.at
    elif did is Did.OPAQUE:
        stirred = fact.at
    elif fact.outcome not in (Outcome.FAILED, Outcome.NO_OP):
        changed = fact.at
    return Touch(looked=looked, absent=absent, content=content, changed=changed, stirred=stirred)


def effects_in(
    facts: Iterable[Fact], did: frozenset[Did], outcomes: tuple[Outcome, ...]
) -> Iterable[tuple[Fact, Effect]]:
    """(fact, effect) of what such facts did of such a kind. A pattern names nothing that was changed."""
    for fact in facts:
        if fact.outcome in outcomes:
            for effect in fact.effects:
                if effect.did in did and (effect.did is Did.OPAQUE or not is_glob(effect.target)):
                    yield fact, effect
