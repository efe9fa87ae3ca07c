"""What runs inside one call: asked about, followed and told as calls, by whichever seat stands closest to the tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, cast

from langchain.agents.middleware import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command

from gate_core import AuditFailure, CallStatus, GateFactory, ToolCall
from gate_langgraph import _admit
from gate_langgraph._channels import KEYS
from gate_langgraph._executed import Started, listening
from gate_langgraph._translate import read_call
from gate_langgraph.memory import WriteRefused, running

ToolResult: TypeAlias = "ToolMessage | Command[Any]"
SyncHandler: TypeAlias = Callable[[ToolCallRequest], ToolResult]
AsyncHandler: TypeAlias = Callable[[ToolCallRequest], Awaitable[ToolResult]]


@dataclass(slots=True, eq=False)
class Run:
    """One execution of the tool inside a call; a retry makes several."""

    request: ToolCallRequest
    result: object = None
    error: BaseException | None = None
    ended: bool = False
    denied: bool = False
    started: Started | None = None

    def took(self, error: BaseException) -> bool:
        """Note what the execution raised; true when the run has an answer of its own to it. An interrupt or a hand-off
        is no end, and takes the whole trace along; where some middleware swallows one, the tool was started and nobody
        knows how far it came: pending."""
        if isinstance(error, GraphBubbleUp):
            return False
        self.ended = True
        if isinstance(error, WriteRefused):
            self.result = _admit.denied(self.call(), str(error))
            return True
        self.error = error
        return False

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
class Trace:
    """What ran inside one call, told by the inner half to the outer half of the same gate."""

    owner: GateFactory
    runs: list[Run] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)
    admitted: list[ToolCallRequest] = field(default_factory=list)
    unrecorded: AuditFailure | None = None

    def stops(self, request: ToolCallRequest) -> Run | None:
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
        run = Run(request, result=admitted.answer, ended=True, denied=True)
        self.runs.append(run)
        return run

    def _begun(self, request: ToolCallRequest) -> Run:
        run = Run(request)
        self.runs.append(run)
        return run

    def calls(self) -> list[ToolCall]:
        """The executions as calls; one that is still running (abandoned by a timeout) is pending."""
        return [run.call() for run in self.runs]

    def run(self, request: ToolCallRequest, handler: SyncHandler) -> ToolResult:
        """Run the tool, if it may run; gives its result without writes to the gate's channels."""
        if (run := self.stops(request)) is None:
            run = self._begun(request)
            with listening(request.tool_call["id"], request.tool) as run.started, running(self.owner, request):
                try:
                    run.result = handler(request)
                except BaseException as error:
                    if not run.took(error):
                        raise
            run.ended = True
        return _without_gate_keys(run.result)

    async def arun(self, request: ToolCallRequest, handler: AsyncHandler) -> ToolResult:
        """As `run`."""
        if (run := self.stops(request)) is None:
            run = self._begun(request)
            with listening(request.tool_call["id"], request.tool) as run.started, running(self.owner, request):
                try:
                    run.result = await handler(request)
                except BaseException as error:
                    if not run.took(error):
                        raise
            run.ended = True
        return _without_gate_keys(run.result)


def _without_gate_keys(result: object) -> ToolResult:
    """The result without writes to the gate's channels: no tool, and no sub-agent's state, brings its own evidence."""
    return cast("ToolResult", _stripped(result))


def _stripped(result: object) -> object:
    if isinstance(result, list):
        return [_stripped(item) for item in result]
    if not isinstance(result, Command) or result.graph is not None or not isinstance(result.update, dict):
        return result
    return replace(result, update={key: value for key, value in result.update.items() if key not in KEYS})
