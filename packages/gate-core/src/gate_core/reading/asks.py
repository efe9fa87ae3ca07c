"""What a prompt asks for: a change, a look, or general knowledge. Distilled once, when the message arrives."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core.model.late import late
from gate_core.model.state import Asks, Said
from gate_core.reading.packs import candidates
from gate_core.reading.rules import Rules, words_of
from gate_core.reading.segment import segments

_LONGEST = 2000  # characters of one sentence
_MOST = 200  # sentences; a message that has not said by then what it wants is a document
_QUESTION = late(r"[?？][\s\"'”’)*_]{0,8}$")
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
        said = _Said(sentence, pack.asking)
        asked = _by_pack(said, question=question)
        if asked is not Asks.UNKNOWN:
            return asked
        if said("agree"):
            return None
    return Asks.LOOK if question else Asks.UNKNOWN


def _by_pack(said: _Said, *, question: bool) -> Asks:
    if said("request") or (not question and said("change")):
        return Asks.CHANGE
    if said("explain") and not said("ours"):
        return Asks.EXPLAIN
    return Asks.LOOK if said("look") else Asks.UNKNOWN


class _Said:
    """What a sentence says by the rules of one language."""

    def __init__(self, sentence: str, rules: Rules) -> None:
        self._sentence = sentence
        self._rules = rules
        self._held = rules.held(words_of(sentence))

    def __call__(self, kind: str) -> bool:
        low = self._sentence.lower()
        rules = self._rules.of(self._held & self._rules.groups.get(kind, 0))
        return any(rule.search(self._sentence, 0, low) for rule in rules)
