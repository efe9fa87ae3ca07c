"""What a look of the turn showed otherwise in so many words: the status that a service answered with, a comparison that
found a difference, fewer messages than are said to have been sent (spec 20, "Statements": `-contradicted`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from gate_core.checks.acts import acts_of
from gate_core.checks.lacking import lacking, unbacked
from gate_core.data import load_table
from gate_core.footprint.rules import does
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.config import UNSPACED
from gate_core.model.fact import Fact
from gate_core.model.json import Json, text_of
from gate_core.model.kinds import Outcome
from gate_core.model.late import late
from gate_core.model.reading import Reading, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.cues import says
from gate_core.reading.events import TOLD
from gate_core.values.numerals import spelt

_STATUS = late(r"\s*([1-5]\d\d)\s*|HTTP/[\d.]+ ([1-5]\d\d)\b[^\n]*(?:\n[^\n]*){0,40}")
_LONGEST = 2_000  # characters of an answer of a service that is a status
_DIGITS = late(r"(?<!\w)\d{1,2}(?!\w)")
_ADDRESS = late(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")
_SENT = "sent"
_MOST = 99  # messages that somebody counts


def other_status(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """A status in an answer where services answered with others only."""
    said = statuses_in(sentence.head)
    if not said:
        return
    shown = [(fact, code) for fact in ledger.calls_here if (code := _code_of(fact, ledger))]
    if shown and said.isdisjoint(code for _, code in shown) and not any(code in sentence.text for _, code in shown):
        yield lacking(Code.STATEMENT_CONTRADICTED, "the status that a service answered with", shown[-1][0])


def statuses_in(text: str) -> set[str]:
    """The numbers of a text that are statuses of a service: by their size, and by what stands behind them."""
    return set(_status().findall(text))


@cache
def _status() -> re.Pattern[str]:
    behind = load_table("checks", "stated", "shown_otherwise.toml")["behind"]
    return re.compile(rf"(?<![\w.,:/#-])([1-5]\d\d)(?=\W*$|[,;.)。]| (?:{behind})\b)", re.IGNORECASE)


def _code_of(fact: Fact, ledger: Ledger) -> str:
    found = ledger.text(fact) if fact.size <= _LONGEST else None
    match = _STATUS.fullmatch(text_of(found[1])) if found is not None else None
    return (match[1] or match[2]) if match is not None else ""


def other_comparison(sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """ "They are identical" behind a comparison that found a difference of which the answer says nothing."""
    compared = [fact for fact in ledger.calls_here if any(does("compare_files", head) for head in fact.ran)]
    if not compared or not says("identical", sentence) or any(says("differs", other) for other in reading.sentences):
        return
    changed = max((fact.at for fact, _ in ledger.changes_here), default=(0, -1))
    last = compared[-1] if compared[-1].at > changed else None
    shown = ledger.text(last) if last is not None else None
    if last is not None and shown is not None and (text := text_of(shown[1]).strip()) and "identical" not in text:
        yield lacking(Code.STATEMENT_CONTRADICTED, "that there is no difference", last)


def fewer_sent(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """ "All three invitations are out" where the calls name fewer whom something was sent to."""
    if not {_SENT, f"{_SENT}{TOLD}"} & sentence.events:
        return
    number = _messages(sentence)
    calls = [fact for fact in acts_of(_SENT, ledger) if fact.outcome is Outcome.OK] if number else []
    texts = [ledger.text(fact) for fact in calls]
    if not calls or None in texts or any(fact.ran for fact in calls):
        return
    if sum(_recipients(text[0]) for text in texts if text is not None) < number:
        yield unbacked("that so many were sent", fix="send the others too, or say how many were sent")


def _messages(sentence: Sentence) -> int:
    """How many messages a sentence tells of, 0 where it counts none, or some of several."""
    language = sentence.language or "en"
    before = [match["n"].casefold() for match in _counted(language).finditer(sentence.head)]
    found = [(*map(int, _DIGITS.findall(words)), *spelt(words, language)) for words in before]
    numbers = [number for row in found for number in row]
    return numbers[0] if len(numbers) == 1 and numbers[0] <= _MOST else 0


@cache
def _counted(language: str) -> re.Pattern[str]:
    nouns = load_table("checks", "statements.toml")["messages"].get(language, "(?!)")
    if language in UNSPACED:
        return re.compile(rf"(?P<n>\d{{1,2}}|[一二两三四五六七八九十]{{1,3}})\s?[封条份个通件]?の?(?:{nouns})")
    return re.compile(
        rf"(?<!of )(?<!of the )(?<![\w/.,-])(?P<n>(?:(?!of\b)\w+ ){{1,2}})(?:{nouns})(?!\w)",
        re.IGNORECASE,
    )


def _recipients(args: Mapping[str, Json]) -> int:
    """For how many people a call may have been: the addresses and the longest list of its arguments."""
    lists = [len(value) for value in args.values() if isinstance(value, Sequence) and not isinstance(value, str)]
    addresses = set(_ADDRESS.findall(" ".join(map(text_of, args.values()))))
    return max([1, len(addresses), *lists])
