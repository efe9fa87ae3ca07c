"""What was only taken on: by a client ("deployment.apps/web configured"), or by a tool that says no more than yes. The
act was done; how things are now, only a look shows (spec 10, "Debts"; spec 20, `deployed`)."""

from __future__ import annotations

from gate_core.footprint.rules import does
from gate_core.ledger import Debt, Ledger
from gate_core.model.config import GateConfig
from gate_core.model.kinds import Did, Receipt, Settle
from gate_core.model.reading import Mood, Reading, Says
from gate_core.reading.acts import acts_in
from gate_core.reading.cues import says

_TAKEN_ON = "applied"
"""The event by which a client says that it did what it was told; to some that is a beginning."""


def says_it_runs(reading: Reading) -> bool:
    """True for an answer that states how something is, and not only what was done."""
    return reading.states(Says.STATE) or any(
        sentence.mood is Mood.INDICATIVE and says("runs", sentence) for sentence in reading.sentences
    )


def only_taken_on(debt: Debt, ledger: Ledger) -> bool:
    """True for a change that its client took on and that no later look into the client's world followed."""
    change = debt.change
    begun = any(signal.name == _TAKEN_ON for signal in change.signals) and any(
        does("take_on", head) for head in change.ran
    )
    if debt.by is not Settle.STATE or not begun:
        return False
    return not any(
        effect.did is Did.SHOWED and effect.domain == debt.domain
        for fact in ledger.looks_here
        if fact.at > change.at
        for effect in fact.effects
    )


def tells_acts_alone(reading: Reading, ledger: Ledger) -> bool:
    """True for an answer that says what was done and not how anything is now, and tells of no more acts than calls."""
    acts = sum(len(acts_in(sentence)) for sentence in reading.sentences)
    return reading.decided_by != _UNSAID and not says_it_runs(reading) and acts <= len(ledger.changing_calls)


_UNSAID = 6
"""The step of claim typing that decides where no sentence says what was done."""


def is_nodded(debt: Debt, config: GateConfig) -> bool:
    """True for an open change to which its tool said yes and no more, and that no look found otherwise."""
    if debt.hidden or debt.contradicted or debt.pending or not config.settles(Settle.STATE):
        return False
    return any(e.receipt is Receipt.NOD for e in debt.change.effects if e.target == debt.target)
