"""Which events a clause states: runs that were green or red, commits, messages sent. One TOML file per language in
events/, the schema of which en.toml explains (spec 20, "Statements")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from gate_core.data import has_table, load_head, load_section
from gate_core.model.late import late
from gate_core.reading.rules import Rule

RED = "-red"
"""The ending of a kind that says that something failed."""

RUNS = frozenset(
    ["tests_passed", "build_passed", "lint_passed", "types_passed", "format_passed", "ci_green", "executed"]
)
"""The kinds that tell of a run and of nothing that was changed."""
GREEN = RUNS - {"executed"}
"""Those that say it went well."""

TOLD = "-told"
"""The ending of a kind that is told without saying who did it; a look may have shown it as well."""

THEY = "they"
"""The name of the rules by which a clause says of the run before it that it went well ("they pass")."""

_DEEPEST = 2  # rounds in which groups take in the groups they name, each twice as deep as the one before
_NAME = late(r"\{([^\W\d]\w*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """One language: kind -> the patterns that state it, as text; `quoted` ones read what stands in back-ticks too.

    `refers` says of what "they pass" is said: kind -> how a clause tells of such a run, and under `THEY` how a clause
    says of it that it went well.
    """

    patterns: Mapping[str, tuple[str, ...]]
    quoted: Mapping[str, tuple[str, ...]]
    refers: Mapping[str, tuple[str, ...]]


@cache
def events_of_language(language: str) -> Events | None:
    """The events of a language, their word groups filled in; None for a language without any."""
    if not has_table("reading", "events", f"{language}.toml"):
        return None
    table = load_head("[[examples]]", "reading", "events", f"{language}.toml")
    words = words_of_language(language)
    patterns = {kind: _filled(rows, words) for kind, rows in table.get("events", {}).items()}
    for kind, verbs in table.get("acts", {}).items():
        group = f"(?:{'|'.join(verbs)})"
        for name, shapes in ((kind, table["shapes"]), (kind + TOLD, table.get("passives", ()))):
            filled = _filled([shape.replace("{verb}", group) for shape in shapes], words)
            if filled:
                patterns[name] = (*patterns.get(name, ()), *filled)
    quoted = {kind: _filled(rows, words) for kind, rows in table.get("quoted", {}).items()}
    refers = {kind: _filled(rows, words) for kind, rows in table.get("refers", {}).items()}
    return Events(patterns=patterns, quoted=quoted, refers=refers)


@cache
def words_of_language(language: str) -> Mapping[str, str]:
    """The word groups of a language's events, by the names that its patterns use."""
    rows = load_section("words", "reading", "events", f"{language}.toml")
    words = {name: f"(?:{'|'.join(items)})" for name, items in rows.items()}
    for _ in range(_DEEPEST):  # groups may hold groups
        words = {name: fill(group, words) for name, group in words.items()}
    return words


def _filled(patterns: Sequence[str], words: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(fill(pattern, words) for pattern in patterns)


def fill(pattern: str, words: Mapping[str, str]) -> str:
    """A pattern with the groups of words that it names in braces."""
    return _NAME.sub(lambda name: words.get(name[1], name[0]), pattern) if "{" in pattern else pattern


def event_rules(language: str) -> Iterator[Rule]:
    """The patterns of a language's events as rules of the groups "event", "quoted" and "refers"."""
    found = events_of_language(language)
    if found is None:
        return
    for group, kinds in (("event", found.patterns), ("quoted", found.quoted), ("refers", found.refers)):
        for kind, patterns in kinds.items():
            yield from (Rule(group, kind, pattern) for pattern in patterns)


def without_contradicted(kinds: Iterable[str]) -> frozenset[str]:
    """The kinds of a sentence; one that is called red is not called green by the same words."""
    said = frozenset(kinds)
    if len(said) < 2:
        return said
    own = frozenset(kind for kind in said if f"{kind}{RED}" not in said)
    return frozenset(kind for kind in own if not (kind.endswith(TOLD) and kind.removesuffix(TOLD) in own))
