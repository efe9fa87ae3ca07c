"""Where a run or a push was: tests of another tree than the one that was changed, a push to another branch than the one
that is told (spec 20, "Statements")."""

from __future__ import annotations

import re
from functools import cache

from gate_core.data import load_table
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.signals import Raised, is_temporary
from gate_core.model.json import text_of
from gate_core.model.kinds import Outcome, SignalState
from gate_core.model.late import late
from gate_core.model.reading import Reading, Sentence

_REF = late(
    r"^[ +*=-]{0,4}(?:\[new [a-z]+\]|[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40})\s+(\S{1,200}) -> (\S{1,200})", re.MULTILINE
)


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


def to_another_branch(sentence: Sentence, ledger: Ledger) -> bool:
    """True when a sentence says that it was pushed to a branch that has the name of a main line, and no push of this
    conversation shows that name."""
    told = _told().search(sentence.text)
    pushed = {name for text in _pushes(ledger) for match in _REF.finditer(text) for name in match.groups()}
    if told is None or not pushed:
        return False
    branch = next(name for name in told.groups() if name)
    return branch.casefold() not in {name.rpartition("/")[2].casefold() for name in pushed}


def _pushes(ledger: Ledger) -> list[str]:
    """What the pushes of a conversation printed."""
    runs = [
        fact
        for fact in ledger.facts
        if any(event.name == "pushed" and event.state is SignalState.PASSED for event in fact.signals)
    ]
    found = [ledger.text(fact) for fact in runs]
    return [text_of(texts[1]) for texts in found if texts is not None]


@cache
def _told() -> re.Pattern[str]:
    return re.compile(load_table("checks", "statements.toml")["pushed_to"], re.IGNORECASE)
