"""How many an act concerned: "deleted 43 sessions" where the call that deleted says that it was 34 (spec 20,
"Statements": `-contradicted`). Asked only where a result counts things of the same kind, or nothing but rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gate_core.checks.lacking import lacking
from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import JsonObject
from gate_core.model.kinds import Outcome
from gate_core.model.late import late
from gate_core.model.reading import Mood, Sentence
from gate_core.model.verdict import Finding
from gate_core.values.operands import stems

_LONGEST = 4_000  # characters at the end of a result


class Count(NamedTuple):
    """So many of what were added, changed or taken away; `noun` is "" where a result counts rows of its own."""

    kind: str
    number: int
    noun: str


def miscounted(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """The counts of a sentence that no result of this turn bears out, where one counts the same."""
    if sentence.mood is not Mood.INDICATIVE or sentence.quoted or not any(map(str.isdigit, sentence.text)):
        return
    claimed = [count for count in counts_in(sentence.text) if count.noun]
    reports = [(fact, count) for fact in ledger.calls_here for count in _reported(fact, ledger)] if claimed else []
    for claim in claimed:
        mine = [(fact, count) for fact, count in reports if _alike(claim, count)]
        numbers = [count.number for _, count in mine]
        if numbers and claim.number not in (*numbers, sum(numbers)):
            yield lacking(Code.STATEMENT_CONTRADICTED, "how many there were", mine[-1][0])
            return


def counts_in(text: str) -> list[Count]:
    """What a text says was added, changed or taken away, and how many."""
    found: list[Count] = []
    verbs = tuple(_told("verbs").items())
    for pattern in _patterns():
        for match in pattern.finditer(text):
            kind = next(kind for kind, words in verbs if re.fullmatch(words, match["verb"], re.IGNORECASE))
            found.append(Count(kind, int(re.sub(r"\D", "", match["n"])), (match["noun"] or "").casefold()))
    return found


@cache
def _told(what: str) -> dict[str, str]:
    """A table of counted.toml."""
    return dict(load_table("checks", "stated", "counted.toml")[what])


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    verbs = "|".join(_told("verbs").values())
    number = r"(?<![\w.,/-])(?P<n>\d{1,3}(?:,\d{3})+|\d{1,9})(?![\w%/-]|[.,]\d)"
    word = rf"(?!(?:and|or|of|the|in|from|to|was|were|has|have|is|are|{verbs})\b)[a-z-]{{2,20}}"
    noun, was = rf"(?P<noun>{word}(?: {word}){{0,2}})", r"(?:(?:was|were|has been|have been|is|are) )?"
    return (
        re.compile(rf"{number} {noun} {was}(?P<verb>{verbs})\b", re.IGNORECASE),
        re.compile(rf"\b(?P<verb>{verbs}) (?:the |all |all of the )?{number} {noun}", re.IGNORECASE),
    )


def _reported(fact: Fact, ledger: Ledger) -> Iterator[Count]:
    """What a changing call says of itself: "UPDATE 3", {"deletedCount": 34}, "Resources: 1 added"."""
    if fact.outcome is not Outcome.OK or not acted(fact):
        return
    found = ledger.text(fact)
    if found is None:
        return
    body = body_of(found[1])
    if body.object is not None:
        yield from _fields(body.object)
        return
    text = body.text[-_LONGEST:]
    yield from (Count(_told("tags")[match[1]], int(match[2]), "") for match in _tag().finditer(text))
    for line in _LISTED.finditer(text):
        for match in _ITEM.finditer(line["items"]):
            kind = next((k for k, words in _told("verbs").items() if re.fullmatch(words, match[2])), None)
            if kind is not None:
                yield Count(kind, int(match[1]), line["noun"].casefold())


_LISTED = late(r"\b(?P<noun>[A-Z][a-z]{2,20}): (?P<items>\d{1,9} [a-z]+(?:, \d{1,9} [a-z]+)+)")
_ITEM = late(r"(\d{1,9}) ([a-z]+)")


def _fields(told: JsonObject) -> Iterator[Count]:
    counts = {str(key): value for key, value in told.items() if type(value) is int and str(key) in _told("fields")}
    if counts and not any(counts.values()):
        yield from (Count(_told("fields")[key], 0, "") for key in counts)
    for key, value in told.items():
        match = _field().fullmatch(str(key))
        if match is not None and isinstance(value, int) and not isinstance(value, bool):
            yield Count(_told("fields")[match[1].lower()], value, "")


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"^({'|'.join(_told('tags'))}) (\d{{1,9}})\s*$", re.MULTILINE)


@cache
def _field() -> re.Pattern[str]:
    return re.compile(rf"({'|'.join(_told('fields'))})_?(?:count|rows?|n)", re.IGNORECASE)


def _alike(claim: Count, report: Count) -> bool:
    """True for one kind of act on one kind of thing; rows have whatever name the answer gives them, but are no code."""
    if claim.kind != report.kind:
        return False
    if report.noun:
        return bool(stems(claim.noun) & stems(report.noun))
    return claim.noun.split()[-1] not in _code()


@cache
def _code() -> frozenset[str]:
    return frozenset(load_table("checks", "stated", "counted.toml")["code"])
