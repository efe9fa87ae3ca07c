"""Debts: every change owes a look, and this is how the facts pay (spec 10, "Debts").

One pass over the facts in order. Within a step, looks are taken against the debts of earlier steps only (parallel
calls are unordered); then the step's own changes open new debts, and a new change cancels what was paid before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from gate_core.footprint.search import SOMEWHERE
from gate_core.footprint.targets import FILES
from gate_core.ledger.index import TargetIndex
from gate_core.ledger.sight import Sight
from gate_core.model.call import SignalEvent
from gate_core.model.config import GateConfig
from gate_core.model.fact import Effect, Fact, Lines
from gate_core.model.kinds import Did, Outcome, Receipt, Settle, SignalState

EXISTS_PROBE = "probe-exists"
"""The tool name of the gate's own looks that ask only whether a file is there; other looks of the gate are "probe"."""

EXERCISING = ("tests_passed",)
"""Signals whose run exercises the code of the local files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Debt:
    """One changed target and what became of the change.

    Attributes:
        lines: the changed places that no look has covered yet; empty when the places are not known.
        gone: the target was deleted.
        unmade: it was deleted in the turn that made it; owed only by an answer that says it was made.
        by: how it was settled, None while open.
        contradicted: a probe found the change missing, and no look has shown it since.
        hidden: a look covered the place and did not show the new text.
        pending: the changing call still runs.
    """

    target: str
    domain: str
    change: Fact
    lines: tuple[Lines, ...] = ()
    gone: bool = False
    unmade: bool = False
    by: Settle | None = None
    contradicted: bool = False
    hidden: bool = False
    pending: bool = False


def fold_debts(facts: Iterable[Fact], config: GateConfig, sight: Sight) -> tuple[Debt, ...]:
    """All debts of a conversation, settled ones included, by domain in the order they were last opened."""
    fold = _Fold(config, sight)
    for _, step in groupby(facts, key=lambda fact: fact.at):
        fold.step(list(step))
    return tuple(fold.book.debts())


class _Fold:
    def __init__(self, config: GateConfig, sight: Sight) -> None:
        self.config = config
        self.sight = sight
        self.book = _Book()

    def step(self, facts: list[Fact]) -> None:
        for fact in facts:
            self._probe(fact) if fact.by_gate else self._look(fact)
        for fact in facts:
            if fact.outcome in (Outcome.OK, Outcome.UNKNOWN, Outcome.PENDING) and not fact.by_gate:
                self._change(fact)

    def _look(self, fact: Fact) -> None:
        if self.config.settles(Settle.READ) and fact.profile not in _NO_READERS:
            for effect in fact.effects:
                self._read(fact, effect)
        if self.config.settles(Settle.SIGNAL) and any(_exercises(s) for s in fact.signals):
            self.book.settle(_PLAIN, Settle.SIGNAL, lambda debt: debt.domain == FILES)

    def _read(self, fact: Fact, effect: Effect) -> None:
        if effect.did in (Did.LISTED, Did.ABSENT):
            for debt in self.book.gone_from(effect):
                if effect.did is Did.ABSENT or self.sight.absent(fact, debt.target):
                    self.book.put(replace(debt, by=Settle.READ, contradicted=False))
        if effect.did in (Did.SHOWED, Did.ABSENT):
            for debt in self.book.matching(effect):
                if debt.by is None and not debt.pending:
                    self._compare(fact, effect, debt)
        if effect.did is Did.SHOWED:
            self.book.settle(_PLACELESS, Settle.READ, lambda debt: _within_reach(effect, debt))

    def _compare(self, fact: Fact, effect: Effect, debt: Debt) -> None:
        """A content look at a changed target: does it cover the place, and does it show the new text?"""
        if debt.gone or effect.did is Did.ABSENT:
            if debt.gone and effect.did is Did.ABSENT:
                self.book.put(replace(debt, by=Settle.READ, contradicted=False))
            return
        if self.config.strict and effect.lines is not None:
            return
        seen = self.sight.shows(fact, debt.change, part=effect.lines is not None)
        covers, left = _coverage(effect.lines, debt.lines, seen)
        if covers and seen is False:
            self.book.put(replace(debt, hidden=True))
        elif covers and (seen or not debt.contradicted):
            by = None if left else Settle.READ
            self.book.put(replace(debt, by=by, lines=left, hidden=False, contradicted=debt.contradicted and not seen))

    def _probe(self, fact: Fact) -> None:
        if self.config.settles(Settle.PROBE):
            held = fact.outcome is Outcome.OK
            for effect in fact.effects:
                for debt in self.book.matching(effect):
                    if debt.target == effect.target and debt.by is None and (not held or _answers(fact, debt)):
                        self.book.put(replace(debt, by=Settle.PROBE if held else None, contradicted=not held))

    def _change(self, fact: Fact) -> None:
        for effect in fact.effects:
            if effect.did is Did.CHANGED:
                self._owe(fact, effect, gone=False)
            elif effect.did is Did.DELETED:
                self._remove(fact, effect)

    def _owe(self, fact: Fact, effect: Effect, *, gone: bool, unmade: bool = False) -> None:
        lines = (effect.lines,) if effect.lines is not None else ()
        for debt in self.book.matching(effect):
            if debt.target == effect.target and debt.change.key == fact.key:  # another hunk of the same change
                self.book.put(replace(debt, lines=(*debt.lines, *lines)))
                return
        self.book.drop(effect)
        debt = Debt(
            target=effect.target,
            domain=effect.domain,
            change=fact,
            lines=lines,
            gone=gone,
            unmade=unmade,
            by=self._receipt(effect, fact),
            pending=fact.outcome is Outcome.PENDING,
        )
        self.book.put(debt)

    def _receipt(self, effect: Effect, fact: Fact) -> Settle | None:
        way = _RECEIPTS.get(effect.receipt) if fact.outcome is Outcome.OK else None
        return way if way is not None and self.config.settles(way) else None

    def _remove(self, fact: Fact, effect: Effect) -> None:
        """A deletion clears what was owed; what was made and removed in one turn owes nothing, nor does a move."""
        made_here = any(debt.change.turn == fact.turn and not debt.gone for debt in self.book.matching(effect))
        self.book.drop(effect)
        if not any(other.did is Did.CHANGED for other in fact.effects):
            self._owe(fact, effect, gone=True, unmade=made_here)


_RECEIPTS = {Receipt.STATE: Settle.STATE, Receipt.CONTENT: Settle.CONTENT}
_PLAIN, _PLACELESS, _GONE = "plain", "placeless", "gone"
_NO_READERS = frozenset({"", "unknown", "exec", "shell", "delegate"})
"""Tools whose output backs an assertion but never pays a debt (spec 10, "Profiles and effects")."""


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


def _answers(probe: Fact, debt: Debt) -> bool:
    """That a file exists settles a move, not what was written into it."""
    moved = any(effect.did is Did.DELETED for effect in debt.change.effects)
    return probe.tool != EXISTS_PROBE or moved or debt.gone


def _within_reach(look: Effect, debt: Debt) -> bool:
    """A change that no argument names is paid by a look in its domain; where that domain is the tool's own, which
    nothing else can look into, by a look of another tool that is at home in no other world either."""
    if look.domain == debt.domain:
        return True
    return debt.domain == debt.target and look.domain != FILES and not look.domain.startswith(("mcp:", "host:"))


def _folder_of(target: str) -> str:
    folder, slash, _ = target.rpartition("/")
    return folder or slash or "."


def _class_of(debt: Debt) -> str:
    """Which looks may pay a debt besides those at its own target: unpaid debts are kept by this word."""
    if debt.gone:
        return _GONE
    return _PLACELESS if debt.target.startswith("tool:") else _PLAIN


class _Book:
    """The debts by domain and target, and the unpaid ones by class, so that a look costs what it can pay."""

    def __init__(self) -> None:
        self._domains: dict[str, TargetIndex[Debt]] = {}
        self._unpaid: dict[str, dict[tuple[str, str], None]] = {}
        self._folders: TargetIndex[dict[tuple[str, str], None]] = TargetIndex()  # where unpaid deletions took place

    def debts(self) -> Iterator[Debt]:
        for index in self._domains.values():
            yield from index.values()

    def matching(self, effect: Effect) -> list[Debt]:
        index = self._domains.get(effect.domain)
        return [debt for _, debt in index.matching(effect.target)] if index else []

    def gone_from(self, look: Effect) -> Iterator[Debt]:
        """The unpaid deletions directly in the folder that a look listed or found missing."""
        for _, keys in list(self._folders.matching(look.target)):
            for domain, target in list(keys):
                debt = self._domains[domain].get(target)
                if domain == look.domain and debt is not None and not debt.pending:
                    yield debt

    def put(self, debt: Debt) -> None:
        self._forget(debt)
        self._domains.setdefault(debt.domain, TargetIndex())[debt.target] = debt
        if debt.by is None:
            key = (debt.domain, debt.target)
            self._unpaid.setdefault(_class_of(debt), {})[key] = None
            if debt.gone:
                self._folder(debt)[key] = None

    def _forget(self, debt: Debt) -> None:
        key = (debt.domain, debt.target)
        for unpaid in self._unpaid.values():
            unpaid.pop(key, None)
        if debt.gone:
            self._folder(debt).pop(key, None)

    def _folder(self, debt: Debt) -> dict[tuple[str, str], None]:
        folder = _folder_of(debt.target)
        held = self._folders.get(folder)
        if held is None:
            held = self._folders[folder] = {}
        return held

    def drop(self, effect: Effect) -> None:
        for debt in self.matching(effect):
            self._domains[effect.domain].pop(debt.target)
            self._forget(debt)

    def settle(self, kind: str, way: Settle, which: Callable[[Debt], bool]) -> None:
        """Mark the unpaid debts of one class as settled, where `which` agrees."""
        for domain, target in list(self._unpaid.get(kind, ())):
            debt = self._domains[domain].get(target)
            if debt is not None and not debt.pending and which(debt):
                self.put(replace(debt, by=way, contradicted=False))


def _exercises(signal: SignalEvent) -> bool:
    return signal.name in EXERCISING and signal.state is SignalState.PASSED and not signal.scope
