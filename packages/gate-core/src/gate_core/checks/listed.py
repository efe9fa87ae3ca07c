"""A file that stands in one list with changed ones was changed too, or the list is wrong: "I updated README.md and
CHANGELOG.md" (spec 20, "file created, edited, deleted, renamed")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from gate_core.checks.finding import finding, printable
from gate_core.checks.untouched import tells_all, was_changed
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.reading import Mood, Reading, Says, Sentence, Token, TokenKind
from gate_core.model.verdict import Finding


def check_listed(reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The listed files that no call of the conversation changed, where others of the list were changed."""
    if not tells_all(ledger):
        return
    for number, sentence in enumerate(reading.sentences):
        if _tells(sentence):
            for names in lists_of(sentence, [t for t in reading.tokens if t.sentence == number]):
                changed = [name for name in names if was_changed(name, ledger)]
                yield from (_unchanged(name) for name in names if changed and name not in changed)


def _tells(sentence: Sentence) -> bool:
    plain = (
        not (sentence.says & {Says.UNABLE, Says.HEDGE, Says.UNCHANGED}) and not sentence.quoted and not sentence.code
    )
    return plain and sentence.mood is Mood.INDICATIVE and Says.CHANGED in sentence.says


def lists_of(sentence: Sentence, tokens: list[Token]) -> Iterator[list[str]]:
    """The runs of paths with nothing between them but commas and an "and"."""
    paths = [t for t in tokens if t.kind is TokenKind.PATH and not t.quoted and not t.negated]
    found = [(sentence.text.find(t.text), t) for t in paths if t.text in sentence.text]
    placed = sorted(found, key=lambda item: item[0])
    run: list[Token] = []
    end = 0
    for at, token in placed:
        if run and _joint().fullmatch(sentence.text, end, at) is None:
            yield from _two(run)
            run = []
        run.append(token)
        end = at + len(token.text)
    yield from _two(run)


@cache
def _joint() -> re.Pattern[str]:
    """What may stand between two names of one list."""
    words = "|".join(load_table("reading", "names.toml")["and"])
    return re.compile(rf"[\s`*_\"'(),;&+、，]*(?:{words})?[\s`*_\"'(]*", re.IGNORECASE)


def _two(run: list[Token]) -> Iterator[list[str]]:
    if len(run) > 1:
        yield [token.target for token in run]


def _unchanged(name: str) -> Finding:
    shown = printable(name, where="a file named in the answer")
    item = finding(Code.CHANGE_UNSEEN, name, where="a file named in the answer")
    says = f"the answer lists {shown} among what was changed, and no call of this conversation changed it"
    return replace(item, says=says, fix=f"change {shown} and read it, or take it out of the list")
