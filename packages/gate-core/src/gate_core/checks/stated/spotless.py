"""Findings that a run printed and that the answer says there are none of: warnings of a build, vulnerabilities of an
audit (spec 20, "Statements": `-contradicted`). The last run that speaks of them counts, as long as its program did not
run again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.checks.lacking import lacking
from gate_core.checks.overlooked import excepts_any
from gate_core.data import load_table
from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.kinds import Did
from gate_core.model.reading import Sentence
from gate_core.model.verdict import Finding

_LONGEST = 200_000  # characters at the end of what a run printed


def spotted(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """The run that printed what the sentence says there is none of."""
    if not any(fact.ran for fact in ledger.calls_here):
        return
    kind = next((kind for kind in _kinds() if _pattern(kind, "none").search(sentence.head)), None)
    if kind is not None and not excepts_any(sentence.text) and (printed := _last_of(kind, ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, "that there are none", printed)


def _last_of(kind: str, ledger: Ledger) -> Fact | None:
    """The last run of the turn that speaks of such findings, where it has some."""
    runs = [fact for fact in ledger.calls_here if fact.ran and not _shows_files(fact)]
    for at in reversed(range(len(runs))):
        text = (ledger.sight.text(runs[at]) or "")[-_LONGEST:]
        if _pattern(kind, "zero").search(text):
            return None
        if _pattern(kind, "some").search(text):
            again = any(not _programs(runs[at]).isdisjoint(_programs(later)) for later in runs[at + 1 :])
            return None if again else runs[at]
    return None


def _shows_files(fact: Fact) -> bool:
    """True for a command that prints files: what stands in them was printed by whoever wrote them."""
    return any(effect.did is Did.SHOWED and effect.domain == FILES for effect in fact.effects)


def _programs(fact: Fact) -> set[str]:
    return {" ".join(head.split()[:2]) for head in fact.ran}


@cache
def _kinds() -> list[str]:
    return [kind for kind in load_table("checks", "stated", "spotless.toml") if kind != "examples"]


@cache
def _pattern(kind: str, part: str) -> re.Pattern[str]:
    return re.compile(load_table("checks", "stated", "spotless.toml")[kind][part], re.IGNORECASE | re.MULTILINE)
