"""What is said to be so already, though nothing was done: "the ticket is already Ben's" needs a look that names Ben
(spec 20, "Statements": already so, an observed look)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_core.checks.lacking import unbacked
from gate_core.checks.stated.beyond import told_by_calls
from gate_core.ledger import Ledger
from gate_core.model.late import late
from gate_core.model.reading import Mood, Says, Sentence
from gate_core.model.state import Asks
from gate_core.model.verdict import Finding
from gate_core.reading.turn import asked
from gate_core.values.lexicon import months

_NAME = late(r"(?<=[a-zß-ÿ,] )(?:[A-ZÀ-Þ][a-zß-ÿ]{1,20})(?=\W|$)")
_NOUNS_IN_CAPITALS = frozenset({"de"})


def not_already(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """A state that a sentence says was there before it was asked for, of somebody that no call of the conversation
    names."""
    if Says.ALREADY not in sentence.says or sentence.mood is not Mood.INDICATIVE:
        return
    if asked(ledger) is not Asks.CHANGE or ledger.worked_here or not ledger.looks_here:
        return
    names = _names(sentence)
    told = told_by_calls(ledger) if names else None
    if told is not None and not any(told.holds(name) for name in names):
        yield unbacked("that it was so already", fix="look at it, and say what the look shows")


def _names(sentence: Sentence) -> list[str]:
    """Words of a sentence in capitals that do not begin it."""
    if sentence.language in _NOUNS_IN_CAPITALS:
        return []
    return [name for name in _NAME.findall(sentence.head) if name.casefold() not in months()]
