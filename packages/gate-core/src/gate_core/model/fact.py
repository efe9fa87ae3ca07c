"""What `observe` records of a call: a fact, small, immutable, a pure function of call and configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from gate_core.model.call import SignalEvent
from gate_core.model.errors import StateError
from gate_core.model.json import Json
from gate_core.model.kinds import GATE_AGENT, Did, Outcome, Receipt, SignalState

Lines: TypeAlias = tuple[int, int]
"""First and last line, both counted from 1 and both included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One thing a call did to one target. `lines` limits it to a part; `receipt` is what the result proves."""

    did: Did
    target: str
    domain: str = "files"
    lines: Lines | None = None
    receipt: Receipt = Receipt.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """Profile x call, before it becomes a fact. `shown` are the (start, end) spans of the result that are content;
    `changes_nothing` is true for a failed change whose error excludes an effect."""

    outcome: Outcome
    effects: tuple[Effect, ...] = ()
    signals: tuple[SignalEvent, ...] = ()
    shown: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One observed call. `digest` covers tool, arguments and result; `skeleton` the same with digits masked.

    `size` is the length of the result text in characters. `profile` is how the tool was known: "" for a tool without
    a profile. `note` is "" for an executed call, else why there is nothing to see ("denied", "not_executed").
    """

    key: str
    turn: int
    step: int
    call: str
    agent: str
    tool: str
    profile: str
    outcome: Outcome
    effects: tuple[Effect, ...] = ()
    signals: tuple[SignalEvent, ...] = ()
    digest: str = ""
    skeleton: str = ""
    size: int = 0
    ran: tuple[str, ...] = ()
    ref: str = ""
    note: str = ""

    @property
    def at(self) -> tuple[int, int]:
        """When it happened: (turn, step). Facts of one step are unordered."""
        return (self.turn, self.step)

    @property
    def by_gate(self) -> bool:
        """True for what the gate recorded itself: probes, reasoning steps."""
        return self.agent == GATE_AGENT

    @property
    def executed(self) -> bool:
        """True for a real, executed call of the agent."""
        return not self.note and not self.by_gate


Intern: TypeAlias = Callable[[str], "str | int"]


def encode_fact(fact: Fact, intern: Intern = str) -> list[Json]:
    """A fact as a short JSON list. `intern` may replace strings that recur by numbers of a table."""
    effects: list[Json] = [
        [e.did.value, intern(e.target), intern(e.domain), list(e.lines or ()), e.receipt.value] for e in fact.effects
    ]
    signals: list[Json] = [[s.name, s.state.value, s.scope, s.count] for s in fact.signals]
    head: list[Json] = [fact.key, fact.turn, fact.step, fact.call, intern(fact.agent), intern(fact.tool)]
    return [
        *head,
        intern(fact.profile),
        fact.outcome.value,
        effects,
        signals,
        fact.digest,
        fact.skeleton,
        fact.size,
        list(fact.ran),
        fact.ref,
        fact.note,
    ]


def decode_fact(data: Json, table: Sequence[str] = ()) -> Fact:
    """The fact that `encode_fact` wrote.

    Raises:
        StateError: the list does not have the shape of a fact.
    """
    try:
        return _decode(cast("Sequence[Json]", data), table)
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise StateError(f"not a fact: {error}") from None


def _decode(data: Sequence[Json], table: Sequence[str]) -> Fact:
    def word(value: Json) -> str:
        return table[_place(value)] if isinstance(value, int) else _string(value)

    (
        key,
        turn,
        step,
        call,
        agent,
        tool,
        profile,
        outcome,
        effects,
        signals,
        dig,
        skeleton,
        size,
        ran,
        ref,
        note,
    ) = data
    return Fact(
        key=_string(key),
        turn=_integer(turn),
        step=_integer(step),
        call=_string(call),
        agent=word(agent),
        tool=word(tool),
        profile=word(profile),
        outcome=Outcome(_string(outcome)),
        effects=tuple(_effect(item, word) for item in _rows(effects)),
        signals=tuple(_signal(item) for item in _rows(signals)),
        digest=_string(dig),
        skeleton=_string(skeleton),
        size=_integer(size),
        ran=tuple(_string(item) for item in _list(ran)),
        ref=_string(ref),
        note=_string(note),
    )


def _effect(row: Sequence[Json], word: Callable[[Json], str]) -> Effect:
    did, target, domain, lines, receipt = row
    span = [_integer(item) for item in _list(lines)]
    return Effect(
        did=Did(_string(did)),
        target=word(target),
        domain=word(domain),
        lines=_pair(span) if span else None,
        receipt=Receipt(_string(receipt)),
    )


def _signal(row: Sequence[Json]) -> SignalEvent:
    name, state, scope, count = row
    return SignalEvent(
        name=_string(name),
        state=SignalState(_string(state)),
        scope=_string(scope),
        count=None if count is None else _integer(count),
    )


def _place(value: int) -> int:
    if value < 0:
        raise StateError(f"expected a place in the table of strings, got {value}")
    return value


def _pair(span: Sequence[int]) -> Lines:
    first, last = span
    return (first, last)


def _string(value: Json) -> str:
    if not isinstance(value, str):
        raise StateError(f"expected a string, got a {type(value).__name__}")
    return value


def _integer(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise StateError(f"expected an integer, got a {type(value).__name__}")
    return value


def _list(value: Json) -> Sequence[Json]:
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
        raise StateError(f"expected a list, got a {type(value).__name__}")
    return value


def _rows(value: Json) -> list[Sequence[Json]]:
    return [_list(item) for item in _list(value)]
