"""When what a look looked at may have changed, so that the same look is worth something again (spec 10, "Novelty")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from gate_core.footprint.targets import FILES, tails
from gate_core.ledger.index import TargetIndex
from gate_core.ledger.touch import CHANGES, LOOKS
from gate_core.model.fact import Effect, Fact
from gate_core.model.kinds import Did, Outcome

When: TypeAlias = tuple[int, int]
"""(turn, step). Facts of one step are unordered."""

_NEVER: When = (-1, -1)


@dataclass(frozen=True, slots=True)
class Stir:
    """The latest change of something: when, by which call, and when by any other call than that."""

    at: When
    by: str
    other: When = _NEVER

    def then(self, at: When, by: str) -> Stir:
        """This one after one more change."""
        return Stir(at, by, self.other if by == self.by else self.at)

    def since(self, at: When, asked: str) -> bool:
        """True when another call than the asked one changed it at that time or later."""
        return (self.other if asked == self.by else self.at) >= at


class Renewals:
    """What changed when. A call that may change what it looks at, as any unread program may, never renews itself.

    Changes are filed when something is asked, which is rare; recording one costs nothing.
    """

    def __init__(self) -> None:
        self._new: list[tuple[Fact, Effect]] = []
        self._any: Stir | None = None
        self._domains: dict[str, Stir] = {}
        self._targets: TargetIndex[Stir] = TargetIndex()
        self._folders: dict[str, Stir] = {}

    def record(self, fact: Fact) -> None:
        """Note what a fact changed, or may have changed. Record a step as a whole, after its looks were asked about."""
        self._new += [(fact, effect) for effect in fact.effects if effect.did not in LOOKS and _stirs(fact, effect)]

    def since(self, at: When, look: Fact) -> bool:
        """True when something the look rests on changed in the step `at` or later: the target itself, something below
        it, or its domain by a change that cannot be named. What names no place, as a program's output, rests on
        everything."""
        self._file()
        if self._any is None or not self._any.since(at, look.skeleton):
            return False
        stirs = (stir for target, domain in _rests_on(look) for stir in self._of(target, domain))
        return any(stir.since(at, look.skeleton) for stir in stirs)

    def _of(self, target: str, domain: str) -> Iterator[Stir]:
        if target.startswith("tool:"):
            found = [self._any]
        else:
            found = [self._domains.get(domain), self._folders.get(target)]
            yield from (stir for _, stir in self._targets.matching(target))
        yield from (stir for stir in found if stir is not None)

    def _file(self) -> None:
        for fact, effect in self._new:
            at, by = fact.at, fact.skeleton
            self._any = self._any.then(at, by) if self._any else Stir(at, by)
            if effect.did is Did.OPAQUE and effect.target.startswith("tool:"):
                _set(self._domains, effect.domain, at, by)
                continue
            held = self._targets.get(effect.target)
            self._targets[effect.target] = held.then(at, by) if held else Stir(at, by)
            for folder in _above(effect):
                _set(self._folders, folder, at, by)
        self._new.clear()


def _rests_on(look: Fact) -> set[tuple[str, str]]:
    """The (target, domain) pairs a look is about. A command that showed the content of what it names, and nothing else
    that is known of, says nothing of its own."""
    effects = [effect for effect in look.effects if effect.did not in CHANGES]
    named = {(e.target, e.domain) for e in effects if not e.target.startswith("tool:")}
    shows = any(e.did is Did.SHOWED and (e.target, e.domain) in named for e in effects)
    if shows and not look.signals and all(e.did is not Did.OPAQUE for e in effects):
        return named
    return {(e.target, e.domain) for e in effects}


def _set(stirs: dict[str, Stir], key: str, at: When, by: str) -> None:
    held = stirs.get(key)
    stirs[key] = held.then(at, by) if held else Stir(at, by)


def _stirs(fact: Fact, effect: Effect) -> bool:
    """True for a change that happened or may have; a named one that failed or did nothing is none."""
    if fact.outcome is Outcome.NO_OP or not fact.executed:
        return False
    return effect.did is Did.OPAQUE or (effect.did in CHANGES and fact.outcome is not Outcome.FAILED)


def _above(effect: Effect) -> Iterable[str]:
    """The folders a path lies in; "." stands for the place one is in, wherever that is."""
    path = effect.target
    folders = [path[: -len(tail) - 1] or "/" for tail in tails(path)]
    return [*folders, "."] if effect.domain == FILES else folders
