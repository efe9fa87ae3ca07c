"""What an agent asks its user to choose: one of several things ("Shall I close T-1 or T-2?"), or another one for what
was asked for ("Luna is full. Should I try Stella instead?"), and what the user answers (spec 40, "Intent": a yes lends
the action and the object that were named)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gate_core.admission.clauses import SPECIFIC
from gate_core.admission.named import words_of
from gate_core.admission.sentence import Reader
from gate_core.admission.wording import Wording
from gate_core.model.grants import Intent, Mood


def as_choice(offered: Sequence[Intent]) -> list[Intent]:
    """A question that offers an action on one of several things: no yes takes it up, but who names one does."""
    several = [intent for intent in offered if sum(SPECIFIC.search(word) is not None for word in intent.objects) > 1]
    return [replace(intent, mood=Mood.CHOICE) for intent in several]


def last_of(mood: Mood, before: Sequence[Intent]) -> tuple[Intent, ...]:
    """What the last answer offered, or left to be chosen."""
    at = len(before)
    while at and before[at - 1].mood is mood:
        at -= 1
    return tuple(before[at:])


def other_thing(sentence: str, wordings: Sequence[Wording], turn: int) -> list[Intent]:
    """ "Should I try Stella instead?": an offer of whatever was asked for last, about another thing."""
    for wording in wordings:
        seen = wording.seen(sentence)
        found = next((match for pattern in wording.alternatives if (match := pattern.search(seen))), None)
        words = words_of(seen[found.start("thing") : found.end("thing")], wording) if found is not None else ()
        if words:
            return [Intent(mood=Mood.OFFERED, family="", objects=words, turn=turn)]
    return []


def resolved(offers: Sequence[Intent], before: Sequence[Intent]) -> tuple[Intent, ...]:
    """The offers, those of another thing as actions: what was asked for right before."""
    asked = [intent for intent in before if intent.mood is Mood.ASKED]
    families = dict.fromkeys(intent.family for intent in asked if intent.turn == asked[-1].turn)
    return tuple(
        replace(offer, family=family) for offer in offers for family in ((offer.family,) if offer.family else families)
    )


def chosen(wordings: Sequence[Wording], sentence: str, choices: Sequence[Intent]) -> list[Intent]:
    """What a short answer takes of a choice: "the second one", "T-2, please"."""
    for wording in wordings if choices else ():
        reader = Reader(wording, sentence, ())
        words = of_order(reader, choices, alone=True) or tuple(
            word for word in reader.chosen() if any(word in intent.objects for intent in choices)
        )
        if words:
            families = dict.fromkeys(intent.family for intent in choices)
            return [Intent(mood=Mood.ASKED, family=family, objects=words) for family in families]
    return []


def of_order(reader: Reader, last: Sequence[Intent], *, alone: bool) -> tuple[str, ...]:
    """ "Only the first one": that of the things named last; of an offer also without the "only"."""
    names = [word for word in last[-1].objects if SPECIFIC.search(word)]
    words = reader.reworded(reader.wording.narrows) or (reader.chosen() if alone else ())
    at = [reader.wording.ordinals[word] for word in words if word in reader.wording.ordinals]
    if len(words) != 1 or len(at) != 1 or not len(names) > 1 or at[0] > len(names):
        return ()
    return (names[at[0] - 1 if at[0] > 0 else at[0]],)


def compounds(words: Sequence[str], last: Sequence[Intent]) -> Iterator[str]:
    """The names of several words that end in one of these, as the last request had them: "printer paper" for "the
    paper"."""
    for intent in last:
        for at, word in enumerate(intent.objects):
            if at and word in words:
                yield f"{intent.objects[at - 1]} {word}"
