"""One conversation as the checks see it: facts in order and the views folded from them, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from gate_core.footprint.body import shown
from gate_core.footprint.observe import same_text
from gate_core.footprint.rules import event_names
from gate_core.footprint.targets import last_name
from gate_core.ledger.book import Debt
from gate_core.ledger.budget import Budget, fold_budget
from gate_core.ledger.debts import DebtFold
from gate_core.ledger.folded import Folded, MadeOf, View
from gate_core.ledger.index import TargetIndex
from gate_core.ledger.novelty import is_look
from gate_core.ledger.order import calls_ended, in_order, pends
from gate_core.ledger.sight import Known, Sight
from gate_core.ledger.signals import Raised, SignalFold
from gate_core.ledger.touch import CHANGES, LOOKS, Touch, effects_in, stirring, touched
from gate_core.model.call import SignalEvent, TextSource
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact
from gate_core.model.json import Json, JsonObject, text_of
from gate_core.model.kept import kept
from gate_core.model.kinds import Did, Outcome, SignalState
from gate_core.model.state import GateState, Try

_REMEMBERED = 50  # looks of earlier turns whose text is searched


class Ledger:
    """A read-only view of a state under a configuration. `texts` finds the texts of calls again, or is None; `recall`
    finds texts that are known to be the fact's own, and is asked first.

    `closed` is what `close` made of the turns before this one. Views go on from it, if it fits the state still, and are
    the same without it. `known` are answers about texts that earlier ledgers found, `folded` is what another ledger
    made of facts that are the same if nothing happened since.
    """

    def __init__(
        self,
        state: GateState,
        config: GateConfig,
        texts: TextSource | None = None,
        *,
        recall: Callable[[Fact], tuple[JsonObject, Json] | None] | None = None,
        closed: Ledger | None = None,
        known: Known | None = None,
        folded: Folded | None = None,
    ) -> None:
        self.state = state
        self.config = config
        self.texts = texts
        self._recall = recall
        self._before = closed
        self._known = known
        self._folded = folded
        self._closing = False
        self._number = 0
        self._last: list[str] = []
        self._found: dict[str, tuple[JsonObject, Json] | None] = {}

    @property
    def turn(self) -> int:
        """The current turn."""
        return self.state.turn

    @kept
    def _basis(self) -> tuple[Ledger | None, tuple[Fact, ...]]:
        """What the views go on from, and the facts in order that they have not seen."""
        if self._same is not None:
            return self._same.basis
        _, closed, facts = self._made_of
        if closed is not None:
            new = [fact for fact in facts if fact.turn > closed.turn]
            if closed.fits(self.state, self.config, new):
                return closed, in_order(new, closed.ended if any(pends(f) for f in new) else frozenset())
        return None, in_order(facts, frozenset())

    @kept
    def _made_of(self) -> MadeOf:
        return self.turn, self._before, tuple(self.state.facts.values())

    @kept
    def _same(self) -> Folded | None:
        """What another ledger folded, if nothing happened since."""
        return self._folded if self._folded is not None and self._folded.made_of == self._made_of else None

    def folded(self) -> Folded:
        """What was folded so far; it holds no texts."""
        held = self.__dict__.get
        return Folded(
            made_of=self._made_of,
            basis=self._basis,
            debts=held("debt_fold"),
            signals=held("signal_fold"),
            spent=held("_spent"),
            looks=held("looks_here"),
        )

    def fits(self, state: GateState, config: GateConfig, new: Sequence[Fact]) -> bool:
        """True when the state holds this ledger's facts and the new ones, and none of those ends a call of these."""
        known = len(state.facts) - len(new) == self._number and all(key in state.facts for key in self._last)
        return known and config is self.config and not (self._waiting and self._waiting & calls_ended(new))

    @kept
    def ended(self) -> frozenset[str]:
        """The ids of calls whose end was seen."""
        return calls_ended(self.facts)

    @kept
    def _waiting(self) -> frozenset[str]:
        return frozenset(fact.call for fact in self.facts if pends(fact))

    def _taken(self, view: View) -> View:
        """A view of earlier turns, to go on with: a copy, or itself for a ledger that takes their place."""
        return view if self._closing else view.copy()

    def close(self) -> Ledger:
        """Fold everything, let go of state and texts, and be what a ledger of later turns goes on from.

        What was closed before becomes part of this one and is of no use any more, also when a text source raises.
        """
        self._closing = True
        self._number, self._last = len(self.state.facts), [fact.key for fact in self.facts[-1:]]
        _ = (self.debt_fold, self.signal_fold, self.touches, self.worked_on, self.worked_ids, self.by_id)
        _ = (self.last_changes, self.stems, self._waiting)
        self.state = GateState(turn=self.turn)
        self.texts = self._recall = self._before = None
        del self._basis
        for name in ("sight", "debts", "here"):
            self.__dict__.pop(name, None)
        self._found.clear()
        return self

    @kept
    def facts(self) -> tuple[Fact, ...]:
        """All facts in order. A pending call whose end was seen is left out."""
        closed, new = self._basis
        return new if closed is None else (*closed.facts, *new)

    @kept
    def here(self) -> tuple[Fact, ...]:
        """The facts of this turn."""
        return tuple(fact for fact in self._basis[1] if fact.turn == self.turn)

    @kept
    def calls_here(self) -> tuple[Fact, ...]:
        """The executed calls of this turn."""
        return tuple(fact for fact in self.here if fact.executed)

    @kept
    def debt_fold(self) -> DebtFold:
        """The fold behind `debts`."""
        if self._same is not None and self._same.debts is not None:
            return self._same.debts
        closed, new = self._basis
        fold = DebtFold(self.config) if closed is None else self._taken(closed.debt_fold)
        return fold.run(new, self.sight)

    @kept
    def debts(self) -> tuple[Debt, ...]:
        """Every debt of the conversation, settled ones included."""
        return self.debt_fold.debts()

    @kept
    def signal_fold(self) -> SignalFold:
        """The fold behind `signals`."""
        if self._same is not None and self._same.signals is not None:
            return self._same.signals
        closed, new = self._basis
        fold = SignalFold(self.config) if closed is None else self._taken(closed.signal_fold)
        return fold.run(new)

    @kept
    def signals(self) -> dict[str, Raised]:
        """Signal name -> its last run."""
        return self.signal_fold.raised()

    @kept
    def budget(self) -> Budget:
        """The reasoning budget of this turn. A look ends a halt when it earned something after the rejection, in its
        step too: what counts is that it was not there yet."""
        last = self.tries[-1] if self.tries else None
        halted = last is not None and bool(last.pairs) and self._spent.looks <= last.looks
        return replace(self._spent, halted=True) if halted else self._spent

    @kept
    def _spent(self) -> Budget:
        """The budget as the facts alone have it."""
        if self._same is not None and self._same.spent is not None:
            return self._same.spent
        facts = self.facts if self.config.strict else self.here
        return fold_budget(facts, self.turn, self.config, self.text)

    @kept
    def tries(self) -> tuple[Try, ...]:
        """The rejections of this turn, in order."""
        return tuple(t for t in self.state.tries if t.turn == self.turn)

    @kept
    def acts_here(self) -> tuple[Fact, ...]:
        """The executed calls of this turn that did more than look, or meant to."""
        return tuple(f for f in self.calls_here if not LOOKS.issuperset([effect.did for effect in f.effects]))

    @kept
    def changes_here(self) -> tuple[tuple[Fact, Effect], ...]:
        """(fact, effect) of every named change of this turn that happened."""
        return tuple(effects_in(self.acts_here, CHANGES, (Outcome.OK,)))

    @kept
    def changing_calls(self) -> tuple[str, ...]:
        """What may have changed something in this conversation: each such call, and each program of a command."""
        went = (f for f in self.facts if f.executed and f.outcome not in (Outcome.FAILED, Outcome.NO_OP))
        acts = (fact for fact in went if not LOOKS.issuperset([effect.did for effect in fact.effects]))
        return tuple(act for fact in acts for act in fact.ran or (fact.tool,))

    @kept
    def failures_here(self) -> tuple[tuple[Fact, Effect], ...]:
        """(fact, effect) of every named change of this turn that failed or did nothing."""
        return tuple(effects_in(self.acts_here, CHANGES, (Outcome.FAILED, Outcome.NO_OP)))

    @kept
    def failed_unnamed(self) -> bool:
        """True when what may have changed anything in this turn failed or did nothing, and nothing else was changed."""
        acts = self.acts_here
        return bool(acts) and all(f.outcome in (Outcome.FAILED, Outcome.NO_OP) for f in acts)

    @kept
    def worked_here(self) -> bool:
        """True when a call of this turn meant to change something it named, however it ended."""
        return any(effect.did in CHANGES for fact in self.acts_here for effect in fact.effects)

    @kept
    def events_here(self) -> tuple[Fact, ...]:
        """The calls of this turn that raised an event of their own: a commit, a push, a deployment."""
        calls = (f for f in self.calls_here if f.outcome is not Outcome.NO_OP)
        return tuple(f for f in calls if any(_happened(event, self.config) for event in f.signals))

    @kept
    def opaque_here(self) -> tuple[tuple[Fact, Effect], ...]:
        """(fact, effect) of every ok change of this turn that cannot be named."""
        return tuple(effects_in(self.acts_here, frozenset({Did.OPAQUE}), (Outcome.OK,)))

    @kept
    def looks_here(self) -> tuple[Fact, ...]:
        """The calls of this turn that showed or listed something, or its absence."""
        if self._same is not None and self._same.looks is not None:
            return self._same.looks
        return tuple(fact for fact in self.calls_here if is_look(fact))

    @kept
    def looks_before(self) -> tuple[Fact, ...]:
        """The looks of earlier turns behind the last change, the latest first; no more than anybody remembers."""
        changed = max((debt.change.at for debt in self.debts), default=(0, -1))
        found = (f for f in reversed(self.facts) if f.executed and changed < f.at and f.turn < self.turn)
        return tuple(islice((f for f in found if is_look(f)), _REMEMBERED))

    @kept
    def touches(self) -> TargetIndex[Touch]:
        """What is known of every target that a call ever touched."""
        closed, new = self._basis
        index: TargetIndex[Touch] = TargetIndex() if closed is None else self._taken(closed.touches)
        for fact in new:
            if fact.executed:
                for effect in fact.effects:
                    index[effect.target] = touched(index.get(effect.target) or Touch(), fact, effect)
        return index

    @kept
    def by_id(self) -> dict[str, tuple[str, ...]]:
        """Lower-case id -> the "kind:id" targets that carry it."""
        closed, new = self._basis
        found = {} if closed is None else self._taken(closed.by_id)
        for target in {effect.target for fact in new for effect in fact.effects}:
            kind, _, ident = target.partition(":")
            if ident and "/" not in kind and kind != "tool" and not ident.startswith("//"):
                found[ident.lower()] = tuple(sorted({*found.get(ident.lower(), ()), target}))
        return found

    @kept
    def stems(self) -> dict[str, str]:
        """Lower-case name without extension -> the touched target of that name, the one touched last."""
        closed, new = self._basis
        found = {} if closed is None else self._taken(closed.stems)
        for fact in new:
            if fact.executed:
                for effect in fact.effects:
                    found[last_name(effect.target).partition(".")[0].lower()] = effect.target
        return found

    @property
    def seen(self) -> int:
        """How much of this turn counts as progress: distinct results, ok changes, passed signals."""
        results = {fact.result for fact in self.calls_here}
        events = [event for fact in self.calls_here for event in fact.signals if event.state is SignalState.PASSED]
        return len(results) + len(self.changes_here) + len(events)

    @kept
    def worked_on(self) -> TargetIndex[None]:
        """The targets of ok calls."""
        closed, _ = self._basis
        index: TargetIndex[None] = TargetIndex() if closed is None else self._taken(closed.worked_on)
        for target in self._worked:
            index[target] = None
        return index

    @kept
    def worked_ids(self) -> frozenset[str]:
        """Lower-case ids of the "kind:id" targets of ok calls."""
        closed, _ = self._basis
        found = frozenset(target.partition(":")[2].lower() for target in self._worked) - {""}
        return found if closed is None else found | closed.worked_ids

    @property
    def _worked(self) -> Iterator[str]:
        """The targets of ok calls that `_basis` has not seen."""
        ok = (fact for fact in self._basis[1] if fact.executed and fact.outcome is Outcome.OK)
        return (effect.target for fact in ok for effect in fact.effects)

    def changed_in(self, domain: str) -> tuple[int, int] | None:
        """When something of a domain last changed or may have, None for never. Spec 10, "verified": a look must be
        later than that."""
        return self.last_changes.get(domain)

    @kept
    def last_changes(self) -> dict[str, tuple[int, int]]:
        """Domain -> `changed_in`."""
        closed, new = self._basis
        found = {} if closed is None else self._taken(closed.last_changes)
        for fact in new:
            if fact.executed:
                found.update((effect.domain, fact.at) for effect in stirring(fact))
        return found

    def works_outside(self, places: Callable[[str], bool]) -> bool:
        """True when some named change of this turn lies outside of the places."""
        return any(not places(effect.target) for _, effect in self.changes_here)

    @property
    def last_step(self) -> int:
        """The latest step of this turn, -1 before the first."""
        return max((fact.step for fact in self.here), default=-1)

    @kept
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

    @kept
    def sight(self) -> Sight:
        """What the texts of looks show."""
        return Sight(self.text, self.config, self._known)

    def text(self, fact: Fact) -> tuple[JsonObject, Json] | None:
        """Arguments of a fact's call and its result as a reader sees it; None when they are gone or not the same."""
        if fact.key not in self._found:
            found = self._fetched(fact)
            self._found[fact.key] = None if found is None else (found[0], shown(found[1]))
        return self._found[fact.key]

    def _fetched(self, fact: Fact) -> tuple[JsonObject, Json] | None:
        own = self._recall(fact) if self._recall is not None else None
        if own is not None:
            return own
        found = self.texts.call(fact.ref) if self.texts is not None and fact.ref else None
        if found is None or not same_text(fact, fact.tool, found[0], text_of(found[1])):
            return None
        return found

    def settled_here(self) -> tuple[Debt, ...]:
        """The settled debts of this turn, for the evidence line."""
        return tuple(debt for debt in self.debts if debt.change.turn == self.turn and debt.by is not None)


def _happened(event: SignalEvent, config: GateConfig) -> bool:
    own = {rule.name for rule in config.signals if rule.event}
    return event.state is SignalState.PASSED and (event.name in event_names() or event.name in own)
