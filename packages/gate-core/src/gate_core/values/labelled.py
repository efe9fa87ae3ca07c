"""Values that stand under another label than the one an answer gives them: "installed in version 3.0.15" where that is
the candidate, "82.5 % in 2021" where that is the year after (spec 30, "Pairing")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from gate_core.model.late import late
from gate_core.values.index import Index, key_words
from gate_core.values.lexicon import table
from gate_core.values.lookup import Hit
from gate_core.values.normal import folded
from gate_core.values.value import Value

_INLINE = late(r"(?:^|[\s,;|(])([^\W\d_][\w-]{1,30}|(?:19|20)\d{2})\s?[:=]\s?(?=[^\s])")
_NEAR = 60  # characters before a value in which its label may stand
_MOST_BESIDE = 40


@cache
def _told() -> re.Pattern[str]:
    """A label and nothing but small words between it and the end, "installed in version ", read from the end on: so it
    is looked for at one place."""
    words = "|".join(re.escape(word[::-1]) for word in table("cues")["copulas"])
    return re.compile(rf"[\s:=(\"'*~|]*(?:(?:{words})[\s:=(\"'*|]+)*([\w-]*[^\W\d_]|\d\d(?:91|02))")


def _label(before: str) -> str:
    """The label that the folded words right before a value give it, "" for none."""
    told = _told().match(before[: -_NEAR - 1 : -1])
    return told[1][::-1] if told is not None else ""


def under_another_label(hits: Sequence[Hit], index: Index, before: str) -> bool:
    """True when the folded words right before a value give it a label that the evidence has beside it, for another
    value of its kind, and every place that shows the value stands under other labels. Years name rows themselves."""
    label = _label(before)
    if not label or not (found := [hit for hit in hits if _may_be_beside(hit, index, label)]):
        return False
    spoken = frozenset(re.findall(r"\w+", before))
    return len(found) == len(hits) and all(_is_beside(hit, index, label, spoken) for hit in found)


def _may_be_beside(hit: Hit, index: Index, word: str) -> bool:
    """False where nothing in the line of a hit, and no key of the document, is called by the word."""
    return word in index.key_words or bool(_labels(index.document.texts[hit.field]))


def _is_beside(hit: Hit, index: Index, word: str, spoken: frozenset[str]) -> bool:
    own = _own_label(hit, index)
    if not own or word in own or own & spoken or not own.isdisjoint(table("units")["year_keys"]):
        return False
    wanted = (hit.shown.kind, hit.shown.unit)
    return any((value.kind, value.unit) == wanted for value in _beside(hit, index, word, spoken))


def _own_label(hit: Hit, index: Index) -> frozenset[str]:
    text, key = index.document.texts[hit.field], index.document.keys[hit.field]
    inline = [match for match in _labels(text) if match[1] <= hit.shown.start <= match[1] + 1]
    if inline:
        return frozenset({inline[-1][0]})
    return key_words(key) if key and not index.document.is_key(hit.field) and not _labels(text) else frozenset()


def _beside(hit: Hit, index: Index, word: str, spoken: frozenset[str]) -> Iterator[Value]:
    """What is labelled with a word, and with spoken words alone, in the same line or the same record of an object."""
    if inline := _labels(index.document.texts[hit.field]):
        values = {value.start: value for value in index.scan(hit.field)}
        for label, end in inline:
            value = (values.get(end) or values.get(end + 1)) if label == word else None
            if value is not None:
                yield value
        return
    for field in index.fields_of.get(index.document.owner[hit.field], ())[:_MOST_BESIDE]:
        label_words = key_words(index.document.keys[field]) if field != hit.field else frozenset()
        value = _only(index, field) if word in label_words and label_words <= spoken else None
        if value is not None:
            yield value


def _only(index: Index, field: int) -> Value | None:
    """The value of a field that is one, None for any other."""
    found = index.scan(field)
    return found[0] if len(found) == 1 and not index.document.is_key(field) else None


@lru_cache(512)
def _labels(text: str) -> tuple[tuple[str, int], ...]:
    """(label, where what it labels begins) of a line that has two or more."""
    if ":" not in text and "=" not in text:
        return ()
    found = tuple((folded(match[1]), match.end()) for match in _INLINE.finditer(text[:2_000]))
    return found if len(found) > 1 else ()
