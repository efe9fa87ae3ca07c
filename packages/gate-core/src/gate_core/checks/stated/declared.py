"""A declared signal by its name: "gate G1 passes" needs that signal, passed and current (spec 20, "Statements").

What is said of tests, builds and events in other words is read by the language packs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.checks.lacking import unbacked
from gate_core.checks.remedies import signal_rows
from gate_core.checks.requires import check_signal
from gate_core.data import load_table
from gate_core.ledger import Ledger
from gate_core.model.config import GateConfig
from gate_core.model.late import late
from gate_core.model.reading import Sentence
from gate_core.model.verdict import Finding

_ENDING = late(r"_(?:passed|passes|ok|green|held|holds|met|done)$")
_SHORTEST = 3  # letters of a name without its ending


def own_signals(config: GateConfig) -> frozenset[str]:
    """The names of signals that the user declared and that no built-in rule raises."""
    return frozenset((*(rule.name for rule in config.signals), *config.requires)).difference(signal_rows())


def undeclared(sentence: Sentence, ledger: Ledger, config: GateConfig) -> Iterator[Finding]:
    """What the signals lack of which a sentence says by name that they hold."""
    for name in sorted(own_signals(config)):
        if not says_held(name, sentence.head):
            continue
        if name in ledger.signals:
            yield from check_signal(name, ledger)
        else:
            yield unbacked("that a declared signal passed", fix="run what raises it, visibly, then answer again")


def says_held(name: str, text: str) -> bool:
    """True for a text that says of a signal, by its name, that it holds."""
    return _pattern(name).search(text) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    table = load_table("checks", "stated", "declared.toml")
    bare = _ENDING.sub("", name)
    names = [name, bare] if len(bare) >= _SHORTEST else [name]
    spelt = "|".join(r"[\s_-]".join(map(re.escape, re.split(r"[_\s-]+", each))) for each in names)
    return re.compile(rf"(?<![\w-])(?:{spelt}){table['soft']}(?:{table['holds']})", re.IGNORECASE)
