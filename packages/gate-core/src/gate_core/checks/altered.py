"""Checks that were altered in the turn that claims them green: tests, the configuration of their runner, the script
behind the command (spec 20, "Signals": check-altered).

An answer that says so is honest. A file of tests that was not there before alters nothing that could have been red.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from gate_core.checks.finding import finding
from gate_core.data import load_table
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.signals import is_temporary
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Outcome, Severity, SignalState
from gate_core.model.reading import Mood, Reading, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.events import TOLD

_GREEN = frozenset({"tests_passed", "lint_passed", "types_passed", "format_passed"})
_MOST = 200_000  # characters of a call in which the words of a change are looked for


def check_altered(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """The first check that this turn altered, where the answer claims it green and does not say so."""
    if not ledger.changes_here or not _claims_green(reading, ledger):
        return
    for fact, target in _altered(ledger):
        if not any(_tells_of(target, sentence) for sentence in reading.sentences):
            item = finding(Code.CHECK_ALTERED, target, where="a file of tests", evidence=(fact,))
            yield replace(item, severity=Severity.BLOCK) if config.strict else item
            return


def _claims_green(reading: Reading, ledger: Ledger) -> bool:
    """True for a sentence that says so of checks whose last run was of this turn and green."""
    runs = {
        name
        for name, run in ledger.signals.items()
        if run.event.state is SignalState.PASSED and run.fact.turn == ledger.turn
    }
    told = (s for s in reading.sentences if s.mood is Mood.INDICATIVE and not (s.quoted or s.code))
    return any({kind.removesuffix(TOLD) for kind in sentence.events} & _GREEN & runs for sentence in told)


def _altered(ledger: Ledger) -> Iterator[tuple[Fact, str]]:
    """(call, file) of each check that a call of this turn changed or deleted."""
    for fact, effect in ledger.changes_here:
        if fact.outcome is not Outcome.OK or effect.domain != FILES or is_temporary(effect.target):
            continue
        if is_check(effect.target, _change(fact, ledger)) and not _is_new(fact, ledger):
            yield fact, effect.target


def _change(fact: Fact, ledger: Ledger) -> str:
    texts = ledger.text(fact)
    return text_of(texts[0])[:_MOST].replace("\\n", "\n") if texts is not None else ""


def _is_new(fact: Fact, ledger: Ledger) -> bool:
    """True for a call that says that it made the file."""
    texts = ledger.text(fact)
    return texts is not None and _pattern("words", "made").search(text_of(texts[1])[:500]) is not None


def is_check(target: str, change: str) -> bool:
    """True for a file of tests or for how they are run; of a file that holds more, where the change touches that."""
    name = last_name(target)
    shared = load_table("checks", "altered.toml")["shared"]
    if name.lower() in shared:
        return re.search(shared[name.lower()], change.replace('\\"', '"'), re.IGNORECASE | re.MULTILINE) is not None
    if _top("data").search(name):
        return False
    named = _top("tests").search(name) or _top("runners").search(name) or re.search(_table()["classes"], name)
    folder = f"{target.rpartition('/')[0]}/".rpartition("/src/")[2]
    return bool(named) or _top("folders").search(folder) is not None


def _tells_of(target: str, sentence: Sentence) -> bool:
    """True for a sentence that names the file, or says in any words that checks were changed."""
    return last_name(target) in sentence.text or says_altered(sentence.head, sentence.language)


def says_altered(text: str, language: str) -> bool:
    """True for a text that tells of changed checks; in any language where it is not known in which."""
    rows = _table()["said"]
    return any(_pattern("said", name).search(text) for name in ([language] if language in rows else rows))


@cache
def _table() -> dict[str, Any]:
    return load_table("checks", "altered.toml")


@cache
def _top(kind: str) -> re.Pattern[str]:
    return re.compile(_table()[kind], re.IGNORECASE)


@cache
def _pattern(kind: str, name: str) -> re.Pattern[str]:
    return re.compile(_table()[kind][name], re.IGNORECASE)
