"""Patterns that are blind to case, and fast: a pattern in small letters is looked for in the lower-case text.

`re` cannot jump to the first letter of a pattern that ignores case; in a lower-case text it need not ignore it. The few
patterns that ask for capitals ("(?-i:[A-Z])"), and texts whose lower case is of another length, are matched as they
are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from gate_core.model.late import late

_KEPT = late(r"(\\.|\(\?P)")
_ASKS_FOR_CAPITALS = "(?-i:"
_BRACKET = late(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]")
_LOOK = r"(?:\(\?<!(?:\\.|[^()\\])*\))+"
_BEHIND = late(rf"({_LOOK}|\(\?:{_LOOK}\))\\b")
"""What must not stand before the edge of a word: the edge is looked for first, which most places of a text have not."""


class Blind:
    """One pattern, compiled when it is first asked. What a match holds is in lower case; its places are those of the
    text. Who asks many of one text hands its lower case over as `low`."""

    def __init__(self, text: str) -> None:
        self.text = text

    def search(self, text: str, start: int = 0, low: str = "") -> re.Match[str] | None:
        """The first match from `start` on."""
        low = low or text.lower()
        if len(low) != len(text) or self._cased:
            return self.pattern.search(text, start)
        return self._searched(low, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The match at `start`."""
        low = text.lower()
        if len(low) != len(text) or self._cased:
            return self.pattern.match(text, start)
        return self._fast.match(low, start)

    def finditer(self, text: str, start: int = 0, low: str = "") -> Iterator[re.Match[str]]:
        """All matches from `start` on."""
        low = low or text.lower()
        if len(low) != len(text) or self._cased:
            return self.pattern.finditer(text, start)
        return self._fast.finditer(low, start)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern, blind to case by itself."""
        return re.compile(self.text, re.IGNORECASE)

    @cached_property
    def _cased(self) -> bool:
        return _ASKS_FOR_CAPITALS in self.text

    @cached_property
    def _fast(self) -> re.Pattern[str]:
        return re.compile(small(_BEHIND.sub(r"\\b\1", self.text)))

    @cached_property
    def _searched(self) -> Callable[..., re.Match[str] | None]:
        """How a lower-case text is searched: where the whole pattern begins with the text, there is one place only."""
        return self._fast.match if begins_with_the_text(self.text) else self._fast.search


def small(pattern: str) -> str:
    """A pattern in small letters: what matches the lower case of all that it matches when case is ignored."""
    parts = enumerate(_KEPT.split(pattern))  # every other one is kept: "\W", and what names a group
    return "".join(part if place % 2 else part.lower() for place, part in parts)


def begins_with_the_text(pattern: str) -> bool:
    """True for a pattern each of whose options begins with "^"."""
    return all(
        option.startswith("^") or (_is_group(option) and begins_with_the_text(option[3:-1]))
        for option in options_of(pattern)
    )


def _is_group(pattern: str) -> bool:
    """True for what is one group and nothing else."""
    depth = 0
    for sign in _BRACKET.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(sign[0], 0)
        if depth == 0 and sign[0] == ")":
            return pattern.startswith("(?:") and sign.end() == len(pattern)
    return False


def options_of(pattern: str) -> list[str]:
    """The options of a pattern, those within its groups apart."""
    found: list[str] = []
    depth = start = 0
    for sign in _BRACKET.finditer(pattern):
        depth += {"(": 1, ")": -1}.get(sign[0], 0)
        if depth == 0 and sign[0] == "|":
            found.append(pattern[start : sign.start()])
            start = sign.end()
    return [*found, pattern[start:]]
