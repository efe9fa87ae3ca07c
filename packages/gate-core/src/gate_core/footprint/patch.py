"""The files a patch of several operations touches: a list of operations, or a text with `*** Update File:` headers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from gate_core.model.json import Json
from gate_core.model.late import late

_HEADER = late(r"^\*\*\* (?:(?P<verb>Add|Update|Delete) File|Move to): (?P<path>.{1,4000}?)\s*$", re.MULTILINE)
_MOST = 200  # operations of one patch


@dataclass(frozen=True, slots=True)
class Operation:
    """What a patch does to one file. `moved_to` is its new name, "" when it keeps it; `diff` the marked lines."""

    path: str
    deletes: bool = False
    moved_to: str = ""
    diff: str = field(default="", compare=False)


def operations(value: Json) -> tuple[Operation, ...]:
    """The operations an argument holds, in order; empty when it holds none."""
    if isinstance(value, str):
        parsed = _json(value)
        return operations(parsed) if parsed is not None else tuple(_of_text(value))
    rows = [value] if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else []
    return tuple(found for row in rows[:_MOST] if isinstance(row, Mapping) for found in _of_row(row))


def _json(text: str) -> Json:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _of_row(row: Mapping[str, Json]) -> Iterator[Operation]:
    inner = row.get("operations", row.get("operation"))
    path, moved = row.get("path"), row.get("move_to")
    if isinstance(path, str) and path.strip():
        diff = row.get("diff")
        yield Operation(
            path,
            row.get("type") == "delete_file",
            moved if isinstance(moved, str) else "",
            diff if isinstance(diff, str) else "",
        )
    elif isinstance(inner, Mapping | list | tuple):
        yield from operations(inner)


def _of_text(text: str) -> Iterator[Operation]:
    held: Operation | None = None
    headers = list(islice(_HEADER.finditer(text), _MOST))
    ends = [*(found.start() for found in headers[1:]), len(text)]
    for found, end in zip(headers, ends, strict=False):
        diff = text[found.end() : end].strip("\r\n")
        if found["verb"] is None:
            held = Operation(held.path, moved_to=found["path"], diff=diff) if held is not None else None
            continue
        if held is not None:
            yield held
        held = Operation(found["path"], found["verb"] == "Delete", diff=diff)
    if held is not None:
        yield held
