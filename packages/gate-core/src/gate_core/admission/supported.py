"""Where a value of an argument may come from: the user, or a result (spec 30, "Tool arguments").

A plain search for whole words and equal numbers. A result that is out of reach may hold anything, so it clears.
"""

from __future__ import annotations

import re

from gate_core.admission.stated import LONGEST, fold, grammar_of
from gate_core.ledger import Ledger
from gate_core.model.grants import Grants
from gate_core.model.json import Json, text_of
from gate_core.model.kinds import Outcome
from gate_core.model.late import late
from gate_core.values.match import Fit, fit
from gate_core.values.numerals import spelt
from gate_core.values.scan import scan
from gate_core.values.value import Kind

_NUMBER = late(r"(?<![^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?<![.,])[-+]?\d[\d.,'’  ]*")
_DATED = late(r"\d.*\d")
_LONG = late(r"\b\w{1,4}\b")
_MONTH = late(r"(?<=\d )[^\W\d_]|(?<=\d\. )[^\W\d_]|\bm(?=ay \d)")
_MOST_DATED = 200_000  # characters of a text that is read for dates


def is_supported(value: Json, ledger: Ledger, grants: Grants) -> bool:
    """True when the user said the value or an ok call's result shows it. Confirmations and arguments give none."""
    if any(holds(stated.text, value) for stated in grants.stated):
        return True
    wanted = fold(str(value))
    if any(
        wanted == fold(name.rpartition("/")[2]) or wanted == fold(name)
        for said in ledger.state.said
        for name in said.subjects
    ):
        return True
    for fact in ledger.facts:
        if not fact.executed or fact.outcome in (Outcome.NOT_FOUND, Outcome.FAILED):
            continue
        found = ledger.text(fact)
        if found is None or holds(fold(text_of(found[1])), value):
            return True
    return False


def holds(text: str, value: Json) -> bool:
    """True when a folded text holds a value: a number equal to it, in digits or in words, the same date, or its words,
    whole."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return _holds_number(text, float(value))
    wanted = fold(str(value))
    number = as_number(wanted)
    if number is not None:
        return _holds_number(text, number)
    return bool(wanted) and (find_words(text, wanted) is not None or _holds_date(text, wanted))


def _holds_number(text: str, number: float) -> bool:
    if any(same_number(found, number) for found in _NUMBER.findall(text)):
        return True
    return number.is_integer() and len(text) <= LONGEST and _is_spelt(text, number)


def _is_spelt(text: str, number: float) -> bool:
    """In the language of the text; of the others only in words long enough to be no words of it."""
    own = grammar_of(text).language
    return number in spelt(text, own) or any(
        number in spelt(_LONG.sub(" ", text), other) for other in ("en", "de", "es", "fr")
    )


def _holds_date(text: str, wanted: str) -> bool:
    """True when the value is a date or a time, and the text says the same one or a more exact one (spec 30)."""
    if not _DATED.search(wanted) or len(text) > _MOST_DATED:
        return False
    said = scan(wanted)
    if len(said) != 1 or said[0].kind is not Kind.INSTANT or said[0].text.strip() != wanted:
        return False
    cased = _MONTH.sub(lambda match: match[0].upper(), text)  # "may" is a small word too
    return any(fit(said[0], shown) is Fit.YES for shown in scan(cased) if shown.kind is Kind.INSTANT)


def find_words(text: str, words: str) -> tuple[int, int] | None:
    """Where the words stand whole in a folded text; between scripts without blanks, anywhere."""
    start = 0
    while (at := text.find(words, start)) >= 0:
        end = at + len(words)
        if not _cuts(text, at) and not _cuts(text, end):
            return at, end
        start = at + 1
    return None


def _cuts(text: str, at: int) -> bool:
    """True when a place lies inside of a word or a number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _is_cjk(before) or _is_cjk(after):
        return False
    if _is_part(before) and _is_part(after):
        return True
    behind, ahead = text[at - 2 : at - 1], text[at + 1 : at + 2]
    return (before in ".,'-" and behind.isalnum() and after.isalnum()) or (
        after in ".,'-" and ahead.isalnum() and before.isalnum()
    )


def _is_part(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_cjk(char: str) -> bool:
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"


def as_number(text: str) -> float | None:
    """The number a text is, None when it is none."""
    bare = text.strip().lstrip("$€£¥").strip()
    readings = _readings(bare) if re.fullmatch(r"[-+]?\d[\d.,'’  ]*", bare) else ()
    return readings[0] if readings else None


def same_number(text: str, value: float) -> bool:
    """True when one reading of a written number is the value: "1,410" is 1410, "1.410" may be 1410 or 1.41."""
    return value in _readings(text)


def _readings(text: str) -> tuple[float, ...]:
    bare = re.sub(r"['’  ]", "", text).rstrip(".,")
    found: list[float] = []
    for group, point in ((",", "."), (".", ",")):
        whole = bare.replace(group, "") if _grouped(bare, group, point) else bare
        try:
            found.append(float(whole.replace(point, ".")))
        except ValueError:
            continue
    return tuple(dict.fromkeys(found))


def _grouped(text: str, group: str, point: str) -> bool:
    """True when the marks stand where thousands do."""
    head = text.partition(point)[0].lstrip("+-")
    first, *rest = head.split(group)
    return bool(rest) and 1 <= len(first) <= 3 and all(len(part) in (2, 3) for part in rest) and len(rest[-1]) == 3
