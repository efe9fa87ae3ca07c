"""Files that the answer says were written, edited or deleted: each needs an ok change of that file (spec 20,
"Statements", and spec 10: what is done beside real work has to be real too).

Asked only of a turn that changed something: where nothing was changed the floor speaks.
"""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.checks.lacking import unbacked
from gate_core.checks.untouched import tells_all, was_changed
from gate_core.ledger import Ledger
from gate_core.model.reading import Reading, Says, Token, TokenKind
from gate_core.model.verdict import Finding
from gate_core.reading.cues import found


def unwritten(number: int, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The files that a sentence says were changed and that no call of the conversation changed."""
    sentence = reading.sentences[number]
    if Says.CHANGED not in sentence.says or not ledger.changes_here or not tells_all(ledger):
        return
    written = {match["file"].rstrip(".") for match in found("wrote_file", sentence)}
    for token in reading.tokens:
        if _means_file(token, number) and token.text in written and not was_changed(token.target, ledger):
            written.discard(token.text)
            yield unbacked("that a file was changed", fix="change it and look at it, or leave it out of the answer")


def _means_file(token: Token, number: int) -> bool:
    return token.sentence == number and token.kind is TokenKind.PATH and not (token.quoted or token.negated)
