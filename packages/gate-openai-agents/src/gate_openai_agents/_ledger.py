"""What one run of the SDK told so far: its calls, the texts the model wrote, and the verdicts about them.

A run is one call of `Runner.run`, or all the attempts of one `GateRunner.run`. The facts themselves are in the gate.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from agents import RunContextWrapper, Trace, custom_span, get_current_trace

from gate_core import Action, Attempt, Gate, Json, Verdict
from gate_openai_agents import _translate
from gate_openai_agents._aside import Aside
from gate_openai_agents._calls import Calls, completed
from gate_openai_agents._history import History

log = logging.getLogger("gate_openai_agents")

TContext = TypeVar("TContext")
Find = Callable[["RunContextWrapper[TContext]"], "RunLedger"]
"""How a hook finds the ledger of the run it is called in."""

BOUND: ContextVar[RunLedger | None] = ContextVar("gate_openai_agents", default=None)
"""The ledger of the gated run this code runs in. Tools, guardrails and nested runs inherit it."""


SPAN = "gate.boundary_check"
"""The name of the custom span every verdict leaves in the run's trace."""

PROGRESS = "gate.progress"
"""The name of the custom spans of `emit_progress=True`."""

Progress = dict[str, Json]
Emit = Callable[[Callable[[], Progress], Callable[[Progress], object]], None]
"""`GateFactory.emit`."""


class RunLedger:
    """The ledger of one run over one conversation's gate. `owner` is the GateRunner it belongs to; `history` is where
    the gate finds texts again.

    `usage` is the identity of the run's one `Usage` object, which every context of the run carries, nested agents
    included; None until a hook was called. `trace` is the SDK's trace of the run. `refused` is the verdict of the last
    answer that was not let go, `failed` what kept an answer from being judged. `settled` is the verdict of an answer
    that was let go before the SDK's own boundary, by the model wrapper or the submit tool: it is not asked about again.
    `asking` are the items of the model call that is going on. `server` is True when the provider keeps the history,
    `response_id` its last response. `admitted` are verdicts about calls that wait to run.
    """

    def __init__(
        self,
        owner: object,
        gate: Gate,
        history: History,
        *,
        emit: Emit,
        begun: bool = False,
        owned: Collection[str] = (),
    ) -> None:
        self.owner = owner
        self.gate = gate
        self.history = history
        self.begun = begun
        self._emit = emit
        self.calls = Calls(gate, owned, self._told)
        self.aside = Aside()
        self.usage: int | None = None
        self.verdicts: list[Verdict] = []
        self.refused: Verdict | None = None
        self.settled: Verdict | None = None
        self.failed: Exception | None = None
        self.trace: Trace | None = None
        self.asking: object = None
        self.agent = ""
        self.server = False
        self.response_id: str | None = None
        self.admitted: dict[str, Verdict] = {}
        self._programs: dict[str, str] = {}
        self._heard = False
        self._bare = False
        self._texts: tuple[str, ...] = ()
        self._acted = False
        self._earlier: list[tuple[int, str]] = []

    # -- the turn

    def begin(self, given: object) -> None:
        """Start the turn with the human's words; later calls in the same run change nothing."""
        if not self.begun:
            self.begun = True
            self.gate.begin_turn(_translate.user_text(given))

    def resume(self, items: Sequence[object]) -> None:
        """Go on with the model response a paused run stopped in."""
        asked = _translate.asked(items)
        if asked:
            self._acted = True
            self.calls.resume(asked)

    def asks(self, items: Sequence[object], *, agent: str) -> None:
        """The run is about to ask its model. A response before that brought neither call nor text was reasoning."""
        self.history.show(items)
        self.asking, self.agent = items, agent
        if self._bare:
            self._bare = False
            self.gate.reasoning_step()
            self.calls.catch_up()

    # -- the observer

    def heard(self, items: Sequence[object], *, agent: str, handoffs: Collection[str]) -> None:
        """The model wrapper saw a response before the hooks do; they shall not count it again."""
        self._heard = False
        self.responded(items, agent=agent, handoffs=handoffs)
        self._heard = True

    def responded(self, items: Sequence[object], *, agent: str, handoffs: Collection[str], parent: str = "") -> None:
        """A model response arrived: open its calls, record what the provider ran, keep its texts."""
        if self._heard and not parent:
            self._heard = False
            return
        step = self.calls.next_step(parent)
        done = {output.call_id: output for output in _translate.answered(items)}
        local = _translate.asked(items)
        asked = [call for call in local if call.tool not in handoffs]
        waiting = (call for call in asked if call.call_id not in done)
        self.calls.asked(waiting, step=step, agent=agent, parent=parent)
        self._programs |= _translate.programs(items)
        ran = [
            *_translate.hosted(items),
            *_translate.program_outputs(items, self._programs),
            *(completed(call, done[call.call_id]) for call in asked if call.call_id in done),
        ]
        for fact in ran:
            self.calls.observe(fact, step=step, agent=agent)
        if parent:
            return
        self.settled = None
        self._texts = _translate.texts(items)
        self._acted = any(call.call_id not in done for call in local)
        self._bare = not (local or ran or _translate.speaks(items))
        if self._acted:
            self._earlier += [(step, text) for text in self._texts]

    # -- the boundary

    async def judge(self, output: object) -> Verdict:
        """Ask the gate about a final output and keep the verdict: the SDK blanks it for answers made by a tool."""
        if self.settled is not None:
            return self.settled
        return await self._decide(self._attempt(output))

    async def settle(self, output: object) -> Verdict:
        """Ask about an answer before the SDK calls it final; one that is let go is not asked about again."""
        verdict = await self.judge(output)
        self.settled = verdict if self.refused is None else None
        return verdict

    async def submitted(self, answer: Json, claim: str | None) -> Verdict:
        """Ask about an answer given by the submit tool, with the texts beside it."""
        texts = self._texts
        attempt = (
            Attempt(parts=(*texts, answer), claim=claim)
            if isinstance(answer, str)
            else Attempt(parts=texts, output=answer, claim=claim)
        )
        verdict = await self._decide(attempt)
        self.settled = verdict if self.refused is None else None
        return verdict

    async def _decide(self, attempt: Attempt) -> Verdict:
        verdict = await self.gate.aboundary_check(attempt)
        self.calls.catch_up()
        self.verdicts.append(verdict)
        self.refused = verdict if verdict.action in (Action.REVISE, Action.WITHHOLD) else None
        _in_trace(SPAN, {"attempt": len(self.verdicts), **_summary(verdict)})
        self._told()
        return verdict

    def _told(self) -> None:
        self._emit(self.gate.progress, _progress_in_trace)

    def _attempt(self, output: object) -> Attempt:
        try:
            self.calls.abandon()
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
            typed, claim = _translate.json_of(output), _translate.claim_of(output)
            return Attempt(parts=rest, output=typed, claim=claim, earlier=earlier)
        if output in self._texts and not self._acted:
            return Attempt(parts=self._texts, earlier=earlier)
        return Attempt(parts=(output,) if self._acted else (*self._texts, output), earlier=earlier)


def _in_trace(name: str, data: dict[str, object]) -> None:
    """An event in the SDK's trace, where there is one: a span that takes no time."""
    if get_current_trace() is not None:
        with custom_span(name, data):
            pass


def _summary(verdict: Verdict) -> dict[str, object]:
    """What a trace may know: what was decided and why, no contents."""
    return {"decision": verdict.decision.value, "action": verdict.action.value, "codes": list(verdict.codes)}


def _progress_in_trace(progress: dict[str, Json]) -> None:
    """Traces leave the machine, so of names there is only the number."""
    lists = {key: len(value) for key, value in progress.items() if isinstance(value, list)}
    _in_trace(PROGRESS, {**progress, **lists})


@contextmanager
def bound(ledger: RunLedger) -> Iterator[None]:
    """Bind the ledger for every task that is started inside; they inherit the context variable."""
    token = BOUND.set(ledger)
    try:
        yield
    finally:
        BOUND.reset(token)


@contextmanager
def at_work(ledger: RunLedger) -> Iterator[None]:
    """What a run that is ended by an exception leaves open goes on record: it may have changed something."""
    try:
        yield
    except GeneratorExit:  # somebody stopped reading a stream; its run goes on
        raise
    except BaseException:
        ledger.calls.abandon()
        raise
