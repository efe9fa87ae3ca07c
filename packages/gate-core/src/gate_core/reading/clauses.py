"""Where the clauses of a sentence meet: at signs, and at words of its language (spec 20, "Statements")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.reading.packs import Pack
from gate_core.reading.rules import Rule

_SIGNS = late(r":\s{1,9}|;\s{1,9}|—\s{1,9}|–\s{1,9}|；|：|\|\s{0,9}")
_APART = late(r"[;；|]")
_SIGN_OF_STATUS = late(r"\W{0,6}[✅☑✔✓❌✗✘🟢🔴]")
_STATUS_BEHIND = 6  # characters between a colon and what it says
QUOTED = late(
    r"\"[^\"\n]{1,300}\"|„[^“”\n]{1,300}[“”]|“[^”\n]{1,300}”|«[^»\n]{1,300}»|»[^«\n]{1,300}«|"
    r"‚[^‘’\n]{1,300}[‘’]|'(?<!\w')[^'\n]{2,300}'(?!\w)|`[^`\n]{1,300}`|「[^」\n]{1,300}」|『[^』\n]{1,300}』|‘[^’\n]{1,300}’"
)
_QUOTE = late(r"[\"„“«»‚'`「『‘]")


class Joint(NamedTuple):
    """Where two clauses meet. `apart` ones stand against each other or side by side; others explain."""

    text: str
    start: int
    end: int
    apart: bool


_FIRST = Joint("", 0, 0, apart=False)


def clauses(sentence: str, plain: str, introducing: Sequence[Rule], pack: Pack) -> Iterator[tuple[Joint, str, str]]:
    """(what joins it to the one before, the clause, the clause with its quoted words blanked) of each clause.

    An introducing clause ("After the edit, ...") is left out: it dates the statement and states nothing itself.
    """
    introduced = next((match for rule in introducing if (match := rule.match(plain))), None)
    last = Joint("", 0, introduced.end(), apart=False) if introduced else _FIRST
    for joint in _joints(plain, last.end, pack):
        yield last, sentence[last.end : joint.start], plain[last.end : joint.start]
        last = joint
    yield last, sentence[last.end :], plain[last.end :]


@lru_cache(maxsize=2)
def blanked(sentence: str) -> str:
    """A sentence whose quoted words are x; each pack that tries it asks again."""
    if _QUOTE.search(sentence) is None:
        return sentence
    return QUOTED.sub(lambda m: m[0][0] + "x" * (len(m[0]) - 2) + m[0][-1], sentence)


def _joints(plain: str, start: int, pack: Pack) -> Iterator[Joint]:
    """Where clauses meet, by the common signs and by the pack's own words; what overlaps counts once."""
    low = plain.lower()
    found = [
        _widened(m, plain, apart=_APART.search(m[0]) is not None)
        for m in _SIGNS.finditer(plain, start)
        if m[0][0] != ":" or not _is_status(plain, m.end(), pack)
    ]
    for pattern, apart in ((pack.joints, True), (pack.sides, False)):
        if pattern is not None:
            found += [
                _widened(m, plain, apart=apart) for m in pattern.finditer(plain, start, low) if _is_apart(m, plain)
            ]
    end = start
    for joint in sorted(found, key=_place_of) if len(found) > 1 else found:
        if joint.start >= end:
            yield joint
            end = joint.end


def _is_apart(match: re.Match[str], plain: str) -> bool:
    """True for a sign, and for a word that has blank space before it."""
    start = match.start()
    return not plain[start].isalpha() or plain[start - 1 : start].isspace() or not plain[start].isascii()


def _widened(match: re.Match[str], plain: str, *, apart: bool) -> Joint:
    """A joint with the comma and the spaces before it; a pattern that begins with a word is found faster."""
    start, end = match.span()
    while start and plain[start - 1] in (" |" if plain[start] == "|" else " ,"):
        start -= 1
    return Joint(plain[start:end], start, end, apart=apart)


def _place_of(joint: Joint) -> tuple[int, int]:
    return joint.start, joint.end


def _is_status(plain: str, at: int, pack: Pack) -> bool:
    """True where a sign or a word says how it went: "Tests: green" is one clause."""
    if _SIGN_OF_STATUS.match(plain, at):
        return True
    if pack.status is None:
        return False
    words = _NO_WORDS.match(plain, at, at + _STATUS_BEHIND)
    return pack.status.match(plain, words.end() if words else at) is not None


_NO_WORDS = late(r"\W{0,6}")
