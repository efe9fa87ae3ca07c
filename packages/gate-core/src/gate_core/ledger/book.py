"""The debts by domain and target, and which of them are unpaid, so that a look costs what it can pay (spec 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gate_core.footprint.rules import ANALYSED
from gate_core.footprint.targets import FILES
from gate_core.ledger.index import TargetIndex
from gate_core.model.fact import Effect, Fact, Lines
from gate_core.model.kinds import Settle

PLAIN, PLACELESS, _GONE, _BARE, _RUNNING = "plain", "placeless", "gone", "bare", "running"
"""Which looks may pay a debt besides those at its own target."""


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
        bare: a listing is enough: a folder, a mode, a link, a new name.
        wrote: the change whose text a look must show; a formatter says none of its own and leaves that of another.
        polished: only its layout was changed since a look saw it, so that a check of the format is enough.
        under: of an open debt, the changes of the target before it that no look has shown; None for too many of them.
        trail: the keys of the facts that made it what it is; those that looked and changed nothing are not among them.
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
    bare: bool = False
    wrote: Fact
    polished: bool = False
    under: tuple[Fact, ...] | None = ()
    trail: tuple[str, ...] = ()


def after(debt: Debt, fact: Fact, **changes: Any) -> Debt:
    """The debt as one more fact left it; once it is paid, what came before it was seen."""
    if changes.get("by") is not None:
        changes["under"] = ()
    return replace(debt, trail=(*debt.trail, fact.key), **changes)


def _folder_of(target: str) -> str:
    folder, slash, _ = target.rpartition("/")
    return folder or slash or "."


def _class_of(debt: Debt) -> str:
    """Which looks may pay a debt besides those at its own target: unpaid debts are kept by this word."""
    if debt.pending:
        return _RUNNING
    if debt.domain not in (FILES, "sql") and debt.change.profile == ANALYSED and not debt.domain.startswith("host:"):
        return PLACELESS  # what a client changed in its own world
    if debt.gone:
        return _GONE
    return PLACELESS if debt.target.startswith("tool:") else PLAIN


class Book:
    """The debts by domain and target, and the unpaid ones by class, so that a look costs what it can pay."""

    def __init__(self) -> None:
        self._domains: dict[str, TargetIndex[Debt]] = {}
        self._unpaid: dict[str, dict[tuple[str, str], None]] = {}
        self._folders: TargetIndex[dict[tuple[str, str], None]] = TargetIndex()  # where unpaid deletions took place

    def copy(self) -> Book:
        made = Book()
        made._domains = {domain: index.copy() for domain, index in self._domains.items()}
        made._unpaid = {kind: keys.copy() for kind, keys in self._unpaid.items()}
        for folder in self._folders.targets():
            made._folders[folder] = dict(self._folders.get(folder) or {})
        return made

    @property
    def owes(self) -> bool:
        """True when a debt is unpaid."""
        return any(self._unpaid.values())

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

    def bare_in(self, look: Effect) -> list[Debt]:
        """The unpaid bare debts directly in the folder that a look listed, and those whose folder it looked into."""
        bare = [target for domain, target in self._unpaid.get(_BARE, ()) if domain == look.domain]
        found = [t for t in bare if _folder_of(t) == look.target or look.target.startswith(f"{t}/")]
        keys = [(look.domain, target) for target in found]
        return [debt for domain, target in keys if (debt := self._domains[domain].get(target)) is not None]

    def running(self) -> list[Debt]:
        """The changes that were only started."""
        found = (self._domains[domain].get(target) for domain, target in self._unpaid.get(_RUNNING, ()))
        return [debt for debt in found if debt is not None]

    def below(self, effect: Effect) -> list[Debt]:
        """The debts inside of a folder."""
        index = self._domains.get(effect.domain)
        found = index.below(effect.target) if index is not None else []
        return [debt for target in found if index is not None and (debt := index.get(target)) is not None]

    def forget(self, debt: Debt) -> None:
        """Take a debt out of the book."""
        self._domains[debt.domain].pop(debt.target)
        self._forget(debt)

    def put(self, debt: Debt) -> None:
        self._forget(debt)
        self._domains.setdefault(debt.domain, TargetIndex())[debt.target] = debt
        if debt.by is None:
            key = (debt.domain, debt.target)
            self._unpaid.setdefault(_class_of(debt), {})[key] = None
            if debt.bare:
                self._unpaid.setdefault(_BARE, {})[key] = None
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

    def settle(self, kind: str, way: Settle, fact: Fact, which: Callable[[Debt], bool]) -> None:
        """Mark the unpaid debts of one class as settled, where `which` agrees."""
        for domain, target in list(self._unpaid.get(kind, ())):
            debt = self._domains[domain].get(target)
            if debt is not None and which(debt):
                self.put(after(debt, fact, by=way, contradicted=False))
