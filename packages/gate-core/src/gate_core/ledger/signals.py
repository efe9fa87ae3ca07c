"""Signals: events raised by calls, dropped again by a later change of their domain (spec 20, "Signals")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gate_core.footprint.targets import FILES, last_name
from gate_core.model.call import SignalEvent
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact
from gate_core.model.kinds import Did, Outcome
from gate_core.model.profile import SignalRule

IGNORED_CHANGES = ("*.md", "*.rst", "*.txt", "docs/**", "LICENSE*", "CHANGELOG*")
"""Changes that leave a test run current (spec 20)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """The last run of a signal; `current` until something of its domain changed."""

    event: SignalEvent
    fact: Fact
    current: bool


def fold_signals(facts: Iterable[Fact], config: GateConfig) -> dict[str, Raised]:
    """Signal name -> its last run. A signal raised by the step of a change does not outlive that change."""
    rules = {rule.name: rule for rule in config.signals}
    last: dict[str, Raised] = {}
    changed: dict[str, tuple[int, int]] = {}
    for fact in facts:
        for event in fact.signals:
            last[event.name] = Raised(event=event, fact=fact, current=True)
        for effect in fact.effects:
            if _drops(fact, effect, config):
                changed[effect.domain] = fact.at
    return {name: _aged(raised, rules.get(name), changed) for name, raised in last.items()}


def _aged(raised: Raised, rule: SignalRule | None, changed: dict[str, tuple[int, int]]) -> Raised:
    if rule is not None and rule.survives_changes:
        return raised
    at = changed.get(rule.domain if rule is not None else FILES)
    own = {(e.domain, e.did) for e in raised.fact.effects if e.did is Did.OPAQUE}
    stale = at is not None and (at > raised.fact.at or (at == raised.fact.at and not own))
    return Raised(event=raised.event, fact=raised.fact, current=not stale)


def _drops(fact: Fact, effect: Effect, config: GateConfig) -> bool:
    if effect.did not in (Did.CHANGED, Did.DELETED, Did.OPAQUE) or fact.by_gate or fact.outcome is Outcome.NO_OP:
        return False
    if effect.did is not Did.OPAQUE and fact.outcome is Outcome.FAILED:
        return False
    patterns = (*(config.ignores or IGNORED_CHANGES), *config.scratch)
    return not any(matches(effect.target, pattern) for pattern in patterns)


def matches(target: str, pattern: str) -> bool:
    """True when a target lies under a glob pattern; a pattern without a slash speaks of the last name."""
    if "/" not in pattern:
        return fnmatchcase(last_name(target), pattern)
    return fnmatchcase(target, pattern) or fnmatchcase(target, f"*/{pattern}")
