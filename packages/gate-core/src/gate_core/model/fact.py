"""What `observe` records of a call: a fact, small, immutable, a pure function of call and configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from gate_core.model.call import SignalEvent
from gate_core.model.errors import GateUsageError, StateError
from gate_core.model.json import DIGEST, Json, digest, stamp
from gate_core.model.kinds import GATE_AGENT, Did, Outcome, Receipt, SignalState

Lines: TypeAlias = tuple[int, int]
"""First and last line, both counted from 1 and both included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One thing a call did to one target. `lines` limits it to a part; `receipt` is what the result proves. A `bare`
    change is one that a listing shows: a folder, a mode, a link, a new name."""

    did: Did
    target: str
    domain: str = "files"
    lines: Lines | None = None
    receipt: Receipt = Receipt.NONE
    bare: bool = False


@dataclass(slots=True, kw_only=True)
class Footprint:
    """Profile x call, on its way to become a fact. `how` is how a shell tool was read, where that is known better than
    by its profile; `ran` are the heads of the stages of its command."""

    outcome: Outcome
    effects: tuple[Effect, ...] = ()
    signals: tuple[SignalEvent, ...] = ()
    how: str = ""
    ran: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One observed call. `digest` covers tool, arguments and result; `skeleton` the same with digits masked, "" for
    what is no look.

    `size` is the length of the result text in characters. `profile` is how the tool was known: "" for a tool without
    a profile. `note` is "" for an executed call, else why there is nothing to see ("denied", "not_executed").
    `executed` is true for a real, executed call of the agent; every view asks.
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
    executed: bool = field(init=False, repr=False, compare=False)

    @property
    def at(self) -> tuple[int, int]:
        """When it happened: (turn, step). Facts of one step are unordered."""
        return (self.turn, self.step)

    @property
    def result(self) -> str:
        """The digest of the result alone: the second half of `digest`."""
        return self.digest[DIGEST // 2 :]

    @property
    def by_gate(self) -> bool:
        """True for what the gate recorded itself: probes, reasoning steps."""
        return self.agent == GATE_AGENT

    def __post_init__(self) -> None:
        object.__setattr__(self, "executed", not self.note and self.agent != GATE_AGENT)


Intern: TypeAlias = Callable[[str], "str | int"]
_Word: TypeAlias = Callable[[Json], str]


def key_of(fact: Fact) -> str:
    """The key of an observed call (spec 00, invariant 5): turn, call, content and how it ended."""
    return call_key(fact.turn, fact.call, fact.step, fact.digest, fact.outcome, fact.note)


@lru_cache(maxsize=16, typed=True)  # what is recorded is encoded next, which asks again
def call_key(turn: int, call: str, step: int, told: str, outcome: Outcome, note: str) -> str:
    """`key_of`, before there is a fact."""
    text = f"{turn}:{call or f'#{step}'}:{_OUTCOME[outcome]}:{note}:{told}"
    return stamp(text.encode("utf-8", "surrogatepass"))


def fact_of_signal(name: object, *, failed: bool, turn: int, step: int) -> Fact:
    """What is recorded of an event that the host raised.

    Raises:
        GateUsageError: no name.
    """
    if not isinstance(name, str) or not name.strip():
        raise GateUsageError(f"a signal has a name, got {name!r:.40}")
    event = SignalEvent(name=name, state=SignalState.FAILED if failed else SignalState.PASSED)
    return Fact(
        key=digest(GATE_AGENT, "signal", str(turn), str(step), name, event.state.value),
        turn=turn,
        step=step,
        call="",
        agent=GATE_AGENT,
        tool="signal",
        profile=GATE_AGENT,
        outcome=Outcome.OK,
        signals=(event,),
    )


def default_ref(turn: int, call: str, step: int) -> str:
    """The reference of a call whose adapter gave none."""
    return call or f"{turn}.{step}"


_DID = {Did.SHOWED: "s", Did.LISTED: "l", Did.ABSENT: "a", Did.CHANGED: "c", Did.DELETED: "d", Did.OPAQUE: "o"}
_OUTCOME = {
    Outcome.OK: "o",
    Outcome.FAILED: "f",
    Outcome.NO_OP: "n",
    Outcome.EMPTY: "e",
    Outcome.NOT_FOUND: "m",
    Outcome.PENDING: "p",
    Outcome.UNKNOWN: "u",
}
_RECEIPT = {Receipt.NONE: "", Receipt.CONTENT: "c", Receipt.STATE: "s", Receipt.RUN: "r", Receipt.NOD: "n"}
_STATE = {
    SignalState.PASSED: "",
    SignalState.FAILED: "f",
    SignalState.EMPTY: "e",
    SignalState.MASKED: "m",
    SignalState.UNCLEAR: "u",
}
_DID_OF = {letter: did for did, letter in _DID.items()}
_OUTCOME_OF = {letter: outcome for outcome, letter in _OUTCOME.items()}
_RECEIPT_OF = {letter: receipt for receipt, letter in _RECEIPT.items()}
_STATE_OF = {letter: state for state, letter in _STATE.items()}


def encode_fact(fact: Fact, intern: Intern = str) -> list[Json]:
    """A fact as a short JSON list. `intern` may replace strings that recur by numbers of a table.

    What has its usual value is cut from the end. 0 stands for a reference that is the call's own, and for a key that
    follows from the rest.
    """
    row: list[Json] = [
        fact.turn,
        fact.step,
        fact.call,
        intern(fact.tool),
        intern(fact.profile),
        _OUTCOME[fact.outcome],
        [_effect_row(effect, intern) for effect in fact.effects],
        fact.digest,
        fact.skeleton,
        fact.size,
        0 if fact.ref == default_ref(fact.turn, fact.call, fact.step) else fact.ref,
        intern(fact.agent) if fact.agent else "",
        [_signal_row(event, intern) for event in fact.signals],
        [intern(head) for head in fact.ran],
        fact.note,
        0 if fact.key == key_of(fact) else fact.key,
    ]
    return _cut(row, _FACT)


def _effect_row(effect: Effect, intern: Intern) -> list[Json]:
    domain = intern(effect.domain) if effect.domain != _FILES else ""
    row: list[Json] = [_DID[effect.did], intern(effect.target), domain, list(effect.lines or ())]
    return _cut([*row, _RECEIPT[effect.receipt], int(effect.bare)], _EFFECT)


def _signal_row(event: SignalEvent, intern: Intern) -> list[Json]:
    return _cut([intern(event.name), _STATE[event.state], event.scope, event.count, event.by], _SIGNAL)


_FILES = "files"
_FACT: tuple[Json, ...] = (None, None, None, None, None, None, [], "", "", 0, 0, "", [], [], "", 0)
_EFFECT: tuple[Json, ...] = (None, None, "", [], "", 0)
_SIGNAL: tuple[Json, ...] = (None, "", "", None, "")
"""The usual value of each cell; the cells that must be there have None, which none of them holds."""


def _cut(row: list[Json], usual: Sequence[Json]) -> list[Json]:
    """The row without the usual values at its end."""
    end = len(row)
    while end > 1 and row[end - 1] == usual[end - 1]:
        end -= 1
    return row[:end]


def _filled(row: Sequence[Json], usual: Sequence[Json]) -> Sequence[Json]:
    """The row with what was cut from its end; what must be there and is not shows as a None of the wrong type."""
    if len(row) > len(usual):
        raise StateError(f"expected at most {len(usual)} cells, got {len(row)}")
    return [*row, *usual[len(row) :]]


def decode_fact(data: Json, table: Sequence[str] = ()) -> Fact:
    """The fact that `encode_fact` wrote.

    Raises:
        StateError: the list does not have the shape of a fact.
    """
    try:
        return _decode(_filled(_list(data), _FACT), table)
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise StateError(f"not a fact: {error}") from None


def _decode(row: Sequence[Json], table: Sequence[str]) -> Fact:
    def word(value: Json) -> str:
        return table[_place(value)] if type(value) is int else _string(value)

    turn, step, call, tool, profile, outcome, effects, told, skeleton, size, ref, agent, signals, ran, note, key = row
    turn, step, call, told, note = _integer(turn), _integer(step), _string(call), _string(told), _string(note)
    ended = _OUTCOME_OF[_string(outcome)]
    return Fact(
        key=call_key(turn, call, step, told, ended, note) if _is_zero(key) else _string(key),
        turn=turn,
        step=step,
        call=call,
        agent=word(agent),
        tool=word(tool),
        profile=word(profile),
        outcome=ended,
        effects=tuple(_effect(item, word) for item in _rows(effects)),
        signals=tuple(_signal(item, word) for item in _rows(signals)),
        digest=told,
        skeleton=_string(skeleton),
        size=_integer(size),
        ran=tuple(word(item) for item in _list(ran)),
        ref=default_ref(turn, call, step) if _is_zero(ref) else _string(ref),
        note=note,
    )


def _effect(row: Sequence[Json], word: _Word) -> Effect:
    did, target, domain, lines, receipt, bare = _filled(row, _EFFECT)
    span = [_integer(item) for item in _list(lines)]
    return Effect(
        did=_DID_OF[_string(did)],
        target=word(target),
        domain=word(domain) or _FILES,
        lines=_pair(span) if span else None,
        receipt=_RECEIPT_OF[_string(receipt)],
        bare=_integer(bare) == 1,
    )


def _signal(row: Sequence[Json], word: _Word) -> SignalEvent:
    name, state, scope, count, by = _filled(row, _SIGNAL)
    return SignalEvent(
        name=word(name),
        state=_STATE_OF[_string(state)],
        scope=_string(scope),
        count=None if count is None else _integer(count),
        by=_string(by),
    )


def _is_zero(value: Json) -> bool:
    return type(value) is int and value == 0


def can_be_stored(fact: Fact) -> bool:
    """True when a fact comes back from `encode_fact` the same: nothing in it is of another type than it says.

    What a call names comes from our own code; what hosts declare does not.
    """
    if type(fact.turn) is not int or type(fact.step) is not int:
        return False
    for effect in fact.effects:
        if not effect.domain:
            return False
    return not fact.signals or all(map(_is_event, fact.signals))


def _is_event(event: SignalEvent) -> bool:
    counted = event.count is None or type(event.count) is int
    words = {type(event.name), type(event.scope), type(event.by)}
    return counted and words == {str} and event.state in _STATE


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
