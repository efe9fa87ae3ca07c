"""The seats of the gate in `create_agent`: middleware around tools, at the start of a run and at its end.

Two halves, because neither place alone is honest. Only the innermost `wrap_tool_call` sees what really ran: the
arguments a human edited, every attempt of a retry, every exception. Only the outermost may turn a result into a
`Command` that carries facts: inside another middleware that looks at results, a Command in place of a ToolMessage makes
a documented retry pattern run the tool again. So the inner half reports to the outer one, within one call. Where no
other middleware is around the tools, the recorder does both: each wrapper has its price, for LangChain makes it a span.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from inspect import signature
from typing import Any, TypeAlias, TypeVar, Unpack, cast, final

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest, hook_config
from langchain.agents.middleware.types import TracePolicy, omit_payload
from langchain_core.messages import ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from gate_core import Action, AnswerWithheld, ConfigError, GateArguments, GateFactory, Posture
from gate_langgraph._announce import StreamWriter, announce, tell
from gate_langgraph._bound import Bound
from gate_langgraph._channels import FACTS, VERDICT, FactChannels, GateChannels
from gate_langgraph._decide import Decision, adecide, decide, observed, start_turn
from gate_langgraph._read import read_verdict
from gate_langgraph._tested import TESTED
from gate_langgraph._trace import AsyncHandler, SyncHandler, ToolResult, Trace

_Hook = TypeVar("_Hook", bound=Callable[..., object])


def _signed(hook: _Hook) -> _Hook:
    """A hook that has its signature at hand: LangChain makes each call of one a span, which asks for it every time."""
    hook.__signature__ = signature(hook)  # type: ignore[attr-defined]  # PEP 362 lets any function have one
    return hook


AnyMiddleware: TypeAlias = AgentMiddleware[Any, Any, Any]
"""Any middleware of any state, context and response type: what `create_agent` itself accepts."""

_TRACE: ContextVar[Trace | None] = ContextVar("gate_langgraph_trace", default=None)


class _Seat(AgentMiddleware[GateChannels, Any, Any]):
    """What both halves share: the channels, the configuration, and hook spans without the evidence in them."""

    state_schema = GateChannels
    tools = ()
    trace_policy = TracePolicy(process_inputs=omit_payload, process_outputs=omit_payload)

    def __init__(self, factory: GateFactory) -> None:
        super().__init__()
        self.factory = factory
        if not factory.config.admits:
            self.state_schema = cast("type[GateChannels]", FactChannels)  # the one channel more may be absent anyway


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

    @_signed
    def wrap_tool_call(self, request: ToolCallRequest, handler: SyncHandler) -> ToolResult:
        """Run the call through the middleware inside, then attach its facts to the result."""
        with Bound(_TRACE, Trace(self.factory)) as trace:
            result = handler(request)
        return _recorded(self.factory, request, result, trace)

    @_signed
    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
        """As `wrap_tool_call`."""
        with Bound(_TRACE, Trace(self.factory)) as trace:
            result = await handler(request)
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

    @_signed
    def wrap_tool_call(self, request: ToolCallRequest, handler: SyncHandler) -> ToolResult:
        """Run the tool, if it may run, and tell the recorder."""
        return self._trace().run(request, handler)

    @_signed
    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
        """As `wrap_tool_call`."""
        return await self._trace().arun(request, handler)

    def _trace(self) -> Trace:
        """The recorder's trace; one that nobody reads when this gate's recorder is not around the call."""
        trace = _TRACE.get()
        return trace if trace is not None and trace.owner is self.factory else Trace(self.factory)

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


class Lone(_Seat):
    """Both halves around the tools in one, where no other middleware stands between them."""

    @_signed
    def wrap_tool_call(self, request: ToolCallRequest, handler: SyncHandler) -> ToolResult:
        """Run the tool, if it may run, and attach its facts to the result."""
        trace = Trace(self.factory)
        return _recorded(self.factory, request, trace.run(request, handler), trace)

    @_signed
    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
        """As `wrap_tool_call`."""
        trace = Trace(self.factory)
        return _recorded(self.factory, request, await trace.arun(request, handler), trace)


class LoneRecorder(Lone, GateRecorder):
    """The recorder of a list in which nobody else is around the tools; its boundary is a `QuietBoundary`."""

    @property
    def name(self) -> str:
        """The name of the recorder: node names stay the same."""
        return GateRecorder.__name__


class LoneWithholdingRecorder(Lone, WithholdingRecorder):
    """As `LoneRecorder`, under posture `rails`."""


class QuietBoundary(GateBoundary):
    """The boundary behind a recorder that sees for itself what runs. It is not around the tools at all."""

    wrap_tool_call = AgentMiddleware.wrap_tool_call
    awrap_tool_call = AgentMiddleware.awrap_tool_call

    @property
    def name(self) -> str:
        """The name of the boundary: node names stay the same."""
        return GateBoundary.__name__


class GateMiddleware(Lone, GateBoundary, _TurnStart):
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


def _recorded(factory: GateFactory, request: ToolCallRequest, result: ToolResult, trace: Trace) -> ToolResult:
    if trace.unrecorded is not None:
        raise trace.unrecorded
    gate, facts = observed(factory, request.state, trace.calls())
    if gate is not None:
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
