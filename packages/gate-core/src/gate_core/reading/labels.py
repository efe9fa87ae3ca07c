"""Rows that say in a label and a sign what a sentence would say in words: a row of a status table, a ticked box,
"Tests: ✅". Which labels stand for which event is data (events/*.toml, `topics`), and so is what says that it went
well (`verdicts`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TypeAlias

from gate_core.data import load_section, load_table
from gate_core.model.config import UNSPACED
from gate_core.model.late import late
from gate_core.reading.blind import options_of, small
from gate_core.reading.events import GREEN, RED, fill, words_of_language
from gate_core.reading.languages import LANGUAGES
from gate_core.reading.segment import Segment

_GOOD, _BAD = "✅☑✔✓🟢", "❌✗✘🔴"
_EDGES = " \t*_`~:：-–—|.\ufe0f"
_SPLIT = late(r"\s*[:：|]\s*|\s*(?:→|[-=]>)\s*|\s+[–—-]\s+|\s*(?=[✅☑✔✓🟢❌✗✘🔴])|(?<=[✅☑✔✓🟢❌✗✘🔴])\ufe0f?\s*")
_PARTED = late(r"[:：|✅☑✔✓🟢❌✗✘🔴→>–—-](?:(?<=[^>–—-])|(?<=[-=]>)|(?<=\s[–—-])\s)")
_SIGNED = late(r"[|✅☑✔✓🟢❌✗✘🔴]")
_HEAD = late(r"[:：→]|[-=]>|\s[–—-]\s")
_WHOLE = late(r"(\d+) ?(?:/|of|von|sur|de|su|van|из) ?\1")  # "25/25"
_COMMIT = late(r"[0-9a-f]{7,40}")
_RULE = late(r"[\s|:-]*")
_LONGEST = 200  # characters of a row
_LABEL = 60  # characters of a label
Label: TypeAlias = "tuple[frozenset[str], str]"
"""The kinds that a row states by its label, and the language of the label."""
UNLABELLED: Label = (frozenset(), "")


def labelled(segment: Segment) -> Label:
    """(the kinds that a row states, the language of its label); nothing for what is no such row."""
    text, short = segment.text, len(segment.text) <= _LABEL
    if len(text) > _LONGEST:
        return UNLABELLED
    parted = _is_parted(text)
    text = _proved(text) if parted else text
    if short and (joined := _joined(text))[0]:
        return joined
    signed = segment.boxed or (parted and _SIGNED.search(text) is not None)
    headed = parted and not signed and _is_topic(_HEAD.split(text, maxsplit=1)[0])
    return _row(text, boxed=segment.boxed) if signed or headed else UNLABELLED


def _proved(text: str) -> str:
    """The text behind a label that only says that a proof follows ("Verification: `flutter test` - all green")."""
    head = _HEAD.search(text, 0, _LABEL)
    if head is None or not _proofs().fullmatch(text[: head.start()].strip(_EDGES)):
        return text
    rest = text[head.end() :].lstrip(_EDGES)
    return rest if _begins_with_topic(rest) and _PARTED.search(rest) is not None else text


@cache
def _proofs() -> re.Pattern[str]:
    return re.compile("|".join(load_table("reading", "names.toml")["proofs"]), re.IGNORECASE)


def _is_parted(text: str) -> bool:
    """True for a text that may have a label and something beside it."""
    if text.isascii() and ":" not in text and "|" not in text and "-" not in text and ">" not in text:
        return False
    return _PARTED.search(text) is not None


def _row(text: str, *, boxed: bool) -> Label:
    """The same of a label and what stands beside it."""
    parts = [part.strip(_EDGES) for part in _SPLIT.split(text) if part and not _RULE.fullmatch(part)]
    for language, kind in names_of(parts):
        rest = [part for part in parts if topic_in(part, language) != kind]
        if _fails(rest, language):
            return (frozenset({kind + RED}), language) if kind in GREEN else UNLABELLED
        ticked = boxed and not rest
        whole = any(_WHOLE.fullmatch(part) or (kind == "committed" and _COMMIT.fullmatch(part)) for part in rest)
        if ticked or whole or any(_says(part, "good", _GOOD, language) for part in rest):
            return frozenset({kind}), language
    return UNLABELLED


def _joined(text: str) -> Label:
    """The same of labels in a row before one word: "Build + tests OK"."""
    head, _, last = text.strip(_EDGES + "!").rpartition(" ")
    if not head or not _is_good(last) or not _begins_with_topic(head):
        return UNLABELLED
    names = [name.strip(_EDGES) for name in _and().split(head)]
    if not all(_is_topic(name) for name in names):
        return UNLABELLED
    for language in LANGUAGES:
        kinds = [topic_in(name, language) for name in names]
        if all(kinds) and _says(last, "good", _GOOD, language):
            return frozenset(kinds), language
    return UNLABELLED


def _rows(table: str, language: str) -> dict[str, list[str]]:
    return load_section(table, "reading", "events", f"{language}.toml")


@cache
def _and() -> re.Pattern[str]:
    """What joins labels."""
    words = "|".join(load_table("reading", "names.toml")["and"])
    return re.compile(rf"\s*[+&,/、，]\s*|\s+(?:{words})\s+|(?:和|と|및)", re.IGNORECASE)


def _fails(rest: list[str], language: str) -> bool:
    """True when what stands beside a label says that it failed; a red sign before other words ("❌ not run") may mean
    anything."""
    signed = bool(rest) and rest[0][:1] in _BAD
    words = [part for part in rest if part.strip(_BAD)]
    return (signed and not words) or any(_verdict("bad", own).match(part) for part in words for own in (language, "en"))


def topic_in(label: str, language: str) -> str:
    """The kind that a label stands for in a language, "" for none."""
    match = _topics(language).fullmatch(label) if len(label) <= _LABEL else None
    return match.lastgroup or "" if match else ""


def names_of(parts: list[str]) -> Iterator[tuple[str, str]]:
    """(language, kind) of the parts that are labels, in each language that knows them: the first part, or the second
    behind a sign."""
    for part in parts[:2]:
        if not _is_topic(part):
            continue
        for language in LANGUAGES:
            if kind := topic_in(part, language):
                yield language, kind


def _begins_with_topic(text: str) -> bool:
    """True where a label may stand at the begin of a text; nearly every text ends here."""
    return _any_topic().match(text.lower().lstrip(_EDGES + "!")) is not None


def _is_topic(part: str) -> bool:
    """True for a label of some language."""
    part = part.strip(_EDGES)
    return len(part) <= _LABEL and _any_topic().fullmatch(part.lower()) is not None


def _says(part: str, name: str, signs: str, language: str) -> bool:
    """True when a part is such a sign, or begins with such a word in the language of the label or in English."""
    if part[:1] in signs and part:
        return True
    return any(_verdict(name, own).match(part) is not None for own in dict.fromkeys((language, "en")))


@lru_cache(maxsize=1_024)
def _is_good(word: str) -> bool:
    """True for a word that says in some language that it went well; nearly no sentence ends with one."""
    return any(_says(word, "good", _GOOD, language) for language in LANGUAGES)


@cache
def _topics(language: str) -> re.Pattern[str]:
    """What the labels of a language match, each kind a named group."""
    kinds = (f"(?P<{kind}>{'|'.join(patterns)})" for kind, patterns in _rows("topics", language).items())
    return re.compile("|".join(kinds), re.IGNORECASE)


@cache
def _any_topic() -> re.Pattern[str]:
    """The labels of all languages, those that several share once; nearly no part is one."""
    rows = dict.fromkeys(row for name in LANGUAGES for patterns in _rows("topics", name).values() for row in patterns)
    options = dict.fromkeys(option for row in rows for option in options_of(row))
    return re.compile("|".join(map(small, options)))


@cache
def _verdict(name: str, language: str) -> re.Pattern[str]:
    rows = _rows("verdicts", language)[name]
    return re.compile(fill("|".join(rows), words_of_language(language)), re.IGNORECASE)


@cache
def _asked(language: str) -> re.Pattern[str]:
    rows = _rows("topics", language)
    edge = r"(?<![^\W_])" if language not in UNSPACED else ""
    kinds = (f"(?P<{kind}>{edge}(?:{'|'.join(patterns)}))" for kind, patterns in rows.items())
    return re.compile("|".join(kinds), re.IGNORECASE)


def topics_in(sentence: str, language: str) -> frozenset[str]:
    """The kinds whose names stand in a sentence."""
    return frozenset(match.lastgroup for match in _asked(language).finditer(sentence) if match.lastgroup)
