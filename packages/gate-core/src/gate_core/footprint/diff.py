"""Which lines of which files the output of a diff shows."""

from __future__ import annotations

import re

from gate_core.footprint.search import SOMEWHERE
from gate_core.model.fact import Lines
from gate_core.model.late import late

_HUNK = late(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_NEW = late(r"\+\+\+ (?:b/)?([^\t\n]{1,400})")
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


def repository_of(path: str, *, ran_in: str, home: str) -> str:
    """The folder that a path in the output of git is relative to: where git ran, if that lies apart from the folder of
    the call and the path starts with no part of either; "" where the root of the repository is not known."""
    inside = any(one == other or one.startswith(f"{other}/") for one, other in ((ran_in, home), (home, ran_in)))
    shared = "/" in path and path.partition("/")[0] in (*ran_in.split("/"), *home.split("/"))
    return "" if not ran_in or not home or inside or shared else ran_in


_STAT = late(r"^ (?P<path>\S[^|\n]{0,300}?) +\| +(?:\d+(?: [+-]*)?|Bin\b.*)$", re.MULTILINE)
_MOVED = late(r"\{[^{}]* => ([^{}]*)\}|^[^{}]* => ")


def told_changed(output: str) -> tuple[str, ...]:
    """The files that git says a merge changed: " src/a.py | 2 +-"; of a renamed one the new name."""
    paths = (_MOVED.sub(lambda found: found[1] or "", found["path"]) for found in _STAT.finditer(output))
    return tuple(dict.fromkeys(path.replace("//", "/") for path in paths))[:_MOST_FILES]


_WORD_DIFF = late(r"\[-[^\n]*?-\]|\{\+([^\n]*?)\+\}")


def without_old_words(output: str) -> str:
    """The output of a word diff as the new text stands: "t = [-5-]{+30+}" is "t = 30"."""
    return _WORD_DIFF.sub(lambda found: found[1] or "", output)


def without_old_lines(output: str) -> str:
    """The output without the lines that a diff marks as taken away."""
    kept = (line for line in output.splitlines() if not line.startswith(("-", "<")) or line.startswith("---"))
    return "\n".join(line[1:] if line.startswith(("+", ">")) else line for line in kept)


def old_lines(output: str) -> str:
    """The lines of a diff as they stand in the first of its two files."""
    kept = (line for line in output.splitlines() if not line.startswith(("+", ">", "---")))
    return "\n".join(line[1:] if line.startswith(("-", "<")) else line for line in kept)
