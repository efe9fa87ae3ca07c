"""Statements: what the answer says happened must have happened, last, and must still hold (spec 20, "Statements")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from gate_core.checks.certified import is_certified
from gate_core.checks.finding import finding
from gate_core.checks.remedies import signal_rows
from gate_core.checks.wider import narrowed
from gate_core.data import load_table
from gate_core.footprint.rules import event_names
from gate_core.ledger import Ledger
from gate_core.ledger.signals import Raised
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.fact import Fact
from gate_core.model.json import text_of
from gate_core.model.kinds import Did, Layer, Outcome, Severity, SignalState, Strength
from gate_core.model.reading import Mood, Reading, Sentence
from gate_core.model.verdict import Finding
from gate_core.reading.events import RED, TOLD, commands_in
from gate_core.reading.turn import in_the_background

_ALL = re.compile(
    r"\b(?:all|every|whole|entire|full|everything|alle|tous|toutes|todos|todas|tutti)\b|所有|全部|すべて|全て|모든|все",
    re.IGNORECASE,
)
_EMPTY_SAID = re.compile(r"\b(?:cached|zero|0|skipped|no tests)\b", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_CHANGES = frozenset({Did.CHANGED, Did.DELETED, Did.OPAQUE})


def check_statements(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """What each stated event lacks. A kind and a language that are not proved precise only warn."""
    told: set[tuple[Code, str]] = set()
    for number, sentence in enumerate(reading.sentences):
        if sentence.mood is not Mood.INDICATIVE or sentence.code or sentence.quoted:
            continue
        for kind in sorted(sentence.events):
            for item in _lacks(kind, sentence, reading, ledger):
                if (item.code, item.subject) not in told:
                    told.add((item.code, item.subject))
                    yield replace(
                        item, severity=_severity(item, kind, sentence, config), where=f"sentence {number + 1}"
                    )


def _severity(item: Finding, kind: str, sentence: Sentence, config: GateConfig) -> Severity:
    """Under `certified` a kind blocks only in a language in which it was proved precise."""
    proved = is_certified(kind.removesuffix(TOLD), sentence.language)
    if config.layers[Layer.STATEMENTS] is Strength.CERTIFIED and item.severity is Severity.BLOCK and not proved:
        return Severity.WARN
    return item.severity


def _lacks(kind: str, sentence: Sentence, reading: Reading, ledger: Ledger) -> Iterator[Finding]:
    if kind.endswith(TOLD):
        seen = _seen_elsewhere(ledger)
        lacking = _lacks(kind.removesuffix(TOLD), sentence, reading, ledger)
        yield from (item for item in lacking if not (seen and item.code is Code.STATEMENT_UNBACKED))
    elif kind.endswith(RED):
        yield from _red(kind.removesuffix(RED), sentence, ledger)
    elif kind in signal_rows():
        found = _signal(kind, sentence, ledger)
        yield from (item for item in found if not (item.code is Code.STATEMENT_STALE and _dated_back(reading)))
    elif kind in _families():
        yield from _family(kind, ledger)
    elif kind == "executed":
        yield from _executed(sentence, ledger)
    elif kind == "used_tool" and not ledger.calls_here:
        yield _unbacked("that a tool was used")
    elif kind == "succeeded" and (failed := _all_failed(ledger)) is not None:
        yield _statement(Code.STATEMENT_CONTRADICTED, "that it ran well", failed)
    elif kind == "universal" and narrowed(reading, ledger):
        yield _unbacked("that there is no more, or no other", fix="look without a filter, or say what was looked for")


def _all_failed(ledger: Ledger) -> Fact | None:
    """The last call of a turn in which none went well."""
    calls = ledger.calls_here
    bad = all(fact.outcome in (Outcome.FAILED, Outcome.NOT_FOUND, Outcome.UNKNOWN) for fact in calls)
    return calls[-1] if calls and bad else None


def _seen_elsewhere(ledger: Ledger) -> bool:
    """True when a look of this conversation at something other than files can have shown that it was done."""
    looks = (*ledger.looks_here, *ledger.looks_before)
    return any(effect.did is Did.SHOWED and effect.domain != "files" for fact in looks for effect in fact.effects)


def _signal(kind: str, sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """A green statement needs the last run of its signal: passed, current, of all that is spoken of."""
    says, run = signal_rows()[kind]["says"], signal_rows()[kind]["run"]
    raised = _raised(kind, sentence, ledger)
    if raised is None:
        if not _excused(kind, sentence, ledger):
            yield _unbacked(says, fix=_UNREAD_SHELL if _shell_unread(ledger) else run)
        return
    if raised.event.state is SignalState.PASSED:
        yield from _green(kind, sentence, raised, ledger)
    elif not _says_so(raised.event.state, sentence.text):
        yield finding(_STATES[raised.event.state], kind, fix=run, evidence=(raised.fact,))


_UNREAD_SHELL = "install gate-core[shell]: without it no command is read, so no run can be told"


def _shell_unread(ledger: Ledger) -> bool:
    """True when commands ran in this turn that nothing here can read."""
    return any(fact.profile == "shell" for fact in ledger.calls_here)


def _raised(kind: str, sentence: Sentence, ledger: Ledger) -> Raised | None:
    """The last run that can show the statement: "it compiles" is shown by a type check too."""
    raised = ledger.signals.get(kind)
    if raised is None and kind == "build_passed" and "compil" in sentence.text.lower():
        return ledger.signals.get("types_passed")
    return raised


def _says_so(state: SignalState, sentence: str) -> bool:
    """True when the green sentence says itself what was not: "39 of 40 tests pass", "no tests were found"."""
    if state is SignalState.FAILED:
        return _partly(sentence)
    return state is SignalState.EMPTY and _EMPTY_SAID.search(sentence) is not None


def _green(kind: str, sentence: Sentence, raised: Raised, ledger: Ledger) -> Iterator[Finding]:
    """What a run that passed does not show: the state of now, another number, another push, all of it."""
    says = signal_rows()[kind]["says"]
    if not raised.current:
        yield _statement(Code.STATEMENT_STALE, says, raised.fact)
    elif kind == "tests_passed" and _miscounted(sentence.text, ledger):
        yield _statement(Code.STATEMENT_CONTRADICTED, "how many tests passed", raised.fact)
    elif kind == "ci_green" and _of_another_push(raised, ledger):
        yield _statement(Code.STATEMENT_CONTRADICTED, says, raised.fact)
    elif raised.event.scope and kind not in event_names() and _ALL.search(sentence.text):
        yield finding(Code.SIGNAL_SCOPED, kind, evidence=(raised.fact,))


_OF = re.compile(r"\b(\d[\d,]*) ?(?:of|out of|/) ?(?:the |all |your |our )?(\d[\d,]*)\b", re.IGNORECASE)
_BUT = re.compile(
    r"\ball (?:\w+ ){0,2}(?:but|except)\b|\b(?:other|remaining|rest of the) (?:\d+ )?tests?\b", re.IGNORECASE
)
_GREEN_COUNT = re.compile(
    r"\b(?:all )?(\d[\d,]{0,8}) (?:unit |integration |existing )?tests? (?:all )?pass", re.IGNORECASE
)


_PASSED = re.compile(r"\b(\d{1,8}) pass(?:ed|ing)\b")
_OLDER = re.compile(
    r"\b(?:not|n['’]t|without) (?:been )?(?:yet )?re-?(?:run|ran|running|tested)\b|"
    r"\bbefore (?:the|my|that|this) (?:last|final|latest) (?:edit|change|commit|fix)\b",
    re.IGNORECASE,
)


def _dated_back(reading: Reading) -> bool:
    """True when the answer says itself that the run is older than its last change."""
    return any(_OLDER.search(sentence.text) for sentence in reading.sentences)


def _partly(sentence: str) -> bool:
    """True for a green sentence that says itself that not all of it was."""
    fractions = ((_whole(found[1]), _whole(found[2])) for found in _OF.finditer(sentence))
    return any(some < every for some, every in fractions) or _BUT.search(sentence) is not None


def _miscounted(sentence: str, ledger: Ledger) -> bool:
    """True when "all 65 tests pass" names a number that no run of the conversation showed or adds up to."""
    found = _GREEN_COUNT.search(sentence)
    runs = [fact for fact in ledger.facts if any(event.name == "tests_passed" for event in fact.signals)]
    if found is None or not runs or _OF.search(sentence):
        return False
    counts = [event.count for fact in runs for event in fact.signals if event.name == "tests_passed"]
    if any(count is None for count in counts) or any(ledger.text(fact) is None for fact in runs):
        return False
    said = _whole(found[1])
    results = [_result(fact, ledger) for fact in runs]
    if said == sum(count or 0 for count in counts) or any(re.search(rf"(?<!\d){said}(?!\d)", text) for text in results):
        return False
    return all(said != sum(int(digits) for digits in _PASSED.findall(text)) for text in results)


def _result(fact: Fact, ledger: Ledger) -> str:
    found = ledger.text(fact)
    return text_of(found[1]) if found is not None else ""


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))


_NAMES_FILE = re.compile(r"[\w/]\.[A-Za-z]\w{0,5}\b")
_STATES = {
    SignalState.FAILED: Code.SIGNAL_CONTRADICTED,
    SignalState.EMPTY: Code.SIGNAL_EMPTY,
    SignalState.MASKED: Code.SIGNAL_INCONCLUSIVE,
    SignalState.UNCLEAR: Code.SIGNAL_INCONCLUSIVE,
}


def _excused(kind: str, sentence: Sentence, ledger: Ledger) -> bool:
    """True where a tool of another kind may have done it: an own tool named like the event."""
    if kind == "tagged" and ledger.changes_here and _NAMES_FILE.search(sentence.text):
        return True  # a tag inside of a file that was changed is no tag of git
    if kind == "deployed" and any(debt.by is not None and _far(debt.domain) for debt in ledger.debts):
        return True  # a client changed its own world, and a later look there showed it
    word = _STEMS.get(kind, kind)
    return any(fact.outcome is Outcome.OK and word in _words(fact.tool) for fact in ledger.facts if fact.executed)


def _far(domain: str) -> bool:
    return domain not in ("files", "sql") and not domain.startswith(("host:", "tool:"))


_STEMS = {
    "committed": "commit",
    "pushed": "push",
    "merged": "merge",
    "tagged": "tag",
    "pr_opened": "pull",
    "published": "publish",
    "deployed": "deploy",
    "tests_passed": "test",
    "build_passed": "build",
    "ci_green": "check",
    "lint_passed": "lint",
    "types_passed": "typecheck",
    "format_passed": "format",
}


def _of_another_push(checks: Raised, ledger: Ledger) -> bool:
    """Checks that were looked at before the last push, or that name another commit."""
    pushed = ledger.signals.get("pushed")
    if pushed is None or pushed.event.state is not SignalState.PASSED:
        return False
    one, other = checks.event.scope, pushed.event.scope
    named = bool(one and other) and not (one.startswith(other) or other.startswith(one))
    return named or checks.fact.at < pushed.fact.at


def _red(kind: str, sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """A red statement needs a run that was red, or that could not be told."""
    raised = ledger.signals.get(kind)
    if raised is None and not _excused(kind, sentence, ledger):
        yield _unbacked(f"{signal_rows()[kind]['says'].replace('pass', 'fail')}", fix=signal_rows()[kind]["run"])
    elif raised is not None and raised.event.state is SignalState.PASSED and raised.current:
        yield _statement(Code.STATEMENT_CONTRADICTED, "that something fails", raised.fact)


def _family(kind: str, ledger: Ledger) -> Iterator[Finding]:
    """A past action on the user's things needs an ok change of that family."""
    row = _families()[kind]
    acts = [fact for fact in ledger.facts if fact.executed and _acts(fact, row)]
    done = [fact for fact in acts if fact.outcome in (Outcome.OK, Outcome.UNKNOWN)]
    if not acts:
        if not in_the_background(ledger):
            yield _unbacked(row["says"])
    elif not done:
        yield _statement(Code.STATEMENT_CONTRADICTED, row["says"], acts[-1])
    elif (denied := _denied_since(done[-1], ledger)) is not None:
        yield _statement(Code.STATEMENT_CONTRADICTED, row["says"], denied)


def _acts(fact: Fact, row: dict[str, Any]) -> bool:
    """True for a call that may have done it: by its tool's name, by the programs it ran, by a browser's hand."""
    if fact.profile in ("command", "shell", "unreadable", "exec"):
        heads = {head.partition(" ")[0].rpartition("/")[2] for head in fact.ran}
        unknown = any(effect.did is Did.OPAQUE for effect in fact.effects)
        files = row.get("files", False) and any(e.did in _CHANGES for e in fact.effects)
        return bool(heads & set(row["programs"])) or unknown or files
    if not any(effect.did in _CHANGES for effect in fact.effects) and fact.outcome is Outcome.OK:
        return False
    words = _words(fact.tool)
    if words & _ASKING:
        return row.get("drafts", False) and "draft" in words
    return bool(words & set(row["verbs"])) or not words & _other_verbs()


_ASKING = frozenset(
    ["draft", "preview", "template", "validate", "check", "read", "get", "list", "search", "find", "fetch"]
)
"""Words of tools that only prepare or look, whatever else their names hold."""


@cache
def _other_verbs() -> frozenset[str]:
    """The verbs of all families: a tool with none of them may do anything ("browser_click")."""
    return frozenset(verb for row in _families().values() for verb in row["verbs"])


_FAILED = re.compile(
    r"^\W{0,40}(?:error\b|failed\b|[A-Z]+ /?\S{0,200} (?:4\d\d|5\d\d)\b|(?:HTTP/[\d.]+ )?(?:4\d\d|5\d\d) )|"
    r"\bCrashLoopBackOff\b|\bTraceback \(most recent|\b(?:HTTP|status)[ /:]*(?:1\.1 )?5\d\d\b|^0 rows\b|"
    r"\bundelivered\b|\bbounced\b",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS = 300  # characters; a status answers in a line or two


def _denied_since(act: Fact, ledger: Ledger) -> Fact | None:
    """A later look whose status-like result says that it went wrong, and that the answer passes over."""
    for fact in ledger.looks_here:
        if fact.at <= act.at or fact.size > _STATUS or fact.profile == "command":
            continue
        found = ledger.text(fact)
        if found is not None and not _is_file(fact) and _FAILED.search(text_of(found[1])):
            return fact
    return None


def _is_file(fact: Fact) -> bool:
    return any(effect.domain == "files" for effect in fact.effects)


def _executed(sentence: Sentence, ledger: Ledger) -> Iterator[Finding]:
    """A quoted command that is said to have run needs a call that ran it."""
    ran = [_spaced(head) for fact in ledger.facts if fact.executed for head in _heads(fact, ledger)]
    for command in commands_in(sentence.text):
        wanted = _spaced(command)
        if not any(wanted[:60] in head or head in wanted for head in ran):
            yield _unbacked("that a command was run", fix="run it, then answer again")
            return


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


def _unbacked(says: str, *, fix: str | None = None) -> Finding:
    return _statement(Code.STATEMENT_UNBACKED, says, fix=fix)


def _statement(code: Code, says: str, *evidence: Fact, fix: str | None = None) -> Finding:
    found = finding(code, "statement", evidence=evidence, fix=fix)
    return replace(found, subject=says, says=found.says.replace("statement", says, 1))


def _words(tool: str) -> set[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", tool)
    return {word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word}


@cache
def _families() -> dict[str, dict[str, Any]]:
    return dict(load_table("checks", "statements.toml")["families"])
