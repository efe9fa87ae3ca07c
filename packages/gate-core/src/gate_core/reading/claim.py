"""The claim type of an answer, in the six steps of spec 20; the verdict names the step that decided."""

from __future__ import annotations

import re

from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt
from gate_core.model.fact import Fact
from gate_core.model.kinds import Claim, Did, Outcome, SignalState
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.model.state import Asks
from gate_core.reading.became import tells_it_became_so
from gate_core.reading.events import GREEN, RED, RUNS
from gate_core.reading.marker import is_marked
from gate_core.reading.turn import (
    about_a_change,
    asked,
    in_the_background,
    is_recap,
    names_subjects,
    only_general,
    tells_state,
)

_UNDONE = frozenset({Says.UNABLE, Says.HEDGE})
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
    if any(_owns_up(sentence, ledger) for sentence in reading.sentences) and not _ran_well(reading):
        return Claim.UNVERIFIED, 4
    spoken = [s for s in reading.sentences if not (s.code or s.quoted)]
    if spoken and all(s.mood is not Mood.INDICATIVE for s in spoken):
        return Claim.NONE, 5
    if reading.states(Says.STARTED) and in_the_background(ledger) and not ledger.changes_here:
        return Claim.NONE, 6
    return _by_turn(ledger), 6


def _ran_well(reading: Reading) -> bool:
    """True when the answer says beside a failure that a run is green: it tells of what was, and claims what is."""
    return any(s.events & GREEN and s.mood is Mood.INDICATIVE for s in reading.sentences)


def _owns_up(sentence: Sentence, ledger: Ledger) -> bool:
    """True for an inability, a failure or a hedge. A failure that no run showed, or that the last one
    denies, is a claim like any other."""
    if not sentence.says & _UNDONE or sentence.mood is not Mood.INDICATIVE:
        return False
    red = {kind.removesuffix(RED) for kind in sentence.events if kind.endswith(RED)}
    runs = [ledger.signals[kind] for kind in red if kind in ledger.signals]
    return not red or any(run.event.state is not SignalState.PASSED or not run.current for run in runs)


def _stated(reading: Reading, ledger: Ledger) -> Claim | None:
    """Step 3: what the statements themselves make of it."""
    changed = _changed(reading, ledger)
    if changed is not None:
        return changed
    if tells_it_became_so(reading, ledger):
        return Claim.COMPLETION
    already = reading.states(Says.ALREADY)
    states = reading.states(Says.STATE) or reading.states(Says.STARTED)
    if states and not already and about_a_change(reading, ledger):
        return Claim.COMPLETION
    if already or reading.states(Says.LOOKED):
        return Claim.ASSERTION
    if reading.states(Says.STATE) and not only_general(reading, ledger):
        return Claim.ASSERTION
    handed_on = in_the_background(ledger) or any(effect.domain != FILES for _, effect in ledger.opaque_here)
    started = reading.states(Says.STARTED) and not handed_on
    return Claim.ASSERTION if started else None


def _changed(reading: Reading, ledger: Ledger) -> Claim | None:
    """What a stated change makes of it. One told of an earlier turn and settled claims no new one."""
    wanted = asked(ledger) is Asks.CHANGE
    stated = reading.states(Says.CHANGED) and not _only_of_shape(reading, ledger)
    reported = stated and _only_reports(ledger) and not any(_tells_change(sentence) for sentence in reading.sentences)
    changed = (stated and not reported) or (
        reading.states(Says.PASSIVE) and (ledger.worked_here or wanted or ledger.failed_unnamed)
    )
    again = reading.states(Says.ALREADY) and not ledger.worked_here
    done = reading.states(Says.DONE) and not again and any(_done(sentence) for sentence in reading.sentences)
    if not (changed or done):
        return None
    if is_recap(reading, ledger):
        return Claim.ASSERTION if names_subjects(reading) else None
    bare = not changed and not reading.states(Says.PASSIVE)
    worked = ledger.worked_here or ledger.opaque_here or in_the_background(ledger)
    only_looked = bool(ledger.looks_here) and not worked
    return Claim.ASSERTION if bare and only_looked and not wanted else Claim.COMPLETION


def _only_of_shape(reading: Reading, ledger: Ledger) -> bool:
    """True when all that is said to have been changed is that files are formatted, and no more than a check ran."""
    if "format_passed" not in ledger.signals or ledger.worked_here or ledger.opaque_here:
        return False
    made = [s for s in reading.sentences if Says.CHANGED in s.says and s.mood is Mood.INDICATIVE]
    return all("format_passed" in s.events or _FORMATTED.search(s.text) for s in made)


_FORMATTED = late(r"\b(?:are|is) (?:\w+ ){0,3}formatted\b", re.IGNORECASE)


def _tells_change(sentence: Sentence) -> bool:
    """True for a change that somebody is said to have made, or that nobody else can have made. What "has been paid" in
    the third person may as well be what a look showed."""
    return Says.CHANGED in sentence.says and sentence.mood is Mood.INDICATIVE and not tells_state(sentence)


def _only_reports(ledger: Ledger) -> bool:
    """True for a turn that was asked to look, looked at something other than files, and changed nothing."""
    if asked(ledger) not in (Asks.LOOK, Asks.EXPLAIN) or ledger.worked_here or ledger.opaque_here or ledger.events_here:
        return False
    return any(e.did is Did.SHOWED and e.domain != "files" for fact in ledger.looks_here for e in fact.effects)


def _done(sentence: Sentence) -> bool:
    """True for a bare "Done". A run that is said to have ended well ("The build succeeded.") tells of the run alone."""
    if Says.DONE not in sentence.says or sentence.mood is not Mood.INDICATIVE:
        return False
    return not any(kind in RUNS for kind in sentence.events)


def _by_turn(ledger: Ledger) -> Claim:
    """Step 6: nothing was stated in so many words, so the turn decides."""
    if ledger.changes_here:
        return Claim.COMPLETION
    showed = any(not _only_opaque(fact) for fact in ledger.looks_here if fact.outcome is not Outcome.FAILED)
    return Claim.ASSERTION if showed else Claim.NONE


def _only_opaque(fact: Fact) -> bool:
    """True for a call that showed no more than what a program nobody knows printed."""
    if any(effect.did is not Did.OPAQUE and not effect.target.startswith("tool:") for effect in fact.effects):
        return False
    if fact.profile == "command":
        return any(effect.did is Did.OPAQUE for effect in fact.effects)
    return fact.profile in ("exec", "shell", "unreadable", "delegate", "neutral")
