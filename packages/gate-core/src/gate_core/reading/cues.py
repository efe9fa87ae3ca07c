"""Small words that a check asks of one sentence when it doubts it: "39 of 40", "all but one", "not re-run since".

One TOML file per language in cues/, all with the same cues. `fraction` (named groups `some`, `every`) and `partly`
say that not all of it was, `every` that all was meant, `whole_of_it`
that in so many words, `nothing_ran` that a run was cached, skipped or had no tests,
`older` that a run is older than the last change, `already` that it was so before, `count` (group `count`) how many
tests passed, `compiles` that a build is meant, `in_ci` that the runs of a pipeline are meant. `absent`, `deleting`,
`placed` and `there` are what is said of a file, `planned` that only a list of things to do was written, `ours` that a
file of this work is meant, `was_done` that nobody is said to have done it, `ran_before` and `ran_after` that a quoted
command was run, `denying` stands before what is denied, `correcting` takes a word back, `takes_back` does nothing
else, `wavering` does so before a figure, `you_said` quotes the one who answers, behind `rewriting` stands a text to
be put into other words, `wrote_file` (group `file`) says which file was written, changed or deleted, itself or
something in it; `begun` and `ended` are what is said of work, `being` that it is being done and `underway` that it is
not done yet and `ready` that it is, `built` that nothing but a build was made, `all_well` that nothing is broken,
`unused` that a name is used nowhere, `runs` of what was brought up, `page_says` what a page or a service is said to
show, `now_so` of a state that is new and `is_so` of any, `asks_back` stands between a statement and the question
behind it, `left_alone` (group `file`) says of a file that it was not changed and `nothing_else` of all others;
`all_green` is what answers a question about runs, `identical` and `differs` how a comparison ended;
`left_undone` is what stands above a list of what was not done, `read_content` says that a text was read, not only seen
to be there, and `nowhere` that nothing of a kind is in all of the work.

Patterns are bounded, so that asking is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.data import load_section
from gate_core.model.late import late
from gate_core.model.reading import Sentence
from gate_core.reading.languages import likely

_RATIO = late(r"(?<![\d/.])(\d[\d,]*) ?/ ?(\d[\d,]*)(?![\d/])")


def says(cue: str, sentence: Sentence | str) -> bool:
    """True when a sentence holds a cue, in the language it was read in or in one it may be of."""
    return next(found(cue, sentence), None) is not None


def found(cue: str, sentence: Sentence | str) -> Iterator[re.Match[str]]:
    """The matches of a cue in a sentence."""
    text = sentence if isinstance(sentence, str) else sentence.text
    for language in _languages(sentence):
        for pattern in cue_patterns(language, cue):
            yield from pattern.finditer(text)


def fractions(sentence: Sentence | str) -> Iterator[tuple[int, int]]:
    """(some, of how many) of each fraction a sentence names: "39 of 40", "39/40"."""
    text = sentence if isinstance(sentence, str) else sentence.text
    yield from ((whole(match[1]), whole(match[2])) for match in _RATIO.finditer(text))
    yield from ((whole(match["some"]), whole(match["every"])) for match in found("fraction", sentence))


def whole(digits: str) -> int:
    """The number that digits with separators spell."""
    return int(re.sub(r"\D", "", digits) or 0)


@cache
def cue_patterns(language: str, cue: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of a cue in a language."""
    rows = load_section(cue, "reading", "cues", f"{language}.toml")["patterns"]
    return tuple(re.compile(row, re.IGNORECASE) for row in rows)


@cache
def cue_pattern(language: str, cue: str) -> re.Pattern[str]:
    """The patterns of a cue as one; for cues without named groups."""
    return re.compile("|".join(f"(?:{row.pattern})" for row in cue_patterns(language, cue)), re.IGNORECASE)


def _languages(sentence: Sentence | str) -> tuple[str, ...]:
    text, own = (sentence, "") if isinstance(sentence, str) else (sentence.text, sentence.language)
    return tuple(dict.fromkeys((*([own] if own else []), *likely(text, every=not own))))
