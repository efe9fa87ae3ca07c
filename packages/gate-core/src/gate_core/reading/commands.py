"""The commands that a sentence says were run (spec 20, "executed command")."""

from __future__ import annotations

import re

from gate_core.model.late import late
from gate_core.model.reading import Sentence
from gate_core.reading.cues import says

_COMMAND = late(r"`([^`\n]{1,300})`")
_PROGRAM = late(r"(?:\.{0,2}/)?[\w+-][\w.+/-]{0,80}")
_NEAR = 60  # characters around a command in which it is said to have been run


def commands_in(sentence: Sentence) -> tuple[str, ...]:
    """The commands a sentence names in back-ticks: words in a row, or one word that is said to have been run. A file, a
    call or a symbol in back-ticks is none."""
    found = []
    for match in _COMMAND.finditer(sentence.text):
        text = match[1].strip().removeprefix("$ ")
        words = text.split()
        if words and _PROGRAM.fullmatch(words[0]) and (len(words) > 1 or _was_run(sentence, match)):
            found.append(text)
    return tuple(found)


def _was_run(sentence: Sentence, match: re.Match[str]) -> bool:
    """True when the words beside a command say that it was run."""
    text, (start, end) = sentence.text, match.span()
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    return says("ran_before", _as(sentence, before)) or says("ran_after", _as(sentence, after))


def _as(sentence: Sentence, part: str) -> Sentence:
    return Sentence(text=part, language=sentence.language or "en")
