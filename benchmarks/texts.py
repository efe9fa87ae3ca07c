"""Texts of a given size: what tools print, and what an adversary would."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def log(size: int, *, seed: int = 0) -> str:
    """About `size` characters of log text: time stamps, ids, paths, numbers. Another seed is another text."""
    lines, length, number = [], 0, seed * 7919
    while length < size:
        number += 1
        line = (
            f"2026-03-{number % 28 + 1:02} 12:{number % 60:02}:{number * 7 % 60:02},{number % 1000:03} INFO "
            f"worker-{number % 16} request {number * 2654435761 % 2**32:08x} for /api/orders/{number} "
            f"took {number * 31 % 977} ms, file src/app/module_{number % 40}.py line {number % 400}"
        )
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)[:size]


HOSTILE: Mapping[str, Callable[[int], str]] = {
    "one hex word": lambda n: "deadbeef" * (n // 8),
    "1 1 1": lambda n: "1 " * (n // 2),
    "12 34 12 34": lambda n: "12 34 " * (n // 6),
    "units": lambda n: "1d" * (n // 2),
    "dots": lambda n: "." * n,
    "slashes": lambda n: "/" * n,
    "escaped quotes": lambda n: "{'a': 'x" + "\\'" * (n // 2),
    "nested brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "one line": lambda n: "word " * (n // 5),
    "one word": lambda n: "a" * n,
    "line ends": lambda n: "\n" * n,
    "blanks": lambda n: "x" + " " * (n - 2) + "x",
    "lone surrogates": lambda n: "\ud800" * n,
    "NUL": lambda n: "\0" * n,
    "quotes": lambda n: "`\"'" * (n // 3),
    "tiny sentences": lambda n: "It is. " * (n // 7),
    "tiny claims": lambda n: "Fixed a.py. " * (n // 12),
    "list items": lambda n: "- a\n" * (n // 4),
    "paths": lambda n: "a/b.py " * (n // 7),
    "other paths": lambda n: "".join(f"src/f{k:06}.py was set. " for k in range(n // 24)),
    "signs without width": lambda n: "All te\u200bsts pass. " * (n // 17),
    "right to left": lambda n: "\u05db\u05dc \u05d4\u05d1\u05d3\u05d9\u05e7\u05d5\u05ea. " * (n // 11),
    "JSON": lambda n: '{"a": "## Done\\n- All tests pass."}, ' * (n // 37),
    "long path": lambda n: "a/" * (n // 2) + "b.py",
}
"""Name -> a text of about n characters."""
