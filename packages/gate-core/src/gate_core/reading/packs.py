"""The language packs: what the words of a language say. One TOML file per language, all of one schema.

`hints` are words that make it worth trying a language on a text of its script; `joints` part clauses that stand
against each other; `cut` cues govern the rest of their clause; `kinds` are what a clause states; `asks` is what a
prompt wants; `headings` are what stands above a list of changes, `quoting` above one that tells what a file holds,
`proposing` above one of what is yet to be done, `drafting` above a text that was
written for somebody, which `closing` words end; `earlier` words date a statement back. `words` are groups that the
patterns name in braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gate_core.data import load_table
from gate_core.reading.anchors import Rule, Rules, learn
from gate_core.reading.events import event_rules

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
    joints: re.Pattern[str] | None
    rules: Rules
    asks: Mapping[str, re.Pattern[str]]
    headings: re.Pattern[str] | None
    quoting: re.Pattern[str] | None
    proposing: re.Pattern[str] | None
    drafting: re.Pattern[str] | None
    closing: re.Pattern[str] | None
    earlier: re.Pattern[str] | None
    followed: re.Pattern[str] | None


def candidates(sentence: str, *, every: bool = False) -> Iterator[Pack]:
    """The packs worth trying on a sentence, most likely first: by its script, and by the hints of a language.

    `every` tries the Latin ones without hints too; a prompt may be two words long.
    """
    if _OTHER.search(sentence):
        yield from (pack(name) for name in _by_script(sentence))
    if _LETTER.search(sentence):
        yield pack("en")
        words = _all_hints().intersection(_WORDS.findall(sentence.lower()))
        if every or words:
            own = max(1, len(words & _hints()["en"]))
            yield from (pack(name) for name in LATIN if every or len(words & _hints()[name]) >= own)


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
    followed = table.get("followed")
    return Pack(
        language=language,
        joints=_compiled(table["joints"], words) if table.get("joints") else None,
        rules=Rules(_rules(language, table, words)),
        asks=_table(table["asks"], words),
        headings=_compiled(table["headings"], words) if table.get("headings") else None,
        quoting=_compiled(table["quoting"], words) if table.get("quoting") else None,
        proposing=_compiled(table["proposing"], words) if table.get("proposing") else None,
        drafting=_compiled(table["drafting"], words) if table.get("drafting") else None,
        closing=_compiled(table["closing"], words) if table.get("closing") else None,
        earlier=_compiled(table["earlier"], words) if table.get("earlier") else None,
        followed=_compiled(followed["first"], words) if followed else None,
    )


def _table(table: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: _compiled(rows, words) for name, rows in table.items()}


def _rules(language: str, table: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[Rule]:
    groups = {"cut": table["cut"], "kind": table["kinds"], "then": {"then": table.get("followed", {}).get("then", ())}}
    for group, rows in groups.items():
        for name, patterns in rows.items():
            yield from (Rule(group, name, _fill(pattern, words)) for pattern in patterns)
    yield from event_rules(language)


def _compiled(patterns: Sequence[str], words: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(_fill("|".join(f"(?:{pattern})" for pattern in patterns), words), re.IGNORECASE)


def _fill(pattern: str, words: Mapping[str, str]) -> str:
    for name, group in words.items():
        pattern = pattern.replace(f"{{{name}}}", group)
    return pattern
