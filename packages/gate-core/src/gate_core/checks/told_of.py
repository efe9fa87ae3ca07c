"""Names that a call told of though it touched no target of that name: the record a service answered with, a page, what
a program printed that was handed the file (spec 10, "Subjects and relevance")."""

from __future__ import annotations

import re

from gate_core.checks.parted import is_parted
from gate_core.footprint.body import body_of
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.touch import CHANGES
from gate_core.model.fact import Fact
from gate_core.model.json import leaves, text_of
from gate_core.model.kinds import Did, Outcome
from gate_core.model.reading import Reading, Says
from gate_core.model.state import Asks
from gate_core.reading.turn import asked

_LONGEST = 20_000  # characters of one result


def is_told_of(name: str, ledger: Ledger) -> bool:
    """True for a name of another world that the result of an ok call holds, and its arguments do not; and for a file
    that a program was handed which printed something, where no change was asked for and nothing changed it since."""
    if is_parted(name, ledger):
        return True
    calls = [fact for fact in ledger.calls_here if fact.outcome is Outcome.OK]
    looked = asked(ledger) is not Asks.CHANGE
    return any(_answers(fact, name, ledger) or (looked and _printed_of(fact, name, ledger)) for fact in calls)


def was_refused(reading: Reading, ledger: Ledger) -> bool:
    """True when an answer says that nothing was changed, or had to be, and a call of this turn was refused: the words
    of the refusal are what it rests on."""
    told = reading.states(Says.UNCHANGED) or reading.states(Says.ALREADY)
    failed = (fact for fact in ledger.calls_here if fact.outcome is Outcome.FAILED and fact.size)
    return told and next(failed, None) is not None


def _answers(fact: Fact, name: str, ledger: Ledger) -> bool:
    """True when the record of a call is of that name, or a text of it holds the address."""
    if any(effect.domain == FILES for effect in fact.effects):
        return False
    found = ledger.text(fact)
    if found is None or name in text_of(found[0]):
        return False
    body = body_of(found[1])
    if body.object is not None:
        return any(leaf == name for leaf in leaves(body.object))
    return "@" in name and _stands(name, body.text[:_LONGEST])


def _printed_of(fact: Fact, name: str, ledger: Ledger) -> bool:
    """True when a command that may do anything names the file and printed something."""
    opaque = any(effect.did is Did.OPAQUE and effect.domain == FILES for effect in fact.effects)
    shown = any(effect.did is Did.SHOWED for effect in fact.effects)
    if not (opaque and shown) or any(effect.did in CHANGES for effect in fact.effects):
        return False
    found = ledger.text(fact)
    changed = [change.at for change, effect in ledger.changes_here if last_name(effect.target) == last_name(name)]
    return found is not None and max(changed, default=(0, -1)) < fact.at and _stands(last_name(name), text_of(found[0]))


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.@/-]){re.escape(name)}(?![\w-]|\.\w)", text) is not None or (
        re.search(rf"(?<=/){re.escape(name)}(?![\w-]|\.\w)", text) is not None
    )
