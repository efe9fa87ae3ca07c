"""One conversation as the checks see it: facts in order and the views folded from them, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from gate_core.footprint.observe import same_text
from gate_core.ledger.budget import Budget, fold_budget
from gate_core.ledger.debts import Debt, fold_debts
from gate_core.ledger.index import TargetIndex
from gate_core.ledger.sight import Sight
from gate_core.ledger.signals import Raised, fold_signals
from gate_core.model.call import TextSource
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact
from gate_core.model.json import Json, JsonObject, text_of
from gate_core.model.kinds import Did, Outcome
from gate_core.model.state import GateState, Try

LOOKS = frozenset({Did.SHOWED, Did.LISTED, Did.ABSENT})
CHANGES = frozenset({Did.CHANGED, Did.DELETED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """What is known of one target: the latest look, change and possible change as (turn, step), None for never.
    `absent` says that the latest look found it missing, `content` that it showed content."""

    looked: tuple[int, int] | None = None
    absent: bool = False
    content: bool = False
    changed: tuple[int, int] | None = None
    stirred: tuple[int, int] | None = None


class Ledger:
    """A read-only view of a state under a configuration. `texts` finds the texts of calls again, or is None."""

    def __init__(self, state: GateState, config: GateConfig, texts: TextSource | None = None) -> None:
        self.state = state
        self.config = config
        self.texts = texts
        self._found: dict[str, tuple[JsonObject, Json] | None] = {}

    @property
    def turn(self) -> int:
        """The current turn."""
        return self.state.turn

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """All facts in order. A pending call whose end was seen is left out."""
        ordered = sorted(self.state.facts.values(), key=lambda fact: (fact.turn, fact.step, fact.key))
        ended = {f.call for f in ordered if f.call and f.outcome is not Outcome.PENDING and f.executed}
        return tuple(f for f in ordered if f.outcome is not Outcome.PENDING or f.call not in ended)

    @cached_property
    def here(self) -> tuple[Fact, ...]:
        """The facts of this turn."""
        return tuple(fact for fact in self.facts if fact.turn == self.turn)

    @cached_property
    def calls_here(self) -> tuple[Fact, ...]:
        """The executed calls of this turn."""
        return tuple(fact for fact in self.here if fact.executed)

    @cached_property
    def debts(self) -> tuple[Debt, ...]:
        """Every debt of the conversation, settled ones included."""
        return fold_debts(self.facts, self.config, self.sight)

    @cached_property
    def signals(self) -> dict[str, Raised]:
        """Signal name -> its last run."""
        return fold_signals(self.facts, self.config)

    @cached_property
    def budget(self) -> Budget:
        """The reasoning budget of this turn."""
        return fold_budget(self.here, self.tries, self.config)

    @cached_property
    def tries(self) -> tuple[Try, ...]:
        """The rejections of this turn, in order."""
        return tuple(t for t in self.state.tries if t.turn == self.turn)

    @cached_property
    def changes_here(self) -> tuple[tuple[Fact, Effect], ...]:
        """(fact, effect) of every named change of this turn that happened."""
        return tuple(_effects(self.calls_here, CHANGES, (Outcome.OK,)))

    @cached_property
    def failures_here(self) -> tuple[tuple[Fact, Effect], ...]:
        """(fact, effect) of every named change of this turn that failed or did nothing."""
        return tuple(_effects(self.calls_here, CHANGES, (Outcome.FAILED, Outcome.NO_OP)))

    @cached_property
    def worked_here(self) -> bool:
        """True when a call of this turn meant to change something it named, however it ended."""
        return any(effect.did in CHANGES for fact in self.calls_here for effect in fact.effects)

    @cached_property
    def opaque_here(self) -> tuple[tuple[Fact, Effect], ...]:
        """(fact, effect) of every ok change of this turn that cannot be named."""
        return tuple(_effects(self.calls_here, frozenset({Did.OPAQUE}), (Outcome.OK,)))

    @cached_property
    def looks_here(self) -> tuple[Fact, ...]:
        """The calls of this turn that showed or listed something, or its absence."""
        return tuple(fact for fact in self.calls_here if any(e.did in LOOKS for e in fact.effects))

    @cached_property
    def touches(self) -> TargetIndex[Touch]:
        """What is known of every target that a call ever touched."""
        index: TargetIndex[Touch] = TargetIndex()
        for fact in self.facts:
            if fact.executed:
                for effect in fact.effects:
                    index[effect.target] = _touched(index.get(effect.target) or Touch(), fact, effect)
        return index

    @cached_property
    def by_id(self) -> dict[str, tuple[str, ...]]:
        """Lower-case id -> the "kind:id" targets that carry it."""
        found: dict[str, tuple[str, ...]] = {}
        for target in sorted({effect.target for fact in self.facts for effect in fact.effects}):
            kind, _, ident = target.partition(":")
            if ident and "/" not in kind and kind != "tool" and not ident.startswith("//"):
                found[ident.lower()] = (*found.get(ident.lower(), ()), target)
        return found

    @property
    def seen(self) -> int:
        """How much of this turn counts as progress: distinct results, ok changes, passed signals."""
        results = {fact.digest for fact in self.calls_here}
        return len(results) + len(self.changes_here) + sum(len(fact.signals) for fact in self.calls_here)

    def works_outside(self, places: Callable[[str], bool]) -> bool:
        """True when some named change of this turn lies outside of the places."""
        return any(not places(effect.target) for _, effect in self.changes_here)

    @property
    def last_step(self) -> int:
        """The latest step of this turn, -1 before the first."""
        return max((fact.step for fact in self.here), default=-1)

    @cached_property
    def _debts_by_target(self) -> TargetIndex[tuple[Debt, ...]]:
        index: TargetIndex[tuple[Debt, ...]] = TargetIndex()
        for debt in self.debts:
            index[debt.target] = (*(index.get(debt.target) or ()), debt)
        return index

    def debts_of(self, name: str) -> tuple[Debt, ...]:
        """The debts whose target the name means."""
        return tuple(debt for _, found in self._debts_by_target.matching(name) for debt in found)

    def settled(self, name: str) -> bool:
        """True when the last change of what the name means was settled."""
        found = self.debts_of(name)
        return bool(found) and all(debt.by is not None for debt in found)

    @cached_property
    def sight(self) -> Sight:
        """What the texts of looks show."""
        return Sight(self.text, self.config)

    def text(self, fact: Fact) -> tuple[JsonObject, Json] | None:
        """Arguments and result of a fact's call; None when they are gone or are not the same."""
        if fact.key not in self._found:
            self._found[fact.key] = self._fetched(fact)
        return self._found[fact.key]

    def _fetched(self, fact: Fact) -> tuple[JsonObject, Json] | None:
        found = self.texts.call(fact.ref) if self.texts is not None and fact.ref else None
        if found is None or not same_text(fact, fact.tool, found[0], text_of(found[1])):
            return None
        return found

    def settled_here(self) -> tuple[Debt, ...]:
        """The settled debts of this turn, for the evidence line."""
        return tuple(debt for debt in self.debts if debt.change.turn == self.turn and debt.by is not None)


def _effects(
    facts: Iterable[Fact], did: frozenset[Did], outcomes: tuple[Outcome, ...]
) -> Iterable[tuple[Fact, Effect]]:
    for fact in facts:
        if fact.outcome in outcomes:
            for effect in fact.effects:
                if effect.did in did:
                    yield fact, effect


def _touched(touch: Touch, fact: Fact, effect: Effect) -> Touch:
    if effect.did in LOOKS:
        again = touch.looked == fact.at
        absent = effect.did is Did.ABSENT and not (again and not touch.absent)
        content = effect.did is Did.SHOWED or (again and touch.content)
        return replace(touch, looked=fact.at, absent=absent, content=content)
    if effect.did is Did.OPAQUE:
        return replace(touch, stirred=fact.at)
    return touch if fact.outcome in (Outcome.FAILED, Outcome.NO_OP) else replace(touch, changed=fact.at)
