"""Which facts of closed turns decide anything still (spec 05: closed turns are folded beyond 500 facts).

Nothing new is stored: of what is over, the facts that decide stay, and the others go. What stays is a set of facts like
any other, so merging, verdicts and the format know nothing of it. It is a choice that is checked: the views folded from
what stays must be those folded from everything, or nothing goes.

What is given up are texts and novelty of looks that later looks at the same thing replaced: an answer can no longer
rest on what only they showed. Under `policy="strict"`, where a look repeats what any turn showed, every look stays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace

from gate_core.footprint.targets import last_name
from gate_core.ledger.ledger import Ledger
from gate_core.ledger.novelty import is_look
from gate_core.ledger.touch import CHANGES, LOOKS, stirring
from gate_core.model.fact import Effect, Fact
from gate_core.model.kinds import Did, Outcome

MOST = 500
"""Facts of closed turns that are simply kept."""

REMEMBERED = 50
"""The latest looks, whose texts an answer of a later turn may be about."""


def deciding(ledger: Ledger, refold: Callable[[dict[str, Fact]], Ledger]) -> dict[str, Fact] | None:
    """The facts of a ledger of closed turns that decide anything, or None when what would be left does not.

    `refold` makes a ledger of some of the facts.
    """
    wanted = _wanted(ledger)
    for extra in (_nothing, _removes):
        kept = {f.key: f for f in ledger.facts if f.key in wanted or extra(f)}
        if _same(ledger, refold(kept)):
            return kept
    return None


def _nothing(fact: Fact) -> bool:
    return False


def _removes(fact: Fact) -> bool:
    """A deletion or a move also ends what is owed for things inside a folder, which no debt tells."""
    return any(effect.did is Did.DELETED or effect.bare for effect in fact.effects)


def _wanted(ledger: Ledger) -> set[str]:
    """The keys of what the views rest on."""
    wanted = {key for debt in ledger.debts for key in debt.trail}
    wanted.update(fact.key for debt in ledger.debts for fact in debt.under or ())
    wanted.update(raised.fact.key for raised in ledger.signals.values())
    wanted.update(key for _, keys in ledger.signal_fold.changed.values() for key in keys)
    wanted.update(fact.key for fact in ledger.facts if fact.outcome is Outcome.PENDING)
    looks = [fact.key for fact in ledger.facts if is_look(fact)]
    wanted.update(looks if ledger.config.strict else looks[-REMEMBERED:])
    return wanted | _firsts(ledger.facts) | _lasts(ledger.facts)


def _firsts(facts: Iterable[Fact]) -> set[str]:
    """Who wrote a file of each name first: programs that the agent wrote prove nothing from then on."""
    found: dict[Hashable, str] = {}
    for fact in facts:
        for effect in fact.effects:
            if effect.did is Did.CHANGED:
                found.setdefault((last_name(effect.target), fact.outcome), fact.key)
    return set(found.values())


def _lasts(facts: Iterable[Fact]) -> set[str]:
    """The last look, change and possible change of each target and domain; all of a step, which has no order."""
    found: dict[Hashable, tuple[tuple[int, int], set[str]]] = {}
    for fact in facts:
        for role in _roles(fact):
            at, keys = found.get(role, (fact.at, set()))
            found[role] = (fact.at, keys if at == fact.at else set())
            found[role][1].add(fact.key)
    return {key for _, keys in found.values() for key in keys}


def _roles(fact: Fact) -> Iterator[Hashable]:
    if not fact.executed:
        yield from (("other", effect.target) for effect in fact.effects)
        return
    for effect in fact.effects:
        yield ("any", effect.target)
        yield (_role(effect, fact), effect.target)
        if fact.outcome is Outcome.OK:
            yield ("ok", effect.target)
    yield from (("domain", effect.domain) for effect in stirring(fact))


def _role(effect: Effect, fact: Fact) -> str:
    if effect.did in LOOKS:
        return "look"
    happened = fact.outcome not in (Outcome.FAILED, Outcome.NO_OP)
    return "opaque" if effect.did is Did.OPAQUE else "change" if happened and effect.did in CHANGES else "any"


def _same(one: Ledger, other: Ledger) -> bool:
    """True when the views of two ledgers say the same."""
    return _views(one) == _views(other)


def _views(ledger: Ledger) -> tuple[object, ...]:
    debts = [replace(debt, trail=()) for debt in ledger.debts]
    touches = {target: ledger.touches.get(target) for target in ledger.touches.targets()}
    worked = set(ledger.worked_on.targets())
    written = (ledger.debt_fold.written, ledger.signal_fold.written)
    return debts, ledger.signals, touches, worked, ledger.by_id, ledger.stems, ledger.last_changes, written
