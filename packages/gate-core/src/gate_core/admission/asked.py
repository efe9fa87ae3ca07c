"""Did the user ask for this action, on these objects? (spec 40, "Intent")"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from gate_core.admission.action import Action
from gate_core.admission.clauses import SPECIFIC
from gate_core.admission.reach import Reach, folded, plain_word
from gate_core.admission.sentence import THEM
from gate_core.admission.supported import as_number
from gate_core.admission.wording import brought_about
from gate_core.data import load_table
from gate_core.model.grants import Intent, Mood
from gate_core.model.late import late

_CJK = late(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = late(r"[^\W_]+")
_POSSESSIVE = late(r"['’]s?(?!\w)")
_ENDING = late(r"\*?\.[a-z]\w*$")  # ".tmp", "*.tmp": all things of that ending
_GLOB = late(r"[*?\[]")
_CLEAR = frozenset(
    {"push", "merge", "commit", "propose", "deploy", "publish", "install"}
)  # the verb says what is meant
_TAKES_BACK = frozenset({"cancel", "delete"})
_GENERIC = frozenset(
    {"file", "files", "item", "items", "thing", "one", "entry", "record", "datei", "archivo", "fichier"}
)


def is_asked(action: Action, intents: Sequence[Intent], reach: Reach | None = None) -> bool:
    """True when the last word of the user about this action is a request for it. Each of its objects needs one that no
    later message took back; an action on a whole world needs one that speaks of it."""
    things = ("",) if action.implicit else action.objects or ("",)
    return all(_last_word(action, thing, intents, reach or Reach()) for thing in things)


def _last_word(action: Action, thing: str, intents: Sequence[Intent], reach: Reach) -> bool:
    asked = False
    since = 0
    for intent in intents:
        if asked and intent.turn > since and _undoes(intent, action, thing):
            asked = False
        if intent.family not in ("", action.family):
            continue
        if intent.mood is Mood.FORBIDDEN and _forbids(intent, thing, reach):
            asked = False
        elif intent.mood is Mood.ASKED and _means(intent, action, thing, reach):
            asked, since = True, intent.turn
    return asked


def figures_asked(family: str, figures: Iterable[float], intents: Sequence[Intent]) -> bool:
    """True unless a figure of an action was taken back ("no, make it 30") or is above a limit ("at most 200 euros"),
    by the last word of the user about it."""
    for figure in figures:
        off = over = False
        for intent in intents:
            if intent.family != family or intent.mood in (Mood.OFFERED, Mood.CHOICE):
                continue
            said = any(as_number(word) == figure for word in intent.objects)
            if intent.mood is Mood.FORBIDDEN:
                off = off or said
            else:
                off = off and not said
                over = intent.limit is not None and figure > intent.limit and not said
        if off or over:
            return False
    return True


def _undoes(intent: Intent, action: Action, thing: str) -> bool:
    """ "Order milk" ... "cancel the milk", "take the milk off the list": what was to be brought about is off."""
    off = intent.family in _TAKES_BACK and intent.mood is Mood.ASKED
    return off and action.family in brought_about() and names(intent.objects, thing)


def _means(intent: Intent, action: Action, thing: str, reach: Reach) -> bool:
    if not action.implicit:
        return not thing or _covers(intent, thing, reach)
    about = not intent.objects or any(plain_word(word) in reach.nouns for word in intent.objects)
    return about or action.family in _CLEAR


def _forbids(intent: Intent, thing: str, reach: Reach) -> bool:
    if not intent.objects or not thing or intent.every:
        return True
    ending = tuple(word.lstrip("*") for word in intent.objects if _ENDING.match(word))
    return (
        folded(thing).endswith(ending)
        or names(intent.objects, thing)
        or any(plain_word(word) in reach.nouns for word in intent.objects)
    )


def _covers(intent: Intent, thing: str, reach: Reach) -> bool:
    kinds = [word for word in intent.objects if _ENDING.match(word) and (intent.every or word.startswith("*"))]
    if kinds:
        return _is_of_kind(intent, kinds, folded(thing), reach)
    if names(intent.objects, thing):
        return True
    specific = [word for word in intent.objects if SPECIFIC.search(word)]
    words = [w for w in intent.objects if not (_is_noun(w, reach) or w == THEM or is_called(w, thing))]
    if THEM in intent.objects:
        return reach.was_shown(folded(thing), intent.turn) and all(map(reach.tells, words))
    if intent.every and not specific:
        return all(_tells_of_it(word, folded(thing), reach) for word in words)
    return not specific and reach.means(words, folded(thing))


def _is_of_kind(intent: Intent, kinds: Sequence[str], thing: str, reach: Reach) -> bool:
    """ "All .tmp files in build": the ending fits, and so does the place, or what was seen of such things says it."""
    rest = [word for word in intent.objects if word not in kinds and not _is_noun(word, reach)]
    parts = frozenset(re.split(r"[\\/]", thing)[:-1])
    named = names([word for word in rest if SPECIFIC.search(word)], thing)
    ends = thing.endswith(tuple(kind.lstrip("*") for kind in kinds))
    own = [record for item in reach.shown() for record in item.holding(thing)]
    told = all(word.strip("/") in parts or any(word in record for record in own) for word in rest if word != THEM)
    return named or (ends and told)


def _is_noun(word: str, reach: Reach) -> bool:
    return plain_word(word) in reach.nouns or word in _GENERIC


def _tells_of_it(word: str, thing: str, reach: Reach) -> bool:
    """True when what was seen holds a word; one for files of some ending, the name or the record of this very file."""
    if plain_word(word) not in _endings():
        return reach.tells(word)
    said = plain_word(word)
    return said in thing or any(said in record for item in reach.shown() for record in item.holding(thing))


@cache
def _endings() -> dict[str, list[str]]:
    return dict(load_table("admission", "intents", "things.toml")["endings"])


def is_called(word: str, file: str) -> bool:
    """True for a word for files of the ending of this one: "screenshots" of "shots/a1.png"."""
    return folded(file).endswith(tuple(_endings().get(plain_word(word), ("\0",))))


def names(words: Iterable[str], thing: str) -> bool:
    """True when the words of a request name the thing: itself, its last components, its name without extension, all
    words of its name, or the one before the "@"."""
    said = frozenset(word.rstrip("/").removeprefix("#") for word in words)
    target = _POSSESSIVE.sub("", folded(thing).rstrip("/\\").removeprefix("#"))
    if not target or target in said:
        return bool(target)
    if _CJK.search(target):
        return any(word in target or target in word for word in said if _CJK.search(word))
    if _GLOB.search(target):
        return _names_all(said, " ".join(_WORD.findall(target)))
    parts = re.split(r"[\\/]", target)
    if (
        _stem(parts[-1]) in said
        or (":" in parts[-1] and parts[-1].partition(":")[0] in said)
        or (len(parts) > 1 and not said.isdisjoint(_tails(parts)))
    ):
        return True
    local, at, _ = target.partition("@")
    if at:
        return not said.isdisjoint(_WORD.findall(local))
    return len(parts) == 1 and _names_all(said, target)


def _tails(parts: Sequence[str]) -> set[str]:
    return {"/".join(parts[at:]) for at in range(1, len(parts))}


def _names_all(said: frozenset[str], target: str) -> bool:
    """All words of a name that is nothing but words ("oat milk", "old_list")."""
    pieces = _WORD.findall(target)
    known = {plain_word(word.lstrip("*.")) for word in said}
    plain = not SPECIFIC.search(target.replace("_", " ").replace("-", " "))
    return bool(pieces) and plain and all(plain_word(word) in known for word in pieces)


def _stem(name: str) -> str:
    """A file's name without its extension; "\0" where that is too short to name anything."""
    stem, dot, ending = name.rpartition(".")
    return stem if dot and len(stem) >= 3 and ending.isalnum() and not ending.isdigit() else "\0"
