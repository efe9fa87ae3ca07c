"""Words by which texts say how a call ended; the patterns are data (`cues.toml`)."""

from __future__ import annotations

import re
from functools import cache

from gate_core.data import load_table
from gate_core.model.late import late

SHORT = 300
"""Characters; a status text or an error is one short text, contents rarely are."""


def matches(kind: str, text: str) -> bool:
    """True when the text starts with a cue of this kind."""
    head = text.lstrip()[:SHORT]
    if head.startswith("#"):
        head = _HEADING.sub("", head)
    return _cue(kind).match(head) is not None


def is_line(text: str) -> bool:
    """True for one short line."""
    return len(text) < SHORT and "\n" not in text


def is_partial(text: str) -> bool:
    """True for a status text that counts fewer done than asked for: "Deleted 1 of 2 entities"."""
    found = _OF.match(text.lstrip()[:SHORT])
    return found is not None and int(found[1]) < int(found[2])


_OF = late(r"(?:[A-Za-z]+:? ){0,3}(\d{1,9}) ?(?:of|out of) ?(\d{1,9})\b(?! ?%)")


_HEADING = late(r"\A#{1,6} *(?:errors?|results?):?[ \t]*\n\s*", re.IGNORECASE)
"""What a tool that answers in Markdown puts over what it has to say."""


@cache
def _cue(kind: str) -> re.Pattern[str]:
    """All patterns of a kind in one: they are asked of every result, and nearly always none fits."""
    return re.compile(
        "|".join(f"(?:{pattern})" for pattern in load_table("footprint", "cues.toml")[kind]), re.IGNORECASE
    )
