"""Signals: what the runs of known programs prove (spec 20, "Signals").

A run counts by the exit status of its own stage and by the summary it printed itself, both where they can be seen. The
words of the command, files it prints and output of other stages prove nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from gate_core.footprint.beside import beside, build_printed
from gate_core.footprint.command import Command, output_of
from gate_core.footprint.rules import builtin_rules, of_kind
from gate_core.model.call import SignalEvent, ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.kinds import CallStatus, SignalState
from gate_core.model.late import late
from gate_core.model.profile import SignalRule
from gate_core.shell import Role, Shows, Stage

_NOT_RUN = frozenset({126, 127})
_NO_ANSWER = frozenset({130, 137, 139, 143})
_TAIL = 200_000  # characters at the end of an output in which a summary is looked for
_HEAD = 20_000
_WORKSPACE = 3  # words of "yarn workspace NAME"
_OPTIONS = 40  # characters of a scope


def runs_of(command: Command, config: GateConfig) -> tuple[tuple[int, SignalEvent], ...]:
    """(stage, signal) of the runs of a command, in the order of its stages. A run behind which the same command changes
    files again raises none."""
    found: list[tuple[int, SignalEvent]] = []
    for at, stage in enumerate(command.analysis.stages):
        rule = rule_of(stage, config.signals) or _contained(stage)
        if rule is not None and not command.pending and not stage.background:
            event = _event(command, at, rule)
            found += [(at, event)] if event is not None else []
            found += [(at, also) for also in beside(stage.program, event, _seen_text(command, at) or "")]
        elif rule is None and (command.analysis.uses[at].program is None or stage.program in of_kind("remote")):
            found += [(at, event) for event in _printed(command, at)]
    return tuple((at, event) for at, event in found if not _changed_behind(command, at))


def _contained(stage: Stage) -> SignalRule | None:
    """The rule of a run of tests in a container: `docker compose run web pytest`."""
    if stage.program not in of_kind("containers") or not {"run", "exec"}.intersection(word.text for word in stage.argv):
        return None
    inner = (replace(stage, argv=stage.argv[at:]) for at in range(2, len(stage.argv)))
    return next((rule for part in inner if (rule := rule_of(part)) is not None and rule.needs_count), None)


def _changed_behind(command: Command, at: int) -> bool:
    """True when a later stage changes files; what the run's own output is written to is none of them."""
    stages, uses = command.analysis.stages, command.analysis.uses
    later = (use for i, use in enumerate(uses) if i > at and i not in stages[at].feeds)
    return any(use.sweeps is not None or any(place.role in _CHANGING for place in use.places) for use in later)


_CHANGING = frozenset({Role.WRITE, Role.DELETE, Role.LEAVE})


def rule_of(stage: Stage, own: tuple[SignalRule, ...] = ()) -> SignalRule | None:
    """The rule whose program a stage runs, the user's own first; None for no run."""
    words = _words(stage)
    if not words:
        return None
    for rule in (*own, *_by_program().get(stage.program, ())):
        for program in rule.programs:
            rest = _behind(words, stage.program, tuple(program.split()))
            if rest is not None and _is_run(rest, rule):
                return rule
    return None


def _words(stage: Stage) -> tuple[str, ...]:
    """The words of a command; a task that stands in quotes with its arguments is several, and a workspace that is named
    before the task is an option like any other ("yarn workspace web test")."""
    words = tuple(word.text for word in stage.argv)
    if words[1:2] == ("workspace",) and len(words) > _WORKSPACE:
        words = (words[0], *words[_WORKSPACE:], "--workspace", words[2])
    if stage.program not in of_kind("tasks_in_quotes"):
        return words
    return tuple(part for word in words for part in word.split())


@cache
def _by_program() -> dict[str, tuple[SignalRule, ...]]:
    """First word -> the rules that know it, those with the longest programs first."""
    found: dict[str, list[tuple[int, SignalRule]]] = {}
    for rule in builtin_rules():
        longest: dict[str, int] = {}
        for program in rule.programs:
            words = program.split()
            longest[words[0]] = max(longest.get(words[0], 0), len(words))
        for name, length in longest.items():
            found.setdefault(name, []).append((length, rule))
    return {name: tuple(rule for _, rule in sorted(rows, key=lambda row: -row[0])) for name, rows in found.items()}


def _behind(words: tuple[str, ...], name: str, program: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words of a command without those of the program, when it begins with it, options and their values between
    its words aside."""
    if not program or name != program[0].rpartition("/")[2]:
        return None
    rest = words[1:]
    kept: tuple[str, ...] = ()
    for wanted in program[1:]:
        at = next((i for i, word in enumerate(rest) if wanted in (word, *word.split(":"))), None)
        if at is None or any(_is_operand(rest, i) for i in range(at)):
            return None
        kept, rest = (*kept, *rest[:at]), rest[at + 1 :]
    return (*kept, *rest)


def _is_run(rest: tuple[str, ...], rule: SignalRule) -> bool:
    """True when the words behind the program let it run, and name what it is to run on where it must be told."""
    if any(_stops(word, rule) for word in rest):
        return False
    return not rule.operand or any(not word.startswith("-") for word in rest)


def _stops(word: str, rule: SignalRule) -> bool:
    """True for a word with which the program runs nothing."""
    return word in rule.not_with or word.partition("=")[0] in rule.not_with


def _is_operand(words: tuple[str, ...], at: int) -> bool:
    """True for a word that is neither an option nor, as far as can be told, the value of one."""
    return not words[at].startswith("-") and not (at and words[at - 1].startswith("-"))


def _event(command: Command, at: int, rule: SignalRule) -> SignalEvent | None:
    went = command.went(at)
    code = command.code if command.analysis.same == at or went else None
    if code in _NOT_RUN:
        return None
    if code and went:
        went = False  # "no" is an answer, and what a run answers is that something is wrong
    text = _seen_text(command, at)
    summary = _Summary.of(rule, text)
    if (
        went is None
        and rule.silent
        and not rule.event
        and _shown_whole(command, at)
        and not _TROUBLE.search(text or "")
    ):
        went = True  # a runner that is silent when all is well, and whose whole output is seen
    state = _by_code(rule, code) or _state(rule, summary, went, shown=text is not None, killed=code in _NO_ANSWER)
    scope = _told(rule, text) or ("" if rule.event or rule.scope else _part(command, at, rule))
    return SignalEvent(name=rule.name, state=state, scope=scope, count=summary.count)


_TROUBLE = late(
    r"(?<!\b0 )(?<!\bno )error|fail|fatal|exception|cannot|could not|wrong|denied|not found|abort|panic|invalid",
    re.IGNORECASE,
)
"""Words that a runner which is silent when all is well has no reason to print then."""


def _shown_whole(command: Command, at: int) -> bool:
    """True for a run piped into `head` or `tail` that let everything through: fewer lines than they were asked for."""
    stage = command.analysis.stages[at]
    if len(stage.feeds) != 1 or not _is_joined(stage):
        return False
    last = command.analysis.stages[stage.feeds[0]]
    if last.program not in ("head", "tail", "cat") or last.feeds or not last.seen:
        return False
    digits = [word.text.lstrip("-n") for word in last.argv[1:]]
    limit = next((int(d) for d in digits if d.isdigit()), 10) if last.program != "cat" else None
    return limit is None or len(command.output.splitlines()) < limit


def _is_joined(stage: Stage) -> bool:
    """True when errors go where the output goes, so that nothing is hidden."""
    return stage.errors_seen or any(sent.op in (">&", "|&") and sent.fd == 2 for sent in stage.sent)


def _told(rule: SignalRule, text: str | None) -> str:
    """What a run says it was about."""
    found = list(_compiled(rule.scope).finditer(text or "")) if rule.scope else []
    return found[-1][1][:_OPTIONS] if found else ""


def _by_code(rule: SignalRule, code: int | None) -> SignalState | None:
    """A rule of the user may name the exit code that means success."""
    if not rule.success.startswith("exit "):
        return None
    wanted = rule.success.removeprefix("exit ").strip()
    if code is None:
        return SignalState.MASKED
    return SignalState.PASSED if str(code) == wanted else SignalState.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    """What the output of a run says of it. One that took every result from a cache ran nothing, whatever it counts
    (spec 20, "Signals")."""

    success: bool = False
    failure: bool = False
    empty: bool = False
    count: int | None = None

    @staticmethod
    def of(rule: SignalRule, text: str | None) -> _Summary:
        if text is None:
            return _Summary()
        count = _number(rule.count, text)
        ran, failure = _finds(rule.ran, text), _finds(rule.failure, text)
        broke = failure and rule.needs_count
        nothing = (_finds(rule.empty, text) and not count and not broke) or (_finds(rule.cached, text) and not failure)
        return _Summary(
            success=_finds(rule.success, text),
            failure=failure,
            empty=(nothing and not ran) or (count == 0 and not broke),
            count=count,
        )


def _finds(pattern: str, text: str) -> bool:
    return bool(pattern) and not pattern.startswith("exit ") and _compiled(pattern).search(text) is not None


def _number(pattern: str, text: str) -> int | None:
    """The number of the last summary, or of all lines that count one thing each."""
    if not pattern:
        return None
    found = list(_compiled(pattern).finditer(text))
    if not found:
        return None
    groups = [group for match in found for group in match.groups() if group]
    return int(groups[-1][:9]) if groups else len(found)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


def _state(rule: SignalRule, summary: _Summary, went: bool | None, *, shown: bool, killed: bool) -> SignalState:
    if killed:
        return SignalState.UNCLEAR
    if summary.empty:
        return SignalState.EMPTY
    if summary.failure or went is False:
        return SignalState.FAILED
    counted = bool(summary.count) or not rule.needs_count
    if summary.success and counted:
        return SignalState.PASSED
    if went and (rule.silent or not (rule.success or rule.needs_count)):
        return SignalState.PASSED
    return SignalState.UNCLEAR if went and shown else SignalState.MASKED


def _seen_text(command: Command, at: int) -> str | None:
    """What a run printed where it was seen: on the terminal, or in a file that a later stage prints."""
    if command.reach(at) in (Shows.CONTENT, Shows.PART) or _is_printed_later(command, at):
        text = command.rest
        return text if len(text) <= _HEAD + _TAIL else text[:_HEAD] + "\n" + text[-_TAIL:]
    return None


def _is_printed_later(command: Command, at: int) -> bool:
    stages = command.analysis.stages
    follow = (at, *stages[at].feeds)
    logs = {sent.word.text for i in follow for sent in stages[i].sent if sent.op in (">", ">>", "&>", "&>>")}
    logs |= {p.word.text for i in stages[at].feeds for p in command.analysis.uses[i].places if p.role is Role.WRITE}
    return any(
        place.role is Role.READ and place.word.text in logs and command.reach(i) in (Shows.CONTENT, Shows.PART)
        for i in range(at + 1, len(stages))
        for place in command.analysis.uses[i].places
    )


def _part(command: Command, at: int, rule: SignalRule) -> str:
    """What a run was limited to; where it took its tests from a folder that is not of the tree of the call, that
    folder."""
    stage = command.analysis.stages[at]
    own = rule.name == "tests_passed" and stage.program not in of_kind("out_of_tree")
    return _scope(stage, rule) or (_elsewhere(stage.cwd or "", command.call.cwd) if own else "")


def _elsewhere(folder: str, home: str) -> str:
    """A folder that neither lies in another one nor holds it, both told in full."""
    one, other = f"{folder.rstrip('/')}/", f"{home.rstrip('/')}/"
    told = one.startswith("/") and other.startswith("/") and len(one) <= _OPTIONS
    return "" if not told or one.startswith(other) or other.startswith(one) else one


def _scope(stage: Stage, rule: SignalRule) -> str:
    """What a run was limited to: the operands and options that select a part of it."""
    skipped = {word for program in rule.programs for word in program.split()}
    words = _words(stage)[1:]
    skipped.update(rule.whole)
    picked = [w for w in words if not w.startswith("-") and _selects(w) and skipped.isdisjoint((w, _plain(w)))]
    for at, word in enumerate(words):
        option, told, value = word.partition("=")
        if option in rule.scoped_with:
            picked += [option, *_named_by(option, value if told else (*words[at + 1 : at + 2], "")[0])]
    return " ".join(dict.fromkeys(picked))[:_OPTIONS]


def _named_by(option: str, value: str) -> tuple[str, ...]:
    """What an option picks, where it says so in one word ("RingTests"); none for one that leaves things out."""
    leaves_out = option in of_kind("leaving_out") or value.startswith(("-", "!", "not "))
    return () if leaves_out or not re.fullmatch(r"[\w./:@*~+{}-]{2,40}", value) else (value,)


def _plain(word: str) -> str:
    """A folder without the signs that stand for nothing: "./tests/" is "tests"."""
    return word.removeprefix("./").rstrip("/") or "."


def _selects(word: str) -> bool:
    return "/" in word or "::" in word or re.fullmatch(r"[\w-]+\.\w{1,5}", word) is not None


def _printed(command: Command, at: int) -> Iterator[SignalEvent]:
    """A program nobody knows that ends well and prints the summary of a known runner (spec 20)."""
    stage = command.analysis.stages[at]
    if not stage.argv or command.pending or stage.background or command.went(at) is None:
        return
    text = _seen_text(command, at)
    if text is None:
        return
    there = next((p.word.text for p in command.analysis.uses[at].places if stage.program in of_kind("remote")), "")
    for event in printed_by(text, by=stage.argv[0].text, ok=command.went(at) is True):
        yield replace(event, scope=there[:_OPTIONS])


def runs_of_tool(call: ToolCall) -> tuple[SignalEvent, ...]:
    """The signals of a tool that runs programs and reports their status in its result (spec 20)."""
    if call.status is CallStatus.PENDING:
        return ()
    output, code = output_of(call)
    if code is None:
        return ()
    scripts = [value for value in call.args.values() if isinstance(value, str) and _selects(value) and len(value) < 300]
    return tuple(printed_by(output, by=scripts[0] if scripts else call.tool, ok=code == 0))


def printed_by(text: str, *, by: str, ok: bool) -> Iterator[SignalEvent]:
    """The signals that the summary of a known runner raises in the output of some other program."""
    if (built := build_printed(text, ok=ok)) is not None:
        yield SignalEvent(name="build_passed", state=built, by=by[:_OPTIONS])
    for rule in builtin_rules():
        if not rule.needs_count or rule.event:
            continue
        if _number(rule.count, text) is None and not (_finds(rule.success, text) and _finds(rule.failure, text)):
            continue
        summary = _Summary.of(rule, text)
        failed = summary.failure or not ok
        state = SignalState.FAILED if failed else SignalState.EMPTY if summary.empty else SignalState.PASSED
        yield SignalEvent(name=rule.name, state=state, count=summary.count, by=by[:_OPTIONS])
        return
