"""Universal statements ("nothing is left", "it is not in the database") need a look that no filter narrowed, or must
say what was looked for (spec 20, "Statements": universal or absence)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate_core.footprint.globs import is_glob
from gate_core.footprint.rules import OBSCURE
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.ledger.touch import LOOKS, acted
from gate_core.model.fact import Fact
from gate_core.model.json import Json, leaves, text_of
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.reading.cues import says

_FILTER = late(
    r"\bwhere\b(.{1,2000})|\s(?:--filter|--selector|-l|--query|--where)[ =](\S{1,200})", re.IGNORECASE | re.DOTALL
)
_LITERAL = late(r"'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|\b(\d[\d.:-]{0,30})\b")
_WORD = late(r"[^\W\d_]{6,40}")  # no shorter ones: most of those stand in every text
_STEM = 6  # letters by which "defect" and "defects" are one word
_LONGEST = 20_000


def narrowed(sentence: Sentence, reading: Reading, ledger: Ledger) -> bool:
    """True when everything that was looked at in this turn was filtered, by words the answer does not repeat. A look
    at another world is no wider look, unless the sentence speaks of what it showed."""
    looks = [fact for fact in ledger.looks_here if not acted(fact)]
    filters = {fact.key: _filter_of(fact, ledger) for fact in looks}
    narrow = [fact for fact in looks if filters[fact.key] is not None]
    answer = " ".join(sentence.text for sentence in reading.sentences).lower()
    worlds = {effect.domain for fact in narrow for effect in fact.effects}
    wide = (fact for fact in looks if filters[fact.key] is None)
    if not narrow or any(_is_of(fact, worlds, sentence.text, ledger) for fact in wide):
        return False
    return not any(word.strip("%*").lower() in answer for fact in narrow for word in filters[fact.key] or ())


def _is_of(look: Fact, worlds: set[str], told: str, ledger: Ledger) -> bool:
    """True for a look into one of these worlds, or at something whose words are told."""
    found = ledger.text(look)
    if found is None or any(effect.domain in worlds for effect in look.effects):
        return True
    said = {word[:_STEM] for word in _WORD.findall(told.lower())}
    shown = (
        word[:_STEM]
        for text in (*leaves(found[0]), text_of(found[1]))
        for word in _WORD.findall(text[:_LONGEST].lower())
    )
    return any(word in said for word in shown)


def _filter_of(fact: Fact, ledger: Ledger) -> tuple[str, ...] | None:
    """The words a look was filtered by; None for one without a filter, or whose text is gone."""
    found = ledger.text(fact)
    if found is None:
        return None
    for text in _texts(found[0]):
        if match := _FILTER.search(text):
            return tuple(_words(match[1] or match[2] or ""))
    return None


def _texts(args: Json) -> Iterator[str]:
    return (text[:_LONGEST] for text in leaves(args))


def _words(clause: str) -> Iterator[str]:
    for match in _LITERAL.finditer(clause):
        yield next(group for group in match.groups() if group is not None)


def looked_in_one_place(sentence: Sentence, reading: Reading, ledger: Ledger) -> bool:
    """True when nothing of a kind is said to be in all of the work ("nowhere else in the repo"), and all looks of the
    conversation were at single files that the answer does not name."""
    if sentence.mood is not Mood.INDICATIVE or sentence.says & _DOUBTFUL or not says("nowhere", sentence):
        return False
    looks = (*ledger.looks_here, *ledger.looks_before)
    effects = [effect for fact in looks for effect in fact.effects if effect.did in LOOKS and effect.domain == FILES]
    if not effects or any(not _is_single(effect.target) for effect in effects):
        return False
    if any(not any(e.domain == FILES for e in fact.effects) or fact.profile in OBSCURE for fact in looks):
        return False
    answer = " ".join(other.text for other in reading.sentences)
    return not any(last_name(effect.target) in answer for effect in effects)


_DOUBTFUL = frozenset({Says.UNABLE, Says.HEDGE})


def _is_single(target: str) -> bool:
    """True for what is named like one file, and no folder or pattern."""
    return "." in last_name(target).lstrip(".") and not is_glob(target)
