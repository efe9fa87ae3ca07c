"""Universal statements ("nothing is left", "all orders are closed") over looks that were cut short: the first rows, one
page, `| head` (spec 20, "Statements": statement-wider)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.fact import Fact
from gate_core.model.json import Json, leaves, text_of
from gate_core.model.reading import Reading

_LONGEST = 20_000  # characters of a call or a result in which it is looked for
_DEEPEST = 6


def cut_short(reading: Reading, ledger: Ledger) -> Fact | None:
    """The last look of the turn, where none showed all there is and the answer speaks of no part; None otherwise."""
    looks = [fact for fact in ledger.looks_here if not acted(fact)]
    most = [_most_of(fact, ledger) for fact in looks]
    if not looks or not all(most):
        return None
    answer = " ".join(sentence.text for sentence in reading.sentences).casefold()
    named = {told for told in most if told > 1}
    if any(str(number) in answer for number in named) or any(word in answer for word in _table()["said"]):
        return None
    return looks[-1]


def _most_of(fact: Fact, ledger: Ledger) -> int:
    """How much a look showed, where there may be more; 0 where it showed all, or nobody knows."""
    found = ledger.text(fact)
    if found is None:
        return 0
    args, result = found
    shown = _shown(result)
    most = _asked(args)
    if says_more(result):
        return most or 1
    return most if most and shown >= most else 0


def _asked(args: Mapping[str, Json]) -> int:
    """How much a call asks for at most, 0 for no limit."""
    limits = [value for key, value in args.items() if _bare(key) in _keys("keys") and type(value) is int and value > 0]
    return min([*limits, *filter(None, (most_of_command(text[:_LONGEST]) for text in leaves(args)))], default=0)


def most_of_command(text: str) -> int:
    """How many lines or rows a command shows at most, 0 for all."""
    for pattern in _patterns("commands"):
        match = pattern.search(text)
        if match is not None:
            return int(match[1] or _table()["default"])
    return 0


def says_more(result: Json) -> bool:
    """True for a result that says that it goes on."""
    if any(pattern.search(text_of(result)[-_LONGEST:]) for pattern in _patterns("rest")):
        return True
    return any(_bare(key) in _keys("more") and value not in (None, "", False, 0) for key, value in _entries(result, 0))


def _entries(value: Json, deep: int) -> Iterator[tuple[str, Json]]:
    """The entries of the objects of a result, those of its rows left out."""
    if isinstance(value, Mapping) and deep < _DEEPEST:
        for key, item in value.items():
            yield str(key), item
            yield from _entries(item, deep + 1)


def _shown(result: Json) -> int:
    """How many rows, or lines, a result has."""
    if isinstance(result, Mapping):
        return max((_shown(item) for item in result.values() if not isinstance(item, int | float)), default=0)
    if isinstance(result, Sequence) and not isinstance(result, str):
        return max(len(result), text_of(result).count("\n"))
    return len(result.splitlines()) if isinstance(result, str) else 0


def _bare(key: str) -> str:
    return key.casefold().replace("-", "_")


def _table() -> Mapping[str, Any]:
    return load_table("checks", "stated", "cut.toml")


@cache
def _keys(name: str) -> frozenset[str]:
    return frozenset(_table()[name])


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in _table()[name])
