"""Runs of a part: the whole told of them, or another part than the one that ran (spec 20, "Signals": scope;
"Statements": a filtered look whose filter the answer does not repeat).

"All tests pass" may mean all that were run; "the whole suite", "all modules" cannot.
"""

from __future__ import annotations

import re

from gate_core.checks.overlooked import excepts
from gate_core.footprint.rules import of_kind
from gate_core.model.late import late
from gate_core.model.reading import Reading, Sentence
from gate_core.reading.cues import found

_SHORTEST = 3  # letters of a name that a scope gives
_PLACE = late(
    r"\b(?:[io]n|of|for|under|im|von|für|dans|de|du|en|del|di|do|da|van|voor|для|в) (?:the |der |le |la |el |il |het )?"
    r"(?![^ ,;]*\.\w{1,4}\b)[`'\"]?([\w-]{3,40})"
)
"""What a run is said to be of, the names of files aside."""
_KIND = (
    r"(?:crate|package|module|subproject|workspace|target|library|modul|paket|paquet|paquete|módulo|pacote|pacchetto)"
)
_PARTS = (
    late(rf"\b([\w-]{{2,40}})[`'\"]? {_KIND}\b", re.IGNORECASE),
    late(rf"\b{_KIND} [`'\"]?([a-z][\w-]{{1,40}})", re.IGNORECASE),
)
_NO_NAME = late(
    r"(?:du|des|del|della|dello|il|lo|les|los|da|do|het|een|van|un|une|uma?|dieses?|ein|the|this|that|a|an|its|our|your|my|whole|entire|only|one|each|every|any|other|same|new|das|dem|der|le|la|el|is|are"
    r"|was|builds?|compiles?|passes|pass|tests?|for|in|of|and|itself|alone)$",
    re.IGNORECASE,
)


def is_told_whole(kind: str, sentence: Sentence, scope: str, reading: Reading) -> bool:
    """True for a sentence that speaks of all there is in so many words, where the answer neither names what the run was
    limited to nor makes an exception."""
    behind = next((sentence.text[match.start() :] for match in found("whole_of_it", sentence)), None)
    if behind is None:
        return False
    picked = [word for word in scope.split() if not word.startswith("-")]
    names = {part.casefold() for word in picked for part in re.split(r"[^\w-]+", word) if len(part) >= _SHORTEST}
    told = [behind, *(s.text for s in reading.sentences if s is not sentence and kind in s.events)]
    told += _PLACE.findall(sentence.text)
    repeated = any(name in text.casefold() for name in names for text in told)
    return not repeated and not any(excepts(other.text) for other in reading.sentences)


def names_another(sentence: Sentence, scope: str) -> bool:
    """True for "the server crate builds" of a run that was limited to other packages by name."""
    words = scope.split()
    if not any(word in of_kind("packages") for word in words):
        return False
    own = {part.casefold() for word in words if not word.startswith("-") for part in re.split(r"[^\w-]+", word)}
    named = {name.casefold() for pattern in _PARTS for name in pattern.findall(sentence.head)}
    named = {name for name in named if _NO_NAME.match(name) is None}
    return bool(own) and bool(named) and named.isdisjoint(own)
