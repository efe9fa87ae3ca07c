"""The gate's own files, and calls that change them: a turn with such a call can only end unverified (spec 70)."""

from __future__ import annotations

import os

from gate_core import Did, Fact


def touches(fact: Fact, cwd: str, own: tuple[str, ...]) -> bool:
    """True when a call changed one of the gate's `own` files, or something in one of its folders, by whatever path."""
    changed = [effect.target for effect in fact.effects if effect.did in (Did.CHANGED, Did.DELETED)]
    return any(_inside(os.path.realpath(os.path.join(cwd or "/", target)), own) for target in changed)


def _inside(path: str, own: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in own)
