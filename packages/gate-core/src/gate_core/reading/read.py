"""`read`: an attempt becomes a reading. Pure; the ledger is asked only for what the turn did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from gate_core.footprint.targets import last_name, name_target
from gate_core.ledger import Ledger
from gate_core.model.call import Attempt
from gate_core.model.config import GateConfig
from gate_core.model.json import leaves
from gate_core.model.reading import Mood, Reading, Sentence, Token, TokenKind
from gate_core.reading.blind import Blind
from gate_core.reading.claim import claim_of
from gate_core.reading.cues import cue_pattern
from gate_core.reading.events import TOLD
from gate_core.reading.place import Place
from gate_core.reading.segment import Segment, segments
from gate_core.reading.statements import states
from gate_core.reading.stating import NOTHING, Stated
from gate_core.reading.tokens import MAX_CHARACTERS, Named, is_bare_name, is_reference, named_in_each

_BEFORE = 40  # characters before a name that are looked at for a denial


def read(attempt: Attempt, ledger: Ledger) -> Reading:
    """The reading of an attempt: visible texts and the texts inside a typed answer, Markdown included.

    Any text is read, in linear time, the first 200,000 characters of it; none raises. Signs without width are dropped,
    blanks of any width are blanks, accents are composed (`visible`). Letters that only look alike (homoglyphs,
    full-width ones) match no word, and make another name. Of languages without a pack, right-to-left ones among them,
    only names are read. A text that is JSON stands in quotes and states nothing. No text gives no sentence.
    docs/reading.md has this as a table (spec 20, "Statements"; spec 30, "Limits").
    """
    text = "\n".join([*attempt.parts, *leaves(attempt.output)])
    known, pasted, bare = _known(ledger), _pasted(ledger), ledger.stems
    # One step after another, each over all sentences: a processor runs the same code again faster than other code.
    found = segments(text[:MAX_CHARACTERS])
    names = named_in_each(["" if segment.code else segment.text for segment in found])
    stated = _stated(found, names, known, ledger.config.languages)
    sentences = Place().told(found, stated)
    if pasted:
        sentences = [_retold(sentence, pasted) for sentence in sentences]
    tokens: list[Token] = []
    for index, (named, sentence) in enumerate(zip(names, sentences, strict=True)):
        if named:
            tokens += _tokens(named, sentence, index, bare, ledger.config)
    reading = Reading(
        sentences=tuple(sentences),
        tokens=tuple(tokens),
        typed=None if attempt.claim is None else str(attempt.claim),
        truncated=len(text) > MAX_CHARACTERS,
        output=attempt.output,
    )
    claim, step = claim_of(attempt, reading, ledger)
    return replace(reading, claim=claim, decided_by=step)


def _tokens(
    named: Sequence[Named], sentence: Sentence, index: int, bare: Mapping[str, str], config: GateConfig
) -> Iterator[Token]:
    """The tokens of a sentence with what they name. A bare name ("the README") means the one touched file of that
    name."""
    quoted = sentence.quoted or sentence.mood is not Mood.INDICATIVE
    denying = _denying(sentence.language or "en")
    for kind, text, start in named:
        target = text if kind is TokenKind.SYMBOL else name_target(text, config)
        if kind is TokenKind.PATH and is_bare_name(text):
            target = bare.get(text.lower(), target)
        before = sentence.text[max(0, start - _BEFORE) : start]
        negated = before != "" and denying.search(before) is not None
        yield Token(kind, text, index, quoted, negated, target)


@cache
def _denying(language: str) -> Blind:
    """What stands before a name that is denied."""
    return Blind(cue_pattern(language, "denying").pattern)


def _known(ledger: Ledger) -> frozenset[str]:
    """Lower-case names that the prompt holds or whose file was touched, without extension."""
    prompted = (name for said in ledger.state.said if said.turn == ledger.turn for name in said.subjects)
    return frozenset((*ledger.stems, *(last_name(name).partition(".")[0].lower() for name in prompted)))


def _stated(
    found: Sequence[Segment], names: Sequence[tuple[Named, ...]], known: frozenset[str], languages: tuple[str, ...]
) -> list[Stated]:
    """What each sentence states; code and quotes state nothing."""
    own = [
        (segment.text, [named.text for named in row if _can_be_so(named, known)])
        for segment, row in zip(found, names, strict=True)
        if not (segment.code or segment.quoted)
    ]
    stated = iter(states(own, languages))
    return [NOTHING if segment.code or segment.quoted else next(stated) for segment in found]


def _pasted(ledger: Ledger) -> frozenset[str]:
    """What the message of a turn without a call tells of runs and events itself, in what it pasted."""
    if ledger.calls_here:
        return frozenset()
    return frozenset(kind for said in ledger.state.said if said.turn == ledger.turn for kind in said.told)


def _retold(sentence: Sentence, pasted: frozenset[str]) -> Sentence:
    """A sentence that only repeats what the user pasted is the user's word: a translation, a look at a log."""
    kinds = {kind.removesuffix(TOLD) for kind in sentence.events}
    if not kinds or not kinds <= pasted:
        return sentence
    return sentence._replace(quoted=True, says=frozenset(), events=frozenset())


def _can_be_so(token: Named, known: frozenset[str]) -> bool:
    """True for what a state can be stated of: files, pages, and ids that are more than a number.

    A bare name ("the README") is a file of this work only where the prompt or a call knows it.
    """
    if token.kind is TokenKind.ID:
        return is_reference(token.text)
    if token.kind is TokenKind.SYMBOL:
        return False
    return not is_bare_name(token.text) or token.text.lower() in known
