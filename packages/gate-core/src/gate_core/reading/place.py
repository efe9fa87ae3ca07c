"""What a sentence states by the place it stands at: behind a checked box, in a list of changes, of what was not done,
in a list that quotes a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gate_core.model.reading import Mood, Says, Sentence
from gate_core.model.state import Asks
from gate_core.reading.asks import asks_of
from gate_core.reading.blind import Blind
from gate_core.reading.cues import cue_pattern
from gate_core.reading.drafts import Draft, introduces, may_introduce
from gate_core.reading.events import without_contradicted
from gate_core.reading.labels import UNLABELLED, Label, labelled, names_of
from gate_core.reading.languages import LANGUAGES, SHARED
from gate_core.reading.packs import pack
from gate_core.reading.segment import Segment
from gate_core.reading.stating import Stated

_DENIES = frozenset({Says.UNCHANGED, Says.UNABLE, Says.HEDGE, Says.ALREADY, Says.STARTED, Says.LOOKED})
_OWN = frozenset({Says.CHANGED, Says.DONE, Says.PASSIVE, Says.LOOKED})
_NO_TOPICS: frozenset[str] = frozenset()
_LONGEST = 120  # characters of a heading


class Place:
    """Follows the sentences of one answer."""

    def __init__(self) -> None:
        self._changes = False
        self._quotes = False
        self._proposes = False
        self._undone = False
        self._topics = _NO_TOPICS
        self._draft = Draft()

    def told(self, found: Sequence[Segment], stated: Sequence[Stated]) -> list[Sentence]:
        """The sentences of an answer: what their words state, with what their places add or take."""
        leads = [may_introduce(segment.text) for segment in found]
        drafted = self._drafted(found, leads)
        own = [not (draft or segment.code or segment.quoted) for segment, draft in zip(found, drafted, strict=True)]
        labels = [labelled(segment) if mine else UNLABELLED for segment, mine in zip(found, own, strict=True)]
        told = list(stated)
        for place, segment in enumerate(found):
            if own[place]:
                row = self._with_events(segment, stated[place], labels[place])
                told[place] = self._placed(segment, row, leads=leads[place])
            elif drafted[place]:
                told[place] = Stated(language=stated[place].language)
        return [
            Sentence(seen.text, row.mood, row.says, seen.quoted or draft, seen.code, row.language, row.events)
            for seen, row, draft in zip(found, told, drafted, strict=True)
        ]

    def _drafted(self, found: Sequence[Segment], leads: Sequence[bool]) -> list[bool]:
        """Which sentences are part of a draft; where none introduces one, none is."""
        if not any(leads):
            return [False] * len(found)
        return [self._draft.holds(segment, leads=lead) for segment, lead in zip(found, leads, strict=True)]

    def _with_events(self, segment: Segment, stated: Stated, label: Label) -> Stated:
        """The events that a row states by its label, or a sentence by "they pass" of the one before it."""
        kinds, language = label
        if stated.refers:
            kinds |= self._topics
        if stated.topics:
            self._topics = stated.topics
        elif not stated.refers:
            self._topics = _asked_of(segment.text) if segment.title or stated.mood is Mood.QUESTION else _NO_TOPICS
        if not kinds or kinds <= stated.events or (stated.mood is Mood.PLAN and not segment.item):
            return stated
        events = without_contradicted(kinds | stated.events)
        return stated._replace(mood=Mood.INDICATIVE, events=events, language=language or stated.language)

    def _placed(self, segment: Segment, stated: Stated, *, leads: bool) -> Stated:
        if not segment.item:
            self._changes = segment.title and _heads_changes(segment.text)
            self._quotes = leads and _quotes(segment.text, stated)
            self._proposes = leads and introduces(segment.text, "proposing")
            self._undone = (leads or segment.title) and _heads_undone(segment.text)
            return _checked(segment, stated)
        if self._undone and not segment.boxed:
            return stated._replace(mood=Mood.PLAN, says=frozenset(), events=frozenset())
        if self._proposes and not stated.says & _OWN:
            return stated._replace(mood=Mood.PLAN, says=frozenset())
        if self._quotes:
            return stated._replace(says=stated.says - _OWN)
        if self._changes and stated.mood is Mood.INDICATIVE and not stated.says & _DENIES:
            return stated._replace(says=stated.says | {Says.PASSIVE})
        return _checked(segment, stated)


def _asked_of(text: str) -> frozenset[str]:
    """The run that a short question or a heading names ("Tests?"), which the next sentence may answer."""
    return frozenset(kind for _, kind in names_of([text.strip(" *_#:：?？")]))


def _heads_changes(text: str) -> bool:
    """True for what stands above a list of changes."""
    return len(text) <= _LONGEST and _headings(_written_in(text)).search(text) is not None


def _heads_undone(text: str) -> bool:
    """True for what stands above a list of what was not done ("Not done:")."""
    return len(text) <= _LONGEST and _undone_headings(_written_in(text)).search(text) is not None


def _written_in(text: str) -> tuple[str, ...]:
    """The languages that may be written so."""
    return SHARED if text.isascii() else LANGUAGES


@cache
def _headings(languages: tuple[str, ...]) -> Blind:
    patterns = (pack(language).headings for language in languages)
    return Blind("|".join(pattern.text for pattern in patterns if pattern is not None))


@cache
def _undone_headings(languages: tuple[str, ...]) -> Blind:
    return Blind("|".join(cue_pattern(language, "left_undone").pattern for language in languages))


def _quotes(text: str, stated: Stated) -> bool:
    """True for the sentence before a list that says what a file holds ("TODO.md lists three items:")."""
    return Says.STATE in stated.says and introduces(text, "quoting")


def _checked(segment: Segment, stated: Stated) -> Stated:
    """A checked box says that what stands behind it was done; a tick says so of an instruction."""
    if not (segment.boxed or segment.ticked) or stated.says or stated.mood is Mood.QUESTION:
        return stated
    asks = asks_of(segment.text)
    said = {Asks.CHANGE: Says.CHANGED, Asks.LOOK: Says.LOOKED}.get(asks, Says.DONE if segment.boxed else None)
    return stated if said is None else stated._replace(mood=Mood.INDICATIVE, says=frozenset({said}))
