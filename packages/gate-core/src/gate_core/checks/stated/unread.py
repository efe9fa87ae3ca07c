"""A file that stands in one list with files that were read was read too, or the list is wrong: "I read a.py, b.py and
c.py" (spec 20, "Statements": read, checked, searched, verified). What was only listed was not read line by line."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.checks.lacking import unbacked
from gate_core.checks.listed import lists_of
from gate_core.footprint.globs import is_glob
from gate_core.footprint.rules import OBSCURE
from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.ledger.index import names
from gate_core.model.kinds import Did
from gate_core.model.reading import Mood, Reading, Says, Sentence, Token, TokenKind
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says
from gate_core.reading.statements import state


def unread(number: int, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The listed files of which no call of the conversation showed anything, where others of the list were read."""
    sentence = reading.sentences[number]
    tokens = [token for token in reading.tokens if token.sentence == number]
    if (
        not tokens
        or Says.LOOKED not in sentence.says
        or sentence.mood is not Mood.INDICATIVE
        or sentence.says & _DOUBTFUL
    ):
        return
    if _only_listed(sentence, tokens, ledger):
        yield unbacked("that a file was read", fix="read it, or say that it was only listed")
        return
    if len(tokens) == 1:  # no list
        return
    effects = [effect for fact in ledger.facts if fact.executed for effect in fact.effects]
    if any(is_glob(effect.target) or effect.did is Did.OPAQUE for effect in effects) or _handed_on(ledger):
        return
    known = names(e.target for e in effects if e.did is not Did.LISTED and e.domain.startswith((FILES, "mcp:")))
    for part in sentence.head.split(";"):
        if Says.LOOKED not in state(part, ()).says:
            continue
        for listed in lists_of(sentence._replace(text=part), tokens):
            seen = [name for name in listed if known.means(name)]
            if seen and len(seen) < len(listed):
                yield unbacked("that a file was read", fix="read it, or leave it out of the answer")


_DOUBTFUL = frozenset({Says.UNABLE, Says.HEDGE})


def _handed_on(ledger: Ledger) -> bool:
    return any(fact.profile in OBSCURE for fact in ledger.facts)


def _only_listed(sentence: Sentence, tokens: list[Token], ledger: Ledger) -> bool:
    """True for files of which somebody says that their text was read, where all calls were listings and counts."""
    paths = [t for t in tokens if t.kind is TokenKind.PATH and not (t.quoted or t.negated)]
    calls = [fact for fact in ledger.facts if fact.executed]
    if not paths or not calls or not says("read_content", sentence):
        return False
    listed = [{e.target for e in fact.effects if e.did is Did.LISTED and e.domain == FILES} for fact in calls]
    shown = any(e.domain == FILES and e.did is not Did.LISTED for fact in calls for e in fact.effects)
    return all(listed) and not shown
