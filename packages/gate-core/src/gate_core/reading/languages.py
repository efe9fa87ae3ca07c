"""Which languages a text may be of: by its script, and among those that share English's by small words (spec 20,
"Statements"). Cheap, and asked before any pack is opened: a pack costs a fresh process more than a whole answer."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import filterfalse

from gate_core.data import load_head
from gate_core.model.late import late
from gate_core.reading.rules import words_of

LATIN = ("de", "fr", "es", "pt", "it", "nl")
"""The languages that share English's script, each tried on texts that hold one of its hints."""
SHARED = ("en", *LATIN)
LANGUAGES = (*SHARED, "ru", "zh", "ja", "ko")

_CYRILLIC = late(r"[\u0400-\u04ff]")
_HAN = late(r"[\u3400-\u9fff]")
_KANA = late(r"[\u3040-\u30ff]")
_HANGUL = late(r"[\uac00-\ud7af]")
_RARER = late(r"[\u0400-\u04ff\uac00-\ud7af]")
_LETTER = late(r"[A-Za-z\u00c0-\u024f]")
_WORDS = late(r"[^\W\d_]+")
_OTHER = late(r"[^\x00-\u024f]")
_BITS = 8  # of the count of one language; no language has as many hints
_FULL = (1 << _BITS) - 1
_SURE = 2  # English words in a text of which no other language has a word; then none of them is tried


@lru_cache(maxsize=8)
def likely(text: str, *, every: bool = False) -> tuple[str, ...]:
    """The languages worth trying on a text, most likely first: by its script, by the hints of a language, English first
    among equals.

    `every` tries the Latin ones without hints too, unless the text holds hints of English and of no other; a prompt may
    be two words long.
    """
    return likely_of(text, words_of(text), every=every)


def likely_of(text: str, words: frozenset[str], *, every: bool = False) -> tuple[str, ...]:
    """The same of a text whose words are known."""
    other = _by_script(text) if not text.isascii() and _OTHER.search(text) else ()
    return (*other, *_latin(words, every=every)) if _LETTER.search(text) else other


def _latin(words: frozenset[str], *, every: bool) -> tuple[str, ...]:
    hints, weights = _hints()
    found = hints & words
    odd = filterfalse(str.isalpha, words)
    if joined := [word for word in odd if len(word) > 1 and not word.isdigit()]:  # "can_be"
        found |= hints.intersection(_WORDS.findall(" ".join(joined)))
    return _by_hints(sum(map(weights.__getitem__, found)), len(found), every)


@lru_cache(maxsize=1_024)
def _by_hints(total: int, found: int, every: bool) -> tuple[str, ...]:
    """English and the languages of which a text holds most hints, as many as of English at least; those it holds more
    of stand first. `total` is the sum of what its `found` hints weigh; its last count is of words that only English
    has."""
    own, only = total & _FULL, total >> _BITS * len(SHARED)
    if own == found and (only or not found) and (own >= _SURE or not every):
        return ("en",)
    counts = [(total >> _BITS * place) & _FULL for place in range(1, len(SHARED))]
    most = max(counts)
    ahead = [LATIN[counts.index(most)]] if most > own else []
    rest = (name for name, count in zip(LATIN, counts, strict=True) if every or count >= max(1, own, most / 2))
    return tuple(dict.fromkeys((*ahead, "en", *rest)))


def _by_script(text: str) -> tuple[str, ...]:
    found = ("ja",) if _KANA.search(text) else ("zh",) if _HAN.search(text) else ()
    if _RARER.search(text) is None:
        return found
    first = ("ko",) if _HANGUL.search(text) else ()
    return (*first, *found, "ru") if _CYRILLIC.search(text) else (*first, *found)


@cache
def _hints() -> tuple[frozenset[str], dict[str, int]]:
    """(all hints, hint -> one in the count of each language that has it). A language is tried on a text that holds as
    many of its hints as of English's."""
    weights: dict[str, int] = {}
    for place, name in enumerate(SHARED):
        for word in set(load_head("[", "reading", "packs", f"{name}.toml")["hints"]):
            weights[word] = weights.get(word, 0) + (1 << _BITS * place)
    for word in [word for word, weight in weights.items() if weight == 1]:
        weights[word] += 1 << _BITS * len(SHARED)  # "Nothing is committed" is not Dutch, whatever its verb
    return frozenset(weights), weights
