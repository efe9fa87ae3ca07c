"""What a text of somebody else tells of runs and events: a message with a pasted log, a mail, a ticket (spec 20,
"attribution"). It backs nobody's work; it may be told again."""

from __future__ import annotations

import re

from gate_core.footprint.runs import printed_by
from gate_core.model.kinds import SignalState
from gate_core.model.late import late
from gate_core.model.reading import Mood
from gate_core.reading.clauses import QUOTED
from gate_core.reading.cues import found as cue_found
from gate_core.reading.cues import says
from gate_core.reading.events import GREEN, RED, TOLD
from gate_core.reading.labels import topics_in
from gate_core.reading.languages import likely
from gate_core.reading.segment import segments
from gate_core.reading.statements import state
from gate_core.reading.tokens import named_in

PASTED = "#"
"""What stands before a name that a message shows in a pasted log, trace or table, and not only mentions."""
ASKED = "?"
"""What stands before a kind of run that a message asks about."""
_HEAD = 300  # characters in which a message says that a text is to be put into other words
_LINE = 400  # characters of a line in which a runner sums up
_SENTENCE = 2_000  # characters of one sentence
_MOST = 100  # sentences of one text
_LONGEST = 20_000  # characters of one text


def told_in(text: str, *, pasted: bool = False) -> tuple[str, ...]:
    """The kinds of events a text tells of, and with `ASKED` the runs its own words name.

    What the writer says in his own words counts only where it failed, unless all of the text is `pasted`; logs, code
    and quotes count as they stand. What he says was done, by whomever ("my flight was cancelled"), keeps the ending
    `TOLD`: it may be said again in that way and in no other.
    """
    text = text[:_LONGEST]
    if not pasted and (rewrite := next(cue_found("rewriting", text[:_HEAD]), None)) is not None:
        return told_in(text[rewrite.end() :], pasted=True)
    lines = "\n".join(line for line in text.splitlines() if len(line) <= _LINE and not line.isspace() and line)
    found = {_kind(event.name, event.state) for event in printed_by(lines, by="", ok=True)}
    for whole in segments(text)[:_MOST]:
        segment = whole._replace(text=whole.text[:_SENTENCE])
        own = not (pasted or segment.code or segment.quoted or segment.text[:1] in "\"'“„«「`")
        if not own:
            found |= _events(segment.text.strip("\"'“”„«»「」` "))
        elif not says("you_said", segment.text):
            stated = _stated(segment.text)
            found |= {kind.removesuffix(TOLD) for kind in stated if kind.removesuffix(TOLD).endswith(RED)}
            found |= {kind for kind in stated if kind.endswith(TOLD) and kind.removesuffix(TOLD) not in GREEN}
            found |= {kind for quote in QUOTED.findall(segment.text) for kind in _events(quote[1:-1])}
        if own:
            found |= {
                f"{ASKED}{topic}" for language in likely(segment.text) for topic in topics_in(segment.text, language)
            }
    return tuple(sorted(found))


def _events(sentence: str) -> set[str]:
    return {kind.removesuffix(TOLD) for kind in _stated(sentence)}


def _stated(sentence: str) -> frozenset[str]:
    stated = state(sentence, ())
    return stated.events if stated.mood is Mood.INDICATIVE else frozenset()


def _kind(name: str, run: SignalState) -> str:
    return name + RED if run is SignalState.FAILED else name


_LOGGED = late(
    r"^\s*(?:File \"|at [\w.$<>]{1,80} ?\(|Traceback \(|\[?\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[\w+\]|"
    r"E   |\$ |> |[+-]{3} |@@ |(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL)\b|\w*(?:Error|Exception)\b:)|\S+:\d+(?::\d+)?: "
)
_CELLS = late(r"\S+(?:[ \t]+\S+){3,40}")
_DIGIT, _FIGURE = re.compile(r"\d"), re.compile(r"\d{1,20}")


def names_pasted(text: str) -> tuple[str, ...]:
    """What a message shows in code, in a trace, in lines of a log or in rows of a table, as it spells it, and
    the figures beside it."""
    shown: list[str] = []
    for segment in segments(text[:_LONGEST])[:_MOST]:
        shown += [segment.text] if segment.code else []
    shown += [line for line in text[:_LONGEST].splitlines()[:_MOST] if len(line) <= _LINE and _is_logged(line)]
    names = dict.fromkeys(named.text for line in shown for named in named_in(line))
    figures = dict.fromkeys(digits for line in shown for digits in _FIGURE.findall(line))
    return (*names, *[digits for digits, _ in zip(figures, range(_MOST), strict=False)]) if names else ()


def _is_logged(line: str) -> bool:
    """True for a line that a program wrote: a frame, a log entry, a row of figures."""
    if _LOGGED.match(line):
        return True
    cells = line.split()
    figures = sum(map(bool, map(_DIGIT.search, cells)))
    return _CELLS.fullmatch(line.strip()) is not None and figures >= max(_FIGURES, len(cells) / 2)


_FIGURES = 3  # cells of a row with a figure in them, and half of all
