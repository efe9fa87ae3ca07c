"""Acts of which no call of the conversation holds a trace: "a cron job runs it nightly" where a script was written and
nothing else (spec 20, "Statements": any other past action). Asked only where every text is at hand, and no program ran
that may have done anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from gate_core.checks.lacking import unbacked
from gate_core.checks.overlooked import owns_up
from gate_core.checks.stated.beyond import told_by_calls
from gate_core.data import load_table
from gate_core.footprint.rules import OBSCURE
from gate_core.ledger import Ledger
from gate_core.model.fact import Fact
from gate_core.model.kinds import Did
from gate_core.model.reading import Sentence
from gate_core.model.state import Asks
from gate_core.model.verdict import Finding
from gate_core.reading.turn import asked, in_the_background


def traceless(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """The act that a sentence tells of and no call knows."""
    told = told_of(sentence.head)
    if told is None or asked(ledger) not in (Asks.CHANGE, Asks.UNKNOWN) or owns_up(sentence):
        return
    if in_the_background(ledger) or any(_may_do_anything(fact) for fact in ledger.facts if fact.executed):
        return
    kind, whom = told
    calls = told_by_calls(ledger)
    if calls is not None and not calls.matches(_knows(kind)) and not (whom and calls.holds(whom)):
        yield unbacked(_kinds()[kind]["is"], fix="do it, or leave it out of the answer")


def told_of(text: str) -> tuple[str, str] | None:
    """(kind of act, for whom it was) of what a text tells was done, None for no act that leaves a trace."""
    for name, patterns in _says():
        match = next((match for pattern in patterns if (match := pattern.search(text))), None)
        if match is not None:
            return name, (match.groupdict().get("whom") or "").casefold()
    return None


def _may_do_anything(fact: Fact) -> bool:
    """True for a script, a sub-agent, or a command that cannot be read."""
    opaque = any(effect.did is Did.OPAQUE for effect in fact.effects)
    return fact.profile in _ANYTHING or (bool(fact.ran) and opaque)


_ANYTHING = OBSCURE - {"", "unknown"}


@cache
def _kinds() -> dict[str, Any]:
    return {row["name"]: row for row in load_table("checks", "stated", "traces.toml")["kinds"]}


@cache
def _says() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    return tuple((name, tuple(map(_compiled, row["says"]))) for name, row in _kinds().items())


def _compiled(says: str) -> re.Pattern[str]:
    """A pattern in any case; a name begins with a capital."""
    return re.compile(re.sub(r"\(\?P<whom>\[A-Z\]", r"(?P<whom>(?-i:[A-Z])", says), re.IGNORECASE)


@cache
def _knows(kind: str) -> re.Pattern[str]:
    return re.compile(_kinds()[kind]["knows"], re.IGNORECASE)
