"""Files of one ending that are said to be deleted ("all .tmp files are deleted"): something has to have deleted such
files, and a later look has to show none (spec 10, "Debts": a deletion; spec 20: universal statements)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.checks.lacking import lacking, unbacked
from gate_core.checks.untouched import was_changed
from gate_core.data import load_table
from gate_core.footprint.rules import OBSCURE
from gate_core.footprint.targets import last_name
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Did, Outcome
from gate_core.model.reading import Mood, Reading, Sentence, TokenKind
from gate_core.model.verdict import Finding


def unswept(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """What a deletion of all files of one ending lacks."""
    ending = said_deleted(sentence)
    if not ending:
        return
    calls = [fact for fact in ledger.calls_here if fact.outcome not in (Outcome.FAILED, Outcome.NO_OP)]
    swept = [fact for fact in calls if _removes(fact, ending, ledger)]
    if not swept:
        if not any(fact.profile in OBSCURE for fact in calls):
            yield unbacked("that files were deleted", fix="delete them and list the folder")
        return
    looks = [look for look in ledger.looks_here if look.at >= swept[-1].at and (look is not swept[-1] or _lists(look))]
    shown = [(look, _shows(look, ending, ledger)) for look in looks]
    if any(left for _, left in shown):
        yield lacking(
            Code.STATEMENT_CONTRADICTED, "that the files are gone", next(look for look, left in shown if left)
        )
    elif not any(left is False for _, left in shown):
        yield unbacked("that the files are gone", fix="list the folder, then answer again")


def undeleted(number: int, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """Files that a sentence says are gone, that no call deleted, and that a listing names."""
    sentence = reading.sentences[number]
    if sentence.mood is not Mood.INDICATIVE or not _says_deleted(sentence):
        return
    if any(fact.profile in OBSCURE or _removes(fact, "", ledger) for fact in ledger.facts if fact.executed):
        return
    for token in reading.tokens:
        if token.sentence == number and token.kind is TokenKind.PATH and not (token.quoted or token.negated):
            ahead = sentence.text[: sentence.text.find(token.text)]
            if _words("inside").search(ahead) or was_changed(token.target, ledger):
                continue
            held = next((look for look in ledger.looks_here if ledger.sight.lists(look, token.target)), None)
            if held is not None:
                yield lacking(Code.STATEMENT_CONTRADICTED, "that a file is gone", held)
                return


def said_deleted(sentence: Sentence) -> str:
    """The ending of the files that a sentence says are deleted, ".tmp"; "" for none."""
    found = _kind().search(sentence.head) if "." in sentence.head else None
    if found is None or sentence.mood is not Mood.INDICATIVE or not _says_deleted(sentence):
        return ""
    return f".{found['ending'] or found['behind']}"


def _says_deleted(sentence: Sentence) -> bool:
    """True for a deletion that is told as done, and neither denied nor yet to come."""
    return _words("gone").search(sentence.head) is not None and _words("not_gone").search(sentence.head) is None


@cache
def _words(what: str) -> re.Pattern[str]:
    return re.compile(load_table("checks", "stated", "swept.toml")[what], re.IGNORECASE)


@cache
def _kind() -> re.Pattern[str]:
    files, ending = f"(?:{_words('files').pattern})", "[A-Za-z0-9]{1,6}"
    before, behind = (
        rf"(?<![^\W\u3000-\uffff])(?<!/)\*?\.(?P<ending>{ending})[ -]?{files}",
        rf"{files} \*?\.(?P<behind>{ending})(?!\w)",
    )
    return re.compile(f"{before}|{behind}", re.IGNORECASE)


def _removes(fact: Fact, ending: str, ledger: Ledger) -> bool:
    """True for a call that deleted such a file, or was told to."""
    if any(e.did is Did.DELETED and last_name(e.target).endswith(ending) for e in fact.effects):
        return True
    if not ending and any(e.did is Did.OPAQUE for e in fact.effects):
        return True
    found = ledger.text(fact)
    told = " ".join(text_of(value) for value in found[0].values()) if found is not None else ending
    return ending in told and _words("removes").search(told) is not None


def _lists(fact: Fact) -> bool:
    """True for a command that deletes and lists."""
    return any(effect.did in (Did.LISTED, Did.ABSENT, Did.SHOWED) for effect in fact.effects) and len(fact.ran) > 1


def _shows(look: Fact, ending: str, ledger: Ledger) -> bool | None:
    """Whether a listing still names a file of the ending; None for what is no listing."""
    found = ledger.text(look)
    if found is None:
        return None
    text, asked = text_of(found[1]), " ".join(text_of(value) for value in found[0].values())
    if not any(effect.did in (Did.LISTED, Did.ABSENT) for effect in look.effects) and ending not in asked:
        return None
    if _words("missing").search(text):
        return False
    return re.search(rf"[\w-]{re.escape(ending)}(?![\w.])", text) is not None
