"""The things a text names: paths, URLs, ids, symbols (spec 10, "Subjects and relevance")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.data import load_table
from gate_core.model.reading import Token, TokenKind
from gate_core.reading.segment import segments

_URL = re.compile(r"https?://[^\s<>\"'`)\]}]+")
_TICKED = re.compile(r"`([^`\n]{1,200})`")
_PATH = re.compile(
    r"(?<![\w.+@-])(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)?(?:[\w.+@-]{1,100}[\\/]){1,40}[\w.+@-]{0,100}[\w+@-]|"
    r"(?<![\w./\\@:~-])(?:[A-Za-z]:[\\/]|~/|\.{1,2}/|/)[\w.+@-]{0,100}[\w+@-](?![\w/\\(])|"
    r"(?<![\w./\\@-])\.?[\w+@-][\w.+@-]{0,100}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/\\(])"
)
_LIKE_FILE = r"[^\s`\"'“”\[\]()]{1,60}(?: [^\s`\"'“”\[\]()]{1,60}){1,6}\.[A-Za-z]\w{0,9}"
_SPACED = re.compile(rf"`({_LIKE_FILE})`|\"({_LIKE_FILE})\"|“({_LIKE_FILE})”|'({_LIKE_FILE})'|\[({_LIKE_FILE})\]\(")
_COMMAND = re.compile(r"[=|;&<>$*]| -|/.* ")
_EMPHASIS = re.compile(r"(?<![\w/\\.])(_{1,2})(?=[^\s_])([^\s`]{0,120}?\.[A-Za-z0-9]{1,10})\1(?![\w/\\(.])")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_GLUED = re.compile(rf"(?<=[A-Za-z0-9_])[{_CJK}]|[{_CJK}](?=[A-Za-z_/~@])")
_REFERENCE = re.compile(r"([A-Z]{1,10})-?\d{2,}[\w-]{0,20}|(?=[A-Z]*\d)(?=[\dA-Z]*[A-Z])[A-Z0-9]{5,20}")
_CALLED = re.compile(r"\b[A-Za-z_][\w.]{0,80}\(\)")
_UNDERSCORED = re.compile(r"\b[A-Za-z]\w{0,60}_\w{1,60}\b")
_MIXED = re.compile(r"\b[a-z]{1,30}[A-Z]\w{1,60}\b")
_ID = re.compile(r"(?<![\w.,:/-])(?:#?\d{3,20}|(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Za-z])\w[\w-]{2,40})(?![\w/])")
_NEGATION = re.compile(
    r"\b(?:no|not|never|without|neither|nor)\s+(?:\w+\s+){0,2}[`\"']?$|n['’]t\s+(?:\w+\s+){0,2}[`\"']?$"
)
_FRACTION = re.compile(r"\d+(?:/\d+)+")
MAX_CHARACTERS = 200_000
"""Answers and messages are read up to here (spec 30, "Limits")."""
_BEFORE = 40  # characters looked at for a negation


def tokens_of(sentence: str, index: int, *, quoted: bool) -> tuple[Token, ...]:
    """The tokens of one sentence, each text once, paths first."""
    found: dict[str, Token] = {}
    for kind, text, start in _scan(sentence):
        if text not in found:
            before = sentence[max(0, start - _BEFORE) : start]
            negated = _NEGATION.search(before) is not None
            found[text] = Token(kind=kind, text=text, sentence=index, quoted=quoted, negated=negated)
    return tuple(found.values())


def names_in(text: str) -> tuple[str, ...]:
    """Everything a message names, quotes and code included, each once; what a prompt puts up for discussion."""
    found = (text for segment in segments(text[:MAX_CHARACTERS]) for _, text, _ in _scan(segment.text))
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


def _scan(text: str) -> Iterator[tuple[TokenKind, str, int]]:
    for match in _URL.finditer(text):
        yield TokenKind.URL, match[0].rstrip(".,;:!?"), match.start()
    text = _URL.sub(_blank, text)
    text = _GLUED.sub(" ", _EMPHASIS.sub(lambda m: f"{' ' * len(m[1])}{m[2]}{' ' * len(m[1])}", text))
    for match in _SPACED.finditer(text):
        if _is_spaced_name(match[match.lastindex or 0]):
            yield TokenKind.PATH, match[match.lastindex or 0], match.start()
    text = _SPACED.sub(lambda m: _blank(m) if _is_spaced_name(m[m.lastindex or 0]) else m[0], text)
    for match in _TICKED.finditer(text):
        inner = match[1].strip()
        if inner and not _PATH.fullmatch(inner) and " " not in inner and not _listed_names().fullmatch(inner):
            yield TokenKind.SYMBOL, inner, match.start()
    yield from _paths(text)
    for pattern in (_CALLED, _UNDERSCORED, _MIXED):
        for match in pattern.finditer(text):
            if match[0] not in _no_files():
                yield TokenKind.SYMBOL, match[0], match.start()
    for match in _ID.finditer(text):
        yield TokenKind.ID, match[0].lstrip("#"), match.start()


def _paths(text: str) -> Iterator[tuple[TokenKind, str, int]]:
    for match in _PATH.finditer(text):
        name = match[0] if "/" in match[0] else match[0].lstrip("@")
        if _is_path(name):
            yield TokenKind.PATH, name.rstrip("."), match.start()
    for match in _listed_names().finditer(text):
        yield TokenKind.PATH, match[0], match.start()


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _is_spaced_name(text: str) -> bool:
    """A name with spaces, not a command and not a phrase that ends in a name."""
    first = text.partition(" ")[0].lower()
    return first not in _table()["no_name_starts"] and _COMMAND.search(text) is None and "." not in first


@cache
def _listed_names() -> re.Pattern[str]:
    """Files whose spelling does not say that they are files."""
    table = load_table("reading", "names.toml")
    names = "|".join(re.escape(name) for kind in ("dotfiles", "plain", "bare") for name in table[kind])
    return re.compile(rf"(?<![\w./\\@-])(?:{names})(?![\w/\\(-]|\.\w)")


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
