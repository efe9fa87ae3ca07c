"""Declared shapes: patterns of the user for identifiers. Only patterns that run in linear time are taken (spec 30)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from gate_core.model.errors import ConfigError

_REFUSED = re.compile(r"\\[1-9]|\(\?(?:[=!]|<[=!]|P=|\()")
_LONGEST = 500


def shapes_of(declared: Sequence[Mapping[str, str]]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(name, pattern) of each declared shape.

    Raises:
        ConfigError: a pattern that is none, or that could take more than linear time.
    """
    return tuple((str(row.get("name", "")), compiled(str(row.get("pattern", "")))) for row in declared)


@lru_cache(256)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the linear subset, case-insensitive unless it says otherwise.

    Raises:
        ConfigError: see `shapes_of`.
    """
    if not pattern or len(pattern) > _LONGEST or _REFUSED.search(pattern) or _nested(pattern):
        raise ConfigError(
            f"shapes: {pattern!r:.60} is not in the linear subset (no look-around, no back-reference, no group "
            "repeated without end, at most two open repetitions)",
            key="shapes",
        )
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise ConfigError(f"shapes: {pattern!r:.60} is no pattern: {error}", key="shapes") from None


def _nested(pattern: str) -> bool:
    """True for an open repetition of a group, or for more than two open repetitions."""
    bare = re.sub(r"\\.|\[\^?\]?[^\]]*\]", "a", pattern)
    if re.search(r"\)(?:[*+]|\{\d+,\})", bare):
        return True
    return len(re.findall(r"[*+]|\{\d+,\}", bare)) > 2


def exempt_pattern(entries: Sequence[str]) -> re.Pattern[str] | None:
    """What needs no source: strings, or patterns between slashes. None for nothing."""
    parts = [compiled(e[1:-1]).pattern if len(e) > 2 and e[0] == e[-1] == "/" else re.escape(e) for e in entries if e]
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE) if parts else None
