"""What is said to be used nowhere, and what a search for just that found (spec 20, "Statements": absence)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.checks.lacking import lacking
from gate_core.checks.overlooked import excepts
from gate_core.footprint.cues import matches
from gate_core.footprint.rules import ANALYSED, does
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Did, Outcome
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, TokenKind
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says

_DEFINES = late(r"\b(?:def|class|func|function|fn|const|let|var|interface|type|struct|enum|sub|proc)\s")


def used(number: int, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The last search for a symbol that a sentence says is used nowhere, where it found something and nothing was
    changed since. A sentence that names a place speaks of that place alone."""
    sentence = reading.sentences[number]
    tokens = [token for token in reading.tokens if token.sentence == number]
    if not tokens or sentence.mood is not Mood.INDICATIVE or not says("unused", sentence) or says("partly", sentence):
        return
    if any(token.kind is TokenKind.PATH for token in tokens) or excepts(sentence.text):
        return
    changed = max((fact.at for fact, _ in ledger.changes_here), default=(0, -1))
    for fact in reversed(ledger.calls_here):
        if any(_is_for(fact, token.text.removesuffix("()"), ledger) for token in tokens):
            if fact.outcome is Outcome.OK and fact.at > changed and _found(fact, ledger):
                yield lacking(Code.STATEMENT_CONTRADICTED, "that it is used nowhere", fact)
            elif fact.outcome is Outcome.FAILED and _searched_nothing(fact, ledger):
                yield lacking(Code.STATEMENT_UNBACKED, "that it is used nowhere", fact)
            return


def _is_for(fact: Fact, symbol: str, ledger: Ledger) -> bool:
    """True for a search for that symbol."""
    found = ledger.text(fact)
    if found is None or len(symbol) < 3:
        return False
    if fact.profile == ANALYSED:
        return any(does("seek", head) and symbol in head for head in fact.ran)
    pattern = found[0].get("pattern", found[0].get("query"))
    return isinstance(pattern, str) and symbol in pattern


def _searched_nothing(fact: Fact, ledger: Ledger) -> bool:
    """True when all that a search printed is that the place it was to search is not there."""
    texts = ledger.text(fact)
    lines = [line for line in text_of(texts[1]).splitlines() if line.strip()] if texts is not None else []
    return bool(lines) and all(matches("not_found", line) or matches("error_line", line) for line in lines)


def _found(fact: Fact, ledger: Ledger) -> bool:
    """True when it shows a place that holds it; that a definition stands somewhere is no use of it."""
    texts = ledger.text(fact)
    places = [line for line in text_of(texts[1]).splitlines() if ":" in line] if texts is not None else []
    uses = [line for line in places if not _DEFINES.search(line)]
    return any(effect.did is Did.SHOWED for effect in fact.effects) and bool(uses)
