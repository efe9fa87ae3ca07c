"""What a service tells of a run that it made itself: a tally of it (`{"passed": 57, "failed": 3}`), or a row that a job
failed (spec 20, "Statements": a statement about a run needs a look that shows it)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject, text_of
from gate_core.model.kinds import Outcome
from gate_core.model.late import late
from gate_core.model.reading import Sentence
from gate_core.reading.cues import found, fractions, whole

_MOST = 20_000  # characters of a result that are looked at


def is_tallied(sentence: Sentence, ledger: Ledger) -> bool:
    """True when a service, looked at behind all changes, counted what the sentence counts: "57 of 60 checks passed"."""
    named = list(fractions(sentence)) or [(whole(match["count"]), 0) for match in found("count", sentence)]
    if not named:
        return False
    told = [tally for look in service_looks(ledger) for tally in tallies(look, ledger)]
    return all(any(_counts(one, good, bad) for good, bad in told) for one in named)


def _counts(named: tuple[int, int], good: int, bad: int) -> bool:
    """ "57 of 60" of 57 and 3; "all 57", without a whole, of 57 and none."""
    some, every = named
    return some == good and (every == good + bad if every else not bad)


def is_told_red(kind: str, sentence: Sentence, ledger: Ledger) -> bool:
    """True when a service, looked at behind all changes, shows a job of that kind that failed, or counts failures; or
    when a tool of this turn that was done in part counts them as the sentence does."""
    jobs = job_rows("ended_badly").get(kind)
    looks = list(service_looks(ledger))
    parts = [fact for fact in ledger.calls_here if fact.outcome is Outcome.UNKNOWN and not fact.ran]
    numbers = numbers_in(sentence)
    return (
        any(jobs is not None and jobs.search(_text(look, ledger)) is not None for look in looks)
        or any(bad for look in looks for _, bad in tallies(look, ledger))
        or any(bad in numbers for part in parts for _, bad in tallies(part, ledger))
    )


def numbers_in(sentence: Sentence) -> set[int]:
    """The whole numbers that a sentence tells."""
    return {int(digits) for digits in _NUMBER.findall(sentence.head)}


_NUMBER = late(r"(?<![\w.,])\d{1,9}(?![\w%]|[.,]\d)")


def service_looks(ledger: Ledger) -> Iterator[Fact]:
    """The looks at services behind all changes of the turn. What stands in a file may be of any run before."""
    changed = max((fact.at for fact, _ in ledger.changes_here), default=(0, -1))
    for fact in ledger.looks_here:
        if fact.at > changed and not fact.ran and not any(effect.domain == FILES for effect in fact.effects):
            yield fact


def _text(look: Fact, ledger: Ledger) -> str:
    texts = ledger.text(look)
    return text_of(texts[1])[:_MOST] if texts is not None else ""


def tallies(look: Fact, ledger: Ledger) -> Iterator[tuple[int, int]]:
    """(how many went well, how many did not) of each object of a result, or one level inside, that counts both."""
    texts = ledger.text(look)
    told = body_of(texts[1]).object if texts is not None else None
    if told is None:
        return
    for item in (told, *told.values()):
        if isinstance(item, Mapping):
            good, bad = _sum(item, "good"), _sum(item, "bad")
            if good is not None and bad is not None:
                yield good, bad


def _sum(told: JsonObject, kind: str) -> int | None:
    counts: list[Json] = [told[key] for key in _words()[kind] if key in told]
    return sum(int(count) for count in counts if type(count) is int) if any(type(c) is int for c in counts) else None


@cache
def _words() -> dict[str, tuple[str, ...]]:
    rows = load_table("checks", "statements.toml")["tally"]
    return {kind: tuple(rows[kind]) for kind in ("good", "bad")}


@cache
def job_rows(ended: str) -> dict[str, re.Pattern[str]]:
    """Kind -> the row by which a service says that a job of it "ended_well" or "ended_badly"."""
    rows = dict(load_table("checks", "statements.toml")["rows"])
    how = {name: rows.pop(name) for name in ("ended_well", "ended_badly")}[ended]
    head, gap = r"^\W{0,10}[\w./ -]{0,40}?(?<![a-z])", r"\b[^\n]{0,60}?"
    first = rf"^\W{{0,10}}{how}[^\n]{{0,60}}?(?<![a-z])"  # "(success) 00m 41s  build"
    both = {kind: f"{head}{jobs}{gap}{how}|{first}{jobs}\\b" for kind, jobs in rows.items()}
    return {kind: re.compile(row, re.IGNORECASE | re.MULTILINE) for kind, row in both.items()}
