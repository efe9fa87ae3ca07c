"""Readings of a run of digits and separators: "12.345,67", "12,34,567", "1 234 567", "1'000" (spec 30)."""

from __future__ import annotations

import re
from functools import lru_cache

from gate_core.model.late import late

MAX_DIGITS = 300
"""Longer numbers are compared as texts: nobody counts with them, and they cost."""

_SPACED = r"\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d{1,3}(?: \d{2}){1,12} \d{3}(?![\d])(?:\.\d+)?"
BODY = late(rf"(?=[\d.])(?:(?<![\d.])(?:{_SPACED})|\d+(?:[.,']\d+)*|(?<![\d.])\.\d+)")
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
    head, mark, tail = body.partition("." if "." in body else ",")
    if tail.isdigit() and (head.isdigit() or not head):  # most have one mark
        return _parted_once(head, mark, tail)
    return _parted(body)


def _parted(body: str) -> tuple[Reading, ...]:
    """What digits with any marks between may be."""
    marks = "".join([sign for sign in body if sign in ".,' "])
    if len(marks) == 1:
        return _parted_once(*body.partition(marks))
    if len(set(marks)) == 1:
        return ((int(_bare(body)), 0),) if not body.startswith("0") and _is_grouped(body) else ()
    head, mark, tail = body.rpartition(marks[-1:])
    if len(set(marks)) == 2 and marks.count(mark) == 1 and mark in ".," and _is_grouped(head):
        return ((int(_bare(head) + tail), -len(tail)),)
    return ()


def _parted_once(head: str, mark: str, tail: str) -> tuple[Reading, ...]:
    """What digits with one mark between may be: a decimal fraction, a group of three behind up to three, or both."""
    group = len(tail) == 3 and len(head) < 4
    decimal = mark == "." or (mark == "," and (len(tail) < 3 or group or head == "0"))
    found = ((int((head or "0") + tail), -len(tail)),) if decimal else ()
    if not group or head[:1] in ("", "0"):
        return found
    whole = ((int(head + tail), 0),)
    return (*found, *whole) if mark == "." else (*whole, *found)


def _is_grouped(body: str) -> bool:
    return any(pattern.fullmatch(body) for pattern in (_WESTERN, _INDIAN))


def _bare(body: str) -> str:
    return re.sub(r"[^\d]", "", body)


def pieces(body: str) -> tuple[str, ...]:
    """The single numbers inside a run that may be a list: "5210,8841" is two."""
    parts = tuple(re.split(r"[, ]", body))
    return parts if len(parts) > 1 else ()
