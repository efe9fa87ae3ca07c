"""What was taken back again, and what was only tried: neither is done (spec 20, "Outcome of a call").

A merge that was aborted, a transaction that was rolled back and a dry run leave things as they were. An answer that
says so tells the truth, one that tells of the result does not.
"""

from __future__ import annotations

import re
from functools import cache

from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Outcome
from gate_core.model.reading import Sentence

_SHORT = 2_000  # characters of an output
_CUT = 64  # characters of a head; a longer command is looked for in its own text


def takes_back(fact: Fact) -> bool:
    """True for a command that ends what another one began and does nothing else ("git merge --abort")."""
    if not any(head.startswith("git ") for head in fact.ran):
        return False
    heads = [head for head in fact.ran if not _command("beside").search(head)]
    return bool(heads) and all(_command("undo").search(head) for head in heads)


def restores(fact: Fact) -> bool:
    """True for a command that may give files back what they held before."""
    return any(_command("restore").search(head) for head in fact.ran)


def tries(fact: Fact) -> bool:
    """True for a call a part of which only says what it would do."""
    return any(_command("tried").search(head) for head in fact.ran)


def only_tries(fact: Fact, ledger: Ledger) -> bool:
    """True for a command that only says what it would do ("rsync -n")."""
    if _tells_of_trial(fact, ledger):
        return True
    heads = [head for head in fact.ran if not _command("beside").search(head)]
    if any(len(head) >= _CUT for head in heads):
        found = ledger.text(fact)
        heads = [text_of(found[0])] if found is not None else heads
    return bool(heads) and all(_command("tried").search(head) for head in heads)


def _tells_of_trial(fact: Fact, ledger: Ledger) -> bool:
    """True for a command whose own short output says that it was a trial ("DRY RUN: would send 12 mails")."""
    found = ledger.text(fact) if fact.ran and fact.size <= _SHORT else None
    return found is not None and _command("told_trial").search(text_of(found[1])) is not None


def taken_off(commit: Fact, ledger: Ledger) -> Fact | None:
    """The later command by which a commit was taken off its branch again."""
    later = (fact for fact in ledger.facts if fact.at > commit.at and fact.outcome is Outcome.OK)
    return next((fact for fact in later if any(_command("uncommit").search(head) for head in fact.ran)), None)


def was_rolled_back(ledger: Ledger) -> bool:
    """True when a call of this turn took something back: a command that is there for it, or the end of a
    transaction."""
    texts = (ledger.text(fact) for fact in ledger.calls_here)
    rolled = _command("rollback")
    return any(takes_back(fact) for fact in ledger.calls_here) or any(
        found is not None and rolled.search(text_of(found[0])) for found in texts
    )


def says_taken_back(sentence: Sentence) -> bool:
    """True for a sentence by which something was taken back again."""
    return _words("took_back", sentence.language).search(sentence.head) is not None


def says_tried(sentence: Sentence) -> bool:
    """True for a sentence that speaks of a trial, a plan, or of what would be."""
    return _words("trial", sentence.language).search(sentence.head) is not None


@cache
def _command(kind: str) -> re.Pattern[str]:
    return re.compile(load_table("checks", "undone.toml")[kind], re.IGNORECASE)


@cache
def _words(kind: str, language: str) -> re.Pattern[str]:
    """The words of a language; those of all of them for a sentence that no pack has read."""
    table = load_table("checks", "undone.toml")[kind]
    return re.compile(table.get(language) or "|".join(table.values()), re.IGNORECASE)
