"""Splits an answer into sentences and knows which stand in code fences or block quotes. Linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gate_core.data import load_table

_FENCE = re.compile(r"\s*(?:```|~~~)")
_LEAD = re.compile(r"\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|#{1,6}\s+)")
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]*_]{0,3}\s+(?=\S)|(?<=[。！？])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One sentence as it stands in the text."""

    text: str
    code: bool = False
    quoted: bool = False


def segments(text: str) -> tuple[Segment, ...]:
    """The sentences of a text. Wrapped lines of one paragraph are joined; list items and table rows stand alone."""
    return tuple(_segments(text))


def _segments(text: str) -> Iterator[Segment]:
    for block, code, quoted in _blocks(text):
        if code:
            yield Segment(text=block, code=True)
        else:
            for sentence in _sentences(block):
                yield Segment(text=sentence, quoted=quoted)


def _blocks(text: str) -> Iterator[tuple[str, bool, bool]]:
    pending: list[str] = []
    quoted = fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            yield from _flush(pending, quoted)
            fenced = not fenced
            continue
        if fenced:
            yield line, True, False
            continue
        quote = line.lstrip().startswith(">")
        lead = _LEAD.match(line)
        if quote != quoted or lead or not line.strip() or line.lstrip().startswith("|"):
            yield from _flush(pending, quoted)
        quoted = quote
        body = line.lstrip().lstrip("> ") if quote else line[lead.end() :] if lead else line
        if body.strip():
            pending.append(body.strip())
    yield from _flush(pending, quoted)


def _flush(pending: list[str], quoted: bool) -> Iterator[tuple[str, bool, bool]]:
    if pending:
        yield " ".join(pending), False, quoted
        pending.clear()


def _sentences(block: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(block):
        if not _abbreviated(block, match.start()):
            yield block[start : match.end()].strip()
            start = match.end()
    if block[start:].strip():
        yield block[start:].strip()


def _abbreviated(block: str, end: int) -> bool:
    word = block[max(0, end - 12) : end].rpartition(" ")[2]
    return word.rstrip(".").lstrip("(") in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(load_table("reading", "names.toml")["abbreviations"])
