"""A text as its reader sees it (spec 20, "Statements"): signs without width are gone, blanks are blanks, letters and
their accents are one sign. What only looks alike is left as it is: a Cyrillic letter makes another word, and another
file. docs/reading.md tells users what comes of it."""

from __future__ import annotations

import unicodedata

from gate_core.model.late import late

_UNSEEN = late(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
"""Soft hyphens, signs of no width, marks of direction, marks of byte order."""
_BLANK = late(r"[\u00a0\u2000-\u200a\u202f\u205f]")
"""Blanks of other widths, and those at which no line breaks."""


def visible(text: str) -> str:
    """The text without what nobody sees. Linear; ASCII stays as it is."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _BLANK.sub(" ", _UNSEEN.sub("", text)))
