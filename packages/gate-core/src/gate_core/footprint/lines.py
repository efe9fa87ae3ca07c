"""Which lines of a file a call changed or showed, where the tool says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate_core.model.call import ToolCall
from gate_core.model.fact import Lines
from gate_core.model.json import Json, text_of
from gate_core.model.profile import ToolProfile


def changed_lines(call: ToolCall) -> tuple[Lines, ...]:
    """First to last line of the new text of each hunk of `side.structuredPatch`; empty when the tool does not say.

    Many hunks are taken as one place from the first to the last.
    """
    hunks = call.side.get("structuredPatch")
    if isinstance(hunks, str | Mapping) or not isinstance(hunks, Sequence):
        return ()
    spans = [span for hunk in hunks if isinstance(hunk, Mapping) and (span := _hunk(hunk))]
    if len(spans) > _MOST_HUNKS:
        return ((min(s[0] for s in spans), max(s[1] for s in spans)),)
    return tuple(spans)


def _hunk(hunk: Mapping[str, Json]) -> Lines | None:
    start, count, lines = (hunk.get(key) for key in ("newStart", "newLines", "lines"))
    if not isinstance(start, int) or not isinstance(count, int):
        return None
    exact = _marked(start, lines) if isinstance(lines, list | tuple) else None
    return exact or (start, start + max(count, 1) - 1)


def _marked(start: int, lines: Sequence[Json]) -> Lines | None:
    """First to last changed line of a hunk whose lines are marked "+", "-" or " ": the rest of it is context."""
    number, touched = start, []
    for line in lines:
        mark = str(line)[:1]
        if mark in ("+", "-"):
            touched.append(max(number, 1))
        if mark not in ("-", "\\"):
            number += 1
    return (touched[0], touched[-1]) if touched else None


def shown_lines(profile: ToolProfile, call: ToolCall) -> Lines | None:
    """The window a reader showed: out of `side.file`, else out of the arguments; None for the whole file."""
    window = call.side.get("file") if call.side else None
    if window is not None and isinstance(window, Mapping):
        first, count, total = (window.get(key) for key in ("startLine", "numLines", "totalLines"))
        if isinstance(first, int) and isinstance(count, int):
            whole = first <= 1 and isinstance(total, int) and count >= total
            return None if whole else (first, first + count - 1)
    start, limit = call.args.get(profile.first_line), call.args.get(profile.line_count)
    if not isinstance(start, int) and not isinstance(limit, int):
        return None
    first = start - profile.line_base + 1 if isinstance(start, int) else 1
    if first <= 1 and (not isinstance(limit, int) or _line_count(call) < limit):
        return None
    return (first, first + limit - 1 if isinstance(limit, int) else _TO_THE_END)


def _line_count(call: ToolCall) -> int:
    """The lines of the result; fewer than were asked for means that the file ended."""
    return len(text_of(call.result).splitlines())


_TO_THE_END = 10**9
_MOST_HUNKS = 16


def reported_empty(call: ToolCall) -> bool:
    """True when the reader says the file has no lines: an empty file was read, not nothing."""
    window = call.side.get("file")
    return isinstance(window, Mapping) and window.get("totalLines") == 0
