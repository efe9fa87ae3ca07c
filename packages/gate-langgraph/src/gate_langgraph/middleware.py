"""The seats of the gate in `create_agent`: middleware around tools, at the start of a run and at its end.

Two halves, because neither place alone is honest. Only the innermost `wrap_tool_call` sees what really ran: the
arguments a human edited, every attempt of a retry, every exception. Only the outermost may turn a result into a
`Command` that carries facts: inside another middleware that looks at results, a Command in place of a ToolMessage makes
a documented retry pattern run the tool again. So the inner half reports to the outer one, within one call.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, Unpack, cast, final

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest, hook_config
from langchain.agents.middleware.types import TracePolicy, omit_payload
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Command

from gate_core import (
    Action,
    AnswerWithheld,
    AuditFailure,
    CallStatus,
    ConfigError,
    GateArguments,
    GateFactory,
    Posture,
    ToolCall,
)
from gate_langgraph import _admit
from gate_langgraph._announce import StreamWriter, announce, tell
from gate_langgraph._channels import FACTS, KEYS, VERDICT, GateChannels
from gate_langgraph._decide import Decision, adecide, decide, observed, start_turn
from gate_langgraph._executed import Started, listening
from gate_langgraph._read import read_verdict
from gate_langgraph._tested import TESTED
from gate_langgraph._translate import read_call
from gate_langgraph.memory import WriteRefused, running

AnyMiddleware: TypeAlias = AgentMiddleware[Any, Any, Any]
"""Any middleware of any state, context and response type: what `create_agent` itself accepts."""

ToolResult: TypeAlias = "ToolMessage | Command[Any]"
SyncHandler: TypeAlias = Callable[[ToolCallRequest], ToolResult]
AsyncHandler: TypeAlias = Callable[[ToolCallRequest], Awaitable[ToolResult]]


@dataclass(slots=True, eq=False)
class _Run:
    """One execution of the tool inside a call; a retry makes several."""

    request: ToolCallRequest
    result: object = None
    error: BaseException | None = None
    ended: bool = False
    denied: bool = False
    started: Started | None = None

    def call(self) -> ToolCall:
        return read_call(self._executed, result=self.result, error=self.error, status=self._known())

    def _known(self) -> CallStatus | None:
        if self.denied:
            return CallStatus.DENIED
        if not self.ended:
            return CallStatus.PENDING
        return CallStatus.NOT_EXECUTED if self.started is not None and self.started.never else None

    @property
    def _executed(self) -> ToolCallRequest:
        """The request with what the tool really started with, where that is something else."""
        asked, ran = self.request.tool_call, self.started.call if self.started else None
        if ran is None or (ran["name"], ran["args"]) == (asked["name"], asked["args"]):
            return self.request
        return self.request.override(tool_call={**asked, "name": ran["name"], "args": ran["args"]})


@dataclass(slots=True)
class _Trace:
    """What ran inside one call, told by the inner half to the outer half of the same gate."""

    owner: GateFactory
    runs: list[_Run] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)
    admitted: list[ToolCallRequest] = field(default_factory=list)
    unrecorded: AuditFailure | None = None

    def stops(self, request: ToolCallRequest) -> _Run | None:
        """Ask whether the call may run; gives the run that stands for it when it may not.

        Asked once for all attempts of a retry: it is one call, and a person who approved it has approved it.
        """
        if not _admit.is_on(self.owner) or any(r.tool_call == request.tool_call for r in self.admitted):
            return None
        try:
            admitted = _admit.admit(self.owner, request)
        except AuditFailure as error:
            self.unrecorded = error  # whatever middleware makes of it on its way out
            raise
        self.given.update(admitted.update)
        if admitted.answer is None:
            self.admitted.append(request)
            return None
        run = _Run(request, result=admitted.answer, ended=True, denied=True)
        self.runs.append(run)
        return run

    @contextmanager
    def running(self, request: ToolCallRequest) -> Iterator[_Run]:
        """Follow one execution. An interrupt or a hand-off is no end of it, and takes the whole trace along; where some
        middleware swallows one, the tool was started and nobody knows how far it came: pending."""
        run = _Run(request)
        self.runs.append(run)
        with listening(request.tool_call["id"], request.tool) as run.started:
            try:
                with running(self.owner, request):
                    yield run
            except GraphBubbleUp:
                raise
            except WriteRefused as refused:
                run.result, run.ended = _admit.denied(run.call(), str(refused)), True
                return
            except BaseException as error:
                run.error, run.ended = error, True
                raise
        run.ended = True

    def calls(self) -> list[ToolCall]:
        """The executions as calls; one that is still running (abandoned by a timeout) is pending."""
        return [run.call() for run in self.runs]


_TRACE: ContextVar[_Trace | None] = ContextVar("gate_langgraph_trace", default=None)


class _Seat(AgentMiddleware[GateChannels, Any, Any]):
    """What both halves share: the channels, the configuration, and hook spans without the evidence in them."""

    state_schema = GateChannels
    tools = ()
    trace_policy = TracePolicy(process_inputs=omit_payload, process_outputs=omit_payload)

    def __init__(self, factory: GateFactory) -> None:
        super().__init__()
        self.factory = factory


class _TurnStart(_Seat):
    """Begins the turn, once per run with input; a resumed run goes on with its turn."""

    def before_agent(self, state: GateChannels, runtime: Runtime[Any]) -> dict[str, Any]:
        """Begin a turn with what the user said, and clear the verdict of the turn before."""
        return start_turn(self.factory, state)

    async def abefore_agent(self, state: GateChannels, runtime: Runtime[Any]) -> dict[str, Any]:
        """As `before_agent`."""
        return start_turn(self.factory, state)


class GateRecorder(_TurnStart):
    """The outer half: FIRST in the list. Begins turns and writes the facts of what the inner half saw run."""

    def wrap_tool_call(self, request: ToolCallRequest, handler: SyncHandler) -> ToolResult:
        """Run the call through the middleware inside, then attach its facts to the result."""
        trace = _Trace(self.factory)
        token = _TRACE.set(trace)
        try:
            result = handler(request)
        finally:
            _TRACE.reset(token)
        return _recorded(self.factory, request, result, trace)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
        """As `wrap_tool_call`."""
        trace = _Trace(self.factory)
        token = _TRACE.set(trace)
        try:
            result = await handler(request)
        finally:
            _TRACE.reset(token)
        return _recorded(self.factory, request, result, trace)


class WithholdingRecorder(GateRecorder):
    """The outer half under posture `rails`. Its `after_agent` is the last node of a run, so it raises when the removal
    of the withheld text is already part of the thread's state."""

    @property
    def name(self) -> str:
        """The name of the recorder, whatever the posture: node names stay the same."""
        return GateRecorder.__name__

    def after_agent(self, state: GateChannels, runtime: Runtime[Any]) -> None:
        """Raise when the answer was withheld.

        Raises:
            AnswerWithheld: with the verdict.
        """
        verdict = read_verdict(state.get(VERDICT))
        if verdict is not None and verdict.action is Action.WITHHOLD:
            raise AnswerWithheld(verdict)

    async def aafter_agent(self, state: GateChannels, runtime: Runtime[Any]) -> None:
        """As `after_agent`."""
        self.after_agent(state, runtime)


class GateBoundary(_Seat):
    """The inner half: LAST in the list. Sees what really executes, and judges the answer when the agent is done.

    Alone it records nothing, and every answer is `gate-unwired`.
    """

    def wrap_tool_call(self, request: ToolCallRequest, handler: SyncHandler) -> ToolResult:
        """Run the tool, if it may run, and tell the recorder."""
        trace = self._trace()
        if (stopped := trace.stops(request)) is not None:
            return self._hand_out(request, stopped, trace)
        with trace.running(request) as run:
            run.result = handler(request)
        return self._hand_out(request, run, trace)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
        """As `wrap_tool_call`."""
        trace = self._trace()
        if (stopped := trace.stops(request)) is not None:
            return self._hand_out(request, stopped, trace)
        with trace.running(request) as run:
            run.result = await handler(request)
        return self._hand_out(request, run, trace)

    def _trace(self) -> _Trace:
        """The recorder's trace; one that nobody reads when this gate's recorder is not around the call."""
        trace = _TRACE.get()
        return trace if trace is not None and trace.owner is self.factory else _Trace(self.factory)

    def _hand_out(self, request: ToolCallRequest, run: _Run, trace: _Trace) -> ToolResult:
        return cast("ToolResult", _without_gate_keys(run.result))

    @final
    @hook_config(can_jump_to=["model"])
    def after_agent(self, state: GateChannels, runtime: Runtime[Any]) -> dict[str, Any]:
        """Judge the answer: send it back, let it go stamped, or take it out of the thread.

        Raises:
            AnswerWithheld: posture `rails`, and no recorder began this turn that could raise later.
        """
        return self._ended(decide(state, self.factory), runtime)

    @final
    @hook_config(can_jump_to=["model"])
    async def aafter_agent(self, state: GateChannels, runtime: Runtime[Any]) -> dict[str, Any]:
        """As `after_agent`; a slow verifier does not hold up the event loop."""
        return self._ended(await adecide(state, self.factory), runtime)

    def _ended(self, decision: Decision, runtime: Runtime[Any]) -> dict[str, Any]:
        """The update of the boundary's node; one that goes back to the model says so."""
        announce(decision, self.factory, _writer_of(runtime))
        if decision.action is Action.REVISE:
            return {**decision.update, "jump_to": "model"}
        if decision.action is Action.WITHHOLD and not decision.started:
            raise AnswerWithheld(decision.verdict)
        return decision.update


class GateMiddleware(GateBoundary, _TurnStart):
    """The whole gate in one middleware, for an agent with no other middleware around its tools.

    Raises:
        ConfigError: posture `rails`, which needs a node after the boundary: use `with_gate([])`.
    """

    def __init__(self, **arguments: Unpack[GateArguments]) -> None:
        factory = GateFactory(arguments, tested=TESTED)
        if factory.config.posture is Posture.RAILS:
            raise ConfigError(
                "posture 'rails' needs a seat after the boundary, or the withheld text would stay in the thread;"
                " use middleware=with_gate([...]) instead of GateMiddleware()",
                key="posture",
            )
        super().__init__(factory)

    def _trace(self) -> _Trace:
        return _Trace(self.factory)

    def _hand_out(self, request: ToolCallRequest, run: _Run, trace: _Trace) -> ToolResult:
        return _recorded(self.factory, request, super()._hand_out(request, run, trace), trace)


def _recorded(factory: GateFactory, request: ToolCallRequest, result: ToolResult, trace: _Trace) -> ToolResult:
    if trace.unrecorded is not None:
        raise trace.unrecorded
    gate, facts = observed(factory, request.state, trace.calls())
    tell(gate.progress, factory, _writer_of(request.runtime))
    update = {**({FACTS: facts} if facts else {}), **trace.given}
    return cast("ToolResult", _attached(result, update)) if update else result


def _writer_of(runtime: object) -> StreamWriter:
    """The run's stream; where there is none, nobody listens."""
    return getattr(runtime, "stream_writer", None) or (lambda event: None)


def _attached(result: object, update: dict[str, Any]) -> object:
    """The result with the facts beside it. A hand-off to a parent graph is left alone: that is another state."""
    if isinstance(result, ToolMessage):
        return Command(update={"messages": [result], **update})
    if isinstance(result, list):
        return [*result, Command(update=update)]
    if not isinstance(result, Command) or result.graph is not None:
        return result
    if result.update is None or isinstance(result.update, dict):
        return replace(result, update={**(result.update or {}), **update})
    return [result, Command(update=update)]


def _without_gate_keys(result: object) -> object:
    """The result without writes to the gate's channels: no tool, and no sub-agent's state, brings its own evidence."""
    if isinstance(result, list):
        return [_without_gate_keys(item) for item in result]
    if not isinstance(result, Command) or result.graph is not None or not isinstance(result.update, dict):
        return result
    return replace(result, update={key: value for key, value in result.update.items() if key not in KEYS})
