"""Which lines of which files the output of a diff shows."""

from __future__ import annotations

import re

from gate_core.footprint.search import SOMEWHERE
from gate_core.model.fact import Lines

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_NEW = re.compile(r"\+\+\+ (?:b/)?([^\t\n]{1,400})")
_MOST_FILES = 100
_MOST_HUNKS = 40


def shown_hunks(output: str) -> dict[str, tuple[Lines, ...]]:
    """New name of each file -> the lines its hunks show; "" for a diff that names none."""
    found: dict[str, list[Lines]] = {}
    path = ""
    for line in output.splitlines():
        if named := _NEW.match(line):
            path = named[1].strip()
        elif (hunk := _HUNK.match(line)) and (path in found or len(found) < _MOST_FILES):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.setdefault(path, []).append((first, first + max(count, 1) - 1))
        elif not path and line.startswith((">", "<", "+", "-")) and "" not in found:
            found[""] = [SOMEWHERE]
    found.pop("/dev/null", None)
    return {name: tuple(runs[:_MOST_HUNKS]) for name, runs in found.items()}


def without_old_lines(output: str) -> str:
    """The output without the lines that a diff marks as taken away."""
    kept = (line for line in output.splitlines() if not line.startswith(("-", "<")) or line.startswith("---"))
    return "\n".join(line[1:] if line.startswith(("+", ">")) else line for line in kept)
