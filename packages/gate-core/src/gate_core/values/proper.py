"""Proper names of letters alone, examined only where `names=True` asks for it; what is found is a note (spec 30)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gate_core.model.late import late
from gate_core.values.lexicon import months, table
from gate_core.values.names import is_plain_word
from gate_core.values.value import Kind, Shape, Value

_PART = r"(?:van|von|der|den|de|da|do|dos|del|della|di|la|le|bin|ibn|al|el|zu|af|och)"
_CAPITAL = r"(?=[^\W\d_a-z])[^\W\d_][^\W\d_'’.-]*(?:['’-][^\W\d_]+)*"
_NAME = late(rf"(?<![\w@/.#`'’-]){_CAPITAL}(?: (?:{_PART} ){{0,2}}{_CAPITAL}){{0,3}}(?![\w@/:`]|\*\*)")
_OPENING = late(r"[\W\d_]*")
_SENTENCE_END = late(r"[.!?:|*]\W*$")


def proper_names(text: str, taken: Sequence[Value]) -> Iterator[Value]:
    """The names of a normalised sentence: several capitalised words, or one that stands within a sentence. Headings,
    where every word is capitalised, hold none."""
    if not any(word[0].islower() for word in re.findall(r"[^\W\d_]{3,}", text)):
        return
    for match in _NAME.finditer(text):
        words = match[0].split(" ")
        start = match.start()
        if _opens(text, start):  # the first word of a sentence is capitalised whatever it is
            start += len(words[0]) + 1
            words = words[1:]
        if words and _is_name(words) and all(v.end <= start or match.end() <= v.start for v in taken):
            yield Value(kind=Kind.NAME, text=" ".join(words), start=start, end=match.end(), shape=Shape.PROPER)


def _opens(text: str, start: int) -> bool:
    return _OPENING.fullmatch(text, 0, start) is not None or _SENTENCE_END.search(text, 0, start) is not None


def _is_name(words: Sequence[str]) -> bool:
    known = months().keys() | frozenset(table("words")["weekdays"])
    telling = [word for word in words if word.casefold() not in known and not is_plain_word(word)]
    return any(len(word) > 2 and not word.isupper() for word in telling)
