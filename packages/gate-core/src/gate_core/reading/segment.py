"""Splits an answer into sentences and knows where they stand: in code, in a quote, in a list, above one, ticked off.
Linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.reading.visible import visible

_FENCES = ("```", "~~~")
_LEADING = frozenset("✅☑✔✓❌✗✘🟢🔴-*+•#")
"""What a line begins with that has a lead, if not with a digit."""
_LEAD = late(
    r"\s*(?:(?P<sign>(?=[✅☑✔✓❌✗✘🟢🔴]))|(?P<item>[-*+•]\s+(?:\[[xX]\]\s+)?|\d{1,3}[.)]\s+)|(?P<head>#{1,6}\s+))"
)
_BOXED = late(r"\[[xX]\]\s+$")
_TICKS = ("✅", "☑", "✔", "✓")
_TITLE = late(r"[^.!?。！？]{1,80}[:：]\W{0,4}|\*\*[^*]{1,80}\*\*:?")
_BOLD = late(r"\*\*[^*]{1,80}\*\*:?|__[^_]{1,80}__:?")
"""A line that stands above a paragraph like a heading."""
_BOLD_SIGNS = ("*", "_")
_END = late(r"[.!?…。！？](?:(?<=[。！？])|[\"'”’)\]*_]{0,3}\s+(?=\S))")
"""The sign that ends a sentence and what stands between it and the next one. A pattern that begins with one set of
signs jumps to them."""


class Segment(NamedTuple):
    """One sentence as it stands in the text: `item` in a list or a table, `title` above one, `boxed` behind a checked
    box, `ticked` behind a tick sign."""

    text: str
    code: bool = False
    quoted: bool = False
    item: bool = False
    title: bool = False
    boxed: bool = False
    ticked: bool = False


def segments(text: str) -> tuple[Segment, ...]:
    """The sentences of a text, as they are seen. Wrapped lines of one paragraph are joined; list items and table rows
    stand alone."""
    return tuple(_segments(visible(text)))


def _segments(text: str) -> Iterator[Segment]:
    for block in list(_blocks(text)):  # all blocks first: to do one thing after another is faster
        if block.code:
            yield block
        else:
            rest = block[1:]
            yield from (Segment(sentence, *rest) for sentence in _sentences(block.text))


def _blocks(text: str) -> Iterator[Segment]:
    pending: list[str] = []
    block = Segment(text="")
    fenced = False
    for line in text.splitlines():
        bare = line.lstrip()
        if bare.startswith(_FENCES):
            yield from _flush(pending, block)
            fenced = not fenced
            continue
        if fenced:
            yield Segment(text=line, code=True)
            continue
        first = bare[:1]
        quote, row = first == ">", first == "|"
        lead = _LEAD.match(line) if first in _LEADING or first.isdecimal() else None
        if lead is None and first in _BOLD_SIGNS and _BOLD.fullmatch(bare.rstrip()):
            yield from _flush(pending, block)
            yield Segment(text=bare.rstrip(), title=True)
            block = Segment(text="")
            continue
        if quote != block.quoted or lead or not bare or row:
            yield from _flush(pending, block)
            block = _block(line, lead, quoted=quote, row=row)
        body = bare.lstrip("> ") if quote else line[lead.end() :] if lead else line
        if body.strip():
            pending.append(body.strip())
        if block.title and pending:  # a heading is one line
            yield from _flush(pending, block)
            block = Segment(text="", quoted=quote)
    yield from _flush(pending, block)


def _block(line: str, lead: re.Match[str] | None, *, quoted: bool, row: bool) -> Segment:
    """What is known of a block by its first line."""
    if lead is None:
        return Segment(text="", quoted=quoted, item=row)
    item = lead["item"] or ""
    if lead["sign"] is not None:
        return Segment(text="", quoted=quoted, item=True)
    return Segment(text="", quoted=quoted, item=bool(item), title=not item, boxed=_BOXED.search(item) is not None)


def _flush(pending: list[str], block: Segment) -> Iterator[Segment]:
    if pending:
        text = " ".join(pending)
        title = block.title or (not block.item and _TITLE.fullmatch(text) is not None)
        ticked = text.startswith(_TICKS)
        yield Segment(text, block.code, block.quoted, block.item, title, block.boxed, ticked)
        pending.clear()


def _sentences(block: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(block):
        stop = block[match.start()] == "."  # nothing else ends an abbreviation or an ordinal
        if not (stop and (_abbreviated(block, match.start() + 1) or _counts(block, match))):
            yield block[start : match.end()].strip()
            start = match.end()
    if block[start:].strip():
        yield block[start:].strip()


_COUNTING = late(r"(?<![\w.])\d{1,2}\.$")
_COUNTED = late(r"[^\W\d_]{1,12}")


def _counts(block: str, match: re.Match[str]) -> bool:
    """True for "am 14. März": the full stop makes the number an ordinal."""
    end = match.start() + 1
    if _COUNTING.search(block[max(0, end - 4) : end]) is None:
        return False
    word = _COUNTED.match(block, match.end())
    return word is not None and (word[0].casefold() in _months() or word[0][0].islower())


@cache
def _months() -> frozenset[str]:
    """Months and other words that are counted by an ordinal."""
    return frozenset(load_table("reading", "names.toml")["counted"])


def _abbreviated(block: str, end: int) -> bool:
    word = block[max(0, end - 12) : end].rpartition(" ")[2]
    return word.rstrip(".").lstrip("(") in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(load_table("reading", "names.toml")["abbreviations"])
