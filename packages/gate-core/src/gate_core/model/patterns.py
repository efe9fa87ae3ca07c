"""Patterns that users declare: only those that run in linear time are taken (spec 30, "What is examined")."""

from __future__ import annotations

import re
from functools import lru_cache

from gate_core.model.errors import ConfigError
from gate_core.model.late import late

_REFUSED = late(r"\\[1-9]|\(\?(?:[=!]|<[=!]|P=|\()")
_LONGEST = 500
_REPEATED = 64  # characters an open repetition takes at most; longer values are clipped
_OPEN = late(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]|[*+]|\{(?P<least>\d+),\}")


@lru_cache(256)
def compiled(pattern: str, key: str = "shapes") -> re.Pattern[str]:
    """A pattern of the linear subset, case-insensitive unless it says otherwise.

    Raises:
        ConfigError: the pattern is none, or could take more than linear time. `key` is the setting that is named.
    """
    if not pattern or len(pattern) > _LONGEST or _REFUSED.search(pattern) or _nested(pattern):
        raise ConfigError(
            f"{key}: {pattern!r:.60} is not in the linear subset (no look-around, no back-reference, no group "
            "repeated without end, at most two open repetitions)",
            key=key,
        )
    try:
        return re.compile(_OPEN.sub(_closed, pattern), re.IGNORECASE)
    except re.error as error:
        raise ConfigError(f"{key}: {pattern!r:.60} is no pattern: {error}", key=key) from None


def _closed(match: re.Match[str]) -> str:
    """An open repetition with an end, so that no place of a text costs more than any other."""
    least = {"*": "0", "+": "1"}.get(match[0]) or match.groupdict()["least"]
    return match[0] if least is None else f"{{{least},{max(int(least), _REPEATED)}}}"


def _nested(pattern: str) -> bool:
    """True for an open repetition of a group, or for more than two open repetitions."""
    bare = re.sub(r"\\.|\[\^?\]?[^\]]*\]", "a", pattern)
    if re.search(r"\)(?:[*+]|\{\d+,\})", bare):
        return True
    return len(re.findall(r"[*+]|\{\d+,\}", bare)) > 2


def pattern_of(entry: str) -> str:
    """The pattern of an entry between slashes, "" for an entry that is compared as it stands."""
    return entry[1:-1] if len(entry) > 2 and entry[0] == entry[-1] == "/" else ""
