"""The rules of a language, woken by words: hundreds of patterns read every clause of an answer, and nearly all of them
find nothing. `Rules` looks up once which of the words that the patterns need (anchors.py) a clause holds, and wakes
only those that have all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache

from gate_core.model.late import late
from gate_core.reading.anchors import CORE, EDGE, MOST, SIGNS, needs
from gate_core.reading.blind import Blind, small

_KEPT = 4096  # words whose rules are remembered
_LONG = 24  # characters; longer words (or lines of a script without spaces) are not remembered
_LONGEST = 2_000  # characters of a sentence whose words are remembered
_WORD = late(rf"\w+|[{SIGNS}]")
_PARTED = bytes(place if chr(place).isalnum() or chr(place) in f"_{SIGNS}" else ord(" ") for place in range(256))
"""ASCII by its places, what parts words blanked: words are told so in a third of the time that a pattern takes."""
_ASCII_SIGNS = tuple(sign for sign in SIGNS if sign.isascii())


class Rule(Blind):
    """One pattern, blind to case: `group` and `name` say what it is good for. Of one with a `CORE` the part behind it
    is looked for first."""

    def __init__(self, group: str, name: str, text: str) -> None:
        super().__init__(text)
        self.group = group
        self.name = name

    def search(self, text: str, start: int = 0, low: str = "") -> re.Match[str] | None:
        """The first match from `start` on."""
        low = low or text.lower()
        if len(low) != len(text) or self._cased:
            return self.pattern.search(text, start)
        core = self._core
        if core is not None and core.search(low, start) is None:
            return None
        return self._searched(low, start)

    @cached_property
    def quick(self) -> Callable[[str], re.Match[str] | None] | None:
        """How most texts are searched, given the lower case of one that is as long; None for a pattern that asks for
        more."""
        return None if self._cased or self._core is not None else self._searched

    @cached_property
    def _core(self) -> re.Pattern[str] | None:
        before, found, core = self.text.partition(CORE)
        return re.compile(small(core)) if found and before else None


def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, and its SIGNS. Those of sentences are remembered: who reads an answer asks
    again."""
    return remembered_words(text) if len(text) <= _LONGEST else words_in(text)


def words_in(text: str) -> frozenset[str]:
    """The same of a text that nobody asks for again."""
    low = text.lower()
    if not low.isascii():
        return frozenset(_WORD.findall(low))
    for sign in _ASCII_SIGNS:
        if sign in low:
            low = low.replace(sign, f" {sign} ")
    return frozenset(low.encode().translate(_PARTED).decode().split())


remembered_words = lru_cache(maxsize=64)(words_in)


class _Masks(dict[str, int]):
    """The masks of words. `find` is asked for those that are not there, and may put them in."""

    def __init__(self, find: Callable[[str], int]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, word: str) -> int:
        return self.find(word)


class Rules:
    """The rules of one language, woken by words. Bit n of a mask is group m of rule k, counted from the last one:
    n = m * rules + k.
    `groups` are the bits of each group."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._starts: dict[str, list[tuple[str, int]]] = {}
        self._masks = _Masks(self._mask)
        self._older: dict[str, int] = {}  # what was remembered before the last ones were too many
        self._free = 0
        self._count = count = len(self.rules)
        self._all = (1 << count) - 1
        self._last_first = self.rules[::-1]
        self._bits = tuple(1 << place for place in range(count))
        self.groups: dict[str, int] = {}
        for bit, rule in zip(self._bits, self._last_first, strict=True):
            self.groups[rule.group] = self.groups.get(rule.group, 0) | bit
        words: dict[str, int] = {}
        for number, rule in enumerate(self._last_first):
            groups = needs(rule.text)
            for level in range(MOST):
                bit = 1 << (level * count + number)
                if level >= len(groups):
                    self._free |= bit
                for word in groups[level] if level < len(groups) else ():
                    words[word] = words.get(word, 0) | bit
        for word, mask in words.items():
            self._starts.setdefault(word[:3], []).append((word, mask))
        self._alone = {start for start in self._starts if len(start) == 1}
        self._in_quotes = self._of_parts("x") | self._of_parts("x" * _LONG)

    def held(self, words: frozenset[str], *, blanked: bool = False) -> int:
        """The rules that may match in a text of such words, a bit for each; all others match nowhere in it. Four groups
        are put on top of each other in two steps.

        `blanked` asks too for what may match where its quoted words are rows of x.
        """
        held = self._free | self._in_quotes if blanked else self._free
        for mask in map(self._masks.__getitem__, words):
            held |= mask
        held &= held >> 2 * self._count
        return held & (held >> self._count) & self._all

    def of(self, held: int) -> list[Rule]:
        """The rules of these bits, in their order."""
        found, rules, masks = [], self._last_first, self._bits
        while held:
            place = held.bit_length() - 1
            held ^= masks[place]
            found.append(rules[place])
        return found

    def named(self, held: int, text: str) -> set[str]:
        """The names of those of these rules that match in a text."""
        found: set[str] = set()
        low = text.lower()
        same, rules, masks = len(low) == len(text), self._last_first, self._bits
        while held:
            place = held.bit_length() - 1
            held ^= masks[place]
            rule = rules[place]
            if rule.name not in found:
                quick = rule.quick if same else None
                if (rule.search(text, 0, low) if quick is None else quick(low)) is not None:
                    found.add(rule.name)
        return found

    def begun(self, held: int, text: str) -> list[tuple[int, str]]:
        """(where its first match begins, its name) of those of these rules that match in a text."""
        found: list[tuple[int, str]] = []
        low = text.lower()
        same, rules, masks = len(low) == len(text), self._last_first, self._bits
        while held:
            place = held.bit_length() - 1
            held ^= masks[place]
            rule = rules[place]
            quick = rule.quick if same else None
            match = rule.search(text, 0, low) if quick is None else quick(low)
            if match is not None:
                found.append((match.start(), rule.name))
        return found

    def bits(self, wanted: Callable[[Rule], bool]) -> int:
        """The bits of the rules that are wanted."""
        return sum(bit for bit, rule in zip(self._bits, self._last_first, strict=True) if wanted(rule))

    def awake(self, text: str) -> dict[str, list[Rule]]:
        """Group -> the rules that may match in a text, in their order."""
        held = self.held(words_of(text))
        rows = {group: self.of(held & bits) for group, bits in self.groups.items()}
        return {group: rules for group, rules in rows.items() if rules}

    def _mask(self, word: str) -> int:
        """The bits of one word."""
        if (known := self._older.get(word)) is not None:
            self._masks[word] = known
            return known
        if len(word) > _LONG and word.count("x") == len(word):  # a quote that was blanked; no rule has a row of x
            return self._mask("x" * _LONG)
        mask = self._of_parts(word)
        if len(word) <= _LONG:
            if len(self._masks) >= _KEPT:
                self._older, self._masks = self._masks, _Masks(self._mask)
            self._masks[word] = mask
        return mask

    def _of_parts(self, word: str) -> int:
        """The bits of all that begins somewhere in a word."""
        mask, framed, starts = 0, f"{EDGE}{word}{EDGE}", self._starts
        for at in range(len(framed) - 1):
            for start, bits in starts.get(framed[at : at + 3], ()):
                if framed.startswith(start, at):
                    mask |= bits
            for _, bits in starts.get(framed[at : at + 2], ()):
                mask |= bits
        for char in self._alone.intersection(word):
            for _, bits in starts[char]:
                mask |= bits
        return mask
