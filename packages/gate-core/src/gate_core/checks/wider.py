"""Universal statements ("nothing is left", "it is not in the database") need a look that no filter narrowed, or must
say what was looked for (spec 20, "Statements": universal or absence)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate_core.ledger import Ledger
from gate_core.model.fact import Fact
from gate_core.model.json import Json, leaves
from gate_core.model.kinds import Did
from gate_core.model.late import late
from gate_core.model.reading import Reading

_FILTER = late(
    r"\bwhere\b(.{1,2000})|\s(?:--filter|--selector|-l|--query|--where)[ =](\S{1,200})", re.IGNORECASE | re.DOTALL
)
_LITERAL = late(r"'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|\b(\d[\d.:-]{0,30})\b")
_LONGEST = 20_000
_CHANGES = frozenset({Did.CHANGED, Did.DELETED, Did.OPAQUE})


def narrowed(reading: Reading, ledger: Ledger) -> bool:
    """True when everything that was looked at in this turn was filtered, by words the answer does not repeat."""
    looks = [fact for fact in ledger.looks_here if not any(effect.did in _CHANGES for effect in fact.effects)]
    filters = [_filter_of(fact, ledger) for fact in looks]
    if not filters or any(words is None for words in filters):
        return False
    answer = " ".join(sentence.text for sentence in reading.sentences).lower()
    return not any(word.strip("%*").lower() in answer for words in filters for word in words or ())


def _filter_of(fact: Fact, ledger: Ledger) -> tuple[str, ...] | None:
    """The words a look was filtered by; None for one without a filter, or whose text is gone."""
    found = ledger.text(fact)
    if found is None:
        return None
    for text in _texts(found[0]):
        if match := _FILTER.search(text):
            return tuple(_words(match[1] or match[2] or ""))
    return None


def _texts(args: Json) -> Iterator[str]:
    return (text[:_LONGEST] for text in leaves(args))


def _words(clause: str) -> Iterator[str]:
    for match in _LITERAL.finditer(clause):
        yield next(group for group in match.groups() if group is not None)
