"""What is proposed and what it is judged by: units, proposals, evidence (spec 40, "Evidence", "Typed units").

A unit is a frozen object or a mapping with an `id`; what it rests on it names in `cites`. The pool holds what the
ledger observed and what host code added, never anything of the proposer's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from json import JSONEncoder
from operator import attrgetter
from typing import Generic, TypeGuard, TypeVar

from gate_core.model.errors import GateUsageError
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json, JsonObject, canonical, digest

U = TypeVar("U")
"""The type of a unit. Classes generic in it have no slots: Python 3.11 cannot build `Policy[X](...)` of such a class
that is frozen."""


class Kind(StrEnum):
    """What a proposal is for."""

    RESPONSE = "response"
    MUTATION = "mutation"
    PLAN = "plan"
    CLASSIFICATION = "classification"


class SourceType(StrEnum):
    """The types of evidence the core itself gives out. Hosts may add others ("document", "permission")."""

    TOOL_OUTPUT = "tool_output"
    USER_STATEMENT = "user_statement"
    EXPLICIT_REQUEST = "explicit_request"


class Pool:
    """The evidence of one admission, by id and by type; every question costs the same however much there is.

    Raises:
        GateUsageError: two different pieces under one id.
    """

    __slots__ = ("_by_id", "_by_type", "_having")

    def __init__(self, evidence: Iterable[Evidence] = ()) -> None:
        pieces = evidence if type(evidence) is list or type(evidence) is tuple else tuple(evidence)
        self._by_id = {piece.id: piece for piece in pieces}
        self._by_type: dict[str, list[Evidence]] = {}
        self._having: dict[str, dict[str, list[Evidence]]] = {}
        if len(self._by_id) < len(pieces):
            wrong = next((piece.id for piece in pieces if self._by_id[piece.id] != piece), None)
            if wrong is not None:
                raise GateUsageError(f"two different pieces of evidence have the id {wrong!r}")

    def get(self, ident: str) -> Evidence | None:
        """The piece of an id, or None."""
        return self._by_id.get(ident)

    def all_of(self, idents: Iterable[str]) -> tuple[Evidence, ...] | None:
        """The pieces of these ids, in order; None when one is not there."""
        try:
            return tuple([self._by_id[ident] for ident in idents])
        except (KeyError, TypeError):
            return None

    def of_type(self, *types: str) -> tuple[Evidence, ...]:
        """The pieces of these types, in the order they came in within each type."""
        if not self._by_type:  # one pass over the pool, at the first question
            for piece in self:
                self._by_type.setdefault(piece.source_type, []).append(piece)
        return tuple(piece for kind in types for piece in self._by_type.get(kind, ()))

    def having(self, name: str, value: Json) -> tuple[Evidence, ...]:
        """The pieces with this value under this attribute."""
        index = self._having.get(name)
        if index is None:  # one pass over the pool for a name, at the first question about it
            index = self._having[name] = {}
            for piece in self:
                if name in piece.attributes:
                    index.setdefault(canonical(piece.says(name)), []).append(piece)
        return tuple(index.get(canonical(value), ()))

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimUnit:
    """One statement of an answer. `attributes` are what it says in particular, each of which evidence must carry."""

    id: str
    text: str
    grade: str = ""
    cites: tuple[str, ...] = ()
    attributes: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionUnit:
    """One action of a plan, before it runs. What it says of its own risk is no source: profiles say that."""

    id: str
    tool: str
    args: JsonObject = field(default_factory=dict)
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StateWrite:
    """One thing to be remembered: `key` of `subject` is `value`. `id` defaults to "subject.key"."""

    subject: str
    key: str
    value: Json = None
    grade: str = ""
    id: str = ""
    cites: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", f"{self.subject}.{self.key}")


@dataclass(frozen=True, kw_only=True)
class Proposal(Generic[U]):
    """What a model wants admitted, in one piece. `kind` is one of `Kind`; another word is a structure error."""

    id: str
    units: tuple[U, ...]
    kind: str = Kind.RESPONSE
    metadata: JsonObject = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(self.units))


_TEXTS, _TUPLES, _EMPTY = {str}, {tuple}, {dict, tuple}
_HEAD = attrgetter("id", "grade", "cites")
_MAPPING: dict[type, bool] = {}  # a cache: asking for an abstract class costs more than all else
_GETTERS: dict[type, Callable[[object], object] | None] = {}  # a cache: class -> all its fields, None for no dataclass


def _is_mapping(unit: object) -> TypeGuard[Mapping[str, object]]:
    kind = type(unit)
    known = _MAPPING.get(kind)
    if known is None:
        known = _MAPPING[kind] = issubclass(kind, Mapping)
    return known


def field_of(unit: object, name: str, default: object = None) -> object:
    """A field of a unit, whatever the unit is made of."""
    return unit.get(name, default) if _is_mapping(unit) else getattr(unit, name, default)


def text_field(unit: object, name: str) -> str:
    """A field that holds text; "" where it holds something else."""
    value = field_of(unit, name, "")
    return value if isinstance(value, str) else ""


def cited(unit: object) -> tuple[str, ...]:
    """The ids of evidence a unit rests on, by its own word."""
    given = field_of(unit, "cites", ())
    if type(given) is tuple:
        return given
    if isinstance(given, str):
        return (given,)
    return tuple(given) if isinstance(given, Sequence) else ()


def plain(unit: object) -> object:
    """All a unit says, as JSON would hold it: what the content hash covers."""
    if _is_mapping(unit):
        return dict(unit)
    getter = _getter_of(type(unit))
    if getter is not None:
        return getter(unit)
    return vars(unit) if hasattr(unit, "__dict__") else repr(unit)


def _getter_of(kind: type) -> Callable[[object], object] | None:
    if kind not in _GETTERS:
        _GETTERS[kind] = _getter(kind)
    return _GETTERS[kind]


def _getter(kind: type) -> Callable[[object], object] | None:
    names = sorted(spec.name for spec in fields(kind)) if is_dataclass(kind) and not issubclass(kind, Mapping) else []
    return attrgetter(*names) if names else None


def content_hash(unit: object) -> str:
    """The digest of everything a unit says."""
    return digest(_encoded(unit))


def hash_of_all(units: Sequence[object]) -> str:
    """The digest of many units in their order, in one go."""
    return digest(encoded_all(units))


def encoded_all(units: Sequence[object]) -> str:
    """Everything that many units say, in their order: what `hash_of_all` digests."""
    kinds = {*map(type, units)}
    if len(kinds) == 1:
        getter = _getter_of(kinds.pop())
        if getter is not None:  # all of one dataclass: nothing has to be asked of each
            rows = [*map(getter, units)]
            return repr(rows) if len(rows) == 1 and _is_simple(rows[0]) else _encoded(rows)
    return _encoded(units)


def _is_simple(row: object) -> bool:
    """True for nothing but texts, tuples of texts and empty mappings, which Python spells one way only. A JSON encoder
    takes longer to be set up than a single unit to be written."""
    if type(row) is not tuple:
        return False
    for value in row:
        kind = type(value)
        if kind is not str and (value or kind not in _EMPTY) and (kind is not tuple or {*map(type, value)} != _TEXTS):
            return False
    return True


def heads_of(units: Sequence[object]) -> tuple[Sequence[str], Sequence[str], Sequence[Sequence[str]]]:
    """(ids, grades, citations) of many units, as `text_field` and `cited` give them."""
    try:
        if len(units) == 1:
            ident, grade, cited_ids = _HEAD(units[0])
            if type(ident) is str and type(grade) is str and type(cited_ids) is tuple:
                return (ident,), (grade,), (cited_ids,)
        idents, grades, cites = zip(*map(_HEAD, units))  # noqa: B905 - rows of one getter are of one length
    except (AttributeError, ValueError):
        return _asked_one_by_one(units)
    whole = {*map(type, idents)} == {*map(type, grades)} == _TEXTS and {*map(type, cites)} == _TUPLES
    return (idents, grades, cites) if whole else _asked_one_by_one(units)


def _asked_one_by_one(units: Sequence[object]) -> tuple[list[str], list[str], list[tuple[str, ...]]]:
    return [text_field(u, "id") for u in units], [text_field(u, "grade") for u in units], [cited(u) for u in units]


def _encoded(value: object) -> str:
    return _ENCODER.encode(value)


def _plain_part(value: object) -> object:
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, bytes):
        return digest(value)
    return plain(value)


_ENCODER = JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_plain_part)
