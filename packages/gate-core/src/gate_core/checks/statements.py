"""Statements: what the answer says happened must have happened, last, and must still hold (spec 20, "Statements")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gate_core.checks.acts import check_act, families
from gate_core.checks.certified import is_certified
from gate_core.checks.lacking import lacking, unbacked
from gate_core.checks.overlooked import overlooked, unclean, unowned
from gate_core.checks.parted import refused
from gate_core.checks.remedies import signal_rows
from gate_core.checks.stated.already import not_already
from gate_core.checks.stated.among import miscalled
from gate_core.checks.stated.beyond import left_out, unmatched
from gate_core.checks.stated.counted import miscounted
from gate_core.checks.stated.cut import cut_short
from gate_core.checks.stated.declared import undeclared
from gate_core.checks.stated.destination import astray
from gate_core.checks.stated.elsewhere import is_retold, is_shown
from gate_core.checks.stated.environment import misplaced
from gate_core.checks.stated.flaws import flawed
from gate_core.checks.stated.made import overcounted
from gate_core.checks.stated.placed import seen_elsewhere
from gate_core.checks.stated.probed import probed
from gate_core.checks.stated.ran import may_have_run
from gate_core.checks.stated.runs import check_all_well, check_green, check_red
from gate_core.checks.stated.share import unshared
from gate_core.checks.stated.shown_otherwise import fewer_sent, other_comparison, other_status
from gate_core.checks.stated.spared import spared
from gate_core.checks.stated.spotless import spotted
from gate_core.checks.stated.swept import undeleted, unswept
from gate_core.checks.stated.traceless import traceless
from gate_core.checks.stated.unread import unread
from gate_core.checks.stated.unused import used
from gate_core.checks.stated.wider import looked_in_one_place, narrowed
from gate_core.checks.stated.written import unwritten
from gate_core.checks.underway import unready
from gate_core.footprint.targets import FILES
from gate_core.ledger import Ledger
from gate_core.ledger.novelty import LOOKS
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.kinds import Layer, Outcome, Severity, Strength
from gate_core.model.late import late
from gate_core.model.reading import Mood, Reading, Says, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.commands import commands_in
from gate_core.reading.cues import says
from gate_core.reading.events import RED, TOLD
from gate_core.reading.languages import likely
from gate_core.reading.turn import in_the_background

_SPACE = late(r"\s+")
_OF_WORK = "file_changed"
"""The kind whose proven precision lets a check block that asks about work of any kind."""


def check_statements(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """What each stated event lacks. A kind and a language that are not proved precise only warn."""
    told: set[tuple[Code, str]] = set()
    further = {
        **unowned(reading, ledger),
        **unready(reading, ledger),
        **overlooked(reading, ledger),
        **unmatched(reading, ledger),
        **refused(reading, ledger),
    }
    for number, sentence in enumerate(reading.sentences):
        if sentence.mood is not Mood.INDICATIVE or sentence.code or sentence.quoted:
            continue
        more = [(_OF_WORK, further[number])] if number in further else []
        more += [("tests_passed", item) for item in undeclared(sentence, ledger, config)]
        for kind, item in (*_found(number, reading, ledger), *more):
            if (item.code, item.subject) not in told:
                told.add((item.code, item.subject))
                yield replace(item, severity=_severity(item, kind, sentence, config), where=f"sentence {number + 1}")


def _found(number: int, reading: Reading, ledger: Ledger) -> Iterator[tuple[str, Finding]]:
    """(kind of statement, what it lacks) for each statement of a plain sentence."""
    whole = reading.sentences[number]
    sentence = whole if whole.text == whole.head else whole._replace(text=whole.head)
    for kind in sorted(sentence.events):
        yield from ((kind, item) for item in _lacks(kind, sentence, reading, ledger))
    yield from (("executed", item) for item in unread(number, reading, ledger))
    yield from (("tests_passed", item) for item in check_all_well(sentence, reading, ledger))
    yield from (("succeeded", item) for item in _shown_by_none(sentence, ledger))
    yield from ((_OF_WORK, item) for item in _of_work(number, sentence, reading, ledger))


def _of_work(number: int, sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What a plain sentence says of work of any kind and the calls do not bear out."""
    yield from unwritten(number, reading, ledger)
    if looked_in_one_place(sentence, reading, ledger):
        yield unbacked("that there is no more, or no other", fix="look into all of it, or say where was looked")
    yield from unshared(sentence, reading, ledger)
    yield from unswept(sentence, ledger)
    yield from undeleted(number, reading, ledger)
    yield from spared(number, reading, ledger)
    yield from astray(sentence, ledger)
    yield from overcounted(sentence, ledger)
    yield from misplaced(sentence, ledger)
    yield from flawed(sentence, reading, ledger)
    yield from miscounted(sentence, ledger)
    yield from miscalled(sentence, ledger)
    yield from left_out(sentence, ledger)
    yield from used(number, reading, ledger)
    yield from other_status(sentence, ledger)
    yield from other_comparison(sentence, reading, ledger)
    yield from fewer_sent(sentence, ledger)
    yield from probed(sentence, reading, ledger)
    yield from not_already(sentence, ledger)
    yield from traceless(sentence, ledger)
    yield from seen_elsewhere(sentence, reading, ledger)
    yield from unclean(sentence, ledger)
    yield from spotted(sentence, ledger)


def _shown_by_none(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """What a page or a service is said to show where every call failed."""
    if says("page_says", sentence) and (failed := _all_failed(sentence, ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, "what a page or a service shows", failed)


def _severity(item: Finding, kind: str, sentence: Sentence, config: GateConfig) -> Severity:
    """Under `certified` a kind blocks only in a language in which it was proved precise: in each of those that a
    sentence may be of which no pack has read."""
    languages = (sentence.language,) if sentence.language else likely(sentence.text)
    proved = bool(languages) and all(is_certified(kind.removesuffix(TOLD), language) for language in languages)
    if config.layers[Layer.STATEMENTS] is Strength.CERTIFIED and item.severity is Severity.BLOCK and not proved:
        return Severity.WARN
    return item.severity


def _lacks(kind: str, sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What a stated event lacks, where nothing else shows it: a look at another world, what the user pasted."""
    plain = kind.removesuffix(TOLD)
    for item in _own_lacks(plain, sentence, reading, ledger):
        open_ = item.code is not Code.STATEMENT_UNBACKED or item.evidence  # a run speaks for itself
        if open_ or not ((plain != kind and is_shown(plain, ledger)) or is_retold(kind, ledger)):
            yield item


def _own_lacks(kind: str, sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    if kind.endswith(RED):
        yield from check_red(kind.removesuffix(RED), sentence, reading, ledger)
    elif kind in signal_rows():
        yield from check_green(kind, sentence, reading, ledger)
    elif kind in families():
        yield from check_act(kind, reading, ledger)
    elif kind == "executed":
        yield from _executed(sentence, ledger)
    elif kind == "used_tool" and not ledger.calls_here:
        yield unbacked("that a tool was used")
    elif kind == "succeeded" and (failed := _all_failed(sentence, ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, "that it ran well", failed)
    elif kind == "universal" and narrowed(sentence, reading, ledger):
        yield unbacked("that there is no more, or no other", fix="look without a filter, or say what was looked for")
    elif kind == "universal" and (look := cut_short(reading, ledger)) is not None:
        yield lacking(Code.STATEMENT_WIDER, "that there is no more, or no other", look)


def _all_failed(sentence: Sentence, ledger: Ledger) -> Fact | None:
    """The last call of a turn in which none went well. What is said to have run is no file that was only looked at,
    unless the sentence speaks of looking or nothing else was called."""
    calls: Sequence[Fact] = ledger.calls_here
    if Says.LOOKED not in sentence.says:
        calls = [fact for fact in calls if not _only_looks_at_files(fact)] or calls
    bad = all(fact.outcome in (Outcome.FAILED, Outcome.NOT_FOUND, Outcome.UNKNOWN) for fact in calls)
    return calls[-1] if calls and bad else None


def _only_looks_at_files(fact: Fact) -> bool:
    return not fact.ran and bool(fact.effects) and all(e.did in LOOKS and e.domain == FILES for e in fact.effects)


def _executed(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """A quoted command that is said to have run needs a call that ran it; "I ran the script", one that can have run
    anything."""
    commands = commands_in(sentence)
    ran = [_spaced(head) for fact in ledger.facts if fact.executed for head in _heads(fact, ledger)] if commands else []
    for command in commands:
        wanted = _spaced(command)
        if not any(wanted[:60] in head or head in wanted for head in ran):
            yield unbacked("that a command was run", fix="run it, then answer again")
            return
    if not commands and not any(may_have_run(fact) for fact in ledger.facts) and not in_the_background(ledger):
        yield unbacked("that something was run", fix="run it, then answer again")


def _heads(fact: Fact, ledger: Ledger) -> Iterator[str]:
    """What a call ran: its whole command where the text is at hand, and the heads of its stages."""
    yield from fact.ran
    if fact.profile in ("command", "shell", "unreadable", "exec", ""):
        found = ledger.text(fact)
        if found is not None:
            yield from (value for value in found[0].values() if isinstance(value, str))
    yield fact.tool


def _spaced(text: str) -> str:
    return _SPACE.sub(" ", text.strip().removeprefix("$ "))
