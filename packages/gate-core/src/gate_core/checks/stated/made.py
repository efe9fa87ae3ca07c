"""How many things were made: "I created two issues" where one call made one (spec 20, "Statements": `-contradicted`).
Only things that one call makes one of are counted, and only where some were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from gate_core.checks.acts import words_of
from gate_core.checks.lacking import lacking
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Outcome
from gate_core.model.reading import Says, Sentence
from gate_core.model.verdict import Finding


def overcounted(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """The last of fewer calls than things that a sentence says were made in this turn."""
    if Says.UNABLE in sentence.says or not ledger.changing_calls or not _verb().search(sentence.head):
        return
    for thing, number in made_in(sentence.head).items():
        acts = [fact for fact in ledger.facts if fact.executed and _makes(fact, thing)]
        done = [fact for fact in acts if fact.outcome in (Outcome.OK, Outcome.UNKNOWN, Outcome.PENDING)]
        if done and not any(_for_many(fact, ledger) for fact in done) and _number(done, thing) < number:
            yield lacking(Code.STATEMENT_CONTRADICTED, "how many were made", done[-1])
            return


def made_in(text: str) -> Mapping[str, int]:
    """Thing -> how many of it a text says were made, where that is more than one."""
    found: dict[str, int] = {}
    for thing, patterns in _patterns().items():
        for pattern in patterns:
            if match := pattern.search(text):
                found[thing] = _value(match["n"])
    return {thing: number for thing, number in found.items() if number > 1}


def _value(word: str) -> int:
    if word.isdecimal():
        return int(word)
    rows = _table()["numbers"]
    return next((int(digit) for digit, names in rows.items() if re.fullmatch(names, word, re.IGNORECASE)), 0)


@cache
def _verb() -> re.Pattern[str]:
    return re.compile(_table()["verbs"], re.IGNORECASE)


@cache
def _many() -> re.Pattern[str]:
    """What makes one call a call for many."""
    return re.compile(_table()["many"])


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], ...]]:
    table = _table()
    number = rf"(?P<n>(?<![\w.#])\d{{1,2}}|{'|'.join(table['numbers'].values())})"
    verbs = rf"(?:{table['verbs']})"

    def rows(names: str) -> tuple[re.Pattern[str], ...]:
        things = rf"{number} ?(?:(?:{table['before']}) ){{0,2}}(?:{names})(?![\w-])"
        behind = rf"{things} (?:(?:{table['were']}) )?{verbs}"
        ahead = rf"(?<!\w){verbs} ?(?:(?:{table['the']}) )?{things}"
        return tuple(re.compile(row, re.IGNORECASE) for row in (ahead, behind))

    return {thing: rows(row["names"]) for thing, row in table["things"].items()}


def _row(thing: str) -> Mapping[str, Any]:
    row: Mapping[str, Any] = _table()["things"][thing]
    return row


def _table() -> Mapping[str, Any]:
    return load_table("checks", "stated", "made.toml")


def _makes(fact: Fact, thing: str) -> bool:
    """True for a call that makes one of a thing."""
    if fact.ran:
        return any(head.startswith(tuple(_row(thing)["commands"])) for head in fact.ran)
    words = words_of(fact.tool)
    return acted(fact) and not words.isdisjoint(_table()["makes"]) and not words.isdisjoint(_row(thing)["words"])


def _number(done: list[Fact], thing: str) -> int:
    heads = tuple(_row(thing)["commands"])
    return sum(sum(head.startswith(heads) for head in fact.ran) if fact.ran else 1 for fact in done)


def _for_many(fact: Fact, ledger: Ledger) -> bool:
    """True for a call that may have made several: a loop, a list of things, a list of results."""
    found = ledger.text(fact)
    if found is None or isinstance(found[1], list | tuple):
        return True
    lists = any(isinstance(value, list | tuple) and len(value) > 1 for value in found[0].values())
    return lists or (bool(fact.ran) and _many().search(text_of(found[0])) is not None) or "batch" in words_of(fact.tool)
