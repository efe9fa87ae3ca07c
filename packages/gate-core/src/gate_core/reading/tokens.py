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


def _scan(text: str) -> Iterator[tuple[TokenKind, str, int]]:
    for match in _URL.finditer(text):
        yield TokenKind.URL, match[0].rstrip(".,;:!?"), match.start()
    text = _URL.sub(lambda m: " " * len(m[0]), text)
    for match in _TICKED.finditer(text):
        inner = match[1].strip()
        if inner and not _PATH.fullmatch(inner) and " " not in inner:
            yield TokenKind.SYMBOL, inner, match.start()
    for match in _PATH.finditer(text):
        if _is_path(match[0]):
            yield TokenKind.PATH, match[0].rstrip("."), match.start()
    for pattern in (_CALLED, _UNDERSCORED, _MIXED):
        for match in pattern.finditer(text):
            if match[0] not in _no_files():
                yield TokenKind.SYMBOL, match[0], match.start()
    for match in _ID.finditer(text):
        yield TokenKind.ID, match[0].lstrip("#"), match.start()


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
