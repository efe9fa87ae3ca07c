"""Where a run was: tests of another tree say nothing of the one that was changed (spec 20, "Statements")."""

from __future__ import annotations

from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.signals import Raised, is_temporary
from gate_core.model.kinds import Outcome
from gate_core.model.reading import Reading


def of_another_tree(run: Raised, reading: Reading, ledger: Ledger) -> bool:
    """True for a run in a folder that holds none of the files that were changed in this turn, where the answer does not
    name the folder."""
    folder = run.event.scope
    if not folder.startswith("/") or not folder.endswith("/") or " " in folder:
        return False
    changed = [
        effect.target
        for fact, effect in ledger.changes_here
        if fact.outcome is Outcome.OK and effect.domain == FILES and not is_temporary(effect.target)
    ]
    if not changed or any(not target.startswith("/") or target.startswith(folder) for target in changed):
        return False
    name = last_name(folder.rstrip("/"))
    return not any(name in sentence.text for sentence in reading.sentences)
