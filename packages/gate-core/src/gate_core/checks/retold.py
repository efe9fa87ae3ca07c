"""A remembered sentence that tells again what the user said (spec 40, "State writes").

Agents remember sentences ("The user is vegetarian and lives in Rome"), not only single values. Each of its clauses has
to rest on one clause of the user's: all words that say something stand there, numbers equal, and both or neither deny.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gate_core.admission.stated import grammar_of, statements_of
from gate_core.admission.supported import holds
from gate_core.admission.wording import wording
from gate_core.model.codes import Code
from gate_core.model.grants import About, Stated
from gate_core.model.late import late

_WORD = late(r"[^\W_][\w'’.-]*")
_LABEL = late(r"^[\s*>•-]*(?:#{1,6}\s.*|[^\W\d][\w ()/'’-]{0,40}:\s+)", re.MULTILINE)
_APOSTROPHE, _DENIES = late(r"['’]"), late(r"n['’]t$")
_FEELS = late(r"hate|dislike|quit|stop")  # denials that say something of their own
_SPACED = frozenset({"en", "de", "es", "fr"})
_LEAST = 3  # words of a sentence


def retold(text: str, stated: Sequence[Stated]) -> tuple[tuple[tuple[int, str], ...], Code | None]:
    """(the clauses of the user that it tells, each with its words; what is wrong). Nothing is told of what is no
    sentence, or of a language without blanks."""
    rested: list[tuple[int, str]] = []
    bare = _LABEL.sub("", text)
    clauses = statements_of(bare)
    if (bare == text and not _is_sentence(text)) or not any(_content(clause.text) for clause in clauses):
        return (), Code.INFERRED_NOT_STATED
    for clause in clauses:
        words = _content(clause.text)
        found = [at for at, own in enumerate(stated) if words and _says(own, clause, words)]
        if words and not found:
            return (), Code.INFERRED_NOT_STATED
        mine = [at for at in found if stated[at].about is not About.OTHER or _names_the_other(stated[at], clause)]
        if found and not mine:
            return (), Code.SCOPE_VIOLATION
        rested += [(mine[-1], word) for word in words] if mine else []
    return tuple(rested), None


def _is_sentence(text: str) -> bool:
    """Three words, or a small one among them ("is vegan"); anything else is a value, and stands as it was said."""
    words = text.lower().split()
    return len(words) >= _LEAST or not grammar_of(text).speaker.isdisjoint(words)


def _says(own: Stated, clause: Stated, words: Sequence[str]) -> bool:
    if own.question or own.negated is not clause.negated:
        return False
    theirs = _all_words(own.text)
    if not all(_stands(word, theirs, own.text) for word in words):
        return False
    return grammar_of(own.text).ordered.search(own.text) is None or _in_order(words, theirs)


def _in_order(words: Sequence[str], theirs: Sequence[str]) -> bool:
    """ "Tea over coffee" is not "coffee over tea"."""
    rest = iter(theirs)
    return all(any(_same(word, other) for other in rest) for word in words)


def _stands(word: str, theirs: Sequence[str], text: str) -> bool:
    if any(char.isdigit() for char in word):
        return holds(text, word)
    return any(_same(word, other) for other in theirs)


def _same(one: str, other: str) -> bool:
    """The same word in another form: "prefers" and "prefer", "wohnt" and "wohne"."""
    if one == other:
        return True
    longest = max(len(one), len(other))
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return longest >= 4 and shared >= max(3, longest - 1)


def _names_the_other(own: Stated, clause: Stated) -> bool:
    """ "The user's sister is vegetarian" says itself whom it is about."""
    people = grammar_of(own.text).people
    return not {m[0] for m in people.finditer(own.text)}.isdisjoint(m[0] for m in people.finditer(clause.text))


@lru_cache(512)
def _all_words(text: str) -> tuple[str, ...]:
    words = (part for word in _WORD.findall(text) if not _DENIES.search(word) for part in _APOSTROPHE.split(word))
    return tuple(bare for word in words if (bare := word.rstrip(".-")) and (len(bare) > 1 or bare.isdigit()))


def _content(text: str) -> tuple[str, ...]:
    """The words that say something; () for a language without blanks."""
    grammar = grammar_of(text)
    if grammar.language not in _SPACED:
        return ()
    small = wording(grammar.language).stop | grammar.speaker
    words = (word for word in _all_words(text) if word not in small)
    return tuple(
        w
        for w in words
        if not (
            (grammar.negate.fullmatch(w) and not _FEELS.match(w))
            or grammar.first.fullmatch(w)
            or grammar.own.fullmatch(w)
        )
    )
