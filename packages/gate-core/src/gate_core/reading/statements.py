"""What a sentence states, by the language packs. A clause under a negation, a hedge, a plan or a condition states
nothing else; what stands before the cue still counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gate_core.data import load_table
from gate_core.model.reading import Mood, Says

_CLAUSE = re.compile(
    r"[;—–:]\s+|\s*\|\s*|,?\s+\b(?:but|however|although|though|yet|whereas)\b,?\s*|"
    r",\s+(?:and|so|then)?\s*(?=(?:i|we|it|the|they|this|that|all|both|everything|there|your)\b)|\s+and\s+(?=(?:i|we)\b)",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(r"^\W{0,40}(?:after|before|when (?:i|we)|to|in order to)\b[^,]*,\s*", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`")
_WORD = re.compile(r"\w")
_LONGEST = 10_000  # characters of one sentence that are read; no sentence of a person is longer
_CUT_KINDS = {"unable": Says.UNABLE, "hedge": Says.HEDGE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What one sentence states and how it speaks. `language` is the pack that spoke, "" for none."""

    says: frozenset[Says]
    mood: Mood
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """One language: cues that govern the rest of their clause, and patterns of what is stated."""

    language: str
    cut: Mapping[str, re.Pattern[str]]
    kinds: Mapping[Says, re.Pattern[str]]


def state(sentence: str, targets: Sequence[str]) -> Stated:
    """What a sentence states. A state is stated only of `targets`, the paths and URLs the sentence names.

    The first pack that recognises the sentence reads it; what English takes for a mere state ("was", "has" are words
    of other languages too) yields to a pack that recognises more.
    """
    sentence = sentence[:_LONGEST]
    if _WORD.search(sentence) is None:
        return Stated(says=frozenset(), mood=Mood.INDICATIVE)
    if sentence.rstrip(" *_)\"'").endswith(("?", "？")):
        return Stated(says=frozenset(), mood=Mood.QUESTION)
    weak: Stated | None = None
    for pack in packs():
        says, planned = _read(sentence, pack, targets)
        if says or planned:
            mood = Mood.PLAN if planned and not says else Mood.INDICATIVE
            stated = Stated(says=frozenset(says), mood=mood, language=pack.language)
            if planned or says - {Says.STATE}:
                return stated
            weak = weak or stated
    return weak or Stated(says=frozenset(), mood=Mood.INDICATIVE)


def _read(sentence: str, pack: Pack, targets: Sequence[str]) -> tuple[set[Says], bool]:
    says: set[Says] = set()
    planned = about = conditional = False
    for joint, clause, plain in _clauses(sentence):
        unchanged = pack.kinds.get(Says.UNCHANGED)
        if unchanged is not None and unchanged.search(plain):
            says.add(Says.UNCHANGED)
            continue
        if conditional and joint.startswith(","):
            continue  # what a condition leads to did not happen, what a source says is the source's
        cue, open_part = _cut(plain, pack)
        conditional = cue in ("condition", "attribution") and not open_part.strip()
        if cue in _CUT_KINDS:
            says.add(_CUT_KINDS[cue])
        planned = planned or cue in ("plan", "condition", "draft", "started")
        about = cue not in _CUT_KINDS and (about or any(target in clause for target in targets))
        says |= _stated(pack, open_part, plain if cue == "attribution" else open_part, about=about)
    if Says.UNABLE in says and Says.CHANGED not in says:
        says.discard(Says.ALREADY)  # "... could not: it already exists" explains, it claims nothing
    return says, planned


def _stated(pack: Pack, open_part: str, wide: str, *, about: bool) -> set[Says]:
    """The kinds a clause states. A state counts in `wide`, what a log or a file is quoted for included."""
    stated = {kind for kind, pattern in pack.kinds.items() if pattern.search(wide if kind is Says.STATE else open_part)}
    if not about:
        stated.discard(Says.STATE)
    if Says.CHANGED in stated:
        stated -= {Says.ALREADY, Says.STATE, Says.PASSIVE}
    return stated


def _clauses(sentence: str) -> Iterator[tuple[str, str, str]]:
    """(what joins it to the one before, the clause, the clause with its quoted words blanked) of each clause.

    An introducing clause ("After the edit, ...") is left out: it dates the statement and states nothing itself.
    """
    plain = _QUOTED.sub(lambda m: m[0][0] + "x" * (len(m[0]) - 2) + m[0][-1], sentence)
    introduced = _INTRODUCED.match(plain)
    start, joint = introduced.end() if introduced else 0, ""
    for match in _CLAUSE.finditer(plain, start):
        yield joint, sentence[start : match.start()], plain[start : match.start()]
        start, joint = match.end(), match[0]
    yield joint, sentence[start:], plain[start:]


def _cut(clause: str, pack: Pack) -> tuple[str, str]:
    """(the first governing cue, the part of the clause before it)."""
    found = [(match.start(), name) for name, pattern in pack.cut.items() if (match := pattern.search(clause))]
    if not found:
        return "", clause
    at, name = min(found)
    return name, clause[:at]


@cache
def packs() -> tuple[Pack, ...]:
    """All packs, English first; the first that recognises a sentence reads it."""
    english = load_table("reading", "packs", "en.toml")
    words = {name: f"(?:{'|'.join(items)})" for name, items in english["words"].items()}
    others = load_table("reading", "packs", "others.toml")
    rest = [_small(name, table) for name, table in others.items() if name != "examples"]
    return (
        Pack(
            language="en",
            cut={name: _compiled(rows, words) for name, rows in english["cut"].items()},
            kinds={Says(name): _compiled(rows, words) for name, rows in english["kinds"].items()},
        ),
        *rest,
    )


def _small(language: str, table: Mapping[str, list[str]]) -> Pack:
    return Pack(
        language=language,
        cut={"unable": _compiled(table["unable"], {})},
        kinds={Says.DONE: _compiled(table["done"], {})},
    )


def _compiled(patterns: list[str], words: Mapping[str, str]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    for name, group in words.items():
        joined = joined.replace(f"{{{name}}}", group)
    return re.compile(joined, re.IGNORECASE)
