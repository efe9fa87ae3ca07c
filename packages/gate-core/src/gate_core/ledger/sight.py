"""What the text of a look shows: a change's new lines, a name, or that a name is gone.

Texts are looked up when asked, each once. Where one is gone nothing is known, and the answer is None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache

from gate_core.footprint.targets import last_name
from gate_core.footprint.texts import replacements
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import Json, JsonObject, text_of
from gate_core.model.kinds import ToolEffect
from gate_core.profiles import resolve

Texts = Callable[[Fact], "tuple[JsonObject, Json] | None"]

_FEW = 3  # up to this many changed lines all must be seen
_MOST_OF = 0.9  # of more, more than this share: formatters drop a line
_GUTTER = re.compile(r"^[ \t]*\d{1,7}(?:→|\t|\|)", re.MULTILINE)  # line numbers that readers put before the text
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[\w.+@-]*\w")


class Sight:
    """Answers about the texts of one ledger."""

    def __init__(self, texts: Texts, config: GateConfig) -> None:
        self._texts = texts
        self._config = config
        self.words = cache(self._words)
        self.names = cache(self._names)

    def shows(self, look: Fact, change: Fact, *, part: bool) -> bool | None:
        """Whether a look shows what a change wrote. With `part` one changed line of it is enough.

        A change whose new text is empty shows by its old text being gone.
        """
        changed, seen = self._texts(change), self._texts(look)
        if changed is None or seen is None:
            return None
        profile = resolve(ToolCall(tool=change.tool, args=changed[0]), self._config).profile
        pairs = replacements(profile, changed[0])
        if not pairs:
            return None
        text = _GUTTER.sub("", text_of(seen[1]))
        answers = [_visible(new, old, text, self.words(look.key, text), part=part) for new, old in pairs]
        return any(answers) if part else all(answers)

    def _words(self, key: str, text: str) -> str:
        return _spaced(text)

    def _names(self, listing: Fact) -> frozenset[str] | None:
        """The names a listing's text holds, each with its last component; None when the text is gone."""
        found = self._texts(listing)
        return frozenset(_NAME.findall(text_of(found[1]))) if found is not None else None

    def lists(self, listing: Fact, target: str) -> bool:
        """True when the text of a listing or search holds the target's last name."""
        found = self.names(listing)
        return found is not None and last_name(target) in found

    def absent(self, listing: Fact, target: str) -> bool:
        """True when a listing shows that a name is gone: it would have shown it, and does not."""
        found = self._texts(listing) if listing.profile == ToolEffect.LIST.value else None
        names = self.names(listing)
        if found is None or names is None:
            return False
        name, pattern = last_name(target), found[0].get("pattern")
        if isinstance(pattern, str) and not fnmatchcase(name, last_name(pattern)):
            return False
        return name not in names and not (_NAME.fullmatch(name) is None and name in text_of(found[1]))


def _spaced(text: str) -> str:
    """The words of a text, one blank around each; layout, quotes and punctuation do not count."""
    return f" {' '.join(_WORD.findall(text))} "


def _visible(new: str, old: str, text: str, words: str, *, part: bool) -> bool:
    before = {line.strip() for line in old.splitlines()}
    fresh = [line for line in _lines(new) if line not in before]
    if not fresh:
        gone = [line for line in _lines(old) if line not in set(_lines(new))]
        return not gone or any(not _stands(line, text, words) for line in gone)
    seen = sum(1 for line in fresh if _stands(line, text, words) or _inside(line, new, old, text))
    if part:
        return seen > 0
    return seen == len(fresh) if len(fresh) <= _FEW else seen > _MOST_OF * len(fresh)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _stands(line: str, text: str, words: str) -> bool:
    spaced = _spaced(line)
    return spaced in words if spaced.strip() else line in text


def _inside(line: str, new: str, old: str, text: str) -> bool:
    """A change inside a word shows as it stands, unless what it replaced stands there still."""
    return line in text and not (old.strip() and old not in new and old.strip() in text)
