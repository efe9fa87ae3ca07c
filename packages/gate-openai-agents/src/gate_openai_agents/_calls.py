"""The calls of one run: asked for, started, ended, and what became of those that never ended.

The SDK names a call in one hook, ends it in another, and shows the result of its native tools only to the next model
call; some failures it hides. Here the pieces of a call are put together and handed to the gate once.

Order is that of the model's responses: the calls of one response share a step, so none of them is evidence about
another. The step of a response is one more than that of everything that had ended when it came. Agents that run side by
side (as tools of one response) therefore share steps as long as neither could have seen what the other did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from gate_core import CallStatus, Gate, Json, JsonObject, ToolCall
from gate_openai_agents import _translate
from gate_openai_agents._translate import BUILTIN, Answered, Asked

WITHHELD = "an output guardrail of the tool replaced the result"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """A call that was asked for and has no result yet. `agent` is who asked; `parent` the call whose agent asked it."""

    step: int
    agent: str
    asked: Asked
    parent: str = ""


class Calls:
    """The calls of one run. `owned` are tools of the gate's own: no calls of the agent's. `told` is called after each
    call that is on record."""

    def __init__(self, gate: Gate, owned: Collection[str] = (), told: Callable[[], object] = bool) -> None:
        self._gate = gate
        self._owned = owned
        self._told = told
        self._open: dict[str, _Open] = {}
        self._started: set[str] = set()
        self._ran: Counter[tuple[str, str]] = Counter()
        self._rejected: set[str] = set()
        self._errors: dict[str, str] = {}
        self._real: dict[str, Json] = {}
        self._codes: dict[str, int | None] = {}
        self._steps: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._done = 0
        self.catch_up()

    def catch_up(self) -> None:
        """Steps go on after the last recorded one, the gate's own looks included."""
        self._done = max([self._done, *(fact.step for fact in self._gate.state.facts.values())])

    # -- what the model asked for

    def next_step(self, parent: str) -> int:
        """The step of a new response; `parent` is the call whose agent responded, "" for the run itself."""
        step = 1 + max(self._done, self._steps.get(parent, 0), self._last.get(parent, 0))
        self._last[parent] = step
        return step

    def asked(self, calls: Iterable[Asked], *, step: int, agent: str, parent: str = "") -> None:
        """The model asked for these calls in one response. The SDK drops an exact repetition of an earlier call."""
        for call in calls:
            if self._repeats(call):
                continue
            self._steps[call.call_id] = step
            self._open[call.call_id] = _Open(step=step, agent=agent, asked=call, parent=parent)

    def _repeats(self, call: Asked) -> bool:
        return call.call_id in self._steps

    def resume(self, asked: Sequence[Asked]) -> None:
        """Go on with the response a paused run stopped in: its calls that are not facts yet are still open.

        Calls of one response share a step, so the step is that of a sibling that was observed before the pause.
        """
        ids = {call.call_id for call in asked}
        turn = self._gate.state.turn
        seen = {fact.call: fact.step for fact in self._gate.state.facts.values() if fact.turn == turn}
        step = max((seen[i] for i in ids & seen.keys()), default=self._done + 1)
        self._last[""] = step
        self.asked((call for call in asked if call.call_id not in seen), step=step, agent="")

    def is_top(self, call_id: str) -> bool:
        """True for an open call of the run itself, not of an agent used as a tool."""
        found = self._open.get(call_id)
        return found is not None and not found.parent

    def is_alone(self, call_id: str) -> bool:
        """True when no other call of the same response is open or has ended."""
        step = self._steps.get(call_id)
        return all(other == call_id or at != step for other, at in self._steps.items())

    def heard_from(self, call_id: str) -> bool:
        """True when the agent that this call asked was observed."""
        return call_id in self._last

    @property
    def running(self) -> bool:
        """True while a tool of the run itself is at work."""
        return any(call_id in self._started and not call.parent for call_id, call in self._open.items())

    # -- what became of it

    def started(self, agent: str, kind: str, call_id: str) -> None:
        """A tool starts. Native tools are announced without a call id, so they are only counted."""
        if call_id:
            self._started.add(call_id)
        else:
            self._ran[agent, kind] += 1

    def finished(
        self, call: Asked, result: Json, *, agent: str, origin: str, failed: bool, annotations: JsonObject
    ) -> None:
        """A tool that the SDK tells by its call id has run."""
        found = self._open.pop(call.call_id, None)
        if call.tool in self._owned:
            return
        if found is None:
            latest = max(self._last.values(), default=self._done + 1)
            found = _Open(step=self._steps.get(call.call_id, latest), agent=agent, asked=call)
        error = self._errors.pop(call.call_id, None)
        if self._real.pop(call.call_id, result) != result:
            error = error or WITHHELD
        side: dict[str, Json] = {"error": error} if error is not None else {}
        if annotations:
            side["annotations"] = annotations
        self.observe(
            ToolCall(
                tool=found.asked.tool or call.tool,
                args=found.asked.args,
                result=result,
                status=CallStatus.ERROR if failed or error is not None else CallStatus.OK,
                call_id=call.call_id,
                origin=origin,
                side=side,
            ),
            step=found.step,
            agent=agent,
        )

    def raised(self, call_id: str, error: str) -> None:
        """A tool failed and the SDK is about to hide it: behind a fixed sentence, or in a result like any other."""
        self._errors[call_id] = error

    def returned(self, call_id: str, output: Json) -> None:
        """What a tool really returned, before its output guardrails."""
        self._real[call_id] = output

    def exited(self, call_id: str, code: int | None) -> None:
        """The exit code an executor really gave, None when it gave none."""
        self._codes[call_id] = code

    def rejected(self, call_id: str) -> None:
        """The approval of a call was refused: it does not run."""
        self._rejected.add(call_id)

    def answered(self, items: Iterable[object], *, agent: str) -> None:
        """The model is about to see these outputs: close the calls that no other hook closed."""
        for output in _translate.answered(items) if self._open else ():
            found = self._open.pop(output.call_id, None)
            if found is not None and found.asked.tool not in self._owned:
                self._close(found, output, agent)
        self._ran = Counter({key: count for key, count in self._ran.items() if key[0] != agent})

    def _close(self, found: _Open, output: Answered, agent: str) -> None:
        asked = found.asked
        if not self._executed(asked, agent):
            output = replace(output, status=CallStatus.NOT_EXECUTED, exit_code=None)
        elif asked.named:  # it started and never ended: nobody knows how far it got
            output = replace(output, status=CallStatus.ERROR)
        elif asked.call_id in self._codes:
            output = replace(output, exit_code=self._codes.pop(asked.call_id))
        self.observe(completed(asked, output), step=found.step, agent=agent)

    def _executed(self, asked: Asked, agent: str) -> bool:
        if asked.call_id in self._rejected:
            return False
        if asked.named:
            return asked.call_id in self._started
        return self._ran[agent, asked.kind] > 0

    def abandon(self) -> None:
        """Calls still open at the boundary have shown no result: they never started, or may still be running."""
        for found in self._open.values():
            asked = found.asked
            running = not asked.named or asked.call_id in self._started
            status = CallStatus.PENDING if running else CallStatus.NOT_EXECUTED
            origin = "" if asked.named else BUILTIN
            call = ToolCall(tool=asked.tool, args=asked.args, status=status, call_id=asked.call_id, origin=origin)
            self.observe(call, step=found.step, agent=found.agent)
        self._open.clear()

    def observe(self, call: ToolCall, *, step: int, agent: str) -> None:
        """Hand a completed call to the gate."""
        self._gate.observe(replace(call, step=step, agent=agent))
        self._done = max(self._done, step)
        self._told()


def completed(asked: Asked, output: Answered) -> ToolCall:
    """The call with its output; the SDK's native tools are its built-ins."""
    return ToolCall(
        tool=asked.tool,
        args=asked.args,
        result=output.result,
        status=output.status,
        exit_code=output.exit_code,
        call_id=asked.call_id,
        cwd=asked.cwd,
        origin="" if asked.named else BUILTIN,
    )
