"""`read`: an attempt becomes a reading. Pure; the ledger is asked only for what the turn did."""

from __future__ import annotations

from dataclasses import replace

from gate_core.footprint.targets import name_target
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt
from gate_core.model.config import GateConfig
from gate_core.model.json import leaves
from gate_core.model.reading import Mood, Reading, Sentence, Token, TokenKind
from gate_core.reading.claim import claim_of
from gate_core.reading.segment import Segment, segments
from gate_core.reading.statements import state
from gate_core.reading.tokens import MAX_CHARACTERS, tokens_of


def read(attempt: Attempt, ledger: Ledger) -> Reading:
    """The reading of an attempt: visible texts and the texts inside a typed answer."""
    texts = [*attempt.parts, *leaves(attempt.output)]
    sentences: list[Sentence] = []
    tokens: list[Token] = []
    for segment in segments("\n".join(texts)[:MAX_CHARACTERS]):
        named = () if segment.code else tokens_of(segment.text, len(sentences), quoted=segment.quoted)
        sentence = _sentence(segment, named)
        asked = sentence.mood is Mood.QUESTION
        tokens.extend(_placed(token, ledger.config, asked=asked) for token in named)
        sentences.append(sentence)
    reading = Reading(
        sentences=tuple(sentences), tokens=tuple(tokens), typed=None if attempt.claim is None else str(attempt.claim)
    )
    claim, step = claim_of(attempt, reading, ledger)
    return replace(reading, claim=claim, decided_by=step)


def _placed(token: Token, config: GateConfig, *, asked: bool) -> Token:
    target = token.text if token.kind is TokenKind.SYMBOL else name_target(token.text, config)
    return replace(token, target=target, quoted=token.quoted or asked)


def _sentence(segment: Segment, named: tuple[Token, ...]) -> Sentence:
    if segment.code or segment.quoted:
        return Sentence(text=segment.text, code=segment.code, quoted=segment.quoted)
    targets = [token.text for token in named if token.kind in (TokenKind.PATH, TokenKind.URL)]
    stated = state(segment.text, targets)
    return Sentence(text=segment.text, mood=stated.mood, says=stated.says, language=stated.language)
