"""Labelled transcripts acted out: the model's side as a script, and what the core says of the same conversation.

A transcript holds what was called, what came of it and what was said. Here it is played by a framework: a scripted
model emits the calls and the answers, tools give the results, and the verdicts must be those of the core. What no
framework tells of a tool of the user's (the exit code, the folder) the core is not told either.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from gate_core import Action, Attempt, CallStatus, Gate, Json, ToolCall, Verdict
from gate_core.transcripts.play import config_of

SETS = Path(__file__).parents[2] / "benchmarks" / "error_sets"

EVERY = 6
"""Each sixth transcript of a set is played: enough to see an adapter go astray, in some seconds."""

CLOSING = "UNVERIFIED: I could not confirm any of this."
"""What a model says that is asked more often than scripted."""

REFUSED = "The user did not approve this call. It was not run."

Seen: TypeAlias = tuple[str, str, tuple[str, ...], str]
"""Decision, action, codes and claim type of a verdict."""


def seen(verdict: Verdict) -> Seen:
    """What of a verdict has to be the same everywhere."""
    return verdict.decision.value, verdict.action.value, tuple(map(str, verdict.codes)), verdict.claim.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One scripted call. `approved` says that the user approves exactly this one when asked."""

    id: str
    tool: str
    args: dict[str, Json]
    result: Json
    failed: bool
    approved: bool = False
    exit_code: int | None = None
    cwd: str = ""

    @property
    def text(self) -> str:
        """The result as a text."""
        return self.result if isinstance(self.result, str) else json.dumps(self.result, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One response of the model: calls, or a text."""

    calls: tuple[Call, ...] = ()
    text: str = ""


@dataclass(slots=True)
class Script:
    """The responses of the model, turn by turn, and the calls that wait for their results."""

    turns: deque[tuple[str, deque[Step]]]
    waiting: list[Call] = field(default_factory=list)
    _left: deque[Step] = field(default_factory=deque)

    def begin(self) -> str:
        """The prompt of the next turn."""
        prompt, steps = self.turns.popleft()
        self._left = deque(steps)
        return prompt

    def respond(self) -> Step:
        """The next response."""
        step = self._left.popleft() if self._left else Step(text=CLOSING)
        self.waiting += step.calls
        return step

    def take(self, tool: str, args: Mapping[str, Any]) -> Call:
        """The call a tool was started for."""
        found = next(call for call in self.waiting if call.tool == tool and call.args == args)
        self.waiting.remove(found)
        return found

    def named(self, call_id: str) -> Call:
        """The call that waits for an approval."""
        return next(call for call in self.waiting if call.id == call_id)

    @property
    def tools(self) -> dict[str, list[str]]:
        """The names of all tools, with those of their arguments."""
        found: dict[str, set[str]] = {}
        for _, steps in self.turns:
            for call in (call for step in steps for call in step.calls):
                found.setdefault(call.tool, set()).update(call.args)
        return {name: sorted(keys) for name, keys in found.items()}


def transcripts() -> Iterator[dict[str, Any]]:
    """Those of the sets that a framework can act out."""
    for file in sorted(SETS.glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
        yield from (row for row in rows[::EVERY] if _can_be_acted(row))


def _can_be_acted(transcript: dict[str, Any]) -> bool:
    """False for what a scripted model has no part in: background ends, writes to a store, calls of sub-agents, typed
    answers."""
    events = [event for turn in transcript["turns"] for event in turn["events"]]
    kinds = {event["type"] for event in events}
    plain = all(event.get("status", "ok") in ("ok", "error") and not event.get("agent") for event in events)
    typed = any(event["type"] == "finish" and "text" not in event for event in events)
    return kinds <= {"call", "finish", "proposed", "confirm"} and plain and not typed


def script_of(transcript: dict[str, Any], *, native: bool = False) -> Script:
    """The transcript as a script. With `native` the host tells exit codes and folders of its own tools."""
    turns, count = deque[tuple[str, deque[Step]]](), 0
    for turn in transcript["turns"]:
        steps, approved = deque[Step](), list[tuple[str, Any]]()
        for event in turn["events"]:
            if event["type"] == "confirm":
                approved.append((event["tool"], event["args"]))
            elif event["type"] == "finish":
                steps.append(Step(text=event["text"]))
            else:
                count += 1
                call = _call(event, f"c{count}", approved=(event["tool"], event["args"]) in approved)
                steps.append(Step(calls=(call if native else replace(call, exit_code=None, cwd=""),)))
        turns.append((turn["prompt"], steps))
    return Script(turns)


def _call(event: dict[str, Any], call_id: str, *, approved: bool) -> Call:
    """A call; a proposed action that is let go goes well."""
    return Call(
        id=call_id,
        tool=event["tool"],
        args=event["args"],
        result=event.get("result", "ok"),
        failed=event.get("status") == "error",
        approved=approved,
        exit_code=event.get("exit_code"),
        cwd=event.get("cwd", ""),
    )


def by_core(transcript: dict[str, Any], script: Script, origin: Callable[[str], str] = lambda tool: "") -> list[Seen]:
    """What the core says of a script: before each call where the layer is on, after it, and of each answer."""
    gate, verdicts = Gate(config_of(transcript)), list[Seen]()
    for _ in range(len(script.turns)):
        gate.begin_turn(script.begin())
        while True:
            step = script.respond()
            for call in step.calls:
                _observed(gate, call, origin(call.tool))
            if not step.calls:
                verdict = gate.boundary_check(Attempt(parts=(step.text,)))
                verdicts.append(seen(verdict))
                if verdict.action is not Action.REVISE:
                    break
    return verdicts


def _observed(gate: Gate, call: Call, origin: str) -> None:
    asked = ToolCall(tool=call.tool, args=call.args, call_id=call.id, origin=origin, cwd=call.cwd)
    if gate.config.admits:
        verdict = gate.admit(asked)
        if verdict.approvable and call.approved:
            gate.confirm(asked)
            verdict = gate.admit(asked)
        if not verdict.accepted:
            text = REFUSED if verdict.approvable else verdict.feedback
            gate.observe(replace(asked, result=text, status=CallStatus.DENIED))
            return
    status = CallStatus.ERROR if call.failed else CallStatus.OK
    gate.observe(replace(asked, result=call.result, status=status, exit_code=call.exit_code))
