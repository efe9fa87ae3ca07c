"""Declared shapes and exempt values, as patterns (spec 30). What is no linear pattern was refused with the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gate_core.model.patterns import compiled, pattern_of
from gate_core.values.normal import normal


def shapes_of(declared: Sequence[Mapping[str, str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(name, pattern) of each declared shape."""
    return tuple((str(row.get("name", "")), compiled(str(row.get("pattern", "")))) for row in declared)


def _ways(entry: str) -> tuple[str, ...]:
    """The patterns of an entry; a plain one as it is written and as values are, in compatibility form."""
    pattern = pattern_of(entry)
    return (pattern,) if pattern else (re.escape(entry), re.escape(normal(entry)))


def exempt_pattern(entries: Sequence[str]) -> re.Pattern[str] | None:
    """What needs no source: strings, or patterns between slashes. None for nothing."""
    parts = dict.fromkeys(way for entry in entries if entry for way in _ways(entry))
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE) if parts else None
