"""The unverified marker: how an agent says honestly that it could not confirm (spec 20, step 2)."""

from __future__ import annotations

import re

from gate_core.model.call import Attempt
from gate_core.model.json import leaves
from gate_core.reading.visible import visible

_OPENING = r"[\s<>*_#\[\](){}【「~`\"'“‘«（［⚠️-]{0,12}"
_CLOSING = r"(?:[*\])}>】」`\"'”’»）］]|_(?!\w)){1,4}"
_BEGIN = 200  # characters in which a marker ends, with what nobody sees between its letters
_PUNCTUATION = r"\s*(?:[:.,;!–—：。，；！、]|-(?!\w)|\n|$)"


def starts_with_marker(text: str, marker: str) -> bool:
    """True when the text starts with the marker: any case, after optional markup, before punctuation or a line end."""
    pattern = rf"{_OPENING}{re.escape(marker)}(?:{_CLOSING}|{_PUNCTUATION})"
    return re.match(pattern, visible(text[: _BEGIN + 2 * len(marker)]), re.IGNORECASE) is not None


def is_marked(attempt: Attempt, marker: str) -> bool:
    """True when the text starts with the marker; an answer without text may say it in a string of its typed output."""
    texts = (attempt.text,) if attempt.text.strip() else leaves(attempt.output)
    return any(starts_with_marker(text, marker) for text in texts)
