"""What a sentence states, by the language packs. A clause under a negation, a hedge, a plan or a condition states
nothing else; what stands before the cue still counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gate_core.model.late import late
from gate_core.model.reading import Mood, Says
from gate_core.reading.clauses import blanked
from gate_core.reading.cues import cue_patterns
from gate_core.reading.languages import likely_of
from gate_core.reading.packs import pack
from gate_core.reading.rules import Rule, Rules, remembered_words, words_of
from gate_core.reading.stating import NOTHING, Asked, Stated, stated_by

_WORD = late(r"\w")
_LONGEST = 2_000  # characters of one sentence that are read; no sentence of a person is longer
_KEPT = 1_024  # sentences whose reading is remembered; an answer that is sent back comes again
_TOGETHER = 256  # sentences that are read together; more are no faster, and take memory
_OPEN_BOXES = (
    "[ ]",
    "☐",
    "❏",
    "□",
    "⏳",
    "⌛",
    "🔄",
    "🚧",
    "⬜",
    "⚪",
    "🔲",
    "🔜",
    "⏸",
    "⏭",
)  # what stands behind it is yet to be done
_Key = tuple[str, tuple[str, ...], tuple[str, ...]]


def state(sentence: str, targets: Sequence[str], languages: tuple[str, ...] = ()) -> Stated:
    """What a sentence states. A state is stated only of `targets`, the things the sentence names.

    `languages` limits the packs that are tried; empty for all of them.
    The first pack that recognises the sentence reads it; what a pack takes for a mere state ("was", "has" are words
    of other languages too) yields to one that recognises more.
    """
    return states([(sentence, targets)], languages)[0]


def states(sentences: Sequence[tuple[str, Sequence[str]]], languages: tuple[str, ...] = ()) -> list[Stated]:
    """What each of some sentences states, given with its targets; faster than to ask one by one."""
    keys: list[_Key] = [(sentence[:_LONGEST], tuple(targets), languages) for sentence, targets in sentences]
    known = list(map(_known.get, keys))
    new = [key for key, stated in zip(keys, known, strict=True) if stated is None]
    read = [stated for at in range(0, len(new), _TOGETHER) for stated in _read(new[at : at + _TOGETHER])]
    if len(_known) + len(new) > _KEPT:
        _known.clear()
    _known.update(zip(new[:_KEPT], read[:_KEPT], strict=True))
    rest = iter(read)
    return [next(rest) if stated is None else stated for stated in known]


_known: dict[_Key, Stated] = {}


def forget() -> None:
    """Forget the sentences that were read; for measures of what a new one costs."""
    _known.clear()
    remembered_words.cache_clear()


def _read(keys: Sequence[_Key]) -> list[Stated]:
    keys = [(_told(sentence), targets, languages) for sentence, targets, languages in keys]
    found = [_at_sight(sentence) for sentence, _, _ in keys]
    left = [key for key, stated in zip(keys, found, strict=True) if stated is None]
    plain = blanked([sentence for sentence, _, _ in left])
    asked = [
        Asked(sentence, blank, words_of(sentence), targets)
        for (sentence, targets, _), blank in zip(left, plain, strict=True)
    ]
    likely = [likely_of(row.sentence, row.words) for row in asked]
    tried = [
        tuple(name for name in names if name in languages) if languages else names
        for names, (_, _, languages) in zip(likely, left, strict=True)
    ]
    by_packs = iter(_by_packs(asked, tried))
    return [next(by_packs) if stated is None else stated for stated in found]


def _told(sentence: str) -> str:
    """What stands before the question in "The tests pass - shall I push?"; the sentence itself in any other."""
    if not _asks(sentence):
        return sentence
    words = words_of(sentence)
    rules = _asking_back(likely_of(sentence, words, every=True))
    found = (match.start() for rule in rules.of(rules.held(words)) for match in rule.finditer(sentence))
    return sentence[: max(found, default=len(sentence))]


@cache
def _asking_back(languages: tuple[str, ...]) -> Rules:
    """What stands between a statement and a question behind it, in some languages."""
    return Rules(Rule("cue", name, row.pattern) for name in languages for row in cue_patterns(name, "asks_back"))


def _asks(sentence: str) -> bool:
    return ("?" in sentence or "？" in sentence) and sentence.rstrip(" *_)\"'").endswith(("?", "？"))


def _at_sight(sentence: str) -> Stated | None:
    """What needs no pack to be known."""
    if not sentence[:1].isalpha() and _WORD.search(sentence) is None:
        return NOTHING
    if sentence.startswith(_OPEN_BOXES):
        return Stated(mood=Mood.PLAN)
    if _asks(sentence):
        return Stated(mood=Mood.QUESTION)
    return None


def _by_packs(asked: Sequence[Asked], tried: Sequence[tuple[str, ...]]) -> list[Stated]:
    """What sentences state by the languages that are tried: all with their first one, then those left with their
    next."""
    found = [NOTHING] * len(asked)
    strong: set[int] = set()
    for turn in range(max(map(len, tried), default=0)):
        places: dict[str, list[int]] = {}
        for place, languages in enumerate(tried):
            if turn < len(languages) and place not in strong:
                places.setdefault(languages[turn], []).append(place)
        for language, own in places.items():
            for place, stated in zip(own, stated_by([asked[at] for at in own], pack(language)), strict=True):
                if _is_strong(stated):
                    found[place] = stated
                    strong.add(place)
                elif found[place] is NOTHING and (stated.says or stated.topics):
                    found[place] = stated
    return found


def _is_strong(stated: Stated) -> bool:
    """True for what a pack recognises, so that no other has to be asked."""
    return bool(stated.says - _WEAK or stated.events or stated.refers or stated.mood is not Mood.INDICATIVE)


_WEAK = frozenset({Says.STATE})
