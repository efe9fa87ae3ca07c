"""Where a value of an argument may come from: the user, or a result (spec 30, "Tool arguments").

A plain search for whole words and equal numbers. A result that is out of reach may hold anything, so it clears.
"""

from __future__ import annotations

import re

from gate_core.admission.stated import fold
from gate_core.ledger import Ledger
from gate_core.model.grants import Grants
from gate_core.model.json import Json, text_of
from gate_core.model.kinds import Outcome

_NUMBER = re.compile(r"(?<![\w.,])[-+]?\d[\d.,'’  ]*")
_EDGE = r"[\w]"


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
    """True when a folded text holds a value: a number equal to it, or its words, whole."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return any(same_number(found, float(value)) for found in _NUMBER.findall(text))
    wanted = fold(str(value))
    number = as_number(wanted)
    if number is not None and any(same_number(found, number) for found in _NUMBER.findall(text)):
        return True
    return bool(wanted) and number is None and find_words(text, wanted) is not None


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
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff"


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
