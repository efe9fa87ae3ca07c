"""What was said to have happened may have been shown by a look at another world, or be told from what the user pasted
or a mail said (spec 20, "Statements": attribution, truthful recaps)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from gate_core.checks.undone import tries
from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.ledger.touch import acted
from gate_core.model.fact import Fact
from gate_core.model.json import Json, leaves
from gate_core.model.kinds import Did
from gate_core.reading.events import TOLD
from gate_core.reading.told import ASKED, told_in

_COMMANDS = frozenset({"command", "shell", "unreadable", "exec"})
_MOST = 400  # values of one result that are looked at
_LONGEST = 20_000  # characters of one result


def is_shown(kind: str, ledger: Ledger) -> bool:
    """True when a look of this conversation at something other than files shows that it was done, or may have: its text
    is gone, or nothing is known of how such a thing shows."""
    looks = [fact for fact in (*ledger.looks_here, *ledger.looks_before) if _is_elsewhere(fact) and not tries(fact)]
    pattern = _shown(kind)
    return any(pattern is None or _shows(fact, pattern, kind, ledger) for fact in looks)


def is_retold(kind: str, ledger: Ledger) -> bool:
    """True when the user told it in that way or pasted it, or something read in another world (a mail, a ticket) says
    so, and nothing was changed since. A run that the user asks about is none that a mail can show."""
    changed = max((fact.turn for fact in ledger.facts if _changes(fact)), default=-1)
    said = [said for said in ledger.state.said if said.turn > changed]
    plain = kind.removesuffix(TOLD)
    if any(kind in item.told or plain in item.told for item in said):
        return True
    if changed >= ledger.turn or any(f"{ASKED}{plain}" in item.told for item in said if item.turn == ledger.turn):
        return False
    return any(plain in _tells(fact, ledger) for fact in ledger.looks_here if _is_elsewhere(fact))


def _changes(fact: Fact) -> bool:
    return fact.executed and acted(fact)


def _is_elsewhere(fact: Fact) -> bool:
    """True for a look at another world than files. What a command prints of its own is
    one where its program is a client of such a world."""
    shown = [effect.domain for effect in fact.effects if effect.did in (Did.SHOWED, Did.LISTED)]
    if fact.profile in _COMMANDS and not {_program(head) for head in fact.ran} & _clients():
        shown = [domain for domain in shown if not domain.startswith("tool:")]
    return any(domain != FILES for domain in shown)


def _program(head: str) -> str:
    return head.partition(" ")[0].rpartition("/")[2]


@cache
def _clients() -> frozenset[str]:
    """Programs that show the state of another world than files."""
    return frozenset(load_table("checks", "statements.toml")["clients"])


def _shows(fact: Fact, pattern: re.Pattern[str], kind: str, ledger: Ledger) -> bool:
    found = ledger.text(fact)
    undone = load_table("checks", "statements.toml")["not_shown"].get(kind)
    if found is not None and undone and re.search(undone, body_of(found[1]).text[:_LONGEST], re.IGNORECASE):
        return False
    if found is None or any(pattern.search(text) for text in _states(found[1])):
        return True
    return kind in _tells(fact, ledger)


def _states(result: Json) -> Iterator[str]:
    """What a result says that is so: each value with its key, what is false or empty left out; a text as it stands."""
    body = body_of(result)
    found = body.object if body.object is not None else body.listed if body.spoken else result
    if found is None or isinstance(found, str):
        yield body.text[:_LONGEST]
        return
    open_: list[Json] = [found]
    for _ in range(_MOST):
        if not open_:
            return
        value = open_.pop()
        if isinstance(value, Mapping):
            for key, item in value.items():
                if isinstance(item, Mapping | Sequence) and not isinstance(item, str):
                    open_.append(item)
                elif item not in (None, False, "", 0):
                    yield f"{key} {item}"[:_LONGEST]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            open_.extend(value)
        elif value:
            yield str(value)[:_LONGEST]


def _tells(fact: Fact, ledger: Ledger) -> frozenset[str]:
    """The kinds of events that the text of a look states."""
    found = ledger.text(fact)
    if found is None:
        return frozenset()
    body = body_of(found[1])
    texts = leaves(body.object) if body.object is not None else (body.text,)
    return frozenset(kind for text in texts for kind in told_in(text[:_LONGEST], pasted=True))


@cache
def _shown(kind: str) -> re.Pattern[str] | None:
    row = load_table("checks", "statements.toml")["shown"].get(kind)
    return re.compile(row, re.IGNORECASE) if row else None
