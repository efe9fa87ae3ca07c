"""What a client took on ("deployment.apps/web configured") is an ok change; that it runs, only a look shows (spec 20,
`deployed`)."""

from __future__ import annotations

from gate_core.ledger import Debt, Ledger
from gate_core.model.kinds import Did, Settle
from gate_core.model.reading import Mood, Reading, Says
from gate_core.reading.cues import says

_TAKEN_ON = "applied"
"""The event by which a client says that it did what it was told."""
_CLUSTERS = ("kubectl ", "oc ")
"""The clients to which that is a beginning."""


def says_it_runs(reading: Reading) -> bool:
    """True for an answer that states how something is, and not only what was done."""
    return reading.states(Says.STATE) or any(
        sentence.mood is Mood.INDICATIVE and says("runs", sentence) for sentence in reading.sentences
    )


def only_taken_on(debt: Debt, ledger: Ledger) -> bool:
    """True for a change that its client took on and that no later look into the client's world followed."""
    change = debt.change
    begun = any(signal.name == _TAKEN_ON for signal in change.signals) and any(
        head.startswith(_CLUSTERS) for head in change.ran
    )
    if debt.by is not Settle.STATE or not begun:
        return False
    return not any(
        effect.did is Did.SHOWED and effect.domain == debt.domain
        for fact in ledger.looks_here
        if fact.at > change.at
        for effect in fact.effects
    )
