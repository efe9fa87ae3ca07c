"""Statements about runs and events that raise signals: green, red, committed, deployed (spec 20, "Statements").

A green statement needs the last run of its signal: passed, current, of all that is spoken of. What the sentence excepts
itself ("39 of 40", "cached", "not re-run since") is read by the cues of its language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_core.checks.acts import bad_cue, denied_since, is_far, words_of
from gate_core.checks.finding import finding
from gate_core.checks.lacking import lacking, unbacked
from gate_core.checks.overlooked import owns_up
from gate_core.checks.remedies import signal_rows
from gate_core.checks.stated.destination import arrived
from gate_core.checks.stated.parts import is_told_whole, names_another
from gate_core.checks.stated.placed import of_another_part, of_another_tree
from gate_core.checks.taken_on import only_taken_on
from gate_core.checks.tallied import is_tallied, is_told_red, job_rows, service_looks
from gate_core.checks.undone import says_taken_back, taken_off
from gate_core.data import load_table
from gate_core.footprint.rules import event_names, of_kind
from gate_core.ledger import Ledger
from gate_core.ledger.signals import Raised
from gate_core.model.codes import Code
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Outcome, SignalState
from gate_core.model.late import late
from gate_core.model.reading import Reading, Says, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.cues import found, fractions, says, whole
from gate_core.reading.events import RED
from gate_core.reading.told import ASKED
from gate_core.reading.turn import in_the_background

_PASSED = late(r"\b(\d{1,8}) pass(?:ed|ing)\b")  # as runners print it
_NAMES_FILE = late(r"[\w/]\.[A-Za-z]\w{0,5}\b")
_IN_CI = frozenset({"tests_passed", "build_passed", "lint_passed", "types_passed", "format_passed"})
"""What the jobs of a pipeline run: said of a pipeline, its checks show it."""
_STATES = {
    SignalState.FAILED: Code.SIGNAL_CONTRADICTED,
    SignalState.EMPTY: Code.SIGNAL_EMPTY,
    SignalState.MASKED: Code.SIGNAL_INCONCLUSIVE,
    SignalState.UNCLEAR: Code.SIGNAL_INCONCLUSIVE,
}
_UNREAD_SHELL = "install gate-core[shell]: without it no command is read, so no run can be told"


def check_green(kind: str, sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What a statement that a signal is green, or that its event happened, lacks."""
    told, run = signal_rows()[kind]["says"], signal_rows()[kind]["run"]
    raised = _raised(kind, sentence, reading, ledger)
    if kind == "deployed" and (denied := _broken(raised, reading, ledger)) is not None:
        yield lacking(Code.STATEMENT_CONTRADICTED, told, denied)
        return
    if raised is None:
        brought = kind == "merged" and arrived(sentence, ledger)  # "it is on main now": a push brought it there
        if not brought and not _excused(kind, sentence, ledger) and not is_tallied(sentence, ledger):
            yield unbacked(told, fix=_UNREAD_SHELL if _shell_unread(ledger) else run)
    elif raised.event.state is SignalState.PASSED:
        yield from _green(kind, sentence, raised, reading, ledger)
    elif not (
        _says_so(kind, sentence, raised, ledger)
        or _of_the_rest(sentence, raised, reading, ledger)
        or _counts_findings(kind, sentence, raised, ledger)
    ):
        anew = signal_rows()[kind].get("anew", run) if raised.event.state is SignalState.EMPTY else run
        yield finding(_STATES[raised.event.state], kind, fix=anew, evidence=(raised.fact,))


def _broken(raised: Raised | None, reading: Reading, ledger: Ledger) -> Fact | None:
    """The look behind a deployment that shows it in a bad state of which the answer says nothing."""
    acts = [debt.change for debt in ledger.debts if is_far(debt.domain)] + ([raised.fact] if raised is not None else [])
    denied = denied_since(max(acts, key=lambda fact: fact.at), ledger) if acts else None
    cue = bad_cue(denied, ledger).lower() if denied is not None else ""
    owned = cue and any(cue in sentence.text.lower() for sentence in reading.sentences)
    return None if owned else denied


def check_all_well(sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """ "Everything works" needs a word about the tests or the build of this turn that failed last, and some look where
    nothing was done but to start something."""
    asked = (_asked_about(ledger) or _run_before(ledger)) - sentence.events
    for kind in sorted(asked) if asked and says("all_green", sentence) else ():
        yield from check_green(kind, sentence, reading, ledger)
    runs = [(kind, ledger.signals.get(kind)) for kind in ("tests_passed", "build_passed")]
    failed = [(kind, run) for kind, run in runs if run is not None and run.event.state is SignalState.FAILED]
    idle = not (ledger.looks_here or ledger.looks_before or ledger.signals) and in_the_background(ledger)
    if not (failed or idle) or not says("all_well", sentence):
        return
    if any(_is_red(other) or Says.UNABLE in other.says for other in reading.sentences):
        return
    if idle:
        yield unbacked("that it works", fix="look at it now that it was started, or say only that it was started")
    for kind, run in failed:
        told = any(kind in other.events for other in reading.sentences)
        if run.fact.turn == ledger.turn and not told:
            yield finding(Code.SIGNAL_CONTRADICTED, kind, fix=signal_rows()[kind]["run"], evidence=(run.fact,))
            return


def _asked_about(ledger: Ledger) -> frozenset[str]:
    """The runs that the message of this turn asks about: of them "everything is green" tells."""
    told = (word for said in ledger.state.said if said.turn == ledger.turn for word in said.told)
    return frozenset(word.removeprefix(ASKED) for word in told if word.startswith(ASKED)) & _IN_CI


def _run_before(ledger: Ledger) -> frozenset[str]:
    """The runs of the conversation, of which an answer tells that names none ("Still green."). Where checks of a
    pipeline were looked at, it may tell of them."""
    return frozenset() if "ci_green" in ledger.signals else frozenset(ledger.signals) & _IN_CI


def check_red(kind: str, sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """A red statement needs a run that was red, or that could not be told."""
    raised = _raised(kind, sentence, reading, ledger)
    told_red = is_told_red(kind, sentence, ledger) or _row_ends(kind, "ended_badly", ledger)
    told_red = told_red or (kind == "tests_passed" and _of_another_run(sentence, ledger))
    if raised is None and not _excused(kind, sentence, ledger) and not told_red:
        told = signal_rows()[kind].get("red", signal_rows()[kind]["says"])
        yield unbacked(told, fix=signal_rows()[kind]["run"])
    elif raised is not None and raised.event.state is SignalState.PASSED and raised.current:
        if _was_red(kind, ledger) and any(kind in other.events for other in reading.sentences):
            return  # it tells of an earlier run, and of the last one beside it
        yield lacking(Code.STATEMENT_CONTRADICTED, "that something fails", raised.fact)


def _of_another_run(sentence: Sentence, ledger: Ledger) -> bool:
    """True for failures that are those of a linter, a build or a type check, of which the sentence speaks and which did
    fail, where it names no tests."""
    other = {event.removesuffix(RED) for event in sentence.events if event.endswith(RED)} - {"tests_passed"}
    runs = (ledger.signals.get(name) for name in other)
    failed = any(run is not None and run.event.state is SignalState.FAILED for run in runs)
    return failed and _TESTS.search(sentence.text) is None


_TESTS = late(r"test|suite|spec|テスト|测试|테스트|тест|prueba|prova|prove", re.IGNORECASE)


def _was_red(kind: str, ledger: Ledger) -> bool:
    """True when an earlier run of the signal failed."""
    events = (event for fact in ledger.facts for event in fact.signals)
    return any(event.name == kind and event.state is SignalState.FAILED for event in events)


def _shell_unread(ledger: Ledger) -> bool:
    """True when commands ran in this turn that nothing here can read."""
    return any(fact.profile == "shell" for fact in ledger.calls_here)


def _raised(kind: str, sentence: Sentence, reading: Reading, ledger: Ledger) -> Raised | None:
    """The last run that can show the statement: "it builds" is shown by the tests of a program that builds them first,
    "it compiles" by a type check too, "the tests pass in CI" by the checks of the pipeline, also where the pipeline
    stands in the sentence before."""
    raised = ledger.signals.get(kind)
    if raised is None and kind == "build_passed":
        tested = ledger.signals.get("tests_passed")
        if tested is not None and tested.event.state is SignalState.PASSED and _builds(tested.fact):
            return tested
    if raised is None and kind == "build_passed" and says("compiles", sentence):
        return ledger.signals.get("types_passed")
    if kind == "merged" and raised is not None and raised.event.state is SignalState.FAILED:
        return _ended_by_commit(raised, ledger) or raised
    if kind == "pushed" and (raised is None or raised.event.state is not SignalState.PASSED):
        image = ledger.signals.get("published")
        return image if image is not None and _containers(image.fact) else raised
    pipeline = ledger.signals.get("ci_green") if raised is None and kind in _IN_CI else None
    if pipeline is not None and _of_a_pipeline(sentence, reading):
        return pipeline
    return raised


def _ended_by_commit(merge: Raised, ledger: Ledger) -> Raised | None:
    """The commit that ended a merge with conflicts, where nothing called it off before."""
    commit = ledger.signals.get("committed")
    if commit is None or commit.event.state is not SignalState.PASSED or commit.fact.at <= merge.fact.at:
        return None
    between = (fact for fact in ledger.facts if merge.fact.at < fact.at < commit.fact.at)
    off = any("--abort" in head or "reset" in head for fact in between for head in fact.ran)
    return None if off else commit


def _containers(run: Fact) -> bool:
    """True for what handed an image to its registry."""
    return not of_kind("containers").isdisjoint(head.partition(" ")[0].rpartition("/")[2] for head in run.ran)


def _builds(run: Fact) -> bool:
    """True for a run of tests by a program that builds them first."""
    return not _builders().isdisjoint(head.partition(" ")[0].rpartition("/")[2] for head in run.ran)


@cache
def _builders() -> frozenset[str]:
    return frozenset(load_table("checks", "statements.toml")["builders"])


def _of_a_pipeline(sentence: Sentence, reading: Reading) -> bool:
    return says("in_ci", sentence) or any("ci_green" in other.events for other in reading.sentences)


def _says_so(kind: str, sentence: Sentence, raised: Raised, ledger: Ledger) -> bool:
    """True when the green sentence says itself what was not: "39 of 40 tests pass", "no tests were found", "it was
    already pushed"."""
    state = raised.event.state
    if kind in _ONCE and state is SignalState.FAILED and worded("there").search(_result(raised.fact, ledger)):
        return says("already", sentence)
    if state is SignalState.FAILED:
        return _partly(sentence)
    if state is SignalState.EMPTY and kind in event_names():
        return says("already", sentence) or _drafted().search(sentence.text) is not None
    return state is SignalState.EMPTY and says("nothing_ran", sentence)


@cache
def _drafted() -> re.Pattern[str]:
    return re.compile(load_table("checks", "statements.toml")["drafted"], re.IGNORECASE)


_ONCE = frozenset({"published", "tagged", "pr_opened"})
"""What can be there only once: that it fails may be how one sees that it was there already."""


def _of_the_rest(sentence: Sentence, raised: Raised, reading: Reading, ledger: Ledger) -> bool:
    """True for "39 tests pass" of a run that showed 39 that did, where the answer owns up to the others."""
    named = next(found("count", sentence), None)
    if named is None or raised.event.state is not SignalState.FAILED:
        return False
    result = _result(raised.fact, ledger)
    counted = named["count"] in _PASSED.findall(result)
    if says("every", sentence):
        return counted and _fell_short(result) and any(owns_up(other) for other in reading.sentences)
    return counted and any(Says.UNABLE in other.says or _is_red(other) for other in reading.sentences)


def _fell_short(result: str) -> bool:
    """True for a run of tests that all passed, and that failed for another reason: too little coverage, an error of no
    test."""
    return _not_tests().search(result) is not None and worded("some_failed").search(result) is None


@cache
def _not_tests() -> re.Pattern[str]:
    return re.compile(load_table("checks", "statements.toml")["not_tests"])


def _counts_findings(kind: str, sentence: Sentence, raised: Raised, ledger: Ledger) -> bool:
    """True for "no errors but 12 warnings" of a linter or a compiler that counted 12 of something."""
    if kind not in _COUNTING or raised.event.state is not SignalState.FAILED:
        return False
    counted = set(worded("findings").findall(_result(raised.fact, ledger)))
    return any(count in counted for count in worded("findings").findall(sentence.text))


_COUNTING = frozenset({"lint_passed", "types_passed", "build_passed"})


@cache
def worded(kind: str) -> re.Pattern[str]:
    """The words of a kind (runs.toml), "findings" with the number before them."""
    words = load_table("checks", "stated", "runs.toml")[kind]
    return re.compile(
        rf"(?<![\d.,])([1-9]\d{{0,6}}) (?:\w+ ){{0,2}}(?:{words})\b" if kind == "findings" else words, re.IGNORECASE
    )


def _is_red(sentence: Sentence) -> bool:
    """True for a sentence that says of some run that it failed."""
    return any(kind.endswith(RED) for kind in sentence.events)


def _partly(sentence: Sentence) -> bool:
    """True for a green sentence that says itself that not all of it was."""
    return any(some < every for some, every in fractions(sentence)) or says("partly", sentence)


def _green(kind: str, sentence: Sentence, raised: Raised, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    """What a run that passed does not show: the state of now, another number, another push, all of it."""
    told = signal_rows()[kind]["says"]
    off = taken_off(raised.fact, ledger) if kind == "committed" else None
    if off is not None and not any(says_taken_back(other) for other in reading.sentences):
        yield lacking(Code.STATEMENT_CONTRADICTED, told, off)
    elif not raised.current:
        if not any(says("older", other) for other in reading.sentences):
            yield lacking(Code.STATEMENT_STALE, told, raised.fact)
    elif kind == "tests_passed" and _miscounted(sentence, ledger):
        yield lacking(Code.STATEMENT_CONTRADICTED, "how many tests passed", raised.fact)
    elif kind == "ci_green" and _of_another_push(raised, ledger):
        yield lacking(Code.STATEMENT_CONTRADICTED, told, raised.fact)
    elif kind == "tests_passed" and (of_another_tree(raised, reading, ledger) or of_another_part(sentence, ledger)):
        yield unbacked("that tests of what was changed pass", fix=signal_rows()[kind]["run"])
    elif raised.event.scope and raised.event.name == kind and kind not in event_names():
        yield from _of_a_part(kind, sentence, raised, reading)


def _of_a_part(kind: str, sentence: Sentence, raised: Raised, reading: Reading) -> Iterator[Finding]:
    """What a run of a part does not show: another part, all there is."""
    code, scope = Code.STATEMENT_UNBACKED, raised.event.scope
    if names_another(sentence, scope):
        fix = "run the part that the answer names, or name the one that ran"
        yield lacking(code, "that this part was run", raised.fact, fix=fix)
    elif kind == "tests_passed" and is_told_whole(kind, sentence, scope, reading):
        yield lacking(code, "that all there is was run", raised.fact, fix="run all of it, or say which part was run")
    elif says("every", sentence):
        yield finding(Code.SIGNAL_SCOPED, kind, evidence=(raised.fact,))


def _miscounted(sentence: Sentence, ledger: Ledger) -> bool:
    """True when "all 65 tests pass" names a number that no run of the conversation showed or adds up to."""
    named = next(found("count", sentence), None)
    runs = [fact for fact in ledger.facts if any(event.name == "tests_passed" for event in fact.signals)]
    if named is None or not runs or any(fractions(sentence)):
        return False
    counts = [event.count for fact in runs for event in fact.signals if event.name == "tests_passed"]
    if any(count is None for count in counts) or any(ledger.text(fact) is None for fact in runs):
        return False
    said = whole(named["count"])
    results = [_result(fact, ledger) for fact in runs]
    if said == sum(count or 0 for count in counts) or any(re.search(rf"(?<!\d){said}(?!\d)", text) for text in results):
        return False
    return all(said != sum(int(digits) for digits in _PASSED.findall(text)) for text in results)


def _result(fact: Fact, ledger: Ledger) -> str:
    texts = ledger.text(fact)
    return text_of(texts[1]) if texts is not None else ""


def _excused(kind: str, sentence: Sentence, ledger: Ledger) -> bool:
    """True where a tool of another kind may have done it: an own tool named like the event."""
    if kind == "tagged" and ledger.changes_here and _NAMES_FILE.search(sentence.text):
        return True  # a tag inside of a file that was changed is no tag of git
    if kind == "format_passed" and any(_lays_out(fact) for fact in ledger.calls_here):
        return True  # what a formatter wrote is formatted
    if _row_ends(kind, "ended_well", ledger):
        return True  # a service lists the job among those that ended well
    settled = (debt for debt in ledger.debts if debt.by is not None and not only_taken_on(debt, ledger))
    if kind == "deployed" and any(is_far(debt.domain) for debt in settled):
        return True  # a client changed its own world, and a later look there showed it
    pushed = ledger.signals.get("pushed") if kind == "committed" and "pushed" in sentence.events else None
    if pushed is not None and pushed.event.state is SignalState.PASSED and not worded("commits").search(sentence.text):
        return True  # "I pushed the commit": what went up was committed, whoever did it
    word = signal_rows()[kind].get("tool", kind)
    return any(fact.outcome is Outcome.OK and word in words_of(fact.tool) for fact in ledger.facts if fact.executed)


def _lays_out(fact: Fact) -> bool:
    """True for a call that ran a formatter over files, and ended well."""
    return fact.outcome is Outcome.OK and any(_formatters().search(head) for head in fact.ran)


@cache
def _formatters() -> re.Pattern[str]:
    return re.compile(load_table("checks", "statements.toml")["formatters"])


def _row_ends(kind: str, how: str, ledger: Ledger) -> bool:
    """True when the checks of a service, looked at behind all changes, show a job of that kind that ended so. Where the
    user asks for such a run, they show another one."""
    asked = any(f"{ASKED}{kind}" in said.told for said in ledger.state.said if said.turn == ledger.turn)
    row = job_rows(how).get(kind) if not asked else None
    changed = max((fact.at for fact, _ in ledger.changes_here), default=(0, -1))
    checks = (f for f in ledger.looks_here if f.at > changed and any(signal.name == "ci_green" for signal in f.signals))
    looks = (*checks, *service_looks(ledger))
    return row is not None and any(row.search(_result(fact, ledger)[:_CHECKS]) for fact in looks)


_CHECKS = 20_000  # characters of a list of checks


def _of_another_push(checks: Raised, ledger: Ledger) -> bool:
    """Checks that were looked at before the last push, or that name another commit."""
    pushed = ledger.signals.get("pushed")
    if pushed is None or pushed.event.state is not SignalState.PASSED:
        return False
    one, other = checks.event.scope, pushed.event.scope
    named = bool(one and other) and not (one.startswith(other) or other.startswith(one))
    return named or checks.fact.at < pushed.fact.at
