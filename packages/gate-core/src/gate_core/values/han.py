"""Numbers written in Han numerals, as digits: "一万二千" is 12000 (spec 30, "Any script")."""

from __future__ import annotations

from gate_core.model.late import late

_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_LEAST = 1000  # below, the signs are words more often than figures
_SIGNS = "".join((*_DIGITS, *_TENS, *_MYRIADS))
# Each begins with a sign, so that a long text is passed over quickly; what may not stand before it is asked behind it.
_RUN = late(rf"[{_SIGNS}](?<![{_SIGNS}\d.,][{_SIGNS}])[{_SIGNS}]{{1,39}}(?![{_SIGNS}])")
_FIGURE = late(r"[〇零一二两兩三四五六七八九十百千](?:[千万萬亿億]|(?<=[一二])[〇零一二三四五六七八九]{3}年)")
_ENDS = "千万萬亿億年"  # what figures end in
_YEAR = late(r"[一二](?<![〇零一二三四五六七八九\d][一二])[〇零一二三四五六七八九]{3}(?=年)")
_ENDS_YEAR = late(r"年(?<=[一二][〇零一二三四五六七八九]{3}年)")  # by a plain sign, which is found at once
_DAY = late(r"(年)([一二三四五六七八九十]{1,2})(月)(?:([一二三四五六七八九十]{1,3})([日号]))?")


def may_hold_figures(text: str) -> bool:
    """True for a text with a larger Han numeral, or a year that is spelt digit by digit."""
    return any(sign in text for sign in _ENDS) and _FIGURE.search(text) is not None


def in_digits(text: str) -> str:
    """The text with its larger Han numerals, and years that are spelt digit by digit, in digits. What is no number, as
    in "千万别" or "三四千", stays."""
    if _ENDS_YEAR.search(text) is not None:
        text = _YEAR.sub(lambda match: "".join(str(_DIGITS[sign]) for sign in match[0]), text)
    text = _DAY.sub(lambda match: "".join(_small(part) for part in match.groups("")), text)
    return _RUN.sub(lambda match: _written(match[0]), text)


def _small(part: str) -> str:
    """A month or a day in digits; signs that are none as they are."""
    number = _number(part) if part and part[0] in _SIGNS else None
    return part if number is None else str(number)


def _written(run: str) -> str:
    number = _number(run)
    return str(number) if number is not None and number >= _LEAST else run


def _number(run: str) -> int | None:
    """The number a run spells, None for one that is built otherwise."""
    total = section = 0
    digit: int | None = None
    last = 10**12  # what the sign before stood for: sizes fall, but for the myriads, which close a section
    filled = False
    for sign in run:
        if sign in _DIGITS:
            if digit is not None:
                return None
            digit, filled = _DIGITS[sign] or None, filled or not _DIGITS[sign]
        elif sign in _TENS:
            if _TENS[sign] >= last or (digit is None and (sign != "十" or section)):
                return None
            section, digit, last, filled = section + (digit or 1) * _TENS[sign], None, _TENS[sign], False
        else:
            section += digit or 0
            if not section or (total and _MYRIADS[sign] >= total):
                return None
            total, section, digit, last, filled = total + section * _MYRIADS[sign], 0, None, _MYRIADS[sign], False
    if digit is not None:  # "一万二" is 12000, "一万零二" is 10002
        section += digit * (last // 10 if 100 <= last < 10**12 and not filled else 1)
    return total + section
