"""How a thing is that a command was asked about: "port 3000 is free" where `lsof` shows who listens there (spec 20,
"Statements": `-contradicted`). The last command that asked counts, if nothing was done behind it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from gate_core.checks.lacking import lacking
from gate_core.checks.overlooked import owns_up
from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.reading import Reading, Sentence
from gate_core.model.verdict import Finding

_LONGEST = 20_000  # characters of a result
_HOST = r"(?<![\w.-])(?P<thing>[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})"
_PATH = r"(?<![\w./~-])(?P<thing>(?=[\w.~-]{0,60}/)[\w./~-]{1,120}\w)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a sentence says of a thing: the `kind` of it, the thing, and what it is said to be."""

    kind: str
    thing: str = ""
    value: str = ""


def probed(sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """The last look at a thing that speaks against what a sentence says of it."""
    ran = {head.partition(" ")[0].rpartition("/")[2] for fact in ledger.calls_here for head in fact.ran}
    for told in told_of(sentence.head, ran):
        if owns_up(_without(sentence, told)) or any(_unless(told.kind, other.head) for other in reading.sentences):
            continue
        look = _last_look(told, ledger)
        found = ledger.text(look) if look is not None else None
        if look is not None and found is not None and speaks_against(told, body_of(found[1]).text[:_LONGEST]):
            yield lacking(Code.STATEMENT_CONTRADICTED, _kind(told.kind)["is"], look)
            return


def told_of(text: str, programs: Collection[str]) -> Iterator[Told]:
    """What a text says of things that these programs are asked about."""
    for name, patterns in _says():
        if not any(program in programs for program in _kind(name)["programs"]):
            continue
        match = next((match for pattern in patterns if (match := pattern.search(text))), None)
        if match is not None:
            yield Told(kind=name, **match.groupdict())


def asks(told: Told, command: str) -> bool:
    """True for a command that asks how the thing is."""
    return _filled(_kind(told.kind)["look"], told.thing).search(command) is not None


def speaks_against(told: Told, printed: str) -> bool:
    """True when what such a command printed is not what was said."""
    kind: dict[str, str] = _kind(told.kind)
    if kind.get("lacks"):
        return told.value.casefold() not in printed.casefold()
    return _filled(kind["against"], told.thing).search(printed) is not None


def _without(sentence: Sentence, told: Told) -> Sentence:
    """The sentence without what it says of the thing, which may sound like trouble: "without conflicts"."""
    match = next(match for pattern in dict(_says())[told.kind] if (match := pattern.search(sentence.head)))
    return sentence._replace(text=f"{sentence.head[: match.start()]} {sentence.head[match.end() :]}")


def _last_look(told: Told, ledger: Ledger) -> Fact | None:
    """The last command of the turn that asked, None where something may have been done behind it."""
    for fact in reversed(ledger.calls_here):
        found = ledger.text(fact) if fact.ran else None
        if found is not None and asks(told, text_of(found[0])):
            return fact
        if acted(fact):
            return None
    return None


@cache
def _kind(name: str) -> dict[str, Any]:
    rows = load_table("checks", "stated", "probed.toml")["kinds"]
    return next(row for row in rows if row["name"] == name)


@cache
def _says() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    rows = load_table("checks", "stated", "probed.toml")["kinds"]
    return tuple((row["name"], tuple(map(_compiled, row["says"]))) for row in rows)


def _compiled(says: str) -> re.Pattern[str]:
    return re.compile(says.replace("{host}", _HOST).replace("{path}", _PATH), re.IGNORECASE)


@cache
def _unless_of(kind: str) -> re.Pattern[str]:
    return re.compile(_kind(kind)["unless"], re.IGNORECASE)


def _unless(kind: str, text: str) -> bool:
    return _unless_of(kind).search(text) is not None


def _filled(pattern: str, thing: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("{thing}", re.escape(thing)), re.IGNORECASE | re.MULTILINE)
