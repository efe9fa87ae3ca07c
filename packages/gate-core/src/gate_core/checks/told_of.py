"""Names that a call told of though it touched no target of that name: the record a service answered with, a page, what
a program printed that was handed the file (spec 10, "Subjects and relevance")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate_core.checks.overlooked import owns_up
from gate_core.checks.parted import is_parted
from gate_core.footprint.body import body_of
from gate_core.footprint.rules import event_names
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.touch import CHANGES
from gate_core.model.fact import Fact
from gate_core.model.json import leaves, text_of
from gate_core.model.kinds import Did, Outcome, SignalState
from gate_core.model.reading import Reading, Says, Sentence
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


def is_faulted(name: str, told: Sequence[Sentence], ledger: Ledger) -> bool:
    """True for a file of which the answer tells only trouble, and that was handed to a check which found fault."""
    return bool(told) and all(map(owns_up, told)) and any(_found_fault(f, name, ledger) for f in ledger.calls_here)


def _found_fault(fact: Fact, name: str, ledger: Ledger) -> bool:
    """True when a check that was handed the file found fault: "no" is its answer about it."""
    failed = any(s.state is SignalState.FAILED and s.name not in event_names() for s in fact.signals)
    if not failed or (found := ledger.text(fact)) is None:
        return False
    return _stands(name, text_of(found[0])[:_LONGEST])


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
