"""Targets that are patterns: "glob:/p/*.cfg" is every file it covers (spec 10, "Shell", writes)."""

from __future__ import annotations

import re
from functools import lru_cache

from gate_core.model.late import late

GLOB = "glob:"

_PIECES = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_PIECE = late(r"\*\*/|\*\*|\*|\?")


def is_glob(target: str) -> bool:
    """True for a target that is a pattern."""
    return target.startswith(GLOB)


def covers(glob: str, target: str) -> bool:
    """True when a pattern covers a target; a relative pattern covers what ends like it, and of a relative target the
    end of the pattern decides."""
    if _placed(glob.removeprefix(GLOB)) and not _placed(target):
        ends = glob.split("/")[-1 - target.count("/") :]
        glob = GLOB + "/".join(ends).removeprefix(GLOB)
    return _compiled(glob).fullmatch(target) is not None


def _placed(path: str) -> bool:
    return path.startswith(("/", "~"))


@lru_cache(maxsize=512)
def _compiled(glob: str) -> re.Pattern[str]:
    pattern = glob.removeprefix(GLOB)
    parts, at = [], 0
    for found in _PIECE.finditer(pattern):
        parts += [re.escape(pattern[at : found.start()]), _PIECES[found[0]]]
        at = found.end()
    whole = "".join([*parts, re.escape(pattern[at:])])
    return re.compile(whole if _placed(pattern) else f"(?:.*/)?{whole}")
