"""May this be remembered? The rules of the seat before a state write (spec 40, "State writes").

A value counts when the one it is about stated it: in whole words or as an equal number, in a clause that neither denies
nor asks, and that is about the speaker. How sure the writer says to be changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from gate_core.admission.memory import SPEAKER
from gate_core.admission.stated import fold, grammar_of
from gate_core.admission.supported import find_words, holds
from gate_core.admission.units import StateWrite
from gate_core.checks.finding import finding
from gate_core.checks.retold import retold
from gate_core.data import load_table
from gate_core.model.codes import Code
from gate_core.model.grants import About, Stated
from gate_core.model.json import Json, scalars
from gate_core.model.late import late
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says

_WORD = late(r"[^\W_]+")
_NUMBER = late(r"\d")


def check_writes(write: StateWrite, stated: Sequence[Stated], *, speaker: str = SPEAKER) -> tuple[Finding, ...]:
    """The findings about a state write."""
    return tuple(_findings(write, stated, speaker))


def _findings(write: StateWrite, stated: Sequence[Stated], speaker: str) -> Iterator[Finding]:
    name = write.key or "it"
    leaves = [leaf for leaf in scalars(write.value) if _says(leaf)]
    if not leaves or not write.key.strip() or not write.subject.strip():
        yield finding(Code.WRITE_EMPTY, name)
        return
    for leaf in leaves:
        code = _fault(write, leaf, stated, speaker)
        if code is not None:
            yield finding(code, name)
            return


def _says(leaf: Json) -> bool:
    """False for what says nothing ("", null); where nothing else stands, all of it is empty."""
    return leaf is not None and (not isinstance(leaf, str) or _WORD.search(leaf) is not None)


def _fault(write: StateWrite, value: Json, stated: Sequence[Stated], speaker: str) -> Code | None:
    said = [at for at, clause in enumerate(stated) if states(clause, value, write.key)]
    if not said:
        return _retold_fault(write, value, stated, speaker)
    own = [at for at in said if stated[at].about is not About.OTHER or _is_of_own(stated[at], write.key)]
    if not own or write.subject != speaker:
        return Code.SCOPE_VIOLATION
    old = _is_denied_behind(own[-1], stated) or _overtaken(write.key, value, own[-1], stated)
    return Code.CONFLICTING_VALUES if old else None


def _retold_fault(write: StateWrite, value: Json, stated: Sequence[Stated], speaker: str) -> Code | None:
    """What is wrong with a sentence that tells what the user said in other forms of the same words."""
    rested, fault = retold(value, stated) if isinstance(value, str) else ((), Code.INFERRED_NOT_STATED)
    if fault is not None or write.subject != speaker:
        return fault or Code.SCOPE_VIOLATION
    old = any(_overtaken("", word, at, stated) for at, word in rested)
    return Code.CONFLICTING_VALUES if old else None


def _is_of_own(clause: Stated, key: str) -> bool:
    """ "Our cat is called Milo" is about the cat, and so is the key "cat_name"; "my sister Ana likes jazz" is what the
    key "Ana" says it is about."""
    grammar, words = grammar_of(clause.text), set(_WORD.findall(key.lower()))
    named = {match[0] for match in grammar.people.finditer(clause.text)}
    for match in grammar.people.finditer(clause.text):
        named.update(_WORD.findall(clause.text[match.end() :])[:1])
    return grammar.own.search(clause.text) is not None and not named.isdisjoint(words - _words("little"))


def states(clause: Stated, value: Json, key: str) -> bool:
    """True when a clause says the value: positively, or negatively for a value that is itself a denial."""
    if clause.question:
        return False
    if isinstance(value, bool):
        words = [word for word in _WORD.findall(key.lower()) if word not in _words("little")]
        return clause.negated is not value and bool(words) and all(find_words(clause.text, word) for word in words)
    if not holds(clause.text, value):
        return False
    return not clause.negated or not _denied(
        clause.text, value, former=not _words("former").isdisjoint(_WORD.findall(_parted(key)))
    )


def _denied(text: str, value: Json, *, former: bool = False) -> bool:
    """True unless the denial is part of the value ("no sugar"). What was so before denies that it is so now; it does
    not where the key is `former`."""
    place = find_words(text, fold(str(value)))
    if place is None:
        return True
    rest, grammar = f"{text[: place[0]]} {text[place[1] :]}", grammar_of(text)
    if grammar.negate.search(text) is None and grammar.past.search(text) is None:
        return not former  # "was 500, now it is 650"
    return grammar.negate.search(rest) is not None or (not former and grammar.past.search(rest) is not None)


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(load_table("checks", "writes.toml")[kind])


def _parted(key: str) -> str:
    return key.lower().replace("_", " ")


def _is_denied_behind(at: int, stated: Sequence[Stated]) -> bool:
    """ "She thinks I'm diabetic, but I'm not": the clause behind denies all of it."""
    return any(grammar_of(later.text).elliptic.fullmatch(later.text) for later in stated[at + 1 : at + 2])


def _overtaken(key: str, value: Json, at: int, stated: Sequence[Stated]) -> bool:
    """True when the speaker later denied the value, or stated another one for the same thing."""
    frame, words = _frame(stated[at].text, value), [w for w in _WORD.findall(key.lower()) if w not in _words("little")]
    corrects = False
    for later in stated[at + 1 :]:
        before, corrects = corrects, _takes_back(later.text.strip(), value)
        if before and not holds(later.text, value) and _stands_in(later, stated[at], value):
            return True  # "500, no wait, 600"
        if later.question or later.about is About.OTHER:
            continue
        if later.negated and holds(later.text, value) and _denied(later.text, value):
            return True
        if later.negated or holds(later.text, value):
            continue
        if _is_number(value) and _NUMBER.search(later.text) and says("correcting", later.text):
            return True
        if frame and find_words(later.text, frame) is not None:
            return True
        same_key = any(find_words(later.text, word) for word in words)
        if same_key and _is_number(value) and _NUMBER.search(later.text):
            return True
    return False


def _takes_back(text: str, value: Json) -> bool:
    """ "No, wait"; of a figure also a mere "well"."""
    return says("takes_back", text) or (_is_number(value) and says("wavering", text))


def _stands_in(later: Stated, first: Stated, value: Json) -> bool:
    """True for a clause that puts something in the place of a value: of a number a number, else in one or two words, or
    in few with a word of its clause."""
    if _is_number(value):
        return _NUMBER.search(later.text) is not None
    said, own = set(_WORD.findall(later.text)), set(_WORD.findall(first.text)) - set(_WORD.findall(fold(str(value))))
    return 0 < len(said) <= 2 or (len(said) <= 5 and any(len(word) > 3 for word in said & own))


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and value[:1].isdigit())


def _frame(text: str, value: Json) -> str:
    """The two words or more before a value in its clause: what another value would stand behind."""
    place = find_words(text, fold(str(value)))
    before = text[: place[0]].split() if place else []
    return " ".join(before[-3:]) if len(before) >= 2 else ""
