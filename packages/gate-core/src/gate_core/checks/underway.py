"""What its own record calls unfinished: a refund that is "pending" is not refunded, a mail that is a "draft" is not
sent (spec 20, "Statements": `-contradicted`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from gate_core.checks.lacking import lacking
from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import JsonObject
from gate_core.model.kinds import Did
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading
from gate_core.model.verdict import Finding
from gate_core.profiles.verbs import name_words
from gate_core.reading.cues import says

_LONGEST = 20_000  # characters of a record
_SHORT = 600  # characters; longer texts tell of more than one thing
_WRITTEN = late(r"\b(?:state|status)\s?[:=]\s?[\"']?([A-Za-z][A-Za-z_]{2,30})", re.IGNORECASE)
_NAMES = ("status", "state", "labelIds")


class Waits(NamedTuple):
    """By which statuses a record says that an act of a family is not done, and the tools of which it says no such thing
    (an order that is pending has been placed)."""

    status: re.Pattern[str]
    unless: frozenset[str]


def unfinished(kind: str, act: Fact, reading: Reading, ledger: Ledger) -> Fact | None:
    """The call whose record says last that the act is not done, where the answer says nothing of the kind."""
    waits = _waits().get(kind)
    row = load_table("checks", "statements.toml")["families"].get(kind, {})
    if not _owns_up(reading) and not set(row.get("later", ())).isdisjoint(name_words(act.tool)):
        return act  # what is to be sent later is not sent
    if waits is None or waits.unless.intersection(name_words(act.tool)) or _owns_up(reading):
        return None
    later = (fact for fact in ledger.calls_here if fact.at > act.at)
    told = [(fact, list(_statuses(fact, ledger))) for fact in (act, *later)]
    last = next(((fact, words) for fact, words in reversed(told) if words), None)
    if last is None or not any(waits.status.fullmatch(word) for word in last[1]):
        return None
    return last[0]


def unready(reading: Reading, ledger: Ledger) -> dict[int, Finding]:
    """Sentence -> the record that calls unfinished what the sentence says is done, where it is the last record of the
    turn that tells any status, and the answer says nothing of the kind."""
    told = next(
        ((fact, words) for fact in reversed(ledger.calls_here) if (words := list(_statuses(fact, ledger)))), None
    )
    if told is None or not all(_waiting().fullmatch(word) for word in told[1]) or _owns_up(reading):
        return {}
    claims = [at for at, s in enumerate(reading.sentences) if s.mood is Mood.INDICATIVE and says("ready", s)]
    item = lacking(Code.STATEMENT_CONTRADICTED, "that it is done", told[0], fix=SAY_SO)
    return dict.fromkeys(claims[:1], item)


SAY_SO = "say how far it is by the status that its result shows, or look at it again once it is done"


@cache
def _waiting() -> re.Pattern[str]:
    return re.compile(load_table("checks", "statements.toml")["unfinished"], re.IGNORECASE)


@cache
def _waits() -> Mapping[str, Waits]:
    rows = load_table("checks", "statements.toml")["waits"]
    return {
        kind: Waits(re.compile(row["status"], re.IGNORECASE), frozenset(row.get("unless", ())))
        for kind, row in rows.items()
    }


def _owns_up(reading: Reading) -> bool:
    told = (sentence for sentence in reading.sentences if sentence.mood is not Mood.QUESTION and not sentence.code)
    return any(says("underway", sentence) or says("begun", sentence) for sentence in told)


def _statuses(fact: Fact, ledger: Ledger) -> Iterator[str]:
    """The statuses of the record a call answered with, or of the one thing in it."""
    if fact.size > _LONGEST or _is_file(fact):
        return
    found = ledger.text(fact)
    body = body_of(found[1]) if found is not None else None
    told = body.object if body is not None else None
    if body is not None and told is None and fact.size <= _SHORT:
        yield from (match[1] for match in _WRITTEN.finditer(body.text))
    if told is None:
        return
    inner = [value for value in told.values() if isinstance(value, Mapping)]
    for place in (told, *(inner if len(inner) == 1 else ())):
        yield from _own_statuses(place)


def _is_file(fact: Fact) -> bool:
    return any(effect.domain == FILES and effect.did is Did.SHOWED for effect in fact.effects)


def _own_statuses(place: JsonObject) -> Iterator[str]:
    for name in _NAMES:
        value = place.get(name)
        for word in value if isinstance(value, list | tuple) else (value,):
            if isinstance(word, str):
                yield re.sub(r"[\s-]+", "_", word.strip())
