"""What a result says of each thing it was handed: taken or refused, or how many of each (spec 20, "Outcome of a call").

`{"accepted": ["ana@x.test"], "rejected": ["bo@y.test"]}` of a mail to both shows of each of them how it went, and is no
mail to Bo.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice

from gate_core.checks.attempted import done_words
from gate_core.checks.lacking import lacking
from gate_core.checks.overlooked import owns_up
from gate_core.checks.tallied import numbers_in, tallies
from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import Json, leaves
from gate_core.model.kinds import Outcome
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.model.verdict import Finding

_MAKING = frozenset({Says.CHANGED, Says.PASSIVE})
_MOST = 200  # names of one list
_SHORT = 3  # letters of a name that is told apart from other words


def refused(reading: Reading, ledger: Ledger) -> dict[int, Finding]:
    """Sentence -> the call that refused what it says was done for, where no sentence owns up to it."""
    acts = (fact for fact in ledger.calls_here if acted(fact))
    lists = [(fact, bad) for fact in acts if (bad := _named(fact, "refused", ledger))]
    return {
        at: lacking(Code.STATEMENT_CONTRADICTED, "that it was done for all of them", fact)
        for fact, bad in lists
        for at, sentence in enumerate(reading.sentences)
        if _says_done_for(sentence, bad, reading)
    }


def _says_done_for(sentence: Sentence, bad: Iterable[str], reading: Reading) -> bool:
    if sentence.mood is not Mood.INDICATIVE or sentence.quoted or not _tells_done(sentence) or owns_up(sentence):
        return False
    return any(_stands(name, sentence.head) and not _is_owned(name, reading) for name in bad)


def is_parted(name: str, ledger: Ledger) -> bool:
    """True when the result of a call of this turn says of a name whether it was taken or refused."""
    return any(
        name in _named(fact, kind, ledger)
        for fact in ledger.calls_here
        for kind in ("taken", "refused")
        if fact.outcome in (Outcome.OK, Outcome.UNKNOWN)
    )


def told_in_part(reading: Reading, ledger: Ledger) -> bool:
    """True when a call of this turn was done in part, and every sentence that tells of what was done counts that part
    and the answer owns up to the rest."""
    made = [sentence for sentence in reading.sentences if sentence.says & _MAKING]
    counts = [pair for fact in ledger.calls_here if fact.outcome is Outcome.UNKNOWN for pair in tallies(fact, ledger)]
    numbers = {number for sentence in reading.sentences for number in numbers_in(sentence)}
    owned = any(owns_up(sentence) or Says.UNABLE in sentence.says for sentence in reading.sentences)
    part = any(good and bad and good in numbers and good + bad != good for good, bad in counts)
    return bool(made) and owned and part


def _tells_done(sentence: Sentence) -> bool:
    return bool(sentence.says & _MAKING or sentence.events or done_words(sentence.head, sentence.language))


def _is_owned(name: str, reading: Reading) -> bool:
    return any(owns_up(sentence) and _stands(name, sentence.head) for sentence in reading.sentences)


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.@-]){re.escape(name)}(?![\w@-]|\.\w)", text, re.IGNORECASE) is not None


def _named(fact: Fact, kind: str, ledger: Ledger) -> frozenset[str]:
    """The names in the lists of a result that say so by their keys, where the arguments hold them too."""
    found = None if fact.ran else ledger.text(fact)
    told = body_of(found[1]).object if found is not None else None
    if found is None or told is None:
        return frozenset()
    given = set(islice(leaves(found[0]), 2 * _MOST))
    lists = [value for place in _places(told) for key, value in place.items() if key in _keys(kind)]
    return frozenset(name for value in lists for name in _names(value) if name in given)


def _places(told: Mapping[str, Json]) -> Iterable[Mapping[str, Json]]:
    return (told, *(value for value in told.values() if isinstance(value, Mapping)))


def _names(value: Json) -> Iterator[str]:
    for item in value[:_MOST] if isinstance(value, list | tuple) else ():
        words = leaves(item) if isinstance(item, Mapping) else (item,)
        yield from (word for word in words if isinstance(word, str) and len(word) >= _SHORT)


@cache
def _keys(kind: str) -> frozenset[str]:
    return frozenset(load_table("checks", "statements.toml")["parted"][kind])
