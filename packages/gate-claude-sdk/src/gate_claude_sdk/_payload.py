"""Reads values out of untyped JSON without ever failing: what is missing or of another type comes as empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate_core import Json, JsonObject


def as_object(value: object) -> JsonObject:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Json]:
    """The value if it is a JSON array, else an empty one."""
    return value if isinstance(value, list | tuple) else ()


def as_text(value: object) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int | None:
    """The value if it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
