"""Finds the identifiers of a text: URLs, addresses, paths, versions, hashes, ids, symbols (spec 30). Linear."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial

from gate_core.data import load_table
from gate_core.model.late import late
from gate_core.values.lexicon import signs
from gate_core.values.units import meanings
from gate_core.values.value import Kind, Shape, Value

LONGEST = 400
"""Longer runs are data, not names."""

_URL = late(
    r"(?<![A-Za-z0-9])(?:https?|ftp|sftp|s3|gs|ssh|git|file|wss?|postgres(?:ql)?|mysql|redis|mongodb)://[^\s<>\"'`)\]}|,;]+"
)
_TICKED = late(r"`([^`\n]{1,200})`")
_TOKEN = late(
    r"(?:(?<![\w./~-])(?:~|\.{1,2})?/)?(?<![A-Za-z0-9_])[A-Za-z0-9_](?:[A-Za-z0-9_]|[-.:/@+#~=\\](?=[A-Za-z0-9_/:]))*"
)
_CODED = late(r"(?<![A-Za-z0-9-])([A-Z]{2,3}) (\d{2,5})(?![\w.,%/-]\d|\w)")
_CODES = late(
    r"(?<![\w.+-])(?:"
    r"\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){2,6}"  # telephone numbers: international, with an area, in North America
    r"|\(\d{2,5}\)[ .-]?\d{3,4}(?:[ .-]\d{2,5}){1,2}"
    r"|0\d{1,4}[ /.-]\d{2,4}(?:[ .-]\d{2,4}){1,4}"
    r"|\d{3}[-.]\d{3}[-.]\d{4}"
    r"|\d{4}(?:[ -]\d{4}){3}"  # cards
    r"|[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?"  # accounts
    r")(?![\w%]|[.,-]\d)"
)
_PINNED = late(r"[A-Za-z][\w.-]*[:=@]([vV]?\d+(?:\.\d+){2,3})")  # "app:2.7.11"
_ADDRESS = late(r"((?:\d{1,3}\.){3}\d{1,3})[:/]\d{1,5}")  # with its port, or how much of it names a network
_SPACED_NUMBER = late(r"\+?\d{1,3}(?: \d{3})+")
_EMAIL = late(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_VERSION = late(
    r"[vV]?\d+(?:\.\d+){2,4}(?:[-+.][0-9A-Za-z][\w.+-]*)?|[vV]\d+(?:\.\d+)*(?:[-+.]?(?:rc|a|b|alpha|beta|dev|post)[\w.]*)?"
)
_HEX = late(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}|[0-9A-F]{8}-[0-9A-F-]{27}", re.IGNORECASE)
_FILE = late(r"[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?::\d{1,6}(?::\d{1,5})?)?")
_NUMBERED = late(r"\d[\d.,]*-?([A-Za-zμ°/]+(?:-[a-z]+)*)")
_PAIR = late(r"[A-Za-z_][\w.-]*[=:]-?\d[\d.,:/%-]*[A-Za-zμ°%]{0,5}")
_DIGIT = late(r"\d")
_WORD_AND_NUMBER = late(r"[A-Za-z]{2,12}-\d{1,9}")
_THOUSANDS = late(r"[1-9]\d{0,2}(?:\.\d{3}){2,}")
_POWER = late(r"\d[\d.,]*[eE][+-]?\d{1,3}")
_LASTING = late(r"(?:\d+(?:\.\d+)?(?:w|d|h|m|min|s|ms)){2,}")  # "3d4h"
_MONEY = late(r"([A-Za-z]{2,4})\.?\d[\d.,]*[A-Za-z]{0,2}")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "x", "s", "er", "e", "k", "d", "D"})
_NUMBER = late(r"\d+(?:\.\d+)?")
_NO_CLOCK = late(r"\d{1,2}:(?:[6-9]\d:\d\d|\d\d:[6-9]\d)")  # what no time is, "1:84:22", stands as it is written
_PERIOD = late(r"[HhQqSs][1-4]|(?:FY|CY|KW|CW|W)\d{1,4}|\d{4}[-/]?[QH][1-4]|[QH][1-4][-/]?\d{2,4}")
_WORDS = late(r"[A-Za-z0-9_][^\s\"'<>()\[\]{},;|=`]*")
_STRANGE = late(r"[^\w./:@#~+=\\-]")


def names_in(text: str) -> Iterator[Value]:
    """The identifiers of a normalised text, in the order of the passes; their spans do not overlap."""
    if "://" in text:
        for match in _URL.finditer(text):
            yield _name(match[0].rstrip(".:!?*_"), match.start(), Shape.URL)
        text = _URL.sub(_blank, text)
    if "`" in text:
        yield from _ticked_names(text)
        text = _TICKED.sub(lambda m: _blank(m) if _ticked(m[1].strip()) is not None else m[0], text)
    for pattern, is_name, shape in ((_CODES, _is_code, Shape.CODE), (_CODED, _is_coded, Shape.ID)):
        several = [match for match in pattern.finditer(text) if is_name(match)]
        if several:
            yield from (_name(match[0], match.start(), shape) for match in several)
            text = pattern.sub(partial(_blank_if, is_name), text)
    for match in _TOKEN.finditer(text):
        token = match[0]
        if not token.isalpha() and not token.replace(".", "", 1).isdigit() and len(token) <= LONGEST:
            named = _token_name(token.rstrip(":"), match.start())
            if named is not None:
                yield named


def _token_name(token: str, start: int) -> Value | None:
    """What a token names: all of it, the address in front of a port, the version behind a name ("app:2.7.11")."""
    address = _ADDRESS.fullmatch(token) if token[0].isdigit() else None
    token = address[1] if address else token
    found = Shape.ID if _is_numbered_word(token) else shape_of(token)
    if found is not None:
        return _name(token, start, found)
    pinned = _PINNED.fullmatch(token) if "." in token else None
    return _name(pinned[1], start + pinned.start(1), Shape.VERSION) if pinned else None


def _is_numbered_word(token: str) -> bool:
    """True for "web-17", as which most ids are made."""
    return _WORD_AND_NUMBER.fullmatch(token) is not None and token not in _plain_words()


def _is_code(match: re.Match[str]) -> bool:
    """Digits in groups that no number has."""
    text = match[0]
    digits = sum(sign.isdigit() for sign in text)
    return digits >= 8 and (text[0] != "0" or digits >= 9) and _SPACED_NUMBER.fullmatch(text) is None


def _is_coded(match: re.Match[str]) -> bool:
    """Capitals and a number behind them that are one name: "LH 2035"."""
    return not meanings(match[1], touching=True) and match[1] not in _not_codes()


def _ticked_names(text: str) -> Iterator[Value]:
    for match in _TICKED.finditer(text):
        inner = match[1].strip()
        shape = _ticked(inner)
        if shape is not None:
            yield _name(inner, match.start(1) + match[1].find(inner), shape)


def _blank_if(is_name: Callable[[re.Match[str]], bool], match: re.Match[str]) -> str:
    return _blank(match) if is_name(match) else match[0]


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def _name(text: str, start: int, shape: Shape) -> Value:
    return Value(Kind.NAME, text, start, start + len(text), shape=shape)


@cache
def _not_codes() -> frozenset[str]:
    """Capitals before a number that are words, months or zones."""
    return frozenset(load_table("values", "words.toml")["not_codes"])


def _ticked(inner: str) -> Shape | None:
    """The shape of what stands in back-ticks, None for commands, plain words and numbers."""
    if _STRANGE.search(inner.replace("()", "").replace("[]", "")) or len(inner) < 3:
        return None
    shape = shape_of(inner)
    if shape is not None:
        return shape
    plain = inner.replace("()", "")
    if (
        re.fullmatch(r"[A-Za-z]*|[\d.,:/=-]*", plain)
        and not inner.endswith("()")
        and not re.search(r"[a-z][A-Z]", plain)
    ):
        return None
    if _PAIR.fullmatch(inner) or plain[:1].isdigit():
        return None
    return Shape.PATH if "/" in inner else Shape.SYMBOL


@lru_cache(4096)
def shape_of(token: str) -> Shape | None:  # noqa: PLR0911 - one line per shape, the most telling first
    """The shape of a token, None when it names nothing or is a number with its unit."""
    if _NUMBER.fullmatch(token) or token in _plain_words() or _PERIOD.fullmatch(token):
        return None
    if "@" in token and _EMAIL.fullmatch(token):
        return Shape.EMAIL
    if "::" in token:
        return Shape.PATH if "/" in token else Shape.SYMBOL
    digit = _DIGIT.search(token) is not None
    if not any(map(str.isalpha, token)):
        return _only_digits(token)
    if "/" in token or "\\" in token:
        return Shape.PATH if _is_path(token, digit) else None
    if _VERSION.fullmatch(token):
        return Shape.VERSION
    if _FILE.fullmatch(token) and not _NUMBERED.fullmatch(token):
        return Shape.PATH if token.lower() not in _plain_words() else None
    if not digit:
        return None
    if _HEX.fullmatch(token):
        return Shape.HASH
    return _mixed(token)


def _only_digits(token: str) -> Shape | None:
    if token.count(".") >= 2 and _VERSION.fullmatch(token):
        return None if _is_grouped(token) else Shape.VERSION
    if _NO_CLOCK.fullmatch(token):
        return Shape.ID
    return Shape.ID if token.count("-") >= 2 and re.fullmatch(r"\d+(?:-\d+){2,}", token) else None


def _is_grouped(token: str) -> bool:
    """ "1.000.000" is a number; four numbers up to 255 are an address."""
    parts = token.split(".")
    address = len(parts) == 4 and all(p.isdecimal() and str(int(p)) == p and int(p) < 256 for p in parts)
    return _THOUSANDS.fullmatch(token) is not None and not address


def _is_path(token: str, digit: bool) -> bool:
    if token[0] in "/~.":
        return len(token) > 2
    parts = re.split(r"[\\/]", token)
    if len(parts) == 2 and (
        meanings(parts[0].lstrip("0123456789.,"), touching=True) or all(p.isalpha() for p in parts)
    ):
        return False
    if _FILE.fullmatch(parts[-1]):
        return True
    return len(parts) > 2 or (digit and all(re.search(r"[A-Za-z]", part) for part in parts))


def _mixed(token: str) -> Shape | None:
    """Letters and digits: an id, unless it is a number with a word or a key with its number."""
    numbered = _NUMBERED.fullmatch(token)
    if numbered is not None:
        word = numbered[1]
        if (
            "-" in token
            or word in _ORDINALS
            or meanings(word, touching=True)
            or meanings(word.partition("/")[0], touching=True)
        ):
            return None
    if _PAIR.fullmatch(token) or _POWER.fullmatch(token) or _LASTING.fullmatch(token):
        return None
    money = _MONEY.fullmatch(token)
    if money is not None and money[1] in signs():
        return None
    separated = bool(re.search(r"[-._:#/]", token))
    return Shape.ID if len(token) >= 4 or separated else None


@cache
def _plain_words() -> frozenset[str]:
    """Products and abbreviations that look like files."""
    table = load_table("reading", "names.toml")
    words = [*table["products"], *table["abbreviations"], *table["words"]]
    return frozenset((*words, *(word.lower() for word in words)))


def is_plain_word(word: str) -> bool:
    """True for a product or an abbreviation."""
    return word in _plain_words()


def key_of(text: str, shape: Shape) -> str:
    """The form two spellings of one identifier share: separators left out, and case, where they mean nothing."""
    make = _KEYS.get(shape)
    return make(text) if make is not None else squeezed(text)


_LINES = late(r"#L(\d+)")  # "a.py#L42" is "a.py:42"
_KEYS: dict[Shape, Callable[[str], str]] = {
    Shape.PATH: lambda text: _LINES.sub(r":\1", text).replace("\\", "/").removeprefix("./"),
    Shape.SYMBOL: lambda text: text.removesuffix("()"),
    Shape.URL: lambda text: text.casefold().rstrip("/").partition("://")[2].removeprefix("www."),
    Shape.VERSION: lambda text: text.casefold().removeprefix("v"),
    Shape.EMAIL: str.casefold,
    Shape.DECLARED: str.casefold,
    Shape.CODE: lambda text: "".join(filter(str.isalnum, text)).casefold(),
}


def squeezed(text: str) -> str:
    """Lower case without blanks, hyphens and underscores."""
    return "".join(text.split()).replace("-", "").replace("_", "").casefold()


def words_in(text: str, *, parted: bool = False) -> dict[str, str]:
    """Squeezed word -> a spelling of it, of all words of a text, or of those alone that squeezing joins."""
    words = dict.fromkeys(_WORDS.findall(text))
    if parted:
        words = dict.fromkeys(word for word in words if "-" in word or "_" in word)
    return {squeezed(word.rstrip(".,:;!?")): word for word in words}
