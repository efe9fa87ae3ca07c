"""The language packs: what the words of a language say. One TOML file per language, all of one schema.

`hints` are words that make it worth trying a language on a text of its script (languages.py); `joints` part clauses
that stand against each other or side by side, `sides` those of which one explains the other, each row from its first
letter on (the blank space before it is taken in, and a search can jump to a letter); an `introducing` clause
dates the one behind it; behind a colon `status` words say how it went ("Tests: green"); a `bending` word makes a
condition or a name of what stands before it; `cut` cues govern the rest of their clause; `kinds` are what a clause
states; `asks` is what a prompt wants; `headings` are what stands above a list of changes, `quoting` above one that
tells what a file holds, `proposing` above one of what is yet to be done, `drafting` above a text that was written for
somebody, which `closing` words end; `earlier` words date a statement back. `words` are groups that the patterns name in
braces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from gate_core.data import load_head
from gate_core.reading.anchors import learn
from gate_core.reading.blind import Blind
from gate_core.reading.events import event_rules, fill
from gate_core.reading.languages import likely
from gate_core.reading.rules import Rule, Rules

STATE, UNCHANGED = "state", "unchanged"


class Pack:
    """One language. `rules` read clauses: the groups "cut" and "kind" by their tables, "event" by those of events/; two
    kinds that are asked for apart are groups of their own, STATE and UNCHANGED, and so are the clauses that are
    "introducing" and, a rule each, the "joints" and "sides".

    After a match of `followed`, a match of the group "then" states a change too. The rules are put together when a
    sentence is read with them, patterns are compiled when they are first asked.
    """

    def __init__(self, language: str) -> None:
        table = load_head("[[examples]]", "reading", "packs", f"{language}.toml")
        words = {name: f"(?:{'|'.join(items)})" for name, items in table.get("words", {}).items()}
        words = {name: fill(group, words) for name, group in words.items()}  # groups may hold groups
        self.language = language
        self.status = _single(table, "status", words)
        self.bending = _single(table, "bending", words)
        self.headings = _single(table, "headings", words)
        self.quoting = _single(table, "quoting", words)
        self.proposing = _single(table, "proposing", words)
        self.drafting = _single(table, "drafting", words)
        self.closing = _single(table, "closing", words)
        self.earlier = _single(table, "earlier", words)
        self.followed = _single(table.get("followed", {}), "first", words)
        self._table, self._words = table, words

    @cached_property
    def rules(self) -> Rules:
        """The rules that read clauses."""
        learn(self.language)
        return Rules(_rules(self.language, self._table, self._words))

    @cached_property
    def introducing(self) -> int:
        """The bits of the rules of introducing clauses."""
        return self.rules.groups.get("introducing", 0)

    @cached_property
    def joining(self) -> tuple[tuple[int, Rule], ...]:
        """The rules by which clauses are joined, each with its bit."""
        bits = [self.rules.groups[group] for group in ("joints", "sides") if group in self.rules.groups]
        return tuple((bit, rule) for bit in bits for rule in self.rules.of(bit))

    @cached_property
    def asking(self) -> Rules:
        """The rules that read prompts: each kind of `asks` is a group."""
        learn(self.language)
        rows = self._table["asks"].items()
        return Rules(Rule(kind, kind, fill(pattern, self._words)) for kind, patterns in rows for pattern in patterns)


def candidates(sentence: str, *, every: bool = False) -> Iterator[Pack]:
    """The packs of the languages that are `likely`, each opened when its turn comes."""
    return map(pack, likely(sentence, every=every))


@cache
def pack(language: str) -> Pack:
    """The pack of a language, opened once."""
    return Pack(language)


def _rules(language: str, table: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[Rule]:
    groups = {"cut": table["cut"], "kind": table["kinds"], "then": {"then": table.get("followed", {}).get("then", ())}}
    groups["introducing"] = {"introducing": table.get("introducing", ())}
    for group, rows in groups.items():
        for name, patterns in rows.items():
            own = name if group == "kind" and name in (STATE, UNCHANGED) else group
            yield from (Rule(own, name, fill(pattern, words)) for pattern in patterns)
    yield from event_rules(language)
    for group in ("joints", "sides"):
        if table.get(group):
            yield Rule(group, group, _joined(table[group], words))


def _single(table: Mapping[str, Any], name: str, words: Mapping[str, str]) -> Blind | None:
    """A list of a pack that is one pattern; a pack may do without."""
    return Blind(_joined(table[name], words)) if table.get(name) else None


def _joined(patterns: Sequence[str], words: Mapping[str, str]) -> str:
    return fill("|".join(f"(?:{pattern})" for pattern in patterns), words)
