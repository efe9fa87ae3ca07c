"""The claim type of an answer, in the six steps of spec 20; the verdict names the step that decided."""

from __future__ import annotations

from gate_core.ledger import Ledger
from gate_core.ledger.index import names
from gate_core.model.call import Attempt
from gate_core.model.kinds import Claim, Outcome
from gate_core.model.reading import Mood, Reading, Says, TokenKind
from gate_core.reading.marker import is_marked

_STRICTNESS = {Claim.NONE: 0, Claim.ASSERTION: 1, Claim.COMPLETION: 2}


def claim_of(attempt: Attempt, reading: Reading, ledger: Ledger) -> tuple[Claim, int]:
    """(claim type, step that decided)."""
    typed = attempt.typed
    if typed is Claim.UNVERIFIED:
        return typed, 1
    told, step = _untyped(attempt, reading, ledger)
    if typed is None:
        return told, step
    if told is Claim.UNVERIFIED and step == 2:
        return told, step
    stricter = step == 3 and _STRICTNESS[told] > _STRICTNESS[typed]
    return (told, step) if stricter else (typed, 1)


def _untyped(attempt: Attempt, reading: Reading, ledger: Ledger) -> tuple[Claim, int]:
    if is_marked(attempt, ledger.config.marker):
        return Claim.UNVERIFIED, 2
    stated = _stated(reading, ledger)
    if stated is not None:
        return stated, 3
    if reading.states(Says.UNABLE) or reading.states(Says.HEDGE):
        return Claim.UNVERIFIED, 4
    spoken = [s for s in reading.sentences if not (s.code or s.quoted)]
    if spoken and all(s.mood is not Mood.INDICATIVE for s in spoken):
        return Claim.NONE, 5
    return _by_turn(ledger), 6


def _stated(reading: Reading, ledger: Ledger) -> Claim | None:
    """Step 3: what the statements themselves make of it."""
    worked = ledger.worked_here
    if reading.states(Says.CHANGED) or (worked and reading.states(Says.PASSIVE)):
        return Claim.COMPLETION
    already = reading.states(Says.ALREADY)
    if reading.states(Says.DONE) and not (already and not worked):
        only_looked = bool(ledger.looks_here) and not worked and not ledger.opaque_here
        return Claim.ASSERTION if only_looked else Claim.COMPLETION
    if reading.states(Says.STATE) and not already and _about_a_change(reading, ledger):
        return Claim.COMPLETION
    if already or reading.states(Says.LOOKED) or reading.states(Says.STATE):
        return Claim.ASSERTION
    return None


def _about_a_change(reading: Reading, ledger: Ledger) -> bool:
    """True when a state is stated about something that an ok named change of this turn touched."""
    stating = {i for i, s in enumerate(reading.sentences) if Says.STATE in s.says}
    named = names(t.target for t in reading.tokens if t.sentence in stating and t.kind is not TokenKind.SYMBOL)
    return any(named.means(effect.target) for _, effect in ledger.changes_here)


def _by_turn(ledger: Ledger) -> Claim:
    """Step 6: nothing was stated in so many words, so the turn decides."""
    if ledger.changes_here:
        return Claim.COMPLETION
    showed = any(not _only_opaque(fact.profile) for fact in ledger.looks_here if fact.outcome is not Outcome.FAILED)
    return Claim.ASSERTION if showed else Claim.NONE


def _only_opaque(profile: str) -> bool:
    return profile in ("exec", "shell", "delegate", "neutral")
