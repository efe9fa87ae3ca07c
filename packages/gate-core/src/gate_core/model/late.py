"""Patterns that are compiled when they are first used: to compile the hundreds there are takes as long as to import
half of the core, and a process needs some of them."""

from __future__ import annotations

import re
from typing import Any, cast

_USES = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "pattern", "groupindex")


class Late:
    """Stands for a compiled pattern until it is one; from then on its methods are those of the pattern, at no cost."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        self.__dict__.update((use, getattr(compiled, use)) for use in _USES)
        return getattr(compiled, name)


def late(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern that `re.compile` would give, compiled when it is first used. For patterns of a module, which a test
    compiles all; the functions of `re` themselves do not take it."""
    return cast("re.Pattern[str]", Late(text, flags))  # it has what a pattern has, which is final
