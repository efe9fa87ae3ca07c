"""`read`: an attempt becomes a reading. Pure; the ledger is asked only for what the turn did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gate_core.footprint.targets import last_name, name_target
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt
from gate_core.model.json import leaves
from gate_core.model.reading import Mood, Reading, Sentence, Token, TokenKind
from gate_core.reading.claim import claim_of
from gate_core.reading.place import Place
from gate_core.reading.segment import Segment, segments
from gate_core.reading.statements import state
from gate_core.reading.tokens import MAX_CHARACTERS, is_bare_name, is_reference, tokens_of


def read(attempt: Attempt, ledger: Ledger) -> Reading:
    """The reading of an attempt: visible texts and the texts inside a typed answer."""
    text = "\n".join([*attempt.parts, *leaves(attempt.output)])
    sentences: list[Sentence] = []
    tokens: list[Token] = []
    place = Place()
    known = _known(ledger)
    for segment in segments(text[:MAX_CHARACTERS]):
        named = () if segment.code else tokens_of(segment.text, len(sentences), quoted=segment.quoted)
        sentence = place.told(segment, _sentence(segment, named, known, ledger.config.languages))
        own = sentence.mood is Mood.INDICATIVE
        tokens.extend(replace(token, quoted=token.quoted or not own) for token in named)
        sentences.append(sentence)
    reading = Reading(
        sentences=tuple(sentences),
        tokens=tuple(_placed(tokens, ledger)),
        typed=None if attempt.claim is None else str(attempt.claim),
        truncated=len(text) > MAX_CHARACTERS,
        output=attempt.output,
    )
    claim, step = claim_of(attempt, reading, ledger)
    return replace(reading, claim=claim, decided_by=step)


def _placed(tokens: Iterable[Token], ledger: Ledger) -> Iterable[Token]:
    """The tokens with what they name. A bare name ("the README") means the one touched file of that name."""
    bare = _stems(ledger)
    for token in tokens:
        target = token.text if token.kind is TokenKind.SYMBOL else name_target(token.text, ledger.config)
        if token.kind is TokenKind.PATH and is_bare_name(token.text):
            target = bare.get(token.text.lower(), target)
        yield replace(token, target=target)


def _stems(ledger: Ledger) -> dict[str, str]:
    """Lower-case name without extension -> the touched target of that name."""
    touched = (effect.target for fact in ledger.facts if fact.executed for effect in fact.effects)
    return {last_name(target).partition(".")[0].lower(): target for target in touched}


def _known(ledger: Ledger) -> frozenset[str]:
    """Lower-case names that the prompt holds or whose file was touched, without extension."""
    prompted = (name for said in ledger.state.said if said.turn == ledger.turn for name in said.subjects)
    return frozenset((*_stems(ledger), *(last_name(name).partition(".")[0].lower() for name in prompted)))


def _sentence(
    segment: Segment, named: tuple[Token, ...], known: frozenset[str], languages: tuple[str, ...]
) -> Sentence:
    if segment.code or segment.quoted:
        return Sentence(text=segment.text, code=segment.code, quoted=segment.quoted)
    targets = [token.text for token in named if _can_be_so(token, known)]
    stated = state(segment.text, targets, languages)
    return Sentence(
        text=segment.text, mood=stated.mood, says=stated.says, language=stated.language, events=stated.events
    )


def _can_be_so(token: Token, known: frozenset[str]) -> bool:
    """True for what a state can be stated of: files, pages, and ids that are more than a number.

    A bare name ("the README") is a file of this work only where the prompt or a call knows it.
    """
    if token.kind is TokenKind.ID:
        return is_reference(token.text)
    if token.kind is TokenKind.SYMBOL:
        return False
    return not is_bare_name(token.text) or token.text.lower() in known
