"""The state of a conversation: a set of facts and a few counters, plain JSON at rest (spec 00).

Views (debts, signals, budget) are never stored: they are folded from the facts when asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from gate_core.model.errors import StateError
from gate_core.model.fact import Fact, decode_fact, encode_fact
from gate_core.model.grants import Grants
from gate_core.model.json import Json
from gate_core.model.kinds import Exit
from gate_core.model.rows import fact_of, has_call, row_of

SCHEMA = "gate-state/1"


class Asks(StrEnum):
    """What a message asks for. EXPLAIN asks how things are in general; UNKNOWN is a message that does not say."""

    CHANGE = "change"
    LOOK = "look"
    EXPLAIN = "explain"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message of the user or the system. `subjects` are the things it names, `asks` is what it asks for, `values`
    are the figures it gives ("?" before a guess) and `told` the runs and events it tells of ("?" before one it only
    names), all distilled when it arrived."""

    digest: str
    role: str
    turn: int
    subjects: tuple[str, ...] = ()
    asks: Asks = Asks.UNKNOWN
    values: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One verdict of a turn that the retry rule counts: when, for which (code, subject) pairs (none for an accept),
    and how much had been seen by then.

    `seen` counts distinct result digests, ok changes and passed signals; more of them later is progress.
    `feedback` is the digest of what was sent back, so that our own words are recognised when they return. `number`
    counts the tries of the turn from 0: the order they were made in, which nothing else tells within one step. `looks`
    counts the looks that had earned something by then: one more of them ends the halt.
    """

    turn: int
    step: int
    pairs: frozenset[tuple[str, str]]
    seen: int
    feedback: str = ""
    number: int = 0
    looks: int = 0


@dataclass(slots=True, kw_only=True)
class GateState:
    """Everything a verdict depends on besides the configuration. `config` is the digest pinned at the first turn;
    `exits` counts how answers went out (a count that two ledgers know differently is the higher one);
    `lost` says that something of this turn could not be recorded, `tampered` that the gate's own files were touched in
    it; `grants` is what user and host gave (spec 40);
    `past`, `vault` are reserved words of the format."""

    turn: int = 0
    config: str = ""
    facts: dict[str, Fact] = field(default_factory=dict)
    said: tuple[Said, ...] = ()
    tries: tuple[Try, ...] = ()
    exits: dict[Exit, int] = field(default_factory=dict)
    exited_unverified: bool = False
    lost: bool = False
    tampered: bool = False
    grants: Grants = field(default_factory=Grants)

    def add(self, fact: Fact) -> None:
        """Record a fact; the same key twice is one fact (spec 00, invariant 5)."""
        self.facts.setdefault(fact.key, fact)

    def merge(self, other: GateState) -> GateState:
        """The union of two ledgers: commutative and idempotent (spec 00, invariant 6)."""
        turn = max(self.turn, other.turn)
        return GateState(
            turn=turn,
            config=max((self.turn, self.config), (other.turn, other.config))[1],
            facts=_union(self.facts, other.facts),
            said=tuple(
                sorted(
                    {*self.said, *other.said},
                    key=lambda s: (s.turn, s.digest, s.role, s.subjects, s.asks, s.values, s.told),
                )
            ),
            tries=tuple(
                sorted(
                    {*self.tries, *other.tries},
                    key=lambda t: (t.turn, t.number, t.step, t.seen, t.looks, t.feedback, sorted(t.pairs)),
                )
            ),
            exits={e: n for e in Exit if (n := max(self.exits.get(e, 0), other.exits.get(e, 0)))},
            exited_unverified=any(s.exited_unverified for s in (self, other) if s.turn == turn),
            lost=any(s.lost for s in (self, other) if s.turn == turn),
            tampered=any(s.tampered for s in (self, other) if s.turn == turn),
            grants=self.grants.merge(other.grants),
        )

    def to_json(self) -> dict[str, Json]:
        """The state as JSON; strings that recur stand once, in a table."""
        table: dict[str, int] = {}

        def intern(text: str) -> int:
            return table.setdefault(text, len(table))

        ordered = sorted(self.facts.values(), key=lambda fact: (fact.turn, fact.step, fact.key))
        facts: list[Json] = [encode_fact(fact, intern) for fact in ordered]
        said: list[Json] = [
            [
                s.digest,
                s.role,
                s.turn,
                list(s.subjects),
                s.asks.value,
                list(s.values),
                *([list(s.told)] if s.told else []),
            ]
            for s in self.said
        ]
        tries: list[Json] = [
            [t.turn, t.step, [list(p) for p in sorted(t.pairs)], t.seen, t.feedback, t.number, t.looks]
            for t in self.tries
        ]
        return {
            "schema": SCHEMA,
            "turn": self.turn,
            "config": self.config,
            "strings": list(table),
            "facts": facts,
            "said": said,
            "tries": tries,
            "exits": {e.value: n for e, n in sorted(self.exits.items())},
            "exited_unverified": self.exited_unverified,
            "lost": self.lost,
            "tampered": self.tampered,
            "past": {},
            "vault": {},
            "grants": self.grants.to_json(),
        }

    def split(self) -> tuple[dict[str, Json], dict[str, Json]]:
        """The state as (facts by key, everything else), for hosts that merge facts with a union reducer."""
        return self.rows(self.facts.values()), self.rest()

    @staticmethod
    def rows(facts: Iterable[Fact]) -> dict[str, Json]:
        """Facts by key, as `split` gives them."""
        return {fact.key: row_of(fact) for fact in facts}

    def rest(self) -> dict[str, Json]:
        """Everything but the facts, as `split` gives it."""
        return replace(self, facts={}).to_json()

    @staticmethod
    def has_call(facts: Mapping[str, Json], call: str) -> bool:
        """True when one of the facts that `split` gave is of a call of this id."""
        return has_call(facts, call)

    @staticmethod
    def turn_of(rest: Mapping[str, Json]) -> int:
        """The number of the turn in what `split` gave beside the facts, without reading the rest of it; 0 when it is no
        state of this schema."""
        turn = rest.get("turn")
        return turn if rest.get("schema") == SCHEMA and type(turn) is int else 0

    @classmethod
    def join(cls, facts: Mapping[str, Json], rest: Mapping[str, Json]) -> GateState:
        """The state that `split` took apart; an empty `rest` is a conversation that has not begun.

        Raises:
            StateError: a shape that is not a state.
        """
        state = cls.from_json(rest) if rest else cls()
        found = [fact_of(row) for row in _object(facts).values()]
        state.facts = {fact.key: fact for fact in found}
        return state

    @classmethod
    def from_json(cls, data: Mapping[str, Json]) -> GateState:
        """The state that `to_json` wrote.

        Raises:
            StateError: another schema, or a shape that is not a state.
        """
        if _object(data).get("schema") != SCHEMA:
            raise StateError(f"expected schema {SCHEMA!r}, got {data.get('schema')!r:.60}")
        table = [str(item) for item in _rows(data, "strings")]
        facts = [decode_fact(row, table) for row in _rows(data, "facts")]
        try:
            return cls(
                turn=int(str(data["turn"])),
                config=str(data["config"]),
                facts={fact.key: fact for fact in facts},
                said=tuple(_said(row) for row in _rows(data, "said")),
                tries=tuple(_try(row) for row in _rows(data, "tries")),
                exits={Exit(name): int(str(n)) for name, n in _object(data.get("exits", {})).items()},
                exited_unverified=bool(data.get("exited_unverified")),
                lost=bool(data.get("lost")),
                tampered=bool(data.get("tampered")),
                grants=Grants.from_json(data.get("grants", [])),
            )
        except (TypeError, ValueError, KeyError, IndexError) as error:
            raise StateError(f"not a gate state: {error}") from None


def _union(one: Mapping[str, Fact], other: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts by key; where two copies of one call differ (seen in other steps), the same one wins on both sides."""
    both = {key: min(one[key], other[key], key=lambda f: repr(encode_fact(f))) for key in one.keys() & other.keys()}
    return dict(sorted({**one, **other, **both}.items()))


def _object(data: object) -> Mapping[str, Json]:
    if not isinstance(data, Mapping):
        raise StateError(f"expected an object, got a {type(data).__name__}")
    return data


def _rows(data: Mapping[str, Json], key: str) -> Sequence[Json]:
    return _cells(data.get(key), f"{key}: ")


def _cells(row: Json, where: str = "") -> Sequence[Json]:
    if isinstance(row, str | Mapping) or not isinstance(row, Sequence):
        raise StateError(f"{where}expected a list, got a {type(row).__name__}")
    return row


def _said(row: Json) -> Said:
    digest, role, turn, subjects, asks, *rest = _cells(row)
    values, told = (*rest, [], [])[:2]
    return Said(
        digest=str(digest),
        role=str(role),
        turn=int(str(turn)),
        subjects=tuple(str(item) for item in _cells(subjects)),
        asks=Asks(str(asks)),
        values=tuple(str(item) for item in _cells(values)),
        told=tuple(str(item) for item in _cells(told)),
    )


def _try(row: Json) -> Try:
    turn, step, pairs, seen, feedback, number, looks = _cells(row)
    return Try(
        turn=int(str(turn)),
        step=int(str(step)),
        pairs=frozenset((str(_cells(p)[0]), str(_cells(p)[1])) for p in _cells(pairs)),
        seen=int(str(seen)),
        feedback=str(feedback),
        number=int(str(number)),
        looks=int(str(looks)),
    )
