"""More acts than calls: what a further act names has to stand in some call ("I booked LH2035 and also reserved seat
12A"), and so has everybody in a list of those it was sent to (spec 20, "Statements": any other past action).

Asked only where every text is at hand, and of things that nobody mixes up: ids, addresses, channels, and names of
people behind a word like "to".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain

from gate_core.checks.lacking import unbacked
from gate_core.checks.overlooked import owns_up
from gate_core.checks.untouched import tells_all
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.acts import acts_in
from gate_core.reading.cues import says
from gate_core.values.lexicon import months
from gate_core.values.names import squeezed
from gate_core.values.units import meanings

_MOST = 2_000_000  # characters of all texts that are searched
_ADDRESS = late(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32})+|(?<![\w&/])[#@][A-Za-z][\w-]{1,40}")
_ID = late(r"(?<![\w.,:/#-])(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Z])[A-Z0-9][A-Z0-9-]{1,30}(?![\w/.:-]\w|\w)")
_NO_ID = late(r"\d[\d.,]*[A-Z]{1,2}|[QHWV]\d{1,2}|\d{4}-[QHW]\d|[A-Z]{1,2}\d|(?:UTC|GMT)[+-]?\d+|\d+[AP]M")
_SEAT = late(r"\d{1,3}[A-L]")


def unmatched(reading: Reading, ledger: Ledger) -> dict[int, Finding]:
    """Sentence -> what is missing of the acts it tells of, where no call knows anything of one."""
    acts = [(at, act) for at, sentence in enumerate(reading.sentences) for act in acts_in(sentence)]
    calls = len(ledger.changing_calls)
    said = {name for _, act in acts for name in (*_named(act), *chain.from_iterable(_lists(act)))} if calls else ()
    told = told_by_calls(ledger) if said else None
    if told is None:
        return {}
    known = frozenset(name for name in said if told.holds(name) or name.casefold() in _days())
    found = {at: item for at, act in acts if (item := _missing(act, known, more=len(acts) > calls)) is not None}
    return found if known else {}


def left_out(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """A part of the work that is said to be all done, that stands in one list with parts that were changed, and of
    which no call knows anything: "all three services, billing, search and users, are on slog now"."""
    if sentence.mood is not Mood.INDICATIVE or sentence.quoted or sentence.code:
        return
    lists = [tuple(_WORD.findall(found[0])) for found in _words_listed().finditer(sentence.head)]
    if not lists or not ledger.changes_here or not says("every", sentence) or owns_up(sentence):
        return
    if not tells_all(ledger) or (told := told_by_calls(ledger)) is None:
        return
    changed = [frozenset(re.split(r"[/.:]", effect.target.casefold())) for _, effect in ledger.changes_here]
    for names in lists:
        places = [{at for at, parts in enumerate(changed) if name.casefold() in parts} for name in names]
        done = [place for place in places if place]
        apart = len(done) > 1 and not set.intersection(*done)  # "src" and "api" are no parts of one kind
        if apart and any(not told.holds(name) for name in names):
            yield unbacked(
                "that all of a list were dealt with", fix="do it for each of them, or say for which it was done"
            )
            return


_WORD = late(r"(?<![\w.-])[a-z][a-z0-9_-]{2,24}(?![\w.-])")


@cache
def _words_listed() -> re.Pattern[str]:
    word = r"[`*\"']?[a-z][a-z0-9_-]{2,24}[`*\"']?"
    return re.compile(rf"(?<![\w.-]){word}(?:, {word}){{1,8}},? (?:{_and()}) {word}(?![\w.-])")


def _missing(act: str, known: frozenset[str], *, more: bool) -> Finding | None:
    """What an act names that no call knows. `more` says that there are more acts than calls."""
    names = _named(act)
    if more and names and known.isdisjoint(names):
        return unbacked("that something more was done", fix="do that too, or leave it out of the answer")
    if any(not known.isdisjoint(one) and not known.issuperset(one) for one in _lists(act)):
        return unbacked("that all of a list were dealt with", fix="do it for each of them, or say for whom it was done")
    return None


class Told:
    """All that the calls of a conversation say, their tools' names included."""

    def __init__(self, text: str) -> None:
        self._text = text.casefold()
        self._bare = squeezed(text)

    def holds(self, name: str) -> bool:
        """True when a name stands there, an id in any spelling."""
        if any(sign.isdigit() for sign in name):
            return squeezed(name) in self._bare
        return re.search(rf"(?<![^\W_]){re.escape(name.casefold().lstrip('#@'))}(?![^\W_])", self._text) is not None

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """True when a pattern finds something there, the words of names apart."""
        return pattern.search(self._text.replace("_", " ")) is not None


def told_by_calls(ledger: Ledger) -> Told | None:
    """The texts of all calls; None where one is gone, or there is more than anybody looks through."""
    texts = [_text(fact, ledger) for fact in ledger.facts if fact.executed]
    if any(text is None for text in texts) or sum(len(text or "") for text in texts) > _MOST:
        return None
    return Told(" ".join(text or "" for text in texts))


def _text(fact: Fact, ledger: Ledger) -> str | None:
    found = ledger.text(fact)
    return None if found is None else f"{fact.tool} {text_of(found[0])} {text_of(found[1])}"


@lru_cache(512)
def _named(act: str) -> tuple[str, ...]:
    """The ids and addresses an act names, and the people it was for."""
    ids = (found for found in _ID.findall(act) if _SEAT.fullmatch(found) or not _is_value(found))
    people = (name for name in _people().findall(act) if name.casefold() not in _days())
    return tuple(dict.fromkeys((*ids, *_ADDRESS.findall(act), *people)))


def _is_value(text: str) -> bool:
    word = text.lstrip("0123456789.,")
    return _NO_ID.fullmatch(text) is not None or (text[0].isdigit() and bool(meanings(word, touching=True)))


@cache
def _people() -> re.Pattern[str]:
    words = "|".join(load_table("reading", "names.toml")["to_whom"])
    return re.compile(
        rf"\b(?:{words}) ([A-ZÀ-Þ][a-zß-ÿ]{{1,20}})(?=\W*$|[,;.]|\s+(?:{_and()}|that|about|as|by|on|in)\b)"
    )


@lru_cache(512)
def _lists(act: str) -> tuple[tuple[str, ...], ...]:
    """The names that stand in one list: "to Ana and to Ben", "ana@x.org, ben@x.org"."""
    return tuple(tuple(_one().findall(match[0])) for match in _listed().finditer(act))


_NAME = (
    r"(?:[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32})+|[#@][A-Za-z][\w-]{1,40}|[A-Z][A-Z0-9]{0,9}-\d{1,9}"
    r"|[A-ZÀ-Þ][a-zß-ÿ]{1,20}|[a-z]{2,20}-?\d{1,4})"
)


@cache
def _and() -> str:
    return "|".join(load_table("reading", "names.toml")["and"])


@cache
def _one() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w@.#-]){_NAME}(?![\w@-])")


@cache
def _listed() -> re.Pattern[str]:
    words = "|".join(load_table("reading", "names.toml")["to_whom"])
    joint = rf"(?:,? (?:{_and()}) |, |、|和)(?:(?:{words}) )?"
    return re.compile(rf"(?<![\w@.#-]){_NAME}(?:{joint}{_NAME}){{1,12}}(?![\w@-])")


@cache
def _days() -> frozenset[str]:
    return frozenset((*months(), *load_table("reading", "names.toml")["weekdays"]))
