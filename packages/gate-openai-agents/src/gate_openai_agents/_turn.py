"""The gated run: when an answer is refused, the run goes on with the verdict's feedback (spec 50).

The SDK ends a run at its final output and offers no way to say "not yet". A new `RunState` made of the run's own data
goes on where it ended: same agent, same context, approvals and usage, no input guardrail run again, nothing written to
the session. The refused draft and the feedback are shown to the model by an input filter only, so neither the
session nor `to_input_list()` keeps them.

Where the provider keeps the history (`conversation_id`, `previous_response_id`), a `RunState` takes its input for sent,
and output guardrails are an error of the SDK. There the hooks refuse, and a new run says the feedback.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import Context, copy_context
from typing import Any, Generic, TypeVar, cast

from agents import (
    Agent,
    MaxTurnsExceeded,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    RunResult,
    RunResultStreaming,
    RunState,
    ToolInputGuardrailTripwireTriggered,
    Trace,
    UserError,
    get_current_trace,
    trace,
)
from agents.exceptions import RunErrorDetails
from agents.run import DEFAULT_MAX_TURNS, CallModelData, CallModelInputFilter, ModelInputData, RunOptions

from gate_core import Action, AnswerWithheld, AuditFailure, Verdict
from gate_openai_agents._aside import Aside, Items
from gate_openai_agents._guardrail import Settings
from gate_openai_agents._hooks import Refused
from gate_openai_agents._ledger import BOUND, RunLedger
from gate_openai_agents.result import GatedResult

log = logging.getLogger("gate_openai_agents")

TContext = TypeVar("TContext")
RunInput = str | Items | RunState[TContext]
Tripped = OutputGuardrailTripwireTriggered | ToolInputGuardrailTripwireTriggered | Refused
TRIPPED = (OutputGuardrailTripwireTriggered, ToolInputGuardrailTripwireTriggered, Refused)
"""What a refused answer ends a run with."""

SERVER_MANAGED = ("conversation_id", "previous_response_id", "auto_previous_response_id")
_FIRST_ONLY = ("context", "max_turns")


class Turn(Generic[TContext]):
    """One gated run: what to call `Runner.run` with, and what to do with what comes back."""

    def __init__(
        self,
        ledger: RunLedger,
        guardrail: OutputGuardrail[Any],
        agent: Agent[TContext],
        given: RunInput[TContext],
        options: RunOptions[TContext],
        *,
        mark_text: bool,
    ) -> None:
        self.ledger = ledger
        self._guardrail = guardrail
        self.agent: Agent[Any] = agent
        self.input: RunInput[TContext] = given
        self.mark_text = mark_text
        self._filter = _Filter()
        self.options = cast("dict[str, Any]", options)
        self._limit: int | None = self.options.get("max_turns", DEFAULT_MAX_TURNS)
        self._used = 0
        self._context: Context | None = None
        self._trace: Trace | None = None
        if isinstance(given, RunState):
            self._resume(given)
        ledger.server = any(self.options.get(name) for name in SERVER_MANAGED)
        config = self.options["run_config"]
        self.options["run_config"] = _unguarded(config, guardrail) if ledger.server else self._filter.joined(config)

    def _resume(self, state: RunState[TContext]) -> None:
        """Go on within a paused run: its budget, and the model response it stopped in."""
        try:
            saved = state.to_json(context_serializer=lambda _: {})
        except Exception:
            log.exception("the paused run could not be read; its calls count as made together with the last ones")
            return
        self.options |= {name: saved[name] for name in SERVER_MANAGED if saved.get(name)}
        limit = saved.get("max_turns")
        self._limit = limit if isinstance(limit, int) else None
        responses = saved.get("model_responses") or []
        if state.get_interruptions() and responses:
            self.ledger.resume(responses[-1].get("output") or [])

    def run(self) -> Any:
        """The next attempt, to be awaited."""
        return Runner.run(self.agent, self.input, **self.options)

    def run_sync(self) -> RunResult:
        """The next attempt, in a loop of its own."""
        return Runner.run_sync(self.agent, self.input, **self.options)

    def run_streamed(self) -> RunResultStreaming:
        """The next attempt as a stream. Its task starts here, in a context that all attempts of the run share."""
        if self._context is None:
            self._context = copy_context()
            self._context.run(self._open)
        return self._context.run(lambda: Runner.run_streamed(self.agent, self.input, **self.options))

    def _open(self) -> None:
        BOUND.set(self.ledger)
        self._trace = self._whole_trace()
        if self._trace is not None:
            self._trace.start(mark_as_current=True)

    def close(self) -> None:
        """The stream ended."""
        if self._context is not None and self._trace is not None:
            self._context.run(self._trace.finish, reset_current=True)
            self._trace = None

    def traced(self) -> AbstractContextManager[object]:
        """What keeps all attempts in one trace; a run that goes on from its own state does that itself."""
        return self._whole_trace() or nullcontext()

    def _whole_trace(self) -> Trace | None:
        config = self.options["run_config"]
        told = vars(config) if isinstance(config, RunConfig) else config
        if not self.ledger.server or get_current_trace() is not None or told.get("tracing_disabled"):
            return None
        return trace(
            told.get("workflow_name") or "Agent workflow",
            trace_id=told.get("trace_id"),
            group_id=told.get("group_id"),
            metadata=told.get("trace_metadata"),
            tracing=told.get("tracing"),
        )

    def delivered(self, result: RunResult) -> GatedResult:
        """The run returned: a finished or a paused one."""
        verdicts = tuple(self.ledger.verdicts)
        return GatedResult(result=result, gate=self.ledger.gate, verdicts=verdicts, mark_text=self.mark_text)

    def refused(self, error: Tripped) -> None:
        """The run was ended by a guardrail or by the gate's hooks. If it was the gate, prepare the next attempt.

        Raises:
            AnswerWithheld: the verdict says so (posture `rails`).
            AuditFailure: the verdict could not be recorded.
            OutputGuardrailTripwireTriggered: a guardrail of the user's, or an answer made by a tool, whose history the
                SDK withholds; the latter carries the verdict in `output_info`.
        """
        failed, self.ledger.failed = self.ledger.failed, None
        if failed is not None:
            raise failed
        verdict = self.ledger.refused
        if verdict is None or not self._is_gates(error):
            raise error
        if verdict.action is Action.WITHHOLD:
            raise AnswerWithheld(verdict) from None
        if error.run_data is None:
            raise _with_verdict(error, verdict)
        if self.ledger.server:
            self._say(error.run_data, verdict.feedback)
        else:
            self._go_on(error.run_data, verdict.feedback)

    def _is_gates(self, error: Tripped) -> bool:
        if isinstance(error, OutputGuardrailTripwireTriggered):
            return error.guardrail_result.guardrail == self._guardrail
        if isinstance(error, ToolInputGuardrailTripwireTriggered):
            return error.output.output_info is self.ledger.refused
        return True

    def _go_on(self, data: RunErrorDetails, feedback: str) -> None:
        self._used += len(data.raw_responses)
        history = self._filter.aside.keep(data, feedback)
        self.agent = data.last_agent
        self.input = RunState(
            context=data.context_wrapper, original_input=history, starting_agent=data.last_agent, max_turns=self._left
        )
        self.input.set_trace(self.ledger.trace)
        for name in _FIRST_ONLY:
            self.options.pop(name, None)

    def _say(self, data: RunErrorDetails, feedback: str) -> None:
        """Say the feedback in a new run of the same conversation; the provider knows the draft already."""
        self._used += len(data.raw_responses) + 1  # the hooks refused before the last response was counted in
        if self._left == 0:
            raise MaxTurnsExceeded(f"Max turns ({self._limit}) exceeded")
        self.agent = data.last_agent
        self.input = [{"role": "user", "content": feedback}]
        self.options |= {"context": data.context_wrapper, "max_turns": self._left}
        if not self.options.get("conversation_id"):
            self.options["previous_response_id"] = self.ledger.response_id

    @property
    def _left(self) -> int | None:
        return None if self._limit is None else max(self._limit - self._used, 0)

    def exhausted(self, error: MaxTurnsExceeded) -> MaxTurnsExceeded:
        """The error to raise when the model calls ran out, naming the limit of the whole run."""
        if not self._used:
            return error
        whole = MaxTurnsExceeded(f"Max turns ({self._limit}) exceeded")
        whole.run_data = error.run_data
        return whole


@contextmanager
def unwrapped() -> Iterator[None]:
    """A decision before a tool that could not be recorded, out of the SDK's "Error running tool"."""
    try:
        yield
    except UserError as error:
        if isinstance(error.__cause__, AuditFailure):
            raise error.__cause__ from error.__cause__.__cause__
        raise


def _with_verdict(error: Tripped, verdict: Verdict) -> Tripped:
    """The error with the verdict, which the SDK takes out of it when a tool made the answer."""
    if isinstance(error, OutputGuardrailTripwireTriggered):
        error.guardrail_result.output.output_info = verdict
    return error


class _Filter:
    """The input filter that says aside what was refused; the user's own runs after it."""

    def __init__(self) -> None:
        self.aside = Aside()
        self._inner: CallModelInputFilter | None = None

    def joined(self, given: RunConfig | Settings) -> RunConfig | Settings:
        """The run configuration with this filter in front of the user's. Takes a copy that `gated` has made."""
        if isinstance(given, RunConfig):
            self._inner = given.call_model_input_filter
            given.call_model_input_filter = self._filter
            return given
        self._inner = given.get("call_model_input_filter")
        return {**given, "call_model_input_filter": self._filter}

    async def _filter(self, data: CallModelData[Any]) -> ModelInputData:
        data.model_data.input = self.aside.joined(data.model_data.input)
        if self._inner is None:
            return data.model_data
        filtered = self._inner(data)
        return await filtered if inspect.isawaitable(filtered) else filtered


def _unguarded(given: RunConfig | Settings, guardrail: OutputGuardrail[Any]) -> RunConfig | Settings:
    """The configuration without the gate's output guardrail. Takes a copy that `gated` has made."""
    if isinstance(given, RunConfig):
        given.output_guardrails = [g for g in given.output_guardrails or [] if g != guardrail] or None
        return given
    rest = [g for g in given["output_guardrails"] if g != guardrail]
    return {**given, "output_guardrails": rest or None}
