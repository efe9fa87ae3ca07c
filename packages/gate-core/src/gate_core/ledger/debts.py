"""Debts: every change owes a look, and this is how the facts pay (spec 10, "Debts").

One pass over the facts in order. Within a step, looks are taken against the debts of earlier steps only (parallel
calls are unordered); then the step's own changes open new debts, and a new change cancels what was paid before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from gate_core.footprint.globs import is_glob
from gate_core.footprint.rules import ANALYSED, OBSCURE, by_id, event_names
from gate_core.footprint.search import SOMEWHERE
from gate_core.footprint.targets import FILES, last_name, same_target
from gate_core.ledger.book import PLACELESS, PLAIN, Book, Debt, after
from gate_core.ledger.exercise import FORMAT_CHECK, exercised, exercises, exercising
from gate_core.ledger.order import when
from gate_core.ledger.sight import Sight
from gate_core.ledger.signals import own_words
from gate_core.ledger.touch import LOOKS
from gate_core.model.call import SignalEvent
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact, Lines
from gate_core.model.kinds import Did, Outcome, Receipt, Settle, SignalState

EXISTS_PROBE = "probe-exists"
"""The tool name of the gate's own looks that ask only whether a file is there; other looks of the gate are "probe"."""


_FEW = 16  # looks that are remembered to tell what stood in a file, and changes of one file behind one another


class DebtFold:
    """The debts of a conversation, folded from its facts step by step."""

    sight: Sight

    def __init__(self, config: GateConfig) -> None:
        self.config = config
        self.exercising = exercising(config)
        self.book = Book()
        self.written: set[str] = set()
        self.read: deque[Fact] = deque(maxlen=_FEW)

    def copy(self) -> DebtFold:
        """A fold of its own that goes on from here."""
        made = DebtFold(self.config)
        made.book, made.written, made.read = self.book.copy(), self.written.copy(), self.read.copy()
        return made

    def run(self, facts: Iterable[Fact], sight: Sight) -> DebtFold:
        """Go on over facts in order, whole steps; what texts show is asked of `sight`."""
        self.sight = sight
        for _, step in groupby(facts, key=when):
            self.step(list(step))
        del self.sight
        return self

    def debts(self) -> tuple[Debt, ...]:
        """All debts, settled ones included, by domain in the order they were last opened."""
        return tuple(self.book.debts())

    def step(self, facts: list[Fact]) -> None:
        """Take the facts of one step: its looks, then its changes."""
        for fact in facts:
            self._probe(fact) if fact.by_gate else self._look(fact)
        for fact in facts:
            if fact.outcome in (Outcome.OK, Outcome.UNKNOWN, Outcome.PENDING) and not fact.by_gate:
                self._change(fact)

    def _look(self, fact: Fact) -> None:
        """What a look pays, and what a run does; where nothing is owed, it is only remembered."""
        looks = self.config.settles(Settle.READ) and fact.profile not in OBSCURE
        if looks and fact.size and any(effect.did in (Did.LISTED, Did.SHOWED) for effect in fact.effects):
            self.read.append(fact)
        if not self.book.owes:
            return
        if looks:
            for effect in fact.effects:
                self._read(fact, effect)
            for debt in self.book.running() if fact.outcome is Outcome.OK else ():
                self._end(fact, debt)
            if not self.config.strict:
                self._silent(fact)
        self._run(fact)

    def _silent(self, fact: Fact) -> None:
        """A search that no longer finds what was taken away."""
        if self.sight.silent.vain(fact) is not None:
            self.book.settle(PLAIN, Settle.READ, fact, partial(self._took, fact))
        if self.sight.silent.clean(fact) is not None:
            self.book.settle(PLAIN, Settle.READ, fact, partial(self._restored, fact))

    def _restored(self, look: Fact, debt: Debt) -> bool:
        return debt.domain == FILES and not debt.gone and self.sight.silent.restored(look, debt.wrote, debt.target)

    def _took(self, look: Fact, debt: Debt) -> bool:
        if debt.domain != FILES or debt.under is None or debt.bare:
            return False
        return self.sight.silent.took(look, (debt.wrote, *debt.under), debt.target, self.read)

    def _run(self, fact: Fact) -> None:
        """What the runs of a call exercised."""
        for signal in fact.signals if self.config.settles(Settle.SIGNAL) else ():
            if exercises(own_words(signal, self.written), self.exercising):
                self.book.settle(PLAIN, Settle.SIGNAL, fact, partial(_exercised, signal))
            elif signal.name == FORMAT_CHECK and signal.state is SignalState.PASSED:
                self.book.settle(PLAIN, Settle.SIGNAL, fact, partial(_in_shape, signal))

    def _read(self, fact: Fact, effect: Effect) -> None:
        if effect.did in (Did.LISTED, Did.SHOWED):
            self._list(fact, effect)
        if effect.did in (Did.LISTED, Did.ABSENT):
            for debt in self.book.gone_from(effect):
                if self._elsewhere(fact, debt):
                    continue
                if effect.did is Did.ABSENT or self.sight.absent(fact, debt.target):
                    self.book.put(after(debt, fact, by=Settle.READ, contradicted=False))
        if effect.did in (Did.SHOWED, Did.ABSENT):
            for debt in self.book.matching(effect):
                if debt.by is None and not debt.pending and not self._elsewhere(fact, debt):
                    self._compare(fact, effect, debt)
        if effect.did is Did.SHOWED and not (fact.profile == ANALYSED and effect.domain == effect.target):
            self.book.settle(PLACELESS, Settle.READ, fact, lambda debt: self._pays_afar(fact, effect, debt))

    def _pays_afar(self, fact: Fact, look: Effect, debt: Debt) -> bool:
        """A look into the world of a change pays, unless what was deleted there is still named."""
        if not _within_reach(look, debt) or self._elsewhere(fact, debt):
            return False
        return not (debt.gone and self.sight.still_names(fact, debt.target))

    def _elsewhere(self, look: Fact, debt: Debt) -> bool:
        """True for a look into another database, namespace or account than that of the change."""
        return debt.domain != FILES and self.sight.elsewhere(look, debt.change)

    def _end(self, fact: Fact, debt: Debt) -> None:
        """A look at the job that a pending change became shows that it ended, and how."""
        ended = self.sight.ended(fact, debt.change)
        if ended is not None:
            by = Settle.READ if ended else None
            self.book.put(after(debt, fact, by=by, pending=False, contradicted=not ended))

    def _list(self, fact: Fact, effect: Effect) -> None:
        """A look pays for what only has to be there: it names it, lists its folder, or finds something in it."""
        for debt in (*self.book.matching(effect), *self.book.bare_in(effect)):
            named = same_target(effect.target, debt.target) or effect.target.startswith(f"{debt.target}/")
            named = named or (effect.did is Did.LISTED and self.sight.lists(fact, debt.target))
            if debt.by is not None or debt.pending or self._elsewhere(fact, debt):
                continue
            if (debt.bare and named) or (not self.config.strict and self._equal(fact, debt)):
                self.book.put(after(debt, fact, by=Settle.READ, contradicted=False))

    def _equal(self, look: Fact, debt: Debt) -> bool:
        """A copy that a comparison finds equal to what it was copied from."""
        return not debt.gone and not debt.under and self.sight.silent.same(look, debt.wrote, debt.target)

    def _compare(self, fact: Fact, effect: Effect, debt: Debt) -> None:
        """A content look at a changed target: does it cover the place, and does it show the new text?"""
        if debt.gone or effect.did is Did.ABSENT:
            if debt.gone and effect.did is Did.ABSENT:
                self.book.put(after(debt, fact, by=Settle.READ, contradicted=False))
            return
        if self.config.strict and effect.lines is not None:
            return
        seen = self.sight.shows(fact, debt.wrote, debt.target, part=effect.lines is not None)
        if seen is None and debt.domain != FILES and self.sight.refutes(fact, debt.wrote):
            seen = False
        covers, left = _coverage(effect.lines, debt.lines, seen)
        if covers and seen is False:
            if not debt.hidden:
                self.book.put(after(debt, fact, hidden=True))
        elif covers and (seen or not debt.contradicted):
            by = None if left else Settle.READ
            wrong = debt.contradicted and not seen
            self.book.put(after(debt, fact, by=by, lines=left, hidden=False, contradicted=wrong))

    def _probe(self, fact: Fact) -> None:
        if self.config.settles(Settle.PROBE):
            held = fact.outcome is Outcome.OK
            for effect in fact.effects:
                for debt in self.book.matching(effect):
                    if debt.target == effect.target and debt.by is None and (not held or _answers(fact, debt)):
                        self.book.put(after(debt, fact, by=Settle.PROBE if held else None, contradicted=not held))

    def _change(self, fact: Fact) -> None:
        changing = [effect for effect in fact.effects if effect.did not in LOOKS]
        taken = self._moved(fact) if len(changing) > 1 else {}
        for effect in changing:
            if effect.did is Did.CHANGED:
                self.written.add(last_name(effect.target))
                self._owe(fact, effect, gone=False, carried=taken.get(effect.target, ()))
            elif effect.did is Did.DELETED:
                self._remove(fact, effect)
            elif effect.did is Did.OPAQUE and is_glob(effect.target):
                for debt in self.book.matching(effect):
                    self.book.put(
                        after(debt, fact, change=fact, wrote=fact, lines=(), by=None, hidden=False, contradicted=False)
                    )

    def _moved(self, fact: Fact) -> dict[str, tuple[Debt, ...]]:
        """New name -> the debts of the old one, which move along; those inside of a moved folder move too."""
        sources = [effect for effect in fact.effects if effect.did is Did.DELETED]
        goals = [effect for effect in fact.effects if effect.did is Did.CHANGED and effect.bare]
        if len(sources) != len(goals):
            return {}
        taken: dict[str, tuple[Debt, ...]] = {}
        for source, goal in zip(sources, goals, strict=True):
            old = [debt for debt in self.book.matching(source) if debt.by is None and not debt.gone]
            taken[goal.target] = tuple(old)
            for debt in self.book.below(source):
                self.book.forget(debt)
                inner = debt.target[len(source.target.rstrip("/")) :]
                self.book.put(after(debt, fact, target=goal.target + inner))
        return taken

    def _owe(
        self, fact: Fact, effect: Effect, *, gone: bool, unmade: tuple[Debt, ...] = (), carried: tuple[Debt, ...] = ()
    ) -> None:
        lines = (effect.lines,) if effect.lines is not None else ()
        for debt in self.book.matching(effect):
            if debt.target == effect.target and debt.change.key == fact.key:  # another hunk of the same change
                self.book.put(replace(debt, lines=(*debt.lines, *lines)))
                return
        old = self.book.matching(effect)
        running = any(debt.pending for debt in old)  # what still runs may change it yet
        polished = not gone and _only_laid_out(fact)
        kept = next((debt for debt in old if polished and not debt.gone), None)
        only_moved = all(debt.bare for debt in carried)
        self.book.drop(effect)
        by = self._own_proof(effect, fact, old) if only_moved or _shows_itself(fact, effect) else None
        debt = Debt(
            target=effect.target,
            domain=effect.domain,
            change=fact,
            lines=lines,
            gone=gone,
            unmade=bool(unmade),
            by=by,
            pending=fact.outcome is Outcome.PENDING or running,
            bare=effect.bare and only_moved,
            wrote=kept.wrote if kept is not None else fact,
            polished=polished and all(debt.by is not None for debt in old),
            under=_under(old, fact) if by is None else (),
            trail=(*(key for debt in (*unmade, *carried, *filter(None, (kept,))) for key in debt.trail), fact.key),
        )
        self.book.put(debt)

    def _own_proof(self, effect: Effect, fact: Fact, old: Sequence[Debt]) -> Settle | None:
        """What the call's own result settles, or its own comparison of a copy with what it was copied from."""
        way = self._receipt(effect, fact)
        if way is not None or self.config.strict or effect.domain != FILES or not self.config.settles(Settle.STATE):
            return way
        open_ = any(debt.by is None and not debt.gone for debt in old)
        return Settle.STATE if not open_ and self.sight.silent.same(fact, fact, effect.target) else None

    def _receipt(self, effect: Effect, fact: Fact) -> Settle | None:
        """What the call's own result settles: a receipt, or, outside the local files, the event it raised."""
        if effect.domain != FILES and any(_event(signal) for signal in fact.signals):
            return Settle.STATE if self.config.settles(Settle.STATE) else None
        if effect.receipt is Receipt.RUN and not self._ran_over(effect, fact):
            return None
        seen = (
            fact.outcome is Outcome.UNKNOWN and bool(fact.ran) and effect.domain != FILES
        )  # a look behind it ended so
        ok = fact.outcome is Outcome.OK or (seen and effect.receipt is Receipt.STATE)
        way = _RECEIPTS.get(effect.receipt) if ok else None
        return way if way is not None and self.config.settles(way) else None

    def _ran_over(self, effect: Effect, fact: Fact) -> bool:
        """True when a run behind the change in its own command exercised it."""
        runs = (signal for signal in fact.signals if exercises(own_words(signal, self.written), self.exercising))
        return effect.domain == FILES and any(exercised(signal, effect.target) for signal in runs)

    def _remove(self, fact: Fact, effect: Effect) -> None:
        """A deletion clears what was owed; what was made and removed in one turn owes nothing, nor does a move."""
        old = self.book.matching(effect)
        made_here = tuple(debt for debt in old if debt.change.turn == fact.turn and not debt.gone)
        self.book.drop(effect)
        if is_glob(effect.target):
            return
        for debt in self.book.below(effect):
            self.book.forget(debt)
            if debt.change.turn == fact.turn:
                self.book.put(after(debt, fact, gone=True, unmade=True, by=None))
        if not any(other.did is Did.CHANGED and other.bare for other in fact.effects):
            self._owe(fact, effect, gone=True, unmade=made_here)


_RECEIPTS = {Receipt.STATE: Settle.STATE, Receipt.CONTENT: Settle.CONTENT, Receipt.RUN: Settle.SIGNAL}


def _coverage(window: Lines | None, places: tuple[Lines, ...], seen: bool | None) -> tuple[bool, tuple[Lines, ...]]:
    """(whether a look reaches the changed places, what of them is still to be seen).

    Where the place is not known any content counts, unless its text shows that it is from elsewhere.
    """
    if window is None:
        return True, ()
    if not places:
        return seen is not False, ()
    if window == SOMEWHERE:
        return seen is True, ()
    left = tuple(part for place in places for part in _without(place, window))
    return left != places, left


def _without(place: Lines, window: Lines) -> Iterator[Lines]:
    """The parts of a place that a window does not cover."""
    if window[1] < place[0] or place[1] < window[0]:
        yield place
        return
    if place[0] < window[0]:
        yield (place[0], window[0] - 1)
    if window[1] < place[1]:
        yield (window[1] + 1, place[1])


def _under(old: Sequence[Debt], fact: Fact) -> tuple[Fact, ...] | None:
    """The changes of a target that no look had shown when one more came; None for more than anybody asks about."""
    open_ = [debt for debt in old if debt.by is None and not debt.gone and debt.change.key != fact.key]
    if any(debt.under is None for debt in open_):
        return None
    found = tuple(change for debt in open_ for change in (*(debt.under or ()), debt.wrote))
    return found if len(found) <= _FEW else None


def _answers(probe: Fact, debt: Debt) -> bool:
    """That a file exists settles a move, not what was written into it."""
    moved = any(effect.did is Did.DELETED for effect in debt.change.effects)
    return probe.tool != EXISTS_PROBE or moved or debt.gone


def _shows_itself(fact: Fact, effect: Effect) -> bool:
    """True for a call that shows what is in its target, and not only that it is there."""
    return any(e.did is Did.SHOWED and same_target(e.target, effect.target) for e in fact.effects)


def _event(signal: SignalEvent) -> bool:
    return signal.state is SignalState.PASSED and signal.name in event_names()


def _exercised(run: SignalEvent, debt: Debt) -> bool:
    return debt.domain == FILES and exercised(run, debt.target)


def _only_laid_out(fact: Fact) -> bool:
    if not fact.ran:
        return False
    from gate_core.shell.programs import lays_out  # with the first command, so that importing the core stays cheap

    return all(map(lays_out, fact.ran))


def _in_shape(check: SignalEvent, debt: Debt) -> bool:
    return debt.polished and _exercised(check, debt)


def _within_reach(look: Effect, debt: Debt) -> bool:
    """A change that no argument names is paid by a look in its domain; where that domain is the tool's own, which
    nothing else can look into, by a look of another tool that is at home in no other world either."""
    if look.domain == debt.domain in by_id() and "*" not in look.target:
        return look.target == debt.target or "tool:" in look.target + debt.target
    if look.domain == debt.domain:
        return not look.target.startswith("sql:table/")
    return debt.domain == debt.target and look.domain != FILES and not look.domain.startswith(("mcp:", "host:"))
