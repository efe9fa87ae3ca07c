"""The things a text names: paths, URLs, ids, symbols (spec 10, "Subjects and relevance")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.model.reading import TokenKind
from gate_core.reading.segment import segments

_URL = late(r"https?://[^\s<>\"'`)\]}]+")
_TICKED = late(r"`([^`\n]{1,200})`")
_PATH = late(
    r"(?<![\w.+@-])(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)?(?:[\w.+@-]{1,100}[\\/]){1,40}[\w.+@-]{0,100}[\w+@-]|"
    r"(?<![\w./\\@:~-])(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)[\w.+@-]{0,100}[\w+@-](?![\w/\\(])|"
    r"(?<![\w./\\@-])\.?[\w+@-][\w.+@-]{0,100}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/\\(])"
)
_LIKE_FILE = r"[^\s`\"'“”\[\]()]{1,60}(?: [^\s`\"'“”\[\]()]{1,60}){1,6}\.[A-Za-z]\w{0,9}"
_SPACED = late(rf"`({_LIKE_FILE})`|\"({_LIKE_FILE})\"|“({_LIKE_FILE})”|'({_LIKE_FILE})'|\[({_LIKE_FILE})\]\(")
_COMMAND = late(r"[=|;&<>$*]| -|/.* ")
_EMPHASIS = late(r"(?<![\w/\\.])(_{1,2})(?=[^\s_])([^\s`]{0,120}?\.[A-Za-z0-9]{1,10})\1(?![\w/\\(.])")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_GLUED = late(rf"[{_CJK}](?:(?<=[A-Za-z0-9_].)|(?=[A-Za-z_/~@]))")
_REFERENCE = late(r"([A-Z]{1,10})-?\d{2,}[\w-]{0,20}|(?=[A-Z]*\d)(?=[\dA-Z]*[A-Z])[A-Z0-9]{5,20}")
_CALLED = late(r"\b[A-Za-z_][\w.]{0,80}\(\)")
_UNDERSCORED = late(r"\b[A-Za-z]\w{0,60}_\w{1,60}\b")
_MIXED = late(r"\b[a-z]{1,30}[A-Z]\w{1,60}\b")
_ID = late(r"(?<![\w.,:/-])(?:#?\d{3,20}|(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Za-z])\w[\w-]{2,40})(?![\w/])")
_FRACTION = late(r"\d+(?:/\d+)+")
MAX_CHARACTERS = 200_000
"""Answers and messages are read up to here (spec 30, "Limits")."""


class Named(NamedTuple):
    """Something a sentence names, and where."""

    kind: TokenKind
    text: str
    start: int


def named_in(sentence: str) -> tuple[Named, ...]:
    """What one sentence names, each text once, paths first."""
    found: dict[str, Named] = {}
    for named in _scan(sentence):
        found.setdefault(named.text, named)
    return tuple(found.values())


def names_in(text: str) -> tuple[str, ...]:
    """Everything a message names, quotes and code included, each once; what a prompt puts up for discussion."""
    found = (named.text for segment in segments(text[:MAX_CHARACTERS]) for named in _scan(segment.text))
    return tuple(dict.fromkeys(found))


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


def _scan(text: str) -> Iterator[Named]:
    """Each kind of name is looked for only where the sign is that it cannot do without."""
    if "://" in text:
        for match in _URL.finditer(text):
            yield Named(TokenKind.URL, match[0].rstrip(".,;:!?"), match.start())
        text = _URL.sub(_blank, text)
    if "_" in text:
        text = _EMPHASIS.sub(lambda m: f"{' ' * len(m[1])}{m[2]}{' ' * len(m[1])}", text)
    if not text.isascii():
        text = _GLUED.sub(" ", text)
    dotted = _is_dotted(text)
    if dotted and _QUOTE.search(text):
        spaced = [Named(TokenKind.PATH, match[match.lastindex or 0], match.start()) for match in _spaced(text)]
        yield from spaced
        if spaced:
            text = _SPACED.sub(lambda m: _blank(m) if _is_spaced_name(m[m.lastindex or 0]) else m[0], text)
    if "`" in text:
        yield from _ticked(text)
    yield from _paths(text, dotted=dotted)
    yield from _symbols(text)
    for match in _ID.finditer(text) if _DIGIT.search(text) else ():
        yield Named(TokenKind.ID, match[0].lstrip("#"), match.start())


_HUMP = late(r"[A-Z](?<=[a-z][A-Z])")
_DOTTED = late(r"\.[A-Za-z]|[/\\]")
_QUOTE = late(r"[`\"“'\[]")
_DIGIT = late(r"\d")


def _is_dotted(text: str) -> bool:
    """True for what may hold a path: it has a slash, or a dot before a letter."""
    if "/" in text or "\\" in text:
        return True
    return "." in text[:-1] and _DOTTED.search(text) is not None


def _spaced(text: str) -> Iterator[re.Match[str]]:
    """Names with spaces in quotes or links."""
    return (match for match in _SPACED.finditer(text) if _is_spaced_name(match[match.lastindex or 0]))


def _ticked(text: str) -> Iterator[Named]:
    for match in _TICKED.finditer(text):
        inner = match[1].strip()
        if inner and not _PATH.fullmatch(inner) and " " not in inner and not _listed_names().fullmatch(inner):
            yield Named(TokenKind.SYMBOL, inner, match.start())


def _symbols(text: str) -> Iterator[Named]:
    called = _CALLED.finditer(text) if "()" in text else ()
    underscored = _UNDERSCORED.finditer(text) if "_" in text else ()
    mixed = _MIXED.finditer(text) if _HUMP.search(text) is not None else ()
    for match in (*called, *underscored, *mixed):
        if match[0] not in _no_files():
            yield Named(TokenKind.SYMBOL, match[0], match.start())


def _paths(text: str, *, dotted: bool) -> Iterator[Named]:
    for match, start in _spelt_as_paths(text) if dotted else ():
        name = match[0] if "/" in match[0] else match[0].lstrip("@")
        if _is_path(name):
            yield Named(TokenKind.PATH, name.rstrip("."), start)
    for match in _listed(text):
        yield Named(TokenKind.PATH, match[0], match.start())


def _spelt_as_paths(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """What is spelt like a path, and where in the text. No path goes past a space or a back-tick, nor does what is
    looked at beside one, so that the pattern need not try the words without a dot or a slash."""
    at = 0
    for word in text.replace("`", " ").split():
        if ("." in word or "/" in word or "\\" in word) and _is_dotted(word):
            at = text.index(word, at)
            yield from ((match, at + match.start()) for match in _PATH.finditer(word))
            at += len(word)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _is_spaced_name(text: str) -> bool:
    """A name with spaces, not a command and not a phrase that ends in a name."""
    first = text.partition(" ")[0].lower()
    return first not in _table()["no_name_starts"] and _COMMAND.search(text) is None and "." not in first


@cache
def _listed_names() -> re.Pattern[str]:
    """Files whose spelling does not say that they are files. What stands before one is looked at afterwards: a pattern
    that begins with letters is found faster."""
    table = load_table("reading", "names.toml")
    names = "|".join(re.escape(name) for kind in ("dotfiles", "plain", "bare") for name in table[kind])
    return re.compile(rf"(?:{names})(?![\w/\\(-]|\.\w)")


def _listed(text: str) -> Iterator[re.Match[str]]:
    for match in _listed_names().finditer(text):
        before = text[match.start() - 1] if match.start() else " "
        if not (before.isalnum() or before in "_./\\@-"):
            yield match


@cache
def _table() -> dict[str, frozenset[str]]:
    return {name: frozenset(rows) for name, rows in load_table("reading", "names.toml").items()}


def _is_path(text: str) -> bool:
    if text in _no_files() or text.lower().rstrip(".") in _no_files() or _FRACTION.fullmatch(text):
        return False
    if "/" in text or "\\" in text:
        return not _is_either_or(text)
    return not text.replace(".", "").isdigit()


def _is_either_or(text: str) -> bool:
    """ "and/or", "read/write": two plain words and a slash, no file."""
    parts = re.split(r"[\\/]", text)
    return len(parts) == 2 and all(part.isalpha() for part in parts)


@cache
def _no_files() -> frozenset[str]:
    table = load_table("reading", "names.toml")
    return frozenset((*table["products"], *table["abbreviations"], *table["words"]))
