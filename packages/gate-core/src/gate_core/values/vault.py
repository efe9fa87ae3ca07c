"""What is kept of texts that are let go of: their distinct values, within limits (spec 05, "Lazy observation")."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gate_core.values.walk import walk

PER_RESULT = 16_384
PER_CONVERSATION = 524_288
"""Characters; the values of later results are left out."""

_VALUE = re.compile(r"[^\s\"'<>()\[\]{},;|=]*\d[^\s\"'<>()\[\]{};|=]*(?: (?:[%‰°$€£¥₹]|[^\W\d_]{1,9})(?![\w]))?")
_ROOM = 100  # characters of one value


def distilled(results: Iterable[object], *, kept: int = 0) -> tuple[str, ...]:
    """The values of some results as they are spelt there, each with the word behind it; `kept` characters are taken."""
    found: dict[str, None] = {}
    left = PER_CONVERSATION - kept
    for result in results:
        room = min(PER_RESULT, left)
        for text in walk(result).texts:
            for spelling in _VALUE.findall(text):
                if spelling not in found and len(spelling) <= min(_ROOM, room):
                    found[spelling] = None
                    room -= len(spelling)
                    left -= len(spelling)
        if left <= 0:
            break
    return tuple(found)
