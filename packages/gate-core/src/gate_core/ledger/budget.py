"""The reasoning budget: a rope that looks refill and reasoning steps use up (spec 10, "Budget and halt")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from gate_core.ledger.novelty import Novelty, Texts, is_look
from gate_core.ledger.order import when
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact

REASONING = "reasoning"
"""The tool name of the gate's own facts about model steps without a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What is left in this turn. `looks` counts those that earned, `repeats` those that did not, `exempt` those of
    `novelty_exempt` tools, which earn unseen. `halted` is true after a rejection, until a look earned something."""

    left: int
    cap: int
    refill: int
    looks: int
    repeats: int = 0
    exempt: int = 0
    halted: bool = False


@dataclass(slots=True)
class _Count:
    """Looks of a step, or of a turn."""

    earned: int = 0
    repeats: int = 0
    exempt: int = 0


def fold_budget(facts: Sequence[Fact], turn: int, config: GateConfig, texts: Texts | None = None) -> Budget:
    """The budget of a turn, from the facts of the conversation in order; whether it is halted, rejections tell.

    A step's refills come before its costs, and its looks before its changes: the order in which parallel results were
    reported does not matter. Earlier turns only count for what was seen already, and only under `policy="strict"`.
    """
    cap, refill = config.cap or 1, config.refill or 1
    novelty, total = Novelty(config, texts), _Count()
    left = cap
    counted = [fact for fact in facts if fact.turn == turn or (config.strict and fact.turn < turn)]
    for at, group in groupby(counted, key=when):
        here = list(group)
        count = _look(here, novelty, config)
        if at[0] != turn:
            continue
        if count.earned:
            left = min(cap, left + refill * count.earned)
        left = max(0, left - len([fact for fact in here if fact.tool == REASONING and fact.by_gate]))
        _add(total, count)
    return Budget(
        left=left,
        cap=cap,
        refill=refill,
        looks=total.earned,
        repeats=total.repeats,
        exempt=total.exempt,
    )


def _look(step: Sequence[Fact], novelty: Novelty, config: GateConfig) -> _Count:
    """Count the looks of one step, then note its changes."""
    count = _Count()
    for fact in step:
        if not is_look(fact):
            continue
        exempt = fact.tool in config.novelty_exempt
        if exempt or novelty.new(fact):
            count.earned += 1
            count.exempt += exempt
        else:
            count.repeats += 1
    for fact in step:
        novelty.changed(fact)
    return count


def _add(total: _Count, count: _Count) -> None:
    total.earned += count.earned
    total.repeats += count.repeats
    total.exempt += count.exempt
