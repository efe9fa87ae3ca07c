"""The numbers a derivation may use, and what names them (spec 30, "Derivations")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from gate_core.model.late import late
from gate_core.values.index import Index
from gate_core.values.lexicon import table
from gate_core.values.lookup import unit_around
from gate_core.values.normal import folded
from gate_core.values.value import Kind, Value

_WORD = late(r"[^\W\d_]+|\d+")
_IDS = frozenset(
    {
        "id",
        "ids",
        "uuid",
        "key",
        "index",
        "idx",
        "code",
        "zip",
        "phone",
        "port",
        "version",
        "sku",
        "no",
        "number",
        "line",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """A number with its unit; `name` is how a formula shows it, `place` where it stands: two of one place are one."""

    size: Fraction
    unit: str
    name: str
    place: object = None


@lru_cache(2048)
def stems(text: str) -> frozenset[str]:
    """The words of a text without endings that only count or bend them."""
    return frozenset(_stem(word) for word in _WORD.findall(folded(_spaced(text))))


_CAMEL = late(r"(?<=[a-z0-9])(?=[A-Z])")


def _spaced(key: str) -> str:
    return _CAMEL.sub(" ", key.replace("_", " ").replace("-", " "))


def _stem(word: str) -> str:
    for ending in ("ies", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word[:-1] if len(word) > 4 and word[-1] in "ey" else word


@lru_cache(2048)
def _key_stems(key: str) -> frozenset[str]:
    return stems(key)


def names_column(words: frozenset[str], key: str) -> bool:
    """True when a sentence names a key or head: all of its words, units left out."""
    wanted = _key_stems(key) - _unit_stems()
    return bool(wanted) and wanted <= words


@lru_cache(1)
def _unit_stems() -> frozenset[str]:
    rows = table("units")["units"]
    return frozenset(
        {_stem(folded(w)) for row in rows for w in row["words"] if w.isalpha()} | {"usd", "eur", "gbp", "pct", "inr"}
    )


@lru_cache(2048)
def is_id_column(key: str) -> bool:
    """True for columns of names rather than quantities."""
    return bool(frozenset(_WORD.findall(folded(_spaced(key)))) & _IDS)


def numeric_fields(index: Index, record: int) -> tuple[tuple[int, Operand], ...]:
    """(field, operand) of every quantity of a record: fields that are one number, ids left out."""
    known = index.quantities.get(record)
    if known is None:
        known = index.quantities[record] = tuple(_numeric_fields(index, record))
    return known


def _numeric_fields(index: Index, record: int) -> Iterator[tuple[int, Operand]]:
    document = index.document
    for field in index.fields_of.get(record, ()):
        key = document.keys[field]
        if key and not document.is_key(field) and not is_id_column(key):
            found = operand_of(index, field)
            if found is not None:
                yield field, found


def operand_of(index: Index, field: int) -> Operand | None:
    """A field as an operand, None when it is not one number."""
    text = index.document.texts[field]
    if len(text) > 60 or not any(sign.isdigit() for sign in text):
        return None
    numbers = [v for v in index.scan(field) if v.kind is Kind.NUMBER and v.numbers]
    if not numbers or any(v.kind is not Kind.NUMBER for v in index.scan(field)):
        return None
    first = numbers[0]
    if len(text.strip()) > len(first.text) + 8:
        return None
    return made(first, first.unit or unit_around(index, field, first), index.document.keys[field] or "line", (field,))


def made(value: Value, unit: str, name: str, place: object) -> Operand:
    """A number as an operand, with the sign it is written with."""
    number = value.numbers[0]
    size = -number.exact if value.sign < 0 else number.exact
    return Operand(size=size, unit=unit, name=f"{name} {value.text}" if name != value.text else name, place=place)


def said_operand(value: Value, place: object) -> Operand | None:
    """A number that stands in the answer, as an operand."""
    return made(value, value.unit, "", place) if value.numbers and not value.ordinal else None
