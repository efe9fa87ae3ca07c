"""Files that nothing in a conversation changed, as far as that can be told at all."""

from __future__ import annotations

from gate_core.footprint.globs import is_glob
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.index import names
from gate_core.ledger.touch import CHANGES
from gate_core.model.json import text_of
from gate_core.model.kinds import Did

_COMMANDS = frozenset({"command", "shell", "unreadable", "exec"})


def tells_all(ledger: Ledger) -> bool:
    """True when the calls of this turn name every file that they changed. What a script, a build, a sub-agent or an
    unknown tool did to files nobody can tell."""
    effects = [effect for fact in ledger.calls_here for effect in fact.effects]
    if any(effect.did is Did.OPAQUE or is_glob(effect.target) for effect in effects):
        return False
    if any(e.did in CHANGES and (e.domain != FILES or e.target.startswith("tool:")) for e in effects):
        return False
    built = (event for fact in ledger.calls_here for event in fact.signals if event.name == "build_passed")
    return next(built, None) is None and not any(fact.profile == "delegate" for fact in ledger.calls_here)


def was_changed(name: str, ledger: Ledger) -> bool:
    """True when a call changed or may have changed what a name means, the folder around it, or was told to. A change
    that failed is the floor's to tell."""
    if names(effect.target for _, effect in ledger.failures_here).means(name):
        return True
    index, own = ledger.touches, last_name(name).lower()
    known = {target for target, _ in index.matching(name)}
    known.update(target for target in index.targets() if last_name(target).lower() == own)  # however it is spelt
    if any((touch := index.get(target)) is not None and (touch.changed or touch.stirred) for target in known):
        return True
    folders = (last_name(effect.target) for _, effect in ledger.changes_here)
    if any(folder and "." not in folder and f"/{folder}/" in f"/{name}" for folder in folders):
        return True
    commands = (ledger.text(fact) for fact in ledger.calls_here if fact.profile in _COMMANDS)
    return any(told is not None and last_name(name) in text_of(told[0]) for told in commands)
