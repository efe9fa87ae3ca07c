"""Scratch: temporary files and caches that owe nothing, unless the answer names them as its result (spec 10)."""

from __future__ import annotations

from gate_core.data import load_table
from gate_core.footprint.targets import FILES
from gate_core.ledger import Debt, Ledger
from gate_core.ledger.signals import matches


def is_scratch(debt: Debt, ledger: Ledger) -> bool:
    """True for a declared scratch target, and for a backup or one in a temporary place when the turn also works
    elsewhere, be it with a script that lies there. So is what a command does in a folder of built files.

    A session whose whole work lies in a temporary folder works there, so nothing of it is scratch by its place.
    """
    if any(matches(debt.target, pattern) for pattern in ledger.config.scratch):
        return True
    place = _built if debt.change.ran else _temporary
    if debt.domain != FILES or not place(debt.target):
        return False
    return ledger.works_outside(place) or any(effect.domain == FILES for _, effect in ledger.opaque_here)


def _temporary(target: str) -> bool:
    return _lies_in(target, "temporary")


def _built(target: str) -> bool:
    return _temporary(target) or _lies_in(target, "built")


def _lies_in(target: str, kind: str) -> bool:
    return any(matches(target, pattern) for pattern in load_table("checks", "scratch.toml")[kind])
