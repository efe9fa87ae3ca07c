"""Files that the answer says were written, edited or deleted: each needs an ok change of that file (spec 20,
"Statements", and spec 10: what is done beside real work has to be real too).

Asked only of a turn that changed something, and changed nothing but what its calls name: where nothing was changed the
floor speaks, and what a script or an unknown tool did to files nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.checks.lacking import unbacked
from gate_core.footprint.globs import is_glob
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.index import names
from gate_core.ledger.ledger import CHANGES
from gate_core.model.json import text_of
from gate_core.model.kinds import Did
from gate_core.model.reading import Reading, Says, Token, TokenKind
from gate_core.model.verdict import Finding
from gate_core.reading.cues import found

_COMMANDS = frozenset({"command", "shell", "unreadable", "exec"})


def unwritten(number: int, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The files that a sentence says were changed and that no call of the conversation changed."""
    sentence = reading.sentences[number]
    if Says.CHANGED not in sentence.says or not ledger.changes_here or not _all_named(ledger):
        return
    written = {match["file"].rstrip(".") for match in found("wrote_file", sentence)}
    for token in reading.tokens:
        if _means_file(token, number) and token.text in written and not _changed(token.target, ledger):
            written.discard(token.text)
            yield unbacked("that a file was changed", fix="change it and look at it, or leave it out of the answer")


def _means_file(token: Token, number: int) -> bool:
    return token.sentence == number and token.kind is TokenKind.PATH and not (token.quoted or token.negated)


def _all_named(ledger: Ledger) -> bool:
    """True when every change of this turn is that of a named file, and no build left files behind."""
    effects = [effect for fact in ledger.calls_here for effect in fact.effects]
    if any(e.did is Did.OPAQUE or is_glob(e.target) for e in effects):
        return False
    if any(e.did in CHANGES and (e.domain != FILES or e.target.startswith("tool:")) for e in effects):
        return False
    return not any(event.name == "build_passed" for fact in ledger.calls_here for event in fact.signals)


def _changed(name: str, ledger: Ledger) -> bool:
    """True when a call changed or may have changed what a name means, the folder around it, or was told to. A change
    that failed is the floor's to tell."""
    if names(effect.target for _, effect in ledger.failures_here).means(name):
        return True
    index, own = ledger.touches, last_name(name).lower()
    known = {target for target, _ in index.matching(name)}
    known.update(target for target in index.targets() if last_name(target).lower() == own)  # however it is spelt
    if any((touch := index.get(target)) is not None and (touch.changed or touch.stirred) for target in known):
        return True
    folders = {f"/{last_name(target)}/" for target in index.targets() if "." not in last_name(target)}
    if any(folder in f"/{name}" for folder in folders if _moved(folder, ledger)):
        return True
    commands = (ledger.text(fact) for fact in ledger.calls_here if fact.profile in _COMMANDS)
    return any(told is not None and last_name(name) in text_of(told[0]) for told in commands)


def _moved(folder: str, ledger: Ledger) -> bool:
    """True when a folder of that name was changed: copied, moved, unpacked."""
    return any(
        effect.did in CHANGES and last_name(effect.target) == folder.strip("/") for _, effect in ledger.changes_here
    )
