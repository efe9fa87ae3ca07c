"""Declared shapes and exempt values, as patterns (spec 30). What is no linear pattern was refused with the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gate_core.model.patterns import compiled, pattern_of


def shapes_of(declared: Sequence[Mapping[str, str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(name, pattern) of each declared shape."""
    return tuple((str(row.get("name", "")), compiled(str(row.get("pattern", "")))) for row in declared)


def exempt_pattern(entries: Sequence[str]) -> re.Pattern[str] | None:
    """What needs no source: strings, or patterns between slashes. None for nothing."""
    parts = [pattern_of(entry) or re.escape(entry) for entry in entries if entry]
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE) if parts else None
