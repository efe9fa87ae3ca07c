"""One spelling for all scripts: digits, signs and blanks become ASCII before a text is scanned (spec 30)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from gate_core.values.han import in_digits, may_hold_figures

_SPECIAL = {
    "−": "-", "‐": "-", "‑": "-", "⁻": "^-", "٫": ".", "٬": ",", "٪": "%", "’": "'", "ʼ": "'", "‘": "'",
    "⁄": "/", "½": ".5", "¼": ".25", "¾": ".75", "\u200b": "", "\u200e": "", "\u200f": "", "\u2066": "", "\u2069": "",
    "·": "·", "«": "«", "»": "»", "￠": "¢",
}  # fmt: skip
_LONG = 10_000  # characters
_ASCII = bytes(range(128))
_LOWER = dict(zip(range(65, 91), range(97, 123), strict=True))
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))


class _Table(dict[int, str]):
    """What each character becomes, found once per process and character."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        digit = unicodedata.decimal(sign, None)
        if sign in _SPECIAL:
            found = _SPECIAL[sign]
        elif sign in _RAISED:
            found = "^" + _RAISED[sign]
        elif digit is not None:
            found = str(digit)
        else:
            found = unicodedata.normalize("NFKC", sign)
        self[code] = found
        return found


_TABLE = _Table({code: chr(code) for code in range(128)})


def normal(text: str) -> str:
    """The text in compatibility form, with ASCII digits and plain blanks. Linear; ASCII stays as it is."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", _translated(text))
    return in_digits(text) if may_hold_figures(text) else text


def _translated(text: str) -> str:
    """The text through the table. Of a long one few signs change: only they are touched, which is many times faster."""
    if len(text) < _LONG:
        return text.translate(_TABLE)
    return _changed(text, lambda sign: _TABLE[ord(sign)])


def _changed(text: str, become: Callable[[str], str]) -> str:
    """The text with each sign beyond ASCII as what it becomes."""
    strange = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    changed = {sign: plain for sign in sorted(set(strange)) if (plain := become(sign)) != sign}
    return re.sub(f"[{re.escape(''.join(changed))}]", lambda match: changed[match[0]], text) if changed else text


def folded(text: str) -> str:
    """The text for comparisons in any case."""
    if text.isascii():
        return text.lower()
    text = normal(text)
    if len(text) < _LONG:
        return text.casefold()
    low = text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")  # ASCII, many times faster
    return _changed(low, str.casefold)


def aligned(text: str) -> str:
    """A normalised text in one case, sign for sign: where folding would change its length, signs are left alone."""
    if text.isascii():
        return text.lower()
    for low in (folded(text), text.lower()):
        if len(low) == len(text):
            return low
    return text.translate(_LOWER)
