"""Files that are said to have been left alone, and "nothing else was changed": what the calls of the turn did to files
must not say otherwise (spec 20, "Statements": unchanged)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate_core.checks.lacking import lacking
from gate_core.checks.scratch import is_scratch
from gate_core.checks.undone import restores
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Debt, Ledger
from gate_core.ledger.index import names
from gate_core.model.codes import Code
from gate_core.model.reading import Reading, Token, TokenKind
from gate_core.model.verdict import Finding
from gate_core.reading.cues import found, says

_LEAST = 3  # letters of a word that may stand for a file of that name ("its test" for test_a.py)


def spared(number: int, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The changes of this turn to files that a sentence says were left alone, by name or with all others."""
    sentence = reading.sentences[number]
    if not ledger.changes_here:
        return
    alone = {match["file"].rstrip(".") for match in found("left_alone", sentence)}
    others = says("nothing_else", sentence)
    changed = _changed(ledger) if alone or others else []
    named = [token for token in reading.tokens if token.kind is TokenKind.PATH]
    of_these = [token for token in named if token.sentence == number and token.text in alone]
    for debt in changed:
        if _is_named(debt, of_these):
            yield lacking(Code.STATEMENT_CONTRADICTED, "that a file was left as it was", debt.change)
            return
    if others and any(_is_named(debt, named) for debt in changed):
        text = " ".join(sentence.text for sentence in reading.sentences).lower()
        for debt in changed:
            if not (_is_named(debt, named) or _is_spoken_of(debt, text)):
                yield lacking(Code.STATEMENT_CONTRADICTED, "that nothing else was changed", debt.change)
                return


def _changed(ledger: Ledger) -> list[Debt]:
    """The files that this turn changed; none where it may have taken changes back."""
    if any(map(restores, ledger.calls_here)):
        return []
    own = (debt for debt in ledger.debts if debt.change.turn == ledger.turn and debt.domain == FILES)
    return [debt for debt in own if not is_scratch(debt, ledger)]


def _is_named(debt: Debt, tokens: list[Token]) -> bool:
    target = names([debt.target])
    return any(target.means(token.target) or token.text == last_name(debt.target) for token in tokens)


def _is_spoken_of(debt: Debt, text: str) -> bool:
    """True where a word of the file's name stands in the answer."""
    stem = last_name(debt.target).rpartition(".")[0].lower()
    return any(len(word) >= _LEAST and word in text for word in re.split(r"[\W_]+", stem))
