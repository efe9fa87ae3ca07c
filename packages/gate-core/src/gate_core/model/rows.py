"""Rows of facts, for hosts that keep each fact by itself: what this process wrote or read before is not read again.

Reading a row is pure, so a remembered fact is the one that would be read. Rows are told apart by all that is in them,
types included: a host that changed one gets what it says now.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from gate_core.model.fact import Fact, decode_fact, encode_fact
from gate_core.model.json import Json

_MOST = 4096  # facts; some two megabytes
_NO_REFERENCES = 2  # the version of marshal in which equal values are equal bytes
_known: dict[bytes, Fact] = {}


def row_of(fact: Fact) -> list[Json]:
    """The row of a fact that `can_be_stored`."""
    row = encode_fact(fact)
    _remember(_told(row), fact)
    return row


def fact_of(row: Json) -> Fact:
    """The fact of a row.

    Raises:
        StateError: the row does not have the shape of a fact.
    """
    told = _told(row)
    fact = _known.get(told)
    if fact is None:
        fact = decode_fact(row)
        _remember(told, fact)
    return fact


def has_call(rows: Mapping[str, Json], call: str) -> bool:
    """True when one of the rows by key is of a call of this id. Asked with every call of a long thread, so it looks at
    nothing else; what is no row at all has no call."""
    try:
        return call in map(_CALL, rows.values())
    except (TypeError, LookupError):
        return any(_named(row) == call for row in rows.values())


_CALL: Callable[[Any], object] = itemgetter(2)


def _named(row: Json) -> Json:
    return row[2] if isinstance(row, Sequence) and len(row) > 2 else None


def _told(row: Json) -> bytes:
    """What stands in a row; b"" for one with values of a host's own types."""
    try:
        return marshal.dumps(row, _NO_REFERENCES)  # type: ignore[arg-type]
    except ValueError:
        return b""


def _remember(told: bytes, fact: Fact) -> None:
    if not told:
        return
    if len(_known) >= _MOST:
        _known.clear()
    _known[told] = fact
