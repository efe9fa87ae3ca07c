"""Which lines of a file a call changed or showed, where the tool says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate_core.model.call import ToolCall
from gate_core.model.fact import Lines
from gate_core.model.json import Json
from gate_core.model.profile import ToolProfile


def changed_lines(call: ToolCall) -> Lines | None:
    """First to last line of the new text, out of `side.structuredPatch`; None when the tool does not say."""
    hunks = call.side.get("structuredPatch")
    if isinstance(hunks, str | Mapping) or not isinstance(hunks, Sequence):
        return None
    spans = [span for hunk in hunks if isinstance(hunk, Mapping) and (span := _hunk(hunk))]
    return (min(s[0] for s in spans), max(s[1] for s in spans)) if spans else None


def _hunk(hunk: Mapping[str, Json]) -> Lines | None:
    start, count = hunk.get("newStart"), hunk.get("newLines")
    if isinstance(start, int) and isinstance(count, int):
        return (start, start + max(count, 1) - 1)
    return None


def shown_lines(profile: ToolProfile, call: ToolCall) -> Lines | None:
    """The window a reader showed: out of `side.file`, else out of the arguments; None for the whole file."""
    window = call.side.get("file")
    if isinstance(window, Mapping):
        first, count, total = (window.get(key) for key in ("startLine", "numLines", "totalLines"))
        if isinstance(first, int) and isinstance(count, int):
            whole = first <= 1 and isinstance(total, int) and count >= total
            return None if whole else (first, first + count - 1)
    start, limit = call.args.get(profile.first_line), call.args.get(profile.line_count)
    if not isinstance(start, int) and not isinstance(limit, int):
        return None
    first = start - profile.line_base + 1 if isinstance(start, int) else 1
    return (first, first + limit - 1 if isinstance(limit, int) else _TO_THE_END)


_TO_THE_END = 10**9


def reported_empty(call: ToolCall) -> bool:
    """True when the reader says the file has no lines: an empty file was read, not nothing."""
    window = call.side.get("file")
    return isinstance(window, Mapping) and window.get("totalLines") == 0
