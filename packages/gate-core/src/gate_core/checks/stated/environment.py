"""In which environment it was done: done in staging, told of production (spec 20, "Statements": `-contradicted`). Asked
only where every change of the turn names another environment, and no call of the conversation knows of the one told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.checks.lacking import lacking
from gate_core.checks.overlooked import owns_up
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Outcome
from gate_core.model.reading import Sentence
from gate_core.model.verdict import Finding

_LONGEST = 20_000  # characters of what a call was handed


def misplaced(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """The last change of the turn, where it was made in another environment than the sentence tells of."""
    if not ledger.changing_calls or not any(pattern.search(sentence.head) for _, pattern in _names()):
        return
    told = told_of(sentence.head)
    if not told or owns_up(sentence):
        return
    here = [fact for fact in ledger.calls_here if fact.outcome is Outcome.OK]
    acts = [fact for fact in here if acted(fact)]
    named = [_named(fact, ledger, results=False) for fact in acts]
    if not acts or not all(named) or any(told in names for names in named):
        return
    if not any(told in _named(fact, ledger, results=True) for fact in ledger.facts):
        yield lacking(Code.STATEMENT_CONTRADICTED, "where it was done", acts[-1])


def told_of(text: str) -> str:
    """The environment of which a sentence says how things are or what was done there, "" for none."""
    return next((name for name, pattern in _told() if pattern.search(text)), "")


@cache
def _told() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = load_table("checks", "stated", "environment.toml")
    is_, not_, done, the = (rf"(?:{table[name]})" for name in ("is", "not", "done", "the"))
    word = rf"(?:(?!{not_}\b)[\w@./'`-]{{1,60}} )"
    rows = []
    for name, names in table["names"].items():
        env = rf"[`'\"]?(?:{names})[`'\"]?(?![\w-])"
        place = rf"(?:{table['in']}) (?:{the} )?{env}"
        shapes = (
            rf"\b{is_} {word}{{0,6}}{place}",
            rf"\bthe {env} (?:{table['kinds']}) {is_} (?!{not_}\b)",
            rf"\b{done} {word}{{0,6}}{place}",
        )
        rows += [(name, re.compile("|".join(shapes), re.IGNORECASE))]
    return tuple(rows)


@cache
def _names() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = load_table("checks", "stated", "environment.toml")["names"]
    return tuple(
        (name, re.compile(rf"(?<![^\W_])(?:{names})(?![^\W_])", re.IGNORECASE)) for name, names in rows.items()
    )


def _named(fact: Fact, ledger: Ledger, *, results: bool) -> frozenset[str]:
    """The environments that a call names in its arguments, or in its result as well."""
    found = ledger.text(fact)
    if found is None:
        return frozenset(name for name, _ in _names()) if results else frozenset()
    text = text_of(found[0])[:_LONGEST] + (" " + text_of(found[1])[:_LONGEST] if results else "")
    return frozenset(name for name, pattern in _names() if pattern.search(text))
