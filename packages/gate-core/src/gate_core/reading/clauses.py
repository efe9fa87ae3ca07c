"""Where the clauses of a sentence meet: at signs, and at words of its language (spec 20, "Statements")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from gate_core.model.late import late
from gate_core.reading.packs import Pack

_SIGNS = late(r"[:;—–；：|](?:(?<=[；：])|(?<=\|)\s{0,9}|(?<=[:;—–])\s{1,9})")
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


def clauses(sentence: str, plain: str, held: int, pack: Pack) -> list[tuple[Joint, str, str]]:
    """(what joins it to the one before, the clause, the clause with its quoted words blanked) of each clause, where
    the `held` rules may match in the sentence.

    An introducing clause ("After the edit, ...") is left out: it dates the statement and states nothing itself.
    """
    last = _FIRST
    if introducing := held & pack.introducing:
        ends = (match.end() for rule in pack.rules.of(introducing) if (match := rule.match(plain)))
        last = next((Joint("", 0, end, apart=False) for end in ends), _FIRST)
    found: list[tuple[Joint, str, str]] = []
    for joint in _joints(plain, last.end, held, pack):
        found.append((last, sentence[last.end : joint.start], plain[last.end : joint.start]))
        last = joint
    found.append((last, sentence[last.end :], plain[last.end :]))
    return found


def blanked(sentences: Sequence[str]) -> list[str]:
    """Sentences whose quoted words are x."""
    lines = _blanked("\n".join(sentences)).split("\n")  # no quote goes past a line
    return lines if len(lines) == len(sentences) else [_blanked(sentence) for sentence in sentences]


def _blanked(text: str) -> str:
    if _QUOTE.search(text) is None:
        return text
    return QUOTED.sub(lambda m: m[0][0] + "x" * (len(m[0]) - 2) + m[0][-1], text)


def _joints(plain: str, start: int, held: int, pack: Pack) -> list[Joint]:
    """Where clauses meet, by the common signs and by the pack's own words; what overlaps counts once."""
    found: list[Joint] = []
    if not plain.isascii() or ":" in plain or ";" in plain or "|" in plain:
        found = [
            _widened(m, plain, apart=_APART.search(m[0]) is not None)
            for m in _SIGNS.finditer(plain, start)
            if m[0][0] != ":" or not _is_status(plain, m.end(), pack)
        ]
    for bit, rule in pack.joining:
        if held & bit:
            apart = rule.name == "joints"
            found += [_widened(m, plain, apart=apart) for m in rule.finditer(plain, start) if _is_apart(m, plain)]
    return _one_by_one(sorted(found, key=_place_of), start) if len(found) > 1 else found


def _one_by_one(found: list[Joint], end: int) -> list[Joint]:
    """Those that begin behind the end of the one before."""
    apart: list[Joint] = []
    for joint in found:
        if joint.start >= end:
            apart.append(joint)
            end = joint.end
    return apart


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
