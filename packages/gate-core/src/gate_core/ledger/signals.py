"""Signals: events raised by calls, dropped again by a later change of their domain (spec 20, "Signals")."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeAlias

from gate_core.data import load_table
from gate_core.footprint.rules import builtin_rules
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger.touch import ACTS
from gate_core.model.call import SignalEvent
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact
from gate_core.model.kinds import Did, Outcome, SignalState
from gate_core.model.profile import SignalRule

IGNORED_CHANGES = ("*.md", "*.rst", "*.txt", "docs/**", "LICENSE*", "CHANGELOG*")
"""Changes that leave a test run current (spec 20)."""


When: TypeAlias = tuple[int, int]
"""(turn, step)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """The last run of a signal; `current` until something of its domain changed."""

    event: SignalEvent
    fact: Fact
    current: bool


class SignalFold:
    """The last runs of a conversation, folded from its facts. A signal raised by the step of another call's change does
    not outlive that change; the order inside of one command is known, and its footprint has taken account of it."""

    def __init__(self, config: GateConfig) -> None:
        self.config = config
        self.last: dict[str, Raised] = {}
        self.changed: dict[str, tuple[When, frozenset[str]]] = {}
        """Domain -> its last dropping step, and by which facts: two of them, for one is another than any given one."""
        self.aside: dict[str, tuple[When, frozenset[str]]] = {}
        """The same of temporary files, which count where the conversation changes nothing else."""
        self.apart: dict[str, tuple[When, frozenset[str]]] = {}
        """Rule with files of its own that do not drop it -> the last dropping step of its domain."""
        self.outside = False
        self.written: set[str] = set()
        self._free: dict[str, bool] = {}
        self._own = tuple(rule for rule in config.signals if rule.ignores)

    def copy(self) -> SignalFold:
        """A fold of its own that goes on from here."""
        made = SignalFold(self.config)
        made.last, made.changed, made.written = self.last.copy(), self.changed.copy(), self.written.copy()
        made.aside, made.apart, made.outside = self.aside.copy(), self.apart.copy(), self.outside
        made._free = self._free  # what is ignored stays so
        return made

    def run(self, facts: Iterable[Fact]) -> SignalFold:
        """Go on over facts in order."""
        for fact in facts:
            for event in sorted(fact.signals, key=_weight) if fact.signals else ():
                self.last[event.name] = Raised(event=own_words(event, self.written), fact=fact, current=True)
            for effect in fact.effects:
                if effect.did is Did.CHANGED:
                    self.written.add(last_name(effect.target))
                if _happened(fact, effect) and not self._ignored(effect.target):
                    self._note(fact, effect)
        return self

    def _ignored(self, target: str) -> bool:
        found = self._free.get(target)
        if found is None:
            patterns = (*(self.config.ignores or IGNORED_CHANGES), *self.config.scratch)
            found = self._free[target] = any(matches(target, pattern) for pattern in patterns)
        return found

    def _note(self, fact: Fact, effect: Effect) -> None:
        aside = effect.domain == FILES and is_temporary(effect.target)
        if not aside and effect.did is not Did.OPAQUE:
            self.outside = True
        _drop(self.aside if aside else self.changed, fact, effect.domain)
        for rule in self._own:
            spared = any(matches(effect.target, pattern) for pattern in rule.ignores)
            if not (aside or spared) and rule.domain == effect.domain:
                _drop(self.apart, fact, rule.name)

    def raised(self) -> dict[str, Raised]:
        """Signal name -> its last run."""
        if not self.last:
            return {}
        rules = {rule.name: rule for rule in (*builtin_rules(), *self.config.signals)}
        return {name: self._aged(raised, rules.get(name)) for name, raised in self.last.items()}

    def _aged(self, raised: Raised, rule: SignalRule | None) -> Raised:
        if rule is not None and rule.survives_changes:
            return raised
        if rule is not None and rule.ignores:
            found = [self.apart[rule.name]] if rule.name in self.apart else []
        else:
            domain = rule.domain if rule is not None else FILES
            places = (self.changed,) if self.outside else (self.changed, self.aside)
            found = [place[domain] for place in places if domain in place]
        stale = any(_later(at, keys, raised.fact) for at, keys in found)
        return replace(raised, current=False) if stale else raised


def _drop(changed: dict[str, tuple[When, frozenset[str]]], fact: Fact, domain: str) -> None:
    at, keys = changed.get(domain, (fact.at, frozenset()))
    if at != fact.at:
        keys = frozenset()
    if len(keys) < _TWO:
        changed[domain] = (fact.at, keys | {fact.key})


def _later(at: When, keys: frozenset[str], run: Fact) -> bool:
    """True for a change behind a run, or by another call of its step."""
    return at > run.at or (at == run.at and bool(keys - {run.key}))


def is_temporary(target: str) -> bool:
    """True for a file of a temporary folder or a cache, by its place alone."""
    return any(matches(target, pattern) for pattern in load_table("checks", "scratch.toml")["temporary"])


_TWO = 2
_WORST_LAST = (
    SignalState.PASSED, SignalState.EMPTY, SignalState.MASKED, SignalState.UNCLEAR, SignalState.FAILED
)  # fmt: skip


def own_words(event: SignalEvent, written: set[str]) -> SignalEvent:
    """A summary printed by a program that the agent wrote in this conversation proves nothing."""
    mine = event.by and last_name(event.by) in written and event.state is SignalState.PASSED
    return replace(event, state=SignalState.UNCLEAR) if mine else event


def _weight(event: SignalEvent) -> int:
    return _WORST_LAST.index(event.state)


def _happened(fact: Fact, effect: Effect) -> bool:
    """True for a change of the agent's that was made, or may have been."""
    if effect.did not in ACTS or fact.by_gate or fact.outcome is Outcome.NO_OP:
        return False
    return effect.did is Did.OPAQUE or fact.outcome is not Outcome.FAILED


def matches(target: str, pattern: str) -> bool:
    """True when a target lies under a glob pattern; a pattern without a slash speaks of the last name."""
    if "/" not in pattern:
        return _glob(pattern)(last_name(target)) is not None
    return _glob(pattern)(target) is not None or _glob(f"*/{pattern}")(target) is not None


@cache
def _glob(pattern: str) -> Callable[[str], object]:
    """What matches a pattern; patterns come from configurations and tables, so there are few."""
    from fnmatch import translate
    from re import compile as regex

    return regex(translate(pattern)).match
