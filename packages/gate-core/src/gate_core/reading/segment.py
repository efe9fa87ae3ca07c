"""Splits an answer into sentences and knows where they stand: in code, in a quote, in a list, above one, ticked off.
Linear in the text."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.reading.visible import visible

_FENCED = ("```", "~~~")
_FENCES = ("`", "~")
_LEADING = frozenset("✅☑✔✓❌✗✘🟢🔴⏳⌛🔄🚧⬜⚪🔲🔜⏸⏭-*+•#")
"""What a line begins with that has a lead, if not with a digit."""
_LEAD = late(
    r"\s*(?:(?P<sign>(?=[✅☑✔✓❌✗✘🟢🔴⏳⌛🔄🚧⬜⚪🔲🔜⏸⏭]))|(?P<item>[-*+•]\s+(?:\[[xX]\]\s+)?|\d{1,3}[.)]\s+)|(?P<head>#{1,6}\s+))"
)
_TICKS = ("✅", "☑", "✔", "✓")
_TITLE = late(r"[^.!?。！？]{1,80}[:：]\W{0,4}|\*\*[^*]{1,80}\*\*:?")
_LONGEST_STATUS = 110  # characters of what _STATUS matches
_LONGEST_TITLE = 85  # characters of what _TITLE matches
_BOLD = late(r"\*\*[^*]{1,80}\*\*:?|__[^_]{1,80}__:?")
"""A line that stands above a paragraph like a heading."""
_BOLD_SIGNS = ("*", "_")
_STATUS = late(r"\s*[*_`]{0,3}[^\W\d_][^:：|.!?]{0,40}[:：][*_`]{0,3}\s*[✅☑✔✓❌✗✘🟢🔴⏳⌛🔄🚧⬜⚪][^.!?]{0,60}\s*")
"""A line of a status: a label, a sign, a few words."""
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


@lru_cache(maxsize=4)
def segments(text: str) -> tuple[Segment, ...]:
    """The sentences of a text, as they are seen. Wrapped lines of one paragraph are joined; list items and table rows
    stand alone. The last texts are remembered: a message is asked for what it names, what it wants and what it tells.
    """
    found: list[Segment] = []
    for block in _blocks(visible(text)):  # all blocks first: to do one thing after another is faster
        sentences = None if block.code else _sentences(block.text)
        if sentences is None or sentences == [block.text]:
            found.append(block)
        else:
            found += [Segment(sentence, *block[1:]) for sentence in sentences]
    return tuple(found)


def _blocks(text: str) -> list[Segment]:
    """The lines of code and, each as one segment, what else belongs together."""
    found: list[Segment] = []
    pending: list[str] = []
    block = _PLAIN
    fenced = False
    for line in text.splitlines():
        bare = line.lstrip()
        first = bare[:1]
        if first in _FENCES and bare.startswith(_FENCED):
            _flush(pending, block, found)
            fenced = not fenced
            continue
        if fenced:
            found.append(Segment(line, code=True))
            continue
        quote, status = first == ">", _is_status(line)
        row = first == "|" or status
        lead = _LEAD.match(line) if first in _LEADING or first.isdecimal() else None
        if lead is None and first in _BOLD_SIGNS and _BOLD.fullmatch(bare.rstrip()):
            _flush(pending, block, found)
            found.append(Segment(bare.rstrip(), title=True))
            block = _PLAIN
            continue
        if quote != block.quoted or lead or not bare or row:
            _flush(pending, block, found)
            block = _block(line, lead, quoted=quote, row=row)
        body = (bare.lstrip("> ") if quote else line[lead.end() :] if lead else bare).strip()
        if body:
            pending.append(body)
            if block.title or status:  # each is one line
                _flush(pending, block, found)
                block = _QUOTED if quote else _PLAIN
    _flush(pending, block, found)
    return found


def _is_status(line: str) -> bool:
    return not line.isascii() and len(line) <= _LONGEST_STATUS and _STATUS.fullmatch(line) is not None


_PLAIN, _QUOTED = Segment(""), Segment("", quoted=True)


def _block(line: str, lead: re.Match[str] | None, *, quoted: bool, row: bool) -> Segment:
    """What is known of a block by its first line."""
    if lead is None:
        return Segment("", quoted=quoted, item=True) if row else _QUOTED if quoted else _PLAIN
    item = lead["item"] or ""
    if lead["sign"] is not None:
        return Segment("", quoted=quoted, item=True)
    return Segment("", quoted=quoted, item=bool(item), title=not item, boxed="[" in item)


def _flush(pending: list[str], block: Segment, found: list[Segment]) -> None:
    """Add the lines of a block to what was found."""
    if not pending:
        return
    text = " ".join(pending)
    title = block.title or (not block.item and len(text) <= _LONGEST_TITLE and _TITLE.fullmatch(text) is not None)
    ticked = text.startswith(_TICKS)
    found.append(Segment(text, block.code, block.quoted, block.item, title, block.boxed, ticked))
    pending.clear()


def _sentences(block: str) -> list[str]:
    found: list[str] = []
    start = 0
    for match in _END.finditer(block):
        stop = block[match.start()] == "."  # nothing else ends an abbreviation or an ordinal
        if not (stop and (_abbreviated(block, match.start() + 1) or _counts(block, match))):
            found.append(block[start : match.end()].strip())
            start = match.end()
    if rest := block[start:].strip():
        found.append(rest)
    return found


_COUNTING = late(r"(?<![\w.])\d{1,2}\.$")
_COUNTED = late(r"[^\W\d_]{1,12}")


def _counts(block: str, match: re.Match[str]) -> bool:
    """True for "am 14. März": the full stop makes the number an ordinal."""
    end = match.start() + 1
    if not block[end - 2 : end - 1].isdecimal() or _COUNTING.search(block[max(0, end - 4) : end]) is None:
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
