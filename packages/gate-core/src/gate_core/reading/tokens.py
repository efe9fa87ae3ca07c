"""The things a text names: paths, URLs, ids, symbols (spec 10, "Subjects and relevance")."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, filterfalse, groupby
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.model.reading import TokenKind
from gate_core.reading.segment import segments

_URL = late(r"https?://[^\s<>\"'`)\]}]+")
_STORE = late(r"\b(?!https?:|file:)[a-z][a-z0-9+.-]{1,15}://[^\s<>\"'`)\]}]+")
"""An address in another world than files and pages ("s3://acme/reports/"): no path and no page."""
_TICKED = late(r"`([^`\n]{1,200})`")
_PATH = late(
    r"(?<![\w.+@-])(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)?(?:[\w.+@-]{1,100}[\\/]){1,40}[\w.+@-]{0,100}[\w+@-]|"
    r"(?<![\w./\\@:~-])(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)[\w.+@-]{0,100}[\w+@-](?![\w/\\(])|"
    r"(?<![\w./\\@-])\.?[\w+@-][\w.+@-]{0,100}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/\\(])"
)
_LIKE_FILE = r"[^\s`\"'“”\[\]()]{1,60}(?: [^\s`\"'“”\[\]()]{1,60}){1,6}\.[A-Za-z]\w{0,9}"
_SPACED = late(
    r"[`\"“'\[](?=[^\s`\"'“”\[\]()]{1,60} )(?:"
    rf"(?<=`)({_LIKE_FILE})`|(?<=\")({_LIKE_FILE})\"|(?<=“)({_LIKE_FILE})”|(?<=')({_LIKE_FILE})'|(?<=\[)({_LIKE_FILE})\]\()"
)
_COMMAND = late(r"[=|;&<>$*]| -|/.* ")
_EMPHASIS = late(r"(_(?<![\w/\\.]_)_?)(?=[^\s_])([^\s`]{0,120}?\.[A-Za-z0-9]{1,10})\1(?![\w/\\(.])")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_GLUED = late(rf"[{_CJK}](?:(?<=[A-Za-z0-9_].)|(?=[A-Za-z_/~@]))")
_REFERENCE = late(r"([A-Z]{1,10})-?\d{2,}[\w-]{0,20}|(?=[A-Z]*\d)(?=[\dA-Z]*[A-Z])[A-Z0-9]{5,20}")
_CALLED = late(r"\b[A-Za-z_][\w.]{0,80}\(\)")
_UNDERSCORED = late(r"\b[A-Za-z]\w{0,60}_\w{1,60}\b")
_MIXED = late(r"\b[a-z]{1,30}[A-Z]\w{1,60}\b")
_ID = late(r"(?<![\w.,:/-])(?:#?\d{3,20}|(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Za-z])\w[\w-]{2,40})(?![\w/])")
_NO_PATH = late(
    r"\d+(?:/\d+)+|(?:origin/)?(?:release|releases|hotfix|support|stable|maintenance)[/-]v?\d+(?:\.(?:\d+|x))*"
)
MAX_CHARACTERS = 200_000
"""Answers and messages are read up to here (spec 30, "Limits")."""


class Named(NamedTuple):
    """Something a sentence names, and where."""

    kind: TokenKind
    text: str
    start: int


def named_in(sentence: str) -> tuple[Named, ...]:
    """What one sentence names, each text once, paths first."""
    return named_in_each([sentence])[0]


def named_in_each(sentences: Sequence[str]) -> list[tuple[Named, ...]]:
    """What each of some sentences names; faster than to ask one by one."""
    found: list[tuple[Named, ...]] = [()] * len(sentences)
    places = [place for place, sentence in enumerate(sentences) if _may_name(sentence)]
    if places:
        lines = _Lines([sentences[place] for place in places])
        _read(lines)
        for place, named in zip(places, lines.named(), strict=True):
            found[place] = named
    return found


def names_in(text: str) -> tuple[str, ...]:
    """Everything a message names, quotes and code included, each once; what a prompt puts up for discussion."""
    each = named_in_each([segment.text for segment in segments(text[:MAX_CHARACTERS])])
    return tuple(dict.fromkeys(named.text for names in each for named in names))


def is_bare_name(text: str) -> bool:
    """True for the name of a file that may carry an extension on disk ("README")."""
    return text in _table()["bare"]


def is_well_known(text: str) -> bool:
    """True for a file that is the same in every project."""
    return any(text in _table()[kind] for kind in ("well_known", "dotfiles", "plain", "bare"))


def is_reference(text: str) -> bool:
    """True for an id that something can be stated of: "T-4471", "ZFA04Y"; no number, no unit, no standard."""
    match = _REFERENCE.fullmatch(text)
    return match is not None and match[1] not in _table()["standards"]


_SPELT = late(r"[\d_`/\\(.A-Z](?:(?<![.A-Z])|(?<=\.)(?=[A-Za-z])|(?<=[a-z][A-Z]))")
"""One of the signs that all names have but those that are listed. A pattern that begins with one set of signs jumps to
them."""
_HUMP = late(r"[A-Z](?<=[a-z][A-Z])")
_DOTTED = late(r"\.[A-Za-z]|[/\\]")
_DIGIT = late(r"\d")


def _may_name(sentence: str) -> bool:
    """True for a sentence that may name something; half of them end here."""
    return _SPELT.search(sentence) is not None or _listed_pattern().search(_unglued(sentence)) is not None


def _is_dotted(text: str) -> bool:
    """True for what may hold a path: it has a slash, or a dot before a letter."""
    if "/" in text or "\\" in text:
        return True
    return "." in text and _DOTTED.search(text) is not None


# The steps note what they find in a text of lines. Each looks for a kind of name only where the sign is that it cannot
# do without.


class _Lines:
    """Some sentences as one text, a line each, and what each of them names; no name goes past a line."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.text = "\n".join(sentences)
        self._found: list[dict[str, Named]] = [{} for _ in sentences]
        self._starts = list(accumulate((len(sentence) + 1 for sentence in sentences), initial=0))

    def note(self, kind: TokenKind, name: str, at: int) -> None:
        """Note a name for the sentence that stands there."""
        line = bisect_right(self._starts, at) - 1
        if name not in self._found[line]:
            self._found[line][name] = Named(kind, name, at - self._starts[line])

    def named(self) -> list[tuple[Named, ...]]:
        """What each sentence names, in the order in which it was noted."""
        return [tuple(names.values()) for names in self._found]


def _read(lines: _Lines) -> None:
    """All steps."""
    text = _plain(lines.text, lines)
    words = list(_signed(text))
    _ticked(text, lines)
    _paths(words, lines)
    _listed(text, lines)
    _symbols(words, lines)
    _ids(words, lines)


def _plain(text: str, lines: _Lines) -> str:
    """The text without what the steps would misread, as long as it was; names that go on behind a blank or a colon are
    noted."""
    if "://" in text:
        text = _urls(text, lines)
    if "_" in text:
        text = _EMPHASIS.sub(lambda m: f"{' ' * len(m[1])}{m[2]}{' ' * len(m[1])}", text)
    return _spaced(_unglued(text), lines)


def _urls(text: str, lines: _Lines) -> str:
    for match in _URL.finditer(text):
        lines.note(TokenKind.URL, match[0].rstrip(".,;:!?"), match.start())
    return _STORE.sub(_blank, _URL.sub(_blank, text))


def _unglued(text: str) -> str:
    return text if text.isascii() else _GLUED.sub(" ", text)


def _spaced(text: str, lines: _Lines) -> str:
    """Names with spaces in quotes or links."""
    if not _is_dotted(text):
        return text
    names = [match for match in _SPACED.finditer(text) if _is_spaced_name(match[match.lastindex or 0])]
    for match in names:
        lines.note(TokenKind.PATH, match[match.lastindex or 0], match.start())
    return _SPACED.sub(lambda m: _blank(m) if _is_spaced_name(m[m.lastindex or 0]) else m[0], text) if names else text


def _ticked(text: str, lines: _Lines) -> None:
    for match in _TICKED.finditer(text) if "`" in text else ():
        inner = match[1].strip()
        if not inner or " " in inner or (_is_dotted(inner) and _PATH.fullmatch(inner)):
            continue
        if inner not in _listed_names():
            lines.note(TokenKind.SYMBOL, inner, match.start())


def _signed(text: str) -> Iterator[tuple[str, int]]:
    """The words with a sign that all names have but those that are listed, and where each stands. No path, symbol or id
    goes past a space or a back-tick, nor does what is looked at beside one."""
    words: Iterable[str] = text.replace("`", " ").split()
    if _HUMP.search(text) is None:
        words = filterfalse(str.isalpha, words)  # nothing but a hump is a sign among letters
    at = 0
    for word in words:
        if _SPELT.search(word):
            at = text.index(word, at)
            yield word, at
            at += len(word)


def _paths(words: Sequence[tuple[str, int]], lines: _Lines) -> None:
    for word, at in words:
        for match in _PATH.finditer(word) if _is_dotted(word) else ():
            name = match[0] if "/" in match[0] else match[0].lstrip("@")
            if _is_path(name):
                lines.note(TokenKind.PATH, name.rstrip("."), at + match.start())


def _listed(text: str, lines: _Lines) -> None:
    for match in _listed_pattern().finditer(text):
        before = text[match.start() - 1] if match.start() else " "
        if not (before.isalnum() or before in "_./\\@-"):
            lines.note(TokenKind.PATH, match[0], match.start())


def _symbols(words: Sequence[tuple[str, int]], lines: _Lines) -> None:
    _note_symbols(_CALLED, [(word, at) for word, at in words if "()" in word], lines)
    _note_symbols(_UNDERSCORED, [(word, at) for word, at in words if "_" in word], lines)
    _note_symbols(_MIXED, [(word, at) for word, at in words if not word.islower() and _HUMP.search(word)], lines)


def _note_symbols(pattern: re.Pattern[str], words: Sequence[tuple[str, int]], lines: _Lines) -> None:
    for word, at in words:
        for match in pattern.finditer(word):
            if match[0] not in _no_files():
                lines.note(TokenKind.SYMBOL, match[0], at + match.start())


def _ids(words: Sequence[tuple[str, int]], lines: _Lines) -> None:
    for word, at in words:
        for match in _ID.finditer(word) if _DIGIT.search(word) else ():
            if match[0].lower() not in _table()["numeronyms"]:
                lines.note(TokenKind.ID, match[0].lstrip("#"), at + match.start())


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _is_spaced_name(text: str) -> bool:
    """A name with spaces, not a command and not a phrase that ends in a name."""
    first = text.partition(" ")[0].lower()
    return first not in _table()["no_name_starts"] and _COMMAND.search(text) is None and "." not in first


@cache
def _listed_names() -> frozenset[str]:
    """Files whose spelling does not say that they are files."""
    return frozenset(name for kind in ("dotfiles", "plain", "bare") for name in _table()[kind])


@cache
def _listed_pattern() -> re.Pattern[str]:
    """One of them. What stands before it is looked at afterwards: a pattern that begins with letters, each once, is
    found faster."""
    groups = groupby(sorted(_listed_names()), key=lambda name: name[0])
    names = "|".join(f"{re.escape(first)}(?:{'|'.join(re.escape(name[1:]) for name in own)})" for first, own in groups)
    return re.compile(rf"(?:{names})(?![\w/\\(-]|\.\w)")


@cache
def _table() -> dict[str, frozenset[str]]:
    return {name: frozenset(rows) for name, rows in load_table("reading", "names.toml").items()}


def _is_path(text: str) -> bool:
    known = _no_files()
    if text in known or text.lower().rstrip(".") in known or _NO_PATH.fullmatch(text):
        return False
    if "/" in text or "\\" in text:
        return not _is_either_or(text)
    return not text.replace(".", "").isdigit()


def _is_either_or(text: str) -> bool:
    """ "and/or", "read/write": two plain words and a slash, no file."""
    parts = text.replace("\\", "/").split("/")
    return len(parts) == 2 and all(part.isalpha() for part in parts)


@cache
def _no_files() -> frozenset[str]:
    table = load_table("reading", "names.toml")
    return frozenset((*table["products"], *table["abbreviations"], *table["words"]))
