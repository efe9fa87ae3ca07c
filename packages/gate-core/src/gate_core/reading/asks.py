"""What a prompt asks for: a change, a look, or general knowledge. Distilled once, when the message arrives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate_core.model.state import Asks, Said
from gate_core.reading.packs import Pack, candidates
from gate_core.reading.segment import segments

_LONGEST = 2000  # characters of one sentence
_MOST = 200  # sentences; a message that has not said by then what it wants is a document
_QUESTION = re.compile(r"[?？][\s\"'”’)*_]{0,8}$")
_ORDER = (Asks.CHANGE, Asks.EXPLAIN, Asks.LOOK)


def asks_of(text: str, *, before: Sequence[Said] = ()) -> Asks:
    """What a message asks for. One that only says "go ahead" asks for what the message before it asked for."""
    found: set[Asks] = set()
    agreed = False
    for segment in segments(text[: _MOST * _LONGEST])[:_MOST]:
        if not (segment.code or segment.quoted):
            asked = _asked(segment.text[:_LONGEST])
            agreed = agreed or asked is None
            found.add(asked or Asks.UNKNOWN)
    if Asks.LOOK in found and Asks.EXPLAIN in found:
        found.discard(Asks.EXPLAIN)
    last = next((asks for asks in _ORDER if asks in found), Asks.UNKNOWN)
    return before[-1].asks if agreed and before and last is not Asks.CHANGE else last


def _asked(sentence: str) -> Asks | None:
    """What one sentence asks for; None for a mere "go ahead"."""
    question = _QUESTION.search(sentence) is not None
    for pack in candidates(sentence, every=True):
        asked = _by_pack(sentence, pack, question=question)
        if asked is not Asks.UNKNOWN:
            return asked
        if _says(pack, "agree", sentence):
            return None
    return Asks.LOOK if question else Asks.UNKNOWN


def _by_pack(sentence: str, pack: Pack, *, question: bool) -> Asks:
    if _says(pack, "request", sentence) or (not question and _says(pack, "change", sentence)):
        return Asks.CHANGE
    if _says(pack, "explain", sentence) and not _says(pack, "ours", sentence):
        return Asks.EXPLAIN
    return Asks.LOOK if _says(pack, "look", sentence) else Asks.UNKNOWN


def _says(pack: Pack, kind: str, sentence: str) -> bool:
    pattern = pack.asks.get(kind)
    return pattern is not None and pattern.search(sentence) is not None
