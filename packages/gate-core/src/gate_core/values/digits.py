"""Readings of a run of digits and separators: "12.345,67", "12,34,567", "1 234 567", "1'000" (spec 30)."""

from __future__ import annotations

import re
from functools import lru_cache

from gate_core.model.late import late

MAX_DIGITS = 300
"""Longer numbers are compared as texts: nobody counts with them, and they cost."""

_SPACED = r"\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d{1,3}(?: \d{2}){1,12} \d{3}(?![\d])(?:\.\d+)?"
BODY = late(rf"(?<![\d.])(?:{_SPACED})|\d+(?:[.,']\d+)*|(?<![\d.])\.\d+")
_WESTERN = late(r"\d{1,3}(?:(?P<s>[.,' ])\d{3})(?:(?P=s)\d{3})*")
_INDIAN = late(r"\d{1,2}(?:(?P<s>[, ])\d{2})+(?P=s)\d{3}")

Reading = tuple[int, int]
"""Mantissa and exponent."""


@lru_cache(4096)
def readings(body: str) -> tuple[Reading, ...]:
    """(mantissa, exponent) of each way to read the run, likeliest first; () when it is several numbers or none."""
    if body.isdigit():
        return ((int(body), 0),) if len(body) <= MAX_DIGITS else ()
    if len(body) > MAX_DIGITS:
        return ()
    marks = [sign for sign in body if sign in ".,' "]
    kinds = set(marks)
    if len(kinds) == 1:
        return tuple(dict.fromkeys(_one_mark(body, marks[0], len(marks))))
    if len(kinds) == 2 and marks.count(marks[-1]) == 1 and marks[-1] in ".,":
        head, _, tail = body.rpartition(marks[-1])
        if _is_grouped(head):
            return ((int(_bare(head) + tail), -len(tail)),)
    return ()


def _one_mark(body: str, mark: str, number: int) -> list[Reading]:
    found: list[Reading] = []
    if number == 1 and mark in ".,":
        head, _, tail = body.partition(mark)
        if mark == "." or len(tail) < 3 or (len(tail) == 3 and len(head) < 4) or head == "0":
            found.append((int((head or "0") + tail), -len(tail)))
    if (number > 1 or body[-4:-3] == mark) and not body.startswith("0") and _is_grouped(body):
        whole = (int(_bare(body)), 0)
        found.insert(0 if mark != "." else len(found), whole)
    return found


def _is_grouped(body: str) -> bool:
    return any(pattern.fullmatch(body) for pattern in (_WESTERN, _INDIAN))


def _bare(body: str) -> str:
    return re.sub(r"[^\d]", "", body)


def pieces(body: str) -> tuple[str, ...]:
    """The single numbers inside a run that may be a list: "5210,8841" is two."""
    parts = tuple(re.split(r"[, ]", body))
    return parts if len(parts) > 1 else ()
