"""A status that the answer passes over: it says that a thing is well, and the last result that names the thing says
otherwise (spec 20, "Statements": `-contradicted`; status rows and one-line results, never the content of files)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from gate_core.checks.lacking import lacking
from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.footprint.rules import ANALYSED, event_names
from gate_core.footprint.targets import FILES, last_name
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Claim, Did, Outcome, SignalState
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.model.state import Asks
from gate_core.model.verdict import Finding
from gate_core.reading.turn import asked

_MOST_ROWS = 60
_OF = late(r"(?<!\S)(\d{1,4})/(\d{1,4})(?!\S)")
_LONGEST_ROW = 300
_LONGEST = 200_000
_ONE = 3  # lines of a result that is one status
_WORD = late(r"[^\W_][\w.-]*")
_QUOTED = late(r"[\"'“‘]([\w./-]{2,60})[\"'”’]")
_OPERAND = late(r"(?<![\w.=-])[A-Za-z][\w.-]{1,60}(?![\w./-]|=(?!=))|(?<![\w.])\d{3,20}(?![\w.])")
_SERVICE = late(r"[a-z0-9]{1,40}[-_]([a-z][a-z0-9_-]{1,40})[-_]\d{1,3}")
"""A container that compose named: project, service, number."""
_BAD_ENDS = frozenset({Outcome.FAILED, Outcome.NO_OP})


def overlooked(reading: Reading, ledger: Ledger) -> dict[int, Finding]:
    """Sentence -> what a status says of the thing that the sentence says is well."""
    calls = [fact for fact in ledger.calls_here if _is_status(fact)]
    claims = {at: s for at, s in enumerate(reading.sentences) if _says_well(s)} if calls else {}
    if not claims or any(owns_up(sentence) for sentence in reading.sentences):
        return {}
    found: dict[int, Finding] = {}
    stands: dict[str, tuple[bool, Fact]] = {}
    for fact in calls:
        stands.update({name: (bad, fact) for name, bad in _statuses(fact, ledger)})
    only = len(calls) == len(ledger.calls_here)
    for at, sentence in claims.items():
        words = {word.rstrip(".").casefold() for word in _WORD.findall(sentence.head)}
        told = [stands[name] for name in stands if name in words]
        if not told and _pattern_of("all").search(sentence.head):
            told = [(bad, fact) for bad, fact in stands.values() if bad]
        elif not told and only:
            told = list(stands.values())
        else:
            told = [(bad, fact) for bad, fact in told if bad]
        if told and all(bad for bad, _ in told):
            found[at] = lacking(Code.STATEMENT_CONTRADICTED, "that all is well", told[-1][1])
    return found


def unowned(reading: Reading, ledger: Ledger) -> dict[int, Finding]:
    """The first sentence of an answer that, asked for a change of which every call failed, neither owns up to that nor
    denies, asks or proposes anything. Of what it claims in so many words to have done the floor speaks."""
    calls = ledger.calls_here
    if (
        not calls
        or reading.claim is Claim.COMPLETION
        or any(fact.outcome is not Outcome.FAILED for fact in calls)
        or asked(ledger) not in (Asks.CHANGE, Asks.UNKNOWN)
    ):
        return {}
    for sentence in reading.sentences:
        open_ = sentence.mood is not Mood.INDICATIVE or sentence.code or sentence.quoted
        if open_ or sentence.says & _OWNS or owns_up(sentence):
            return {}
    first = next((at for at, sentence in enumerate(reading.sentences) if _WORD.search(sentence.text)), None)
    item = lacking(Code.STATEMENT_CONTRADICTED, "that it was done", calls[-1])
    return {} if first is None else {first: item}


_OWNS = frozenset({Says.UNABLE, Says.HEDGE, Says.UNCHANGED, Says.ALREADY})


@cache
def _table() -> dict[str, Any]:
    return load_table("checks", "overlooked.toml")


@cache
def _pattern(kind: str, language: str) -> re.Pattern[str]:
    """The words of a language; those of all of them for a sentence that no pack has read."""
    table = _table()[kind]
    return re.compile(table.get(language) or "|".join(table.values()), re.IGNORECASE)


@cache
def _pattern_of(kind: str) -> re.Pattern[str]:
    return re.compile(_table()[kind], re.MULTILINE if kind == "dirty" else re.IGNORECASE)


def unclean(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """The look that shows an error where a sentence says that there is none, and excepts none: the file it names, or
    the log that was looked at last."""
    if _pattern_of("clean").search(sentence.text) is None or excepts_any(sentence.text):
        return
    looks = [fact for fact in ledger.looks_here if any(effect.did is Did.SHOWED for effect in fact.effects)]
    named = [fact for fact in looks if any(_is_named(effect.target, sentence) for effect in fact.effects)]
    log = _pattern_of("log")
    logs = named or [fact for fact in looks if log.search(" ".join(e.target for e in fact.effects)) or fact.ran]
    if (named or log.search(sentence.text)) and logs and _is_dirty(logs[-1], ledger):
        yield lacking(Code.STATEMENT_CONTRADICTED, "that there are no errors", logs[-1])


def excepts(text: str) -> bool:
    """True for a sentence that makes an exception ("except", "other than", "only")."""
    return _pattern_of("only").search(text) is not None


def excepts_any(text: str) -> bool:
    """True for a sentence that says in any way that it does not mean all there is ("new", "but", "other")."""
    return _pattern_of("except").search(text) is not None


def _is_named(target: str, sentence: Sentence) -> bool:
    name = last_name(target)
    return len(name) > 2 and not target.startswith("tool:") and name in sentence.text


def _is_dirty(fact: Fact, ledger: Ledger) -> bool:
    found = ledger.text(fact)
    return found is not None and _pattern_of("dirty").search(body_of(found[1]).text[:_LONGEST]) is not None


@cache
def _bad() -> re.Pattern[str]:
    return re.compile(_table()["bad"])


def is_bad(row: str) -> bool:
    """True for a status row that says that something is not well, or not all there ("1/3")."""
    return _bad().search(row) is not None or any(int(some) < int(every) for some, every in _OF.findall(row))


def _says_well(sentence: Sentence) -> bool:
    if sentence.mood is not Mood.INDICATIVE or sentence.quoted or sentence.code:
        return False
    return _pattern("well", sentence.language).search(sentence.head) is not None


def owns_up(sentence: Sentence) -> bool:
    """True for a sentence that speaks of trouble and does not deny it, or of what is not so; a plan or an offer ("let
    me know if …") does neither."""
    if sentence.mood is Mood.PLAN and Says.UNABLE not in sentence.says:
        return False
    text = _pattern("no_trouble", sentence.language).sub(" ", sentence.head)
    return _pattern("trouble", sentence.language).search(text) is not None or is_bad(text)


def _statuses(fact: Fact, ledger: Ledger) -> Iterator[tuple[str, bool]]:
    """(name, whether it is not well) of what a call says of things: row by row, or by how it ended. That a thing is not
    there is an answer, and says nothing of how it is."""
    found = ledger.text(fact)
    text = body_of(found[1]).text if found is not None else ""
    if found is None or _pattern_of("absent").search(text[:_LONGEST_ROW]):
        return
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    asked = [name for value in found[0].values() for name in _OPERAND.findall(text_of(value)[:2000])]
    ended = fact.outcome in _BAD_ENDS and not any(signal.state is SignalState.PASSED for signal in fact.signals)
    if ended or len(lines) <= _ONE or not _is_far(fact):
        bad = ended or (_is_far(fact) and any(is_bad(line) for line in lines))
        yield from ((name.casefold(), bad) for name in asked if not _is_common(name))
    if not _is_far(fact):
        return
    for line in lines[:_MOST_ROWS] if len(lines) > 1 or not ended else ():
        if len(line) <= _LONGEST_ROW:
            yield from ((name.casefold(), is_bad(line)) for name in _row_names(line))
    for line in lines[:_MOST_ROWS]:
        yield from ((name.casefold(), ended or is_bad(line)) for name in _QUOTED.findall(line[:_LONGEST_ROW]))


def _row_names(line: str) -> Iterator[str]:
    """What a row is about: its first word, without its kind ("deployment.apps/web")."""
    first = line.split(maxsplit=1)[0].strip("●*|").rpartition("/")[2]
    if _WORD.fullmatch(first) and len(first) > 1:
        yield first
        if (service := _SERVICE.fullmatch(first)) is not None:
            yield service[1]


def _is_status(fact: Fact) -> bool:
    """True for a call that tells how a thing is: into another world than local files, or what may have changed anything
    at all, by how it ended. A file that it was only handed ("aws s3 cp a.pdf ...") makes it no call on files."""
    if any(effect.domain == FILES and effect.did not in (Did.OPAQUE, Did.LISTED) for effect in fact.effects):
        return False
    return _is_far(fact) or any(effect.did is Did.OPAQUE for effect in fact.effects)


def _is_far(fact: Fact) -> bool:
    """True for a call into another world: by a client of such a world, by what says that it failed to change one, or by
    a tool that is at home in one."""
    if any(signal.state is SignalState.FAILED and signal.name in event_names() for signal in fact.signals):
        return True
    if fact.profile == ANALYSED:
        return not {head.partition(" ")[0].rpartition("/")[2] for head in fact.ran}.isdisjoint(_clients())
    return any(effect.domain != FILES for effect in fact.effects)


@cache
def _clients() -> frozenset[str]:
    table = load_table("checks", "statements.toml")["clients"]
    return frozenset((*table, *_table()["services"])).difference(_table()["local"])


def _is_common(word: str) -> bool:
    """True for a word of commands and of speech: no name of a thing."""
    return word.casefold() in _common()


@cache
def _common() -> frozenset[str]:
    return frozenset(_table()["common"])
