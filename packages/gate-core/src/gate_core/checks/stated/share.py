"""Of how many: "all four services are moved" where a listing shows four files and three of them were changed (spec
20, "Statements": universal). Asked only of turns whose calls name every file that they changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from gate_core.checks.lacking import lacking, unbacked
from gate_core.checks.overlooked import owns_up
from gate_core.checks.untouched import tells_all, was_changed
from gate_core.data import load_table
from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.ledger.touch import CHANGES
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Did, Outcome
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says

_MADE = frozenset({Says.CHANGED, Says.PASSIVE, Says.DONE})
_SPARES = frozenset({Says.ALREADY, Says.UNCHANGED, Says.UNABLE})
_ROW = late(r"\S{1,200}")
_MOST = 20_000  # characters of a listing


class Share(NamedTuple):
    """All of so many of a thing."""

    number: int
    noun: str


def unshared(sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What a change of all of so many lacks: fewer files were changed, or only some of those that a listing shows."""
    if not sentence.says & _MADE or sentence.mood is not Mood.INDICATIVE or not ledger.changes_here:
        return
    share = share_in(sentence.head)
    if share is None or any(_spares(other) for other in reading.sentences) or not tells_all(ledger):
        return
    changed = {effect.target for fact in ledger.facts for effect in fact.effects if _changed(fact) and _is_file(effect)}
    if _pattern("files").fullmatch(share.noun):
        if len(changed) < share.number:
            yield unbacked("that all of them were changed", fix="change the others too, or say which ones were changed")
    elif (listing := _partly(share, ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, "that all of them were changed", listing)


def share_in(text: str) -> Share | None:
    """All of how many of what a text speaks of; None for no number or one that is less than two."""
    for pattern in _patterns():
        if (match := pattern.search(text)) and (number := _value(match["n"])) > 1:
            return Share(number, match["noun"].strip().casefold())
    return None


def _spares(sentence: Sentence) -> bool:
    """True for a sentence by which something was left out, or needed nothing."""
    return bool(sentence.says & _SPARES) or owns_up(sentence) or says("partly", sentence)


def _changed(fact: Fact) -> bool:
    return fact.executed and fact.outcome not in (Outcome.FAILED, Outcome.NO_OP)


def _is_file(effect: Any) -> bool:
    return effect.did in CHANGES and effect.domain == FILES


def _partly(share: Share, ledger: Ledger) -> Fact | None:
    """The listing of just so many files of which some, and not all, were changed."""
    if _pattern("code").fullmatch(share.noun):
        return None
    for fact in ledger.facts:
        names = _rows(fact, ledger) if any(effect.did is Did.LISTED for effect in fact.effects) else ()
        if len(names) == share.number and len({was_changed(name, ledger) for name in names}) > 1:
            return fact
    return None


def _rows(fact: Fact, ledger: Ledger) -> tuple[str, ...]:
    """The files of a listing that has one to a row and nothing beside them."""
    found = ledger.text(fact)
    rows = [row.strip() for row in text_of(found[1])[:_MOST].splitlines() if row.strip()] if found is not None else []
    plain = all(_ROW.fullmatch(row) and "." in row for row in rows)
    return tuple(dict.fromkeys(rows)) if plain else ()


def _table() -> Mapping[str, Any]:
    return load_table("checks", "stated", "share.toml")


def _value(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return next((int(n) for n, names in _table()["numbers"].items() if re.fullmatch(names, word, re.IGNORECASE)), 0)


@cache
def _pattern(what: str) -> re.Pattern[str]:
    return re.compile(_table()[what], re.IGNORECASE)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    number = rf"(?P<n>\d{{1,3}}|{'|'.join(_table()['numbers'].values())})"
    return tuple(re.compile(row.replace("{n}", number), re.IGNORECASE) for row in _table()["patterns"])
