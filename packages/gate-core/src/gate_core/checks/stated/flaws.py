"""What a run counts besides what passed: "none skipped" where some were, "2 warnings" of twelve, "340 assertions" where
it were 311 (spec 20, "Statements": `-contradicted`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from gate_core.checks.lacking import lacking
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.reading import Reading, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.events import GREEN

_LONGEST = 40_000  # characters at the end of an output
_BUILT = {"build_passed": "tests_passed"}


def flawed(sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The run of which a sentence says otherwise than its own output what it counted."""
    if not ledger.calls_here or not says_how_many(sentence):
        return
    for run in _runs(sentence, reading, ledger):
        found = ledger.text(run)
        if found is not None and told_otherwise(sentence, text_of(found[1])[-_LONGEST:]):
            yield lacking(Code.STATEMENT_CONTRADICTED, "what a run counted", run)
            return


def says_how_many(sentence: Sentence) -> bool:
    """True for a sentence that says of something that runs count that there was none of it, or how many there were."""
    text = sentence.text
    if _compiled(_table()["beyond"]["except"]).search(text):
        return False
    none = any(_said("none", noun, sentence.language).search(text) for noun in _table()["none"])
    return none or any(_compiled(row["any"]).search(text) for row in _table()["number"].values())


def told_otherwise(sentence: Sentence, output: str) -> bool:
    """True when an output counts what the sentence says there was none of, or another number of it."""
    for noun, pattern in _table()["printed"].items():
        shown = [int(number) for match in _compiled(pattern).finditer(output) for number in match.groups() if number]
        if any(shown) and noun in _table()["none"] and _said("none", noun, sentence.language).search(sentence.text):
            return True
        named = _table()["number"].get(noun, {}).get("any", "") if shown else ""
        said = [int(match[1]) for match in _compiled(named).finditer(sentence.text)] if named else []
        if any(number not in (*shown, sum(shown)) for number in said):
            return True
    return False


def _runs(sentence: Sentence, reading: Reading, ledger: Ledger) -> list[Fact]:
    """The last runs of what a sentence tells of, or else of what the answer tells of, or of this turn."""
    for events in (sentence.events, frozenset(kind for other in reading.sentences for kind in other.events)):
        if kinds := GREEN & events:
            kinds |= {_BUILT[kind] for kind in kinds if kind in _BUILT and ledger.signals.get(kind) is None}
            break
    else:
        kinds = GREEN
    raised = (ledger.signals.get(kind) for kind in sorted(kinds))
    return [run.fact for run in raised if run is not None and run.current and run.fact.turn == ledger.turn]


@cache
def _table() -> dict[str, Any]:
    return load_table("checks", "stated", "flaws.toml")


@cache
def _said(kind: str, noun: str, language: str) -> re.Pattern[str]:
    """The words of a language; those of all of them for a sentence that no pack has read."""
    rows = _table()[kind][noun]
    return _compiled(rows.get(language) or "|".join(rows.values()))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)
