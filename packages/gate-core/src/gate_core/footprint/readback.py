"""What a command reads back of its own changes: a later stage shows them (spec 10, "Debts": `state`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gate_core.footprint.targets import FILES, same_target
from gate_core.model.fact import Effect
from gate_core.model.kinds import Did, Receipt


def without_cover(effects: list[Effect]) -> list[Effect]:
    """Without the folders in which the same command makes a file: who sees the file has seen them."""
    made = [effect.target for effect in effects if effect.did is Did.CHANGED and not effect.bare]
    return [e for e in effects if not (e.bare and any(name.startswith(f"{e.target.rstrip('/')}/") for name in made))]


def read_back(effects: list[Effect], *, away: frozenset[str], there: frozenset[str]) -> Iterator[Effect]:
    """A change that a later stage of the same command shows is read back by the system itself; `away` are the deleted
    targets that its listing would have named, `there` the made ones that it named."""
    for at, effect in enumerate(effects):
        later = effects[at + 1 :]
        shown = effect.did is Did.CHANGED and any(_shows(look, effect, there) for look in later)
        missed = effect.did is Did.DELETED and any(_misses(look, effect, away) for look in later)
        yield replace(effect, receipt=Receipt.STATE) if shown or missed else effect


def _misses(look: Effect, change: Effect, away: frozenset[str]) -> bool:
    """A look that finds the target missing, or a listing of its folder without it."""
    if look.domain != change.domain:
        return False
    listed = look.did is Did.LISTED and look.target == _folder(change) and change.target in away
    return listed or (look.did is Did.ABSENT and look.target == change.target)


def _shows(look: Effect, change: Effect, there: frozenset[str]) -> bool:
    if look.domain != change.domain:
        return False
    if change.bare and look.did is Did.LISTED and look.target == _folder(change):
        return change.target in there
    seen = look.did is Did.SHOWED or (change.bare and look.did is Did.LISTED)
    return seen and (
        look.target == change.target or (change.domain == FILES and same_target(look.target, change.target))
    )


def _folder(change: Effect) -> str:
    return change.target.rpartition("/")[0] or "."
