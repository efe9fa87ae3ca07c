"""The things a text names: paths, URLs, ids, symbols (spec 10, "Subjects and relevance")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.model.reading import TokenKind
from gate_core.reading.rules import words_of
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
_FRACTION = late(r"\d+(?:/\d+)+")
_BRANCH = late(r"(?:origin/)?(?:release|releases|hotfix|support|stable|maintenance)[/-]v?\d+(?:\.(?:\d+|x))*")
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
    found: list[dict[str, Named]] = [{} for _ in sentences]
    spelt = [place for place, text in enumerate(sentences) if _SPELT.search(text)]
    texts = {place: _plain(sentences[place], found[place]) for place in spelt}
    for place, text in texts.items():
        _ticked(text, found[place])
    words = {place: text.replace("`", " ").split() for place, text in texts.items()}
    for place, text in texts.items():
        _paths(text, words[place], found[place])
    for place, text in enumerate(sentences):
        if place in texts:
            _listed(texts[place], found[place])
        elif text.isascii() or _LETTER.search(text):
            _listed(_unglued(text), found[place])
    for place, text in texts.items():
        _symbols(text, words[place], found[place])
    for place, text in texts.items():
        _ids(text, words[place], found[place])
    return [tuple(names.values()) for names in found]


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
_LETTER = late(r"[A-Za-z]")
_HUMP = late(r"[A-Z](?<=[a-z][A-Z])")
_DOTTED = late(r"\.[A-Za-z]|[/\\]")
_DIGIT = late(r"\d")


def _is_dotted(text: str) -> bool:
    """True for what may hold a path: it has a slash, or a dot before a letter."""
    if "/" in text or "\\" in text:
        return True
    return "." in text and _DOTTED.search(text) is not None


# The steps note what they find in a text. Each looks for a kind of name only where the sign is that it cannot do
# without.


def _note(found: dict[str, Named], kind: TokenKind, name: str, start: int) -> None:
    if name not in found:
        found[name] = Named(kind, name, start)


def _plain(text: str, found: dict[str, Named]) -> str:
    """The text without what the steps would misread, names that go on behind a blank or a colon among it."""
    if "://" in text:
        text = _urls(text, found)
    if "_" in text:
        text = _EMPHASIS.sub(lambda m: f"{' ' * len(m[1])}{m[2]}{' ' * len(m[1])}", text)
    return _spaced(_unglued(text), found)


def _urls(text: str, found: dict[str, Named]) -> str:
    for match in _URL.finditer(text):
        _note(found, TokenKind.URL, match[0].rstrip(".,;:!?"), match.start())
    return _STORE.sub(_blank, _URL.sub(_blank, text))


def _unglued(text: str) -> str:
    return text if text.isascii() else _GLUED.sub(" ", text)


def _spaced(text: str, found: dict[str, Named]) -> str:
    """Names with spaces in quotes or links."""
    if not _is_dotted(text):
        return text
    names = [match for match in _SPACED.finditer(text) if _is_spaced_name(match[match.lastindex or 0])]
    for match in names:
        _note(found, TokenKind.PATH, match[match.lastindex or 0], match.start())
    return _SPACED.sub(lambda m: _blank(m) if _is_spaced_name(m[m.lastindex or 0]) else m[0], text) if names else text


def _ticked(text: str, found: dict[str, Named]) -> None:
    for match in _TICKED.finditer(text) if "`" in text else ():
        inner = match[1].strip()
        if not inner or " " in inner or (_is_dotted(inner) and _PATH.fullmatch(inner)):
            continue
        if not _listed_names().fullmatch(inner):
            _note(found, TokenKind.SYMBOL, inner, match.start())


def _paths(text: str, words: Sequence[str], found: dict[str, Named]) -> None:
    """No path goes past a space or a back-tick, nor does what is looked at beside one, so that the pattern need not try
    the words without a dot or a slash."""
    if not _is_dotted(text):
        return
    words = [word for word in words if ("." in word or "/" in word or "\\" in word) and _is_dotted(word)]
    for match, start in _matches(_PATH, words, text):
        name = match if "/" in match else match.lstrip("@")
        if _is_path(name):
            _note(found, TokenKind.PATH, name.rstrip("."), start)


def _listed(text: str, found: dict[str, Named]) -> None:
    if text.isascii() and _first_words().isdisjoint(words_of(text)):
        return
    for match in _listed_names().finditer(text):
        before = text[match.start() - 1] if match.start() else " "
        if not (before.isalnum() or before in "_./\\@-"):
            _note(found, TokenKind.PATH, match[0], match.start())


def _symbols(text: str, words: Sequence[str], found: dict[str, Named]) -> None:
    """The patterns keep to a word, as that of a path does."""
    if "()" in text:
        _note_symbols(_CALLED, [word for word in words if "()" in word], text, found)
    if "_" in text:
        _note_symbols(_UNDERSCORED, [word for word in words if "_" in word], text, found)
    if not text[1:].islower() and _HUMP.search(text) is not None:
        _note_symbols(_MIXED, [word for word in words if not word.islower() and _HUMP.search(word)], text, found)


def _note_symbols(pattern: re.Pattern[str], words: Sequence[str], text: str, found: dict[str, Named]) -> None:
    for name, start in _matches(pattern, words, text):
        if name not in _no_files():
            _note(found, TokenKind.SYMBOL, name, start)


def _ids(text: str, words: Sequence[str], found: dict[str, Named]) -> None:
    if _DIGIT.search(text):
        words = [word for word in words if not word.isalpha() and _DIGIT.search(word)]
        for name, start in _matches(_ID, words, text):
            if name.lower() not in _table()["numeronyms"]:
                _note(found, TokenKind.ID, name.lstrip("#"), start)


def _matches(pattern: re.Pattern[str], words: Sequence[str], text: str) -> Iterator[tuple[str, int]]:
    """What a pattern matches in words of a text, and where in the text; all words with some sign, in their order."""
    at = 0
    for word in words:
        at = text.index(word, at)
        for match in pattern.finditer(word):
            yield match[0], at + match.start()
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


@cache
def _first_words() -> frozenset[str]:
    """The words that the listed names begin with: nearly no text holds one."""
    table = load_table("reading", "names.toml")
    names = (name for kind in ("dotfiles", "plain", "bare") for name in table[kind])
    return frozenset(min(words_of(name), key=name.lower().find) for name in names)


@cache
def _table() -> dict[str, frozenset[str]]:
    return {name: frozenset(rows) for name, rows in load_table("reading", "names.toml").items()}


def _is_path(text: str) -> bool:
    known = _no_files()
    if text in known or text.lower().rstrip(".") in known or _FRACTION.fullmatch(text):
        return False
    if _BRANCH.fullmatch(text):
        return False  # a line of releases, and no file
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
