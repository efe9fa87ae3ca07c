"""The words of a request that may name something: what is left without the small words of its language."""

from __future__ import annotations

from gate_core.admission.wording import Wording
from gate_core.model.late import late

_MOST_OBJECTS = 24
_TOKEN = late(r"(?:(?<!\S)\*?\.(?=[a-z]))?[\w#][\w./@:+'’#&-]{0,80}")
_ASCII = late(r"[a-z0-9][a-z0-9._/@:+-]{0,80}")
_APOSTROPHE = late(r"['’]")
_MARKS = late(r"[^\w]+")


def words_of(text: str, wording: Wording) -> tuple[str, ...]:
    """The words of a text that may name something."""
    if wording.spaced:
        whole = (match[0].rstrip(".,:'’-/&") for match in _TOKEN.finditer(text))
        found = (part for word in whole for part in _APOSTROPHE.split(word))
        kept = [word for word in found if word and word not in wording.stop and (len(word) > 1 or word.isdigit())]
        return tuple(dict.fromkeys(kept))[:_MOST_OBJECTS]
    ascii_words = [match[0].rstrip(".,:-/") for match in _ASCII.finditer(text)]
    rest = wording.stops.sub(" ", _ASCII.sub(" ", text))
    return tuple(dict.fromkeys((*ascii_words, *_MARKS.sub(" ", rest).split())))[:_MOST_OBJECTS]
