"""What a sentence states by the place it stands at: behind a checked box, in a list of changes, in a list that quotes a
file."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from gate_core.model.reading import Mood, Says, Sentence
from gate_core.model.state import Asks
from gate_core.reading.asks import asks_of
from gate_core.reading.packs import LANGUAGES, candidates, pack
from gate_core.reading.segment import Segment

_DENIES = frozenset({Says.UNCHANGED, Says.UNABLE, Says.HEDGE, Says.ALREADY, Says.STARTED, Says.LOOKED})
_OWN = frozenset({Says.CHANGED, Says.DONE, Says.PASSIVE, Says.LOOKED})
_LONGEST = 120  # characters of a heading


class Place:
    """Follows the sentences of one answer."""

    def __init__(self) -> None:
        self._changes = False
        self._quotes = False
        self._proposes = False

    def told(self, segment: Segment, sentence: Sentence) -> Sentence:
        """The sentence with what its place adds or takes."""
        if segment.code or segment.quoted:
            return sentence
        if not segment.item:
            self._changes = segment.title and _heads_changes(segment.text)
            self._quotes = _quotes(segment.text, sentence)
            self._proposes = _introduces(segment.text, "proposing")
            return _checked(segment, sentence)
        if self._proposes and not sentence.says & _OWN:
            return replace(sentence, mood=Mood.PLAN, says=frozenset())
        if self._quotes:
            return replace(sentence, says=sentence.says - _OWN)
        if self._changes and sentence.mood is Mood.INDICATIVE and not sentence.says & _DENIES:
            return replace(sentence, says=sentence.says | {Says.PASSIVE})
        return _checked(segment, sentence)


def _heads_changes(text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    patterns = (pack(language).headings for language in LANGUAGES)
    return any(pattern is not None and pattern.search(text) for pattern in patterns)


def _quotes(text: str, sentence: Sentence) -> bool:
    """True for the sentence before a list that says what a file holds ("TODO.md lists three items:")."""
    return Says.STATE in sentence.says and _introduces(text, "quoting")


def _introduces(text: str, what: Literal["quoting", "proposing"]) -> bool:
    """True for a sentence before a list that a pack knows by such words."""
    if not text.rstrip(" *_").endswith((":", "：")):
        return False
    found = (some.proposing if what == "proposing" else some.quoting for some in candidates(text))
    return any(pattern is not None and pattern.search(text) for pattern in found)


def _checked(segment: Segment, sentence: Sentence) -> Sentence:
    """A checked box says that what stands behind it was done; a tick says so of an instruction."""
    if not (segment.boxed or segment.ticked) or sentence.says or sentence.mood is Mood.QUESTION:
        return sentence
    asks = asks_of(segment.text)
    said = {Asks.CHANGE: Says.CHANGED, Asks.LOOK: Says.LOOKED}.get(asks, Says.DONE if segment.boxed else None)
    return sentence if said is None else replace(sentence, mood=Mood.INDICATIVE, says=frozenset({said}))
