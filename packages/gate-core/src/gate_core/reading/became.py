"""A state that is told as the answer to a request: "Assign the ticket to Ben" - "The ticket now belongs to Ben" says
without a word of doing that it was done (spec 20, "Claim type when nobody typed it")."""

from __future__ import annotations

from gate_core.ledger import Ledger
from gate_core.model.kinds import Outcome
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.model.state import Asks
from gate_core.reading.cues import says
from gate_core.reading.turn import asked, in_the_background

_EXPLAINS = frozenset({Says.UNABLE, Says.HEDGE, Says.UNCHANGED, Says.ALREADY, Says.STARTED})


def tells_it_became_so(reading: Reading, ledger: Ledger) -> bool:
    """True when the user asked for a change, nothing was done that may have made it, and the answer tells of a state
    that is new ("now"), or of any where no look of the turn went well.

    An answer that asks back, owns up to something, says that it was so before, or hands over a text states none.
    """
    if asked(ledger) is not Asks.CHANGE or _did_something(ledger):
        return False
    if any(_explains(sentence) for sentence in reading.sentences):
        return False
    looked = any(fact.outcome is not Outcome.FAILED for fact in ledger.looks_here)
    cues = ("now_so",) if looked else ("now_so", "is_so")
    return any(says(cue, sentence) for sentence in reading.sentences for cue in cues if _claims(sentence))


def _did_something(ledger: Ledger) -> bool:
    return bool(ledger.worked_here or ledger.opaque_here or ledger.events_here) or in_the_background(ledger)


def _explains(sentence: Sentence) -> bool:
    """True for what is no plain report: a question, an inability, a text that was asked for."""
    handed_over = sentence.code or sentence.quoted or sentence.text.rstrip(" *_").endswith((":", "："))
    return handed_over or sentence.mood is Mood.QUESTION or not sentence.says.isdisjoint(_EXPLAINS)


def _claims(sentence: Sentence) -> bool:
    return sentence.mood is Mood.INDICATIVE
