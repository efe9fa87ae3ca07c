"""What only the user and host code give: intents, statements, confirmations, evidence. Kept with the state, as JSON.

All of it is small and bounded and made when it arrives: merging two is set union (spec 00, invariant 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import TypeVar

from gate_core.model.errors import StateError
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json, canonical

MOST_INTENTS = 200
MOST_STATED = 400
MOST_DONE = 400
"""What is kept of a conversation; the oldest go first."""


class Mood(StrEnum):
    """What a message does with an action: asks for it, forbids it, or (an agent) offers it, or leaves to be chosen what
    it is done to."""

    ASKED = "asked"
    FORBIDDEN = "forbidden"
    OFFERED = "offered"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """One action in one message. `family` "" is any action; `objects` are the words it is about, folded; `every` says
    that all of a kind are meant, `limit` that no figure may be above it ("at most 200 euros")."""

    mood: Mood
    family: str
    objects: tuple[str, ...] = ()
    every: bool = False
    turn: int = 0
    limit: float | None = None


class About(StrEnum):
    """Whom a clause is about."""

    SELF = "self"
    OTHER = "other"
    OPEN = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One clause of a message, folded. `question` is also a supposition: what it holds is not said to be so."""

    turn: int
    text: str
    about: About = About.OPEN
    negated: bool = False
    question: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """The user approved exactly this call, once. `number` tells several of one turn apart; `spent` when it was used."""

    key: str
    turn: int
    number: int = 0
    expires_at: float | None = None
    spent: bool = False

    def holds(self, turn: int, now: float | None) -> bool:
        """True in its turn and the next one, until it is spent or has expired; without a clock, what expires has."""
        if self.spent or not self.turn <= turn <= self.turn + 1:
            return False
        return self.expires_at is None or (now is not None and now < self.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """An action that was admitted: what a later one may contradict."""

    turn: int
    key: str
    family: str
    objects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """All that was given in a conversation, each in the order it came."""

    intents: tuple[Intent, ...] = ()
    stated: tuple[Stated, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    done: tuple[Done, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, spec.name) for spec in fields(self))

    def heard(self, intents: Iterable[Intent] = (), stated: Iterable[Stated] = ()) -> Grants:
        """With what a message or an answer brought. What an answer offered before is over with it."""
        kept = (intent for intent in self.intents if intent.mood not in (Mood.OFFERED, Mood.CHOICE))
        return replace(
            self,
            intents=(*kept, *intents)[-MOST_INTENTS:],
            stated=(*self.stated, *stated)[-MOST_STATED:],
        )

    def confirmed(self, key: str, turn: int, expires_at: float | None) -> Grants:
        """With a confirmation of a call."""
        made = Confirmation(key=key, turn=turn, number=len(self.confirmations), expires_at=expires_at)
        return replace(self, confirmations=(*self.confirmations, made))

    def spent(self, key: str, turn: int, now: float | None) -> Grants:
        """With one confirmation of a call used up."""
        for at, item in enumerate(self.confirmations):
            if item.key == key and item.holds(turn, now):
                used = (*self.confirmations[:at], replace(item, spent=True), *self.confirmations[at + 1 :])
                return replace(self, confirmations=used)
        return self

    def acted(self, done: Iterable[Done]) -> Grants:
        """With actions that were admitted."""
        return replace(self, done=(*self.done, *done)[-MOST_DONE:])

    def merge(self, other: Grants) -> Grants:
        """The union. A confirmation that one side has spent is spent."""
        spent = {_same(item) for side in (self, other) for item in side.confirmations if item.spent}
        both = [
            replace(item, spent=True) if _same(item) in spent else item
            for side in (self, other)
            for item in side.confirmations
        ]
        return Grants(
            intents=_union(self.intents, other.intents),
            stated=_union(self.stated, other.stated),
            confirmations=_union(both, ()),
            done=_union(self.done, other.done),
            evidence=_by_id((*self.evidence, *other.evidence)),
        )

    def to_json(self) -> list[Json]:
        """As short JSON rows; [] when nothing was given."""
        if not self:
            return []
        return [
            [_intent_row(i) for i in self.intents],
            [[s.turn, s.text, s.about.value, int(s.negated), int(s.question)] for s in self.stated],
            [[c.key, c.turn, c.number, c.expires_at, int(c.spent)] for c in self.confirmations],
            [[d.turn, d.key, d.family, list(d.objects)] for d in self.done],
            [
                [e.id, e.source_type, e.source_id, dict(e.attributes), e.observed_at, e.content_hash]
                for e in self.evidence
            ],
        ]

    @classmethod
    def from_json(cls, data: Json) -> Grants:
        """The grants that `to_json` wrote.

        Raises:
            StateError: a shape that is none.
        """
        rows = _list(data)
        if not rows:
            return cls()
        try:
            intents, stated, confirmations, done, evidence = rows
            return cls(
                intents=_read(intents, _intent),
                stated=_read(stated, _statement),
                confirmations=_read(confirmations, _confirmation),
                done=_read(done, _done),
                evidence=_read(evidence, _evidence),
            )
        except (TypeError, ValueError) as error:
            raise StateError(f"not the grants of a state: {error}") from None


T = TypeVar("T")


def _union(one: Iterable[T], two: Iterable[T]) -> tuple[T, ...]:
    """Both, each once, by turn and then by their text: the same whichever side comes first."""
    found = {repr(item): item for item in (*one, *two)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (getattr(found[key], "turn", 0), key)))


def _by_id(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    found: dict[str, Evidence] = {}
    for piece in sorted(evidence, key=lambda e: (e.id, canonical(dict(e.attributes)), e.source_type)):
        found.setdefault(piece.id, piece)
    return tuple(found.values())


def _same(item: Confirmation) -> tuple[str, int, int]:
    return (item.key, item.turn, item.number)


def _list(value: Json) -> Sequence[Json]:
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
        raise StateError(f"expected a list, got a {type(value).__name__}")
    return value


def _read(rows: Json, make: Callable[[Sequence[Json]], T]) -> tuple[T, ...]:
    return tuple(make(_list(row)) for row in _list(rows))


def _words(value: Json) -> tuple[str, ...]:
    return tuple(str(item) for item in _list(value))


def _number(value: Json) -> int:
    return int(str(value))


def _intent_row(intent: Intent) -> list[Json]:
    row: list[Json] = [intent.mood.value, intent.family, list(intent.objects), int(intent.every), intent.turn]
    return row if intent.limit is None else [*row, intent.limit]


def _intent(row: Sequence[Json]) -> Intent:
    mood, family, objects, every, turn, *limit = row
    return Intent(
        mood=Mood(str(mood)),
        family=str(family),
        objects=_words(objects),
        every=every == 1,
        turn=_number(turn),
        limit=float(str(limit[0])) if limit else None,
    )


def _statement(row: Sequence[Json]) -> Stated:
    turn, text, about, negated, question = row
    return Stated(
        turn=_number(turn), text=str(text), about=About(str(about)), negated=negated == 1, question=question == 1
    )


def _confirmation(row: Sequence[Json]) -> Confirmation:
    key, turn, number, expires_at, spent = row
    ends = None if expires_at is None else float(str(expires_at))
    return Confirmation(key=str(key), turn=_number(turn), number=_number(number), expires_at=ends, spent=spent == 1)


def _done(row: Sequence[Json]) -> Done:
    turn, key, family, objects = row
    return Done(turn=_number(turn), key=str(key), family=str(family), objects=_words(objects))


def _evidence(row: Sequence[Json]) -> Evidence:
    ident, source_type, source_id, attributes, observed_at, content_hash = row
    if not isinstance(attributes, Mapping):
        raise StateError(f"expected an object, got a {type(attributes).__name__}")
    return Evidence(
        id=str(ident),
        source_type=str(source_type),
        source_id=str(source_id),
        attributes=attributes,
        observed_at=str(observed_at),
        content_hash=str(content_hash),
    )
