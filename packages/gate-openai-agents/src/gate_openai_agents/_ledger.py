"""What one run of the SDK told so far: the calls the model asked for, what became of them, the texts it wrote.

A run is one call of `Runner.run`, or all the attempts of one `GateRunner.run`. The facts themselves are in the gate;
here is only what is needed to complete a call: the SDK names it in one hook, ends it in another, and shows the result
of its native tools only to the next model call.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from agents import Trace

from gate_core import Action, Attempt, CallStatus, Gate, Json, ToolCall, Verdict
from gate_openai_agents import _translate
from gate_openai_agents._history import History
from gate_openai_agents._translate import BUILTIN, Answered, Asked

log = logging.getLogger("gate_openai_agents")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """A call that was asked for and has no result yet. `agent` is who asked."""

    step: int
    agent: str
    asked: Asked


class RunLedger:
    """The ledger of one run over one conversation's gate. `owner` is the GateRunner it belongs to; `history` is where
    the gate finds texts again.

    `usage` is the identity of the run's one `Usage` object, which every context of the run carries, nested agents
    included; None until a hook was called. `trace` is the SDK's trace of the run. `refused` is the verdict of the last
    answer that was not let go.
    """

    def __init__(self, owner: object, gate: Gate, history: History, *, begun: bool = False) -> None:
        self.owner = owner
        self.gate = gate
        self.history = history
        self.begun = begun
        self.usage: int | None = None
        self.verdicts: list[Verdict] = []
        self.refused: Verdict | None = None
        self.trace: Trace | None = None
        self._step = 0
        self._catch_up()
        self._open: dict[str, _Open] = {}
        self._started: set[str] = set()
        self._ran: Counter[tuple[str, str]] = Counter()
        self._rejected: set[str] = set()
        self._errors: dict[str, str] = {}
        self._texts: tuple[str, ...] = ()
        self._acted = False
        self._earlier: list[tuple[int, str]] = []

    def _catch_up(self) -> None:
        """Steps go on after the last recorded one, the gate's own looks included."""
        self._step = max([self._step, *(fact.step for fact in self.gate.state.facts.values())])

    # -- the turn

    def begin(self, given: object) -> None:
        """Start the turn with the human's words; later calls in the same run change nothing."""
        if not self.begun:
            self.begun = True
            self.gate.begin_turn(_translate.user_text(given))

    def resume(self, items: Sequence[object]) -> None:
        """Go on with the model response a paused run stopped in: its calls that are not facts yet are still open.

        Calls of one response share a step, so the step is that of a sibling that was observed before the pause.
        """
        asked = _translate.asked(items)
        if not asked:
            return
        ids = {call.call_id for call in asked}
        turn = self.gate.state.turn
        seen = {fact.call: fact.step for fact in self.gate.state.facts.values() if fact.turn == turn}
        self._step = max((seen[i] for i in ids & seen.keys()), default=self._step + 1)
        self._acted = True
        self._register((call for call in asked if call.call_id not in seen), agent="")

    def _register(self, calls: Iterable[Asked], *, agent: str) -> None:
        self._open.update({call.call_id: _Open(step=self._step, agent=agent, asked=call) for call in calls})

    # -- the observer

    def responded(self, items: Sequence[object], *, agent: str, handoffs: Collection[str], nested: bool) -> None:
        """A model response arrived: open its calls, record what the provider ran, keep its texts."""
        self._step += 1
        done = {output.call_id: output for output in _translate.answered(items)}
        local = _translate.asked(items)
        asked = [call for call in local if call.tool not in handoffs]
        self._register((call for call in asked if call.call_id not in done), agent=agent)
        ran = [
            *_translate.hosted(items),
            *(_completed(call, done[call.call_id]) for call in asked if call.call_id in done),
        ]
        for fact in ran:
            self._observe(fact, step=self._step, agent=agent)
        if nested:
            return
        self._texts = _translate.texts(items)
        self._acted = any(call.call_id not in done for call in local)
        if self._acted:
            self._earlier += [(self._step, text) for text in self._texts]

    def started(self, agent: str, kind: str, call_id: str) -> None:
        """A tool starts. Native tools are announced without a call id, so they are only counted."""
        if call_id:
            self._started.add(call_id)
        else:
            self._ran[agent, kind] += 1

    def finished(self, call: Asked, result: Json, *, agent: str, origin: str, failed: bool) -> None:
        """A tool that the SDK tells by its call id has run."""
        found = self._open.pop(call.call_id, None) or _Open(step=self._step, agent=agent, asked=call)
        error = self._errors.pop(call.call_id, None)
        self._observe(
            ToolCall(
                tool=found.asked.tool or call.tool,
                args=found.asked.args,
                result=result,
                status=CallStatus.ERROR if failed or error is not None else CallStatus.OK,
                call_id=call.call_id,
                origin=origin,
                side={} if error is None else {"error": error},
            ),
            step=found.step,
            agent=agent,
        )

    def raised(self, call_id: str, error: str) -> None:
        """A tool raised; the SDK is about to hide the exception behind a fixed sentence."""
        self._errors[call_id] = error

    def rejected(self, call_id: str) -> None:
        """The approval of a call was refused: it does not run."""
        self._rejected.add(call_id)

    def answered(self, items: Iterable[object], *, agent: str) -> None:
        """The model is about to see these outputs: close the calls that no other hook closed."""
        for output in _translate.answered(items) if self._open else ():
            found = self._open.pop(output.call_id, None)
            if found is not None:
                self._close(found, output, agent)
        self._ran = Counter({key: count for key, count in self._ran.items() if key[0] != agent})

    def _close(self, found: _Open, output: Answered, agent: str) -> None:
        asked = found.asked
        if not self._executed(asked, agent):
            output = replace(output, status=CallStatus.NOT_EXECUTED, exit_code=None)
        elif asked.named:  # it started and never ended: nobody knows how far it got
            output = replace(output, status=CallStatus.ERROR)
        self._observe(_completed(asked, output), step=found.step, agent=agent)

    def _executed(self, asked: Asked, agent: str) -> bool:
        if asked.call_id in self._rejected:
            return False
        if asked.named:
            return asked.call_id in self._started
        return self._ran[agent, asked.kind] > 0

    def _observe(self, call: ToolCall, *, step: int, agent: str) -> None:
        self.gate.observe(replace(call, step=step, agent=agent))

    # -- the boundary

    def judge(self, output: object) -> Verdict:
        """Ask the gate about a final output and keep the verdict: the SDK blanks it for answers made by a tool."""
        verdict = self.gate.boundary_check(self._attempt(output))
        self._catch_up()
        self.verdicts.append(verdict)
        self.refused = verdict if verdict.action in (Action.REVISE, Action.WITHHOLD) else None
        return verdict

    def _attempt(self, output: object) -> Attempt:
        try:
            self._abandon()
            return self._attempt_of(output)
        except Exception:
            log.exception("the final output could not be translated; its text is judged as it is")
            return Attempt(parts=(str(_translate.json_of(output)),))

    def _attempt_of(self, output: object) -> Attempt:
        """All texts of the final response are judged, not only the last one, which is the SDK's final output. An
        output that is none of them was made by a tool or by an error handler."""
        earlier = tuple(self._earlier)
        if not isinstance(output, str):
            rest = () if self._acted else self._texts[:-1]
            return Attempt(parts=rest, output=_translate.json_of(output), earlier=earlier)
        if output in self._texts and not self._acted:
            return Attempt(parts=self._texts, earlier=earlier)
        return Attempt(parts=(output,) if self._acted else (*self._texts, output), earlier=earlier)

    def _abandon(self) -> None:
        """Calls still open at the boundary have shown no result: they never started, or may still be running."""
        for found in self._open.values():
            asked = found.asked
            running = not asked.named or asked.call_id in self._started
            status = CallStatus.PENDING if running else CallStatus.NOT_EXECUTED
            origin = "" if asked.named else BUILTIN
            call = ToolCall(tool=asked.tool, args=asked.args, status=status, call_id=asked.call_id, origin=origin)
            self._observe(call, step=found.step, agent=found.agent)
        self._open.clear()


def _completed(asked: Asked, output: Answered) -> ToolCall:
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
