"""Texts written for somebody stand in an answer without being its own word: what follows "Here's a draft:" (spec 20,
"Statements": drafts and quotes are not claims)."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from gate_core.model.late import late
from gate_core.reading.packs import candidates
from gate_core.reading.segment import Segment

_RULE = late(r"[-*_=]{3,}")
_COLON_ENDS = (":", "：", "*", "_", " ")
_NAME = 40  # characters of the name below a closing formula
_LONGEST = 200  # characters of a sentence that introduces or closes one


class _In(Enum):
    """Where the reader is."""

    NONE = 0
    OPENED = 1
    """Behind the introduction."""
    BLOCK = 2
    """In a code block or a block quote: it alone is the draft."""
    TEXT = 3
    CLOSED = 4
    """Behind the closing formula; a name may follow."""


class Draft:
    """Follows the segments of one answer. A draft in a block ends with it; one in plain words ends behind its closing
    formula and name, at a rule, or with the answer."""

    def __init__(self) -> None:
        self._in = _In.NONE

    def holds(self, segment: Segment, *, leads: bool) -> bool:
        """True when a segment is part of a draft; `leads` says that it may introduce one."""
        if self._in is _In.NONE and not leads:
            return False
        apart = segment.code or segment.quoted
        if self._in is _In.NONE or (self._in is _In.BLOCK and not apart):
            self._in = _In.OPENED if not apart and introduces(segment.text, "drafting") else _In.NONE
            return False
        if self._in is _In.OPENED:
            self._in = _In.BLOCK if apart else _In.TEXT
        if self._in is _In.BLOCK:
            return True
        return self._goes_on(segment)

    def _goes_on(self, segment: Segment) -> bool:
        """The same in a draft of plain words."""
        closing = _closes(segment.text)
        if self._in is _In.CLOSED and not closing:
            self._in = _In.NONE
            return len(segment.text) <= _NAME and segment.text[-1:] not in ".!:"
        if _RULE.fullmatch(segment.text):
            self._in = _In.NONE
        elif closing:
            self._in = _In.CLOSED
        return True


def may_introduce(text: str) -> bool:
    """True for what may be a sentence that introduces something; of nearly all others its last sign tells."""
    return text.endswith(_COLON_ENDS) and len(text) <= 2 * _LONGEST and text.rstrip(" *_").endswith((":", "："))


def introduces(text: str, what: Literal["quoting", "proposing", "drafting"]) -> bool:
    """True for a sentence before a list or a text that a pack knows by such words."""
    if not may_introduce(text):
        return False
    found = (getattr(pack, what) for pack in candidates(text, every=what == "drafting"))
    return any(pattern is not None and pattern.search(text) for pattern in found)


def _closes(text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    return any(pack.closing is not None and pack.closing.search(text) for pack in candidates(text, every=True))
