"""Patterns that are blind to case, and fast: a pattern written in small letters is looked for in the lower-case text.

`re` cannot jump to the first letter of a pattern that ignores case; in a lower-case text it need not ignore it. The few
patterns that name capitals ("(?-i:[A-Z])"), and texts whose lower case is of another length, are matched as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

_ESCAPED = re.compile(r"\\.")


class Blind:
    """One pattern. What a match holds is in lower case; its places are those of the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        bare = _ESCAPED.sub("", text)
        self._cased = bare != bare.lower()

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match from `start` on."""
        low = text.lower()
        if self._cased or len(low) != len(text):
            return self.pattern.search(text, start)
        return self._fast.search(low, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The match at `start`."""
        low = text.lower()
        if self._cased or len(low) != len(text):
            return self.pattern.match(text, start)
        return self._fast.match(low, start)

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """All matches from `start` on."""
        low = text.lower()
        if self._cased or len(low) != len(text):
            return self.pattern.finditer(text, start)
        return self._fast.finditer(low, start)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern, blind to case by itself."""
        return re.compile(self.text, re.IGNORECASE)

    @cached_property
    def _fast(self) -> re.Pattern[str]:
        return re.compile(self.text)
