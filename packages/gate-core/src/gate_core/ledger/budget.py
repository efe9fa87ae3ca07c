"""The reasoning budget: a rope that looks refill and reasoning steps use up (spec 10, "Budget and halt")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.kinds import Did
from gate_core.model.state import Try

REASONING = "reasoning"
"""The tool name of the gate's own facts about model steps without a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What is left in this turn. `halted` is true after a rejection, until a look earned something."""

    left: int
    cap: int
    refill: int
    looks: int
    halted: bool


def fold_budget(facts: Sequence[Fact], tries: Sequence[Try], config: GateConfig) -> Budget:
    """The budget of a turn, from its facts in order and its rejections."""
    cap, refill = config.cap or 1, config.refill or 1
    left, looks, last_earned = cap, 0, -1
    seen: set[str] = set()
    for step, group in groupby(facts, key=lambda fact: fact.step):
        here = list(group)
        earned = _earned(here, seen, config)
        if earned:
            looks += earned
            left, last_earned = min(cap, left + refill * earned), step
        left -= sum(1 for fact in here if fact.by_gate and fact.tool == REASONING)
    halted = bool(tries and tries[-1].pairs) and last_earned <= tries[-1].step
    return Budget(left=max(left, 0), cap=cap, refill=refill, looks=looks, halted=halted)


def _earned(facts: Iterable[Fact], seen: set[str], config: GateConfig) -> int:
    """How many calls of one step showed something new. A change makes what was seen worth looking at again."""
    earned, changed = 0, False
    for fact in facts:
        if not fact.executed:
            continue
        kinds = {effect.did for effect in fact.effects}
        changed = changed or bool(kinds & {Did.CHANGED, Did.DELETED, Did.OPAQUE})
        if kinds & {Did.SHOWED, Did.LISTED, Did.ABSENT} and (
            fact.digest not in seen or fact.tool in config.novelty_exempt
        ):
            earned += 1
            seen.add(fact.digest)
    if changed:
        seen.clear()
    return earned
