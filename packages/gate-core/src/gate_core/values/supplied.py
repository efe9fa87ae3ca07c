"""The values of a message, distilled when it arrives: what it supplies, and what it only guesses (spec 30)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.model.late import late
from gate_core.values.lexicon import cue, months, table
from gate_core.values.normal import folded, normal
from gate_core.values.scan import scan
from gate_core.values.spelled import supplied_numbers
from gate_core.values.value import Kind

GUESS = "?"
"""What stands before a value that a question only guesses."""
_MOST = 2_000  # values of one message
_SPOKEN = 300  # characters of a sentence that spells numbers out
_LONGEST = 120  # characters of one value
_READ = 200_000  # characters of a message
_SENTENCE = late(r"[^.!?。！？\n]*(?:[.!?](?!\s|$|\")[^.!?。！？\n]*)*(?:[.!?。！？\n]+|$)")


@cache
def _shortened() -> re.Pattern[str]:
    """Full stops that end no sentence: "Nr. 4471", "am 14. März"."""
    names = "|".join(sorted(map(re.escape, months()), key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<![^\W_])([^\W\d_]{{1,4}}(?=\.\s\d)|\d{{1,2}}(?=\.\s(?:{names})(?!\w)))\.\s", re.IGNORECASE)


def distil(text: str, *, role: str = "user") -> tuple[str, ...]:
    """The values of a message as it spells them; those of a yes/no question about a state are marked as guesses.

    Only the user guesses: a system prompt states.
    """
    found: dict[str, None] = {}
    sentences = _SENTENCE.findall(_shortened().sub(r"\1 ", normal(text[:_READ])))
    for sentence in sentences:
        mark = GUESS if role == "user" and _guesses(sentence) else ""
        if cue("one_day").search(folded(sentence)):
            found.setdefault("1 day")
        for spelling in _spellings(sentence):
            found.setdefault(mark + spelling)
            if len(found) >= _MOST:
                return tuple(found)
    spelt = supplied_numbers(
        [sentence for sentence in sentences if len(sentence) <= _SPOKEN and not _guesses(sentence)]
    )
    found.update(dict.fromkeys(spelt))
    return tuple(found)


def _spellings(sentence: str) -> Iterator[str]:
    for value in scan(sentence):
        if len(value.text) > _LONGEST:
            continue
        if value.kind is Kind.NUMBER:
            yield f"{value.text}{'+' if value.floor else ''}"
        else:
            yield value.text


def _guesses(sentence: str) -> bool:
    """True for a yes/no question about how things are; a request in question form is none."""
    low = folded(sentence).strip(" \t\n\"'¿¡*_-")
    if not low.endswith(("?", "？", "か。", "か")) or cue("request").search(low):
        return False
    if any(low.endswith(normal(end).casefold()) for end in table("cues")["guess_ends"]):
        return True
    last = re.split(r"[,;:]\s", low)[-1].strip()
    return any(_first_word(part) in _starts() for part in (low, last))


def _first_word(text: str) -> str:
    match = re.match(r"[\w'-]+", text)
    return match[0] if match else ""


def _starts() -> frozenset[str]:
    return frozenset(table("cues")["guess_starts"])
