"""The language packs: what the words of a language say. One TOML file per language, all of one schema.

`hints` are words that make it worth trying a language on a text of its script; `joints` part clauses that stand
against each other or side by side, `sides` those of which one explains the other; an `introducing` clause dates the
one behind it; behind a colon `status` words say how it went ("Tests: green"); a `bending` word makes a condition or a
name of what stands before it; `cut` cues govern the rest of their clause; `kinds` are what a clause states; `asks` is
what a prompt wants; `headings` are what stands above a list of changes, `quoting` above one that tells what a file
holds, `proposing` above one of what is yet to be done, `drafting` above a text that was written for somebody, which
`closing` words end; `earlier` words date a statement back. `words` are groups that the patterns name in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gate_core.data import load_table
from gate_core.reading.anchors import Rule, Rules, learn
from gate_core.reading.blind import Blind
from gate_core.reading.events import event_rules, fill

LATIN = ("de", "fr", "es", "pt", "it", "nl")
"""The languages that share English's script, each tried on texts that hold one of its hints."""
LANGUAGES = ("en", *LATIN, "ru", "zh", "ja", "ko")

_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f]")
_WORDS = re.compile(r"[^\W\d_]+")
_OTHER = re.compile(r"[^\x00-\u024f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """One language. `rules` read clauses: the groups "cut" and "kind" by their tables, "event" by those of events/.

    After a match of `followed`, a match of the group "then" states a change too.
    """

    language: str
    joints: Blind | None
    sides: Blind | None
    introducing: Blind | None
    status: Blind | None
    bending: Blind | None
    rules: Rules
    asks: Mapping[str, Blind]
    headings: Blind | None
    quoting: Blind | None
    proposing: Blind | None
    drafting: Blind | None
    closing: Blind | None
    earlier: Blind | None
    followed: Blind | None


def candidates(sentence: str, *, every: bool = False) -> Iterator[Pack]:
    """The packs worth trying on a sentence, most likely first: by its script, by the hints of a language, English first
    among equals.

    `every` tries the Latin ones without hints too; a prompt may be two words long.
    """
    if _OTHER.search(sentence):
        yield from (pack(name) for name in _by_script(sentence))
    if _LETTER.search(sentence):
        words = _all_hints().intersection(_WORDS.findall(sentence.lower()))
        if every or not words <= _hints()["en"]:
            yield from _latin(words, every=every)
        else:
            yield pack("en")


def _latin(words: frozenset[str], *, every: bool) -> Iterator[Pack]:
    """English and the packs of which a sentence holds most hints, as many as of English at least; those it holds more
    of stand first."""
    counts = {name: len(words & hints) for name, hints in _hints().items()}
    own = counts.pop("en")
    first = max(counts, key=counts.__getitem__)
    ahead = [first] if counts[first] > own else []
    others = (name for name, count in counts.items() if every or count >= max(1, own, counts[first] / 2))
    yield from (pack(name) for name in dict.fromkeys((*ahead, "en", *others)))


def _by_script(sentence: str) -> Iterator[str]:
    if _HANGUL.search(sentence):
        yield "ko"
    if _KANA.search(sentence):
        yield "ja"
    elif _HAN.search(sentence):
        yield "zh"
    if _CYRILLIC.search(sentence):
        yield "ru"


@cache
def _hints() -> dict[str, frozenset[str]]:
    """The words of each Latin language that make it worth trying: as many of them as a sentence has of English."""
    return {name: frozenset(load_table("reading", "packs", f"{name}.toml")["hints"]) for name in ("en", *LATIN)}


@cache
def _all_hints() -> frozenset[str]:
    return frozenset().union(*_hints().values())


@cache
def pack(language: str) -> Pack:
    """The pack of a language, compiled once."""
    table = load_table("reading", "packs", f"{language}.toml")
    learn(language)
    words = {name: f"(?:{'|'.join(items)})" for name, items in table.get("words", {}).items()}
    words = {name: fill(group, words) for name, group in words.items()}  # groups may hold groups
    followed = table.get("followed")
    single = {name: _compiled(table[name], words) if table.get(name) else None for name in _SINGLE}
    return Pack(
        language=language,
        rules=Rules(_rules(language, table, words)),
        asks=_table(table["asks"], words),
        followed=_compiled(followed["first"], words) if followed else None,
        **single,
    )


_SINGLE = (
    *("joints", "sides", "introducing", "status", "bending", "headings", "quoting", "proposing", "drafting"),
    *("closing", "earlier"),
)
"""The lists of a pack that are one pattern each; a pack may do without."""


def _table(table: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Blind]:
    return {name: _compiled(rows, words) for name, rows in table.items()}


def _rules(language: str, table: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[Rule]:
    groups = {"cut": table["cut"], "kind": table["kinds"], "then": {"then": table.get("followed", {}).get("then", ())}}
    for group, rows in groups.items():
        for name, patterns in rows.items():
            yield from (Rule(group, name, fill(pattern, words)) for pattern in patterns)
    yield from event_rules(language)


def _compiled(patterns: Sequence[str], words: Mapping[str, str]) -> Blind:
    return Blind(fill("|".join(f"(?:{pattern})" for pattern in patterns), words))
