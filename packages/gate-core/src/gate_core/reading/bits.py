"""What the rules of a language are good for, as masks of their bits (rules.py): which of them state something, which
only part clauses or govern them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from gate_core.model.reading import Says
from gate_core.reading.events import RED
from gate_core.reading.packs import STATE, UNCHANGED, pack

CUT_KINDS = {"unable": Says.UNABLE, "hedge": Says.HEDGE, "started": Says.STARTED}
PLANS = frozenset({"plan", "condition", "draft"})
_CUT_STATES = PLANS.union(CUT_KINDS)
"""The cues that state something of their own."""


class Bits(NamedTuple):
    """The rules of a language by what they are good for: those of the groups "cut", UNCHANGED, "event", "quoted",
    "refers", STATE and "then".

    `said` are the kinds that need nothing else. `events` and `kinds` are all that tell what happened and what is, both
    together `saying`, `red` what went wrong; `telling` are all but those that only part clauses. A clause without one
    of `named`, or of `unnamed` if its sentence names nothing to have a state, states nothing. That is asked of
    languages that join clauses between words: what no word of a sentence wakes, no word of a clause does.
    """

    cut: int
    unchanged: int
    event: int
    quoted: int
    refers: int
    state: int
    then: int
    said: int
    events: int
    kinds: int
    red: int
    saying: int
    telling: int
    named: int
    unnamed: int


@cache
def bits_of(language: str) -> Bits:
    """The rules of a language."""
    rules = pack(language).rules
    of = {
        group: rules.groups.get(group, 0)
        for group in ("kind", UNCHANGED, "event", "quoted", "refers", "cut", "then", STATE)
    }
    events = of["event"] | of["quoted"] | of["refers"]
    said = of["kind"] | of[UNCHANGED]
    kinds = said | of[STATE] | of["then"]
    stating = events | kinds | rules.bits(lambda rule: rule.group == "cut" and rule.name in _CUT_STATES)
    return Bits(
        cut=of["cut"],
        unchanged=of[UNCHANGED],
        event=of["event"],
        quoted=of["quoted"],
        refers=of["refers"],
        state=of[STATE],
        then=of["then"],
        said=said,
        events=events,
        kinds=kinds,
        red=events & rules.bits(lambda rule: rule.name.endswith(RED)),
        saying=events | kinds,
        telling=events | kinds | of["cut"],
        named=stating,
        unnamed=stating & ~of[STATE],
    )
