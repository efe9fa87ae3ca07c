"""The acts a sentence tells of, one by one: "I booked LH2035 and also reserved seat 12A" tells of two (spec 20,
"Statements"). Words are data (names.toml), clauses are read by the packs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from gate_core.data import load_table
from gate_core.model.config import UNSPACED
from gate_core.model.reading import Mood, Says, Sentence
from gate_core.reading.events import GREEN, RED
from gate_core.reading.statements import state

_ACTS = frozenset({Says.CHANGED, Says.PASSIVE})
_NO_ACTS = frozenset({Says.UNABLE, Says.HEDGE, Says.UNCHANGED, Says.STARTED})
_MOST = 12  # acts of one sentence


def acts_in(sentence: Sentence) -> tuple[str, ...]:
    """The parts of an indicative sentence that each tell of an act, lists and all that follows kept with their verb."""
    if sentence.mood is not Mood.INDICATIVE or sentence.quoted or sentence.code or sentence.says & _NO_ACTS:
        return ()
    return _parts(sentence.head, sentence.language)


@lru_cache(1024)
def _parts(text: str, language: str) -> tuple[str, ...]:
    found: list[str] = []
    ahead = ""
    for part in _split(text):
        if _is_act(part, language, first=not found):
            found.append(f"{ahead}{part}".strip())
            ahead = ""
        elif found:
            found[-1] = f"{found[-1]}{part}"
        else:
            ahead += part
        if len(found) > _MOST:
            return ()
    if not found and _is_act(text, language, first=True):
        return (text.strip(),)  # "Ana and Ben have the invoice now"
    return tuple(found)


def _split(text: str) -> Iterator[str]:
    """The text between commas and words that join; what joined them stands before a part."""
    start = 0
    for match in _joints().finditer(text):
        yield text[start : match.start()]
        start = match.start()
    yield text[start:]


def _is_act(part: str, language: str, *, first: bool) -> bool:
    bare = part.strip() if first else _joints().sub("", part, count=1).strip()
    told = state(bare, ())
    if _tells(told.says, told.events):
        return True
    if not language:
        return False
    verb, other = _further(language)
    return verb.search(bare) is not None and other.search(bare) is None


@cache
def _further(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = load_table("reading", "names.toml")
    verbs = table["further"][language]
    edged = rf"(?<![^\W_])(?:{verbs})(?![^\W_])" if language not in UNSPACED else verbs
    return re.compile(edged, re.IGNORECASE), re.compile(table["not_further"][language], re.IGNORECASE)


def _tells(says: frozenset[Says], events: frozenset[str]) -> bool:
    runs = {kind for kind in events if kind.endswith(RED) or kind in GREEN}
    return not says & _NO_ACTS and (bool(says & _ACTS) or bool(events - runs - {"executed", "used_tool"}))


@cache
def _joints() -> re.Pattern[str]:
    words = load_table("reading", "names.toml")
    spaced = "|".join(word for word in (*words["and"], *words["also"]) if ord(word[0]) < _GLUED)
    glued = "|".join(words["and_glued"])
    return re.compile(
        rf"\s*[,;]\s+(?:(?:{spaced})\s+){{0,2}}|\s+(?:{spaced})\s+(?:(?:{spaced})\s+)?|[，；、]\s*(?:{glued})?",
        re.IGNORECASE,
    )


_GLUED = 0x2E80  # from here on scripts put no blanks between words
