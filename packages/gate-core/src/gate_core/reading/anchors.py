"""Which words a pattern needs, so that a clause without them costs nothing.

Hundreds of patterns read every clause of an answer and nearly all of them find nothing. `needs` takes from the text of
a pattern the groups of words of which a match holds at least one each; rules.py looks up once which of them a clause
holds and wakes only the patterns that have all. The pattern alone decides what matches: a construct that is not
understood here asks for no word. What is looked up is lower case, so the four letters outside ASCII that `re` folds
into ASCII (a long s, the kelvin sign, the dotted and the dotless i) wake nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import fsum
from typing import Any, NamedTuple, TypeAlias

from gate_core.data import load_json
from gate_core.model.json import digest
from gate_core.model.late import late

EDGE = "\0"
"""Stands in a needed word for the edge of a word: "\\0is\\0" is the word, "\\0is" what begins with it."""

SIGNS = "✅☑✔✓🟢❌✗✘🔴:="
"""Signs that are looked up like words: hardly a sentence holds one, and what needs one is nothing without it."""

CORE = "(?#core)"
"""Stands in a pattern before the part that is cheap to look for: where that is not, no match can be."""
_GAP, _ENDS, _BEGINS, _BOTH = "\1", "\2", "\3", "\4"
"""What asks for no letter of its own; of what may be missing, whether it begins, ends or both at the edge of a word, so
that an edge on its other side holds on this one."""
_NO_LETTERS = (EDGE, _GAP, _ENDS, _BEGINS, _BOTH)
_Item: TypeAlias = "str | list[list[_Item]] | _Look"
"""A letter, one of these, or a group: its options, each a row of items."""
MOST = 4  # groups of words asked for; more would tell little, and rules.py counts on four
_ARTICLES = ("a", "all", "an", "any", "my", "no", "our", "that", "the", "this", "your")
_LITTLE = ("and", "as", "by", "for", "i", "in", "it", "not", "of", "on", "to", "we", "you")
_FORMS = ("are", "been", "has", "have", "is", "was", "were")
_COMMON = frozenset((*_ARTICLES, *_LITTLE, *_FORMS))
_FREQUENT = frozenset(
    [
        *("added", "changed", "created", "fixed", "made", "moved", "new", "now", "put", "ran", "run", "set", "updated"),
        *("file", "files", "all", "both", "can", "no", "one", "still", "with", "from", "into", "up", "out", "s", "t"),
    ]
)
"""Words that agents' answers are full of: they wake a pattern often, and tell little."""
_QUANTIFIER = late(r"(?:([?*+])|\{(\d*)(?:,\d*)?\})[?+]?")
_OPENING = late(r"\((?:\?(?P<look><?[=!])|\?(?:-i)?:|\?P<\w+>|(?!\?))")
_CLASS = late(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
_PARTS = late(r"\[(?:\^\\w(?:\\.|[^\]\\])*|(?!\^)(?:\\[sW]|\\?[^\w\\\]-]|-(?=\]))+)\]")
"""A class of signs that part words: one of them stands between two words, or at the end of one."""
_ANY_SIGN = late(rf"\[[{SIGNS}]+\]")
_WORD = late(r"\w+")
_LETTERS = late(r"\\w|\[(?!\^)(?:\\.|[^\]\\])*\\w(?:\\.|[^\]\\])*\]")
"""All signs of words, and perhaps others."""
_CODED = late(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")


def needs(pattern: str) -> tuple[frozenset[str], ...]:
    """Groups of words (see EDGE), the rarest first; what the pattern matches holds one of each group."""
    for known in _worked_out.values():
        if (groups := known.get(digest(pattern))) is not None:
            return groups
    return worked_out(pattern)


def learn(language: str) -> None:
    """Take over what was worked out beforehand for the patterns of a language: reading a pattern letter by letter is
    the slowest thing a fresh process would do. A pattern that is not there is read when it is met."""
    if language in _worked_out:
        return
    table = load_json("reading", "needed", f"{language}.json") or {"groups": [], "rules": {}}
    groups = [frozenset(words) for words in table["groups"]]
    _worked_out[language] = {key: tuple(groups[place] for place in row) for key, row in table["rules"].items()}


def table_of(patterns: Iterable[str]) -> dict[str, Any]:
    """What `learn` takes over, for these patterns."""
    groups: dict[frozenset[str], int] = {}
    rules = {digest(p): [groups.setdefault(group, len(groups)) for group in worked_out(p)] for p in patterns}
    return {"groups": [sorted(group) for group in groups], "rules": rules}


_worked_out: dict[str, dict[str, tuple[frozenset[str], ...]]] = {}


def worked_out(pattern: str) -> tuple[frozenset[str], ...]:
    """`needs`, read out of the pattern."""
    found = _joint(_Parser(pattern).options(), left=False, right=False)
    return tuple(sorted(set(found), key=lambda group: (_commonness(group), sorted(group)))[:MOST])


class _Look(NamedTuple):
    """What stands somewhere in the text, at no place of its own."""

    options: list[list[_Item]]


class _Parser:
    """Reads the text of a pattern into items."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def options(self) -> list[list[_Item]]:
        """The options up to the end or to the bracket that closes them."""
        found: list[list[_Item]] = [[]]
        while self.at < len(self.pattern) and self.pattern[self.at] != ")":
            if self.pattern[self.at] == "|":
                self.at += 1
                found.append([])
            else:
                found[-1].extend(self._repeated(self._item()))
        return found

    def _item(self) -> list[_Item]:
        """The next thing; nothing for what has no width and tells nothing."""
        text, at = self.pattern, self.at
        if text.startswith(CORE, at):
            self.at += len(CORE)
            return []
        if opening := _OPENING.match(text, at):
            return self._group(opening)
        if found := _CLASS.match(text, at):
            self.at = found.end()
            return [_class(found[0])]
        if coded := _CODED.match(text, at):
            self.at = coded.end()
            return [_letter(chr(int(coded[1] or coded[2], 16)))]
        if text[at] == "\\":
            self.at += 2
            return [_escaped(text[at + 1])]
        self.at += 1
        return _plain(text[at])

    def _group(self, opening: re.Match[str]) -> list[_Item]:
        """A group, up to its bracket: what stands there, or what is looked at before or behind. That must stand
        somewhere, or it may be no letter, so that a word begins or ends."""
        self.at = opening.end()
        inner = self.options()
        text = self.pattern[opening.end() : self.at]
        self.at += 1
        look = opening["look"]
        if look is None:
            return [inner]
        if look.endswith("="):
            return [_Look(inner)]
        return [EDGE] if _LETTERS.fullmatch(text) else []

    def _repeated(self, items: list[_Item]) -> list[_Item]:
        """The items with their quantifier: what may be missing asks for nothing."""
        found = _QUANTIFIER.match(self.pattern, self.at)
        if found is None:
            return items
        self.at = found.end()
        more = _MISSING[_begins_at_edge(items), _ends_at_edge(items)]
        return [more] if found[1] in ("?", "*") or found[2] in ("", "0") else [*items, more]


_MISSING = {(False, False): _GAP, (False, True): _ENDS, (True, False): _BEGINS, (True, True): _BOTH}


def _ends_at_edge(row: Sequence[_Item]) -> bool:
    """True for a row that ends where a word ends or none stands."""
    last = next((item for item in reversed(row) if not _is_thin(item, (_ENDS, _BOTH))), _GAP)
    return last == EDGE if isinstance(last, str) else all(_ends_at_edge(option) for option in _options(last))


def _begins_at_edge(row: Sequence[_Item], *, right: bool = False) -> bool:
    """True for a row before which a word ends or none stands; `right` says so of what stands behind it."""
    first = next((item for item in row if not _is_thin(item, (_BEGINS, _BOTH))), None)
    if first is None:
        return right
    return first == EDGE if isinstance(first, str) else all(_begins_at_edge(option) for option in _options(first))


def _is_thin(item: _Item, missing: Sequence[str]) -> bool:
    """True for what leaves the edge beside it where it is."""
    return isinstance(item, _Look) or item in missing


def _options(item: list[list[_Item]] | _Look) -> list[list[_Item]]:
    return item.options if isinstance(item, _Look) else item


def _class(text: str) -> _Item:
    """What a class of signs asks for: one of them, where all are looked up."""
    if _ANY_SIGN.fullmatch(text):
        return [[EDGE, sign, EDGE] for sign in text[1:-1]]
    return EDGE if _PARTS.fullmatch(text) else _GAP


def _plain(char: str) -> list[_Item]:
    if char in SIGNS:
        return [EDGE, char, EDGE]
    return [EDGE if char in "^$" else _GAP if char == "." else _letter(char)]


def _letter(char: str) -> str:
    return char.lower() if _WORD.match(char) else EDGE


def _escaped(char: str) -> str:
    if char in "bWs":
        return EDGE
    return _GAP if char.isalnum() else _letter(char)


def _joint(options: Sequence[Sequence[_Item]], *, left: bool, right: bool) -> list[frozenset[str]]:
    """What all options together need, one word of each option and, where it has two, another; `left` and `right` say
    that a word begins before and ends behind them."""
    found = [list(_row(option, left=left, right=right)) for option in options]
    if len(found) == 1:
        return found[0]
    if not all(found):
        return []
    ranked = [sorted(groups, key=lambda group: (_commonness(group), sorted(group))) for groups in found]
    one = frozenset().union(*(groups[0] for groups in ranked))
    other = frozenset().union(*(groups[min(1, len(groups) - 1)] for groups in ranked))
    return [one] if one == other else [one, other]


def _row(items: Sequence[_Item], *, left: bool, right: bool) -> Iterator[frozenset[str]]:
    """What a row of items needs."""
    run, edge = EDGE if left else "", left
    for at, item in enumerate(items):
        if isinstance(item, str) and item not in _NO_LETTERS:
            run, edge = run + item, False
            continue
        if isinstance(item, _Look):
            yield from _joint(item.options, left=False, right=False)
            continue
        yield from _word(run + EDGE if _begins_at_edge(items[at:], right=right) else run)
        if isinstance(item, list):
            yield from _joint(item, left=edge, right=_begins_at_edge(items[at + 1 :], right=right))
        edge = _ends_at_edge([item]) or (edge and item in (_ENDS, _BOTH))
        run = EDGE if edge else ""
    yield from _word(run + EDGE if right else run)


def _word(run: str) -> Iterator[frozenset[str]]:
    if run.strip(EDGE):
        yield frozenset({run})


@cache
def _commonness(group: frozenset[str]) -> float:
    """How often a group is met, roughly; the shorter and the more common its words are."""
    return fsum(_weight(word) for word in group)  # the same in whatever order


def _weight(word: str) -> float:
    bare = word.strip(EDGE)
    if bare in _COMMON:
        return 20.0
    if bare in _FREQUENT or (len(bare) == 1 and bare.isascii()):
        return 4.0
    whole = len(word) - len(bare)
    return 8.0 / len(bare) ** 2 / (1 + 4 * whole)
