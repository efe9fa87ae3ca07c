"""The gated run: when an answer is refused, the run goes on with the verdict's feedback (spec 50).

The SDK ends a run at its final output and offers no way to say "not yet". A new `RunState` made of the run's own data
goes on where it ended: same agent, same context, approvals and usage, no input guardrail run again, nothing written to
the session. The refused draft and the feedback are shown to the model by an input filter only, so neither the
session nor `to_input_list()` keeps them.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from agents import (
    Agent,
    ItemHelpers,
    MaxTurnsExceeded,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunResult,
    RunState,
    TResponseInputItem,
)
from agents.exceptions import RunErrorDetails
from agents.run import DEFAULT_MAX_TURNS, CallModelData, CallModelInputFilter, ModelInputData, RunOptions

from gate_core import Action, AnswerWithheld, ConfigError
from gate_openai_agents import _translate
from gate_openai_agents._guardrail import Settings
from gate_openai_agents._ledger import RunLedger
from gate_openai_agents.result import GatedResult

log = logging.getLogger("gate_openai_agents")

TContext = TypeVar("TContext")
Items = list[TResponseInputItem]
RunInput = str | Items | RunState[TContext]

_MESSAGES = ("message_output_item", "reasoning_item")
_SERVER_MANAGED = ("conversation_id", "previous_response_id", "auto_previous_response_id")
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
        self._mark_text = mark_text
        self._aside = Aside()
        self.options = cast("dict[str, Any]", options)
        self.options["run_config"] = self._aside.joined(self.options["run_config"])
        refuse_server_managed(self.options)
        self._limit: int | None = self.options.get("max_turns", DEFAULT_MAX_TURNS)
        self._used = 0
        if isinstance(given, RunState):
            self._resume(given)

    def _resume(self, state: RunState[TContext]) -> None:
        """Go on within a paused run: its budget, and the model response it stopped in."""
        try:
            saved = state.to_json(context_serializer=lambda _: {})
        except Exception:
            log.exception("the paused run could not be read; its calls count as made together with the last ones")
            return
        refuse_server_managed(saved)
        limit = saved.get("max_turns")
        self._limit = limit if isinstance(limit, int) else None
        responses = saved.get("model_responses") or []
        if state.get_interruptions() and responses:
            self.ledger.resume(responses[-1].get("output") or [])

    def delivered(self, result: RunResult) -> GatedResult:
        """The run returned: a finished or a paused one."""
        verdicts = tuple(self.ledger.verdicts)
        return GatedResult(result=result, gate=self.ledger.gate, verdicts=verdicts, mark_text=self._mark_text)

    def refused(self, error: OutputGuardrailTripwireTriggered) -> None:
        """An output guardrail tripped. If it was the gate's, prepare the next attempt.

        Raises:
            AnswerWithheld: the verdict says so (posture `rails`).
            OutputGuardrailTripwireTriggered: a guardrail of the user's, or an answer made by a tool, whose history the
                SDK withholds; the latter carries the verdict in `output_info`.
        """
        verdict = self.ledger.refused
        if verdict is None or error.guardrail_result.guardrail != self._guardrail:
            raise error
        if verdict.action is Action.WITHHOLD:
            raise AnswerWithheld(verdict) from None
        if error.run_data is None:
            error.guardrail_result.output.output_info = verdict
            raise error
        self._go_on(error.run_data, verdict.feedback)

    def _go_on(self, data: RunErrorDetails, feedback: str) -> None:
        self._used += len(data.raw_responses)
        history = self._aside.keep(data, feedback)
        left = None if self._limit is None else max(self._limit - self._used, 0)
        self.agent = data.last_agent
        self.input = RunState(
            context=data.context_wrapper, original_input=history, starting_agent=data.last_agent, max_turns=left
        )
        self.input.set_trace(self.ledger.trace)
        for name in _FIRST_ONLY:
            self.options.pop(name, None)

    def exhausted(self, error: MaxTurnsExceeded) -> MaxTurnsExceeded:
        """The error to raise when the model calls ran out, naming the limit of the whole run."""
        if not self._used:
            return error
        whole = MaxTurnsExceeded(f"Max turns ({self._limit}) exceeded")
        whole.run_data = error.run_data
        return whole


class Aside:
    """What is said to the model only: refused drafts and feedback, each at its place in the history."""

    def __init__(self) -> None:
        self._said: list[tuple[Items, Items]] = []
        self._inner: CallModelInputFilter | None = None

    def joined(self, given: RunConfig | Settings) -> RunConfig | Settings:
        """The run configuration with this filter in front of the user's. Takes a copy that `gated` has made."""
        if isinstance(given, RunConfig):
            self._inner = given.call_model_input_filter
            given.call_model_input_filter = self._filter
            return given
        self._inner = given.get("call_model_input_filter")
        return {**given, "call_model_input_filter": self._filter}

    def keep(self, data: RunErrorDetails, feedback: str) -> Items:
        """Take the refused draft out of the run's history and remember it; returns the history without it.

        Reasoning goes with the message it led to: providers refuse one without the other.
        """
        items = [item for item in data.new_items if item.type != "tool_approval_item"]
        draft: list[str] = []
        while items and items[-1].type in _MESSAGES:
            draft[:0] = _translate.texts([items.pop().raw_item])
        history = [*ItemHelpers.input_to_new_input_list(data.input), *(item.to_input_item() for item in items)]
        said: list[Mapping[str, str]] = [{"role": "assistant", "content": text} for text in draft]
        said.append({"role": "user", "content": feedback})
        self._said.append((history, cast("Items", said)))
        return list(history)

    async def _filter(self, data: CallModelData[Any]) -> ModelInputData:
        if self._said:
            items = data.model_data.input
            for history, said in reversed(self._said):
                items = _insert(items, history, said)
            data.model_data.input = items
        if self._inner is None:
            return data.model_data
        filtered = self._inner(data)
        return await filtered if inspect.isawaitable(filtered) else filtered


def _insert(items: Items, history: Sequence[TResponseInputItem], said: Items) -> Items:
    """`said` after the history it belongs to; at the end when a hand-off has rewritten that history."""
    known = [_identity(item) for item in history]
    at = len(history) if [_identity(item) for item in items[: len(history)]] == known else len(items)
    return [*items[:at], *said, *items[at:]]


def _identity(item: object) -> tuple[str, ...]:
    """What stays of an item however the SDK normalises it."""
    return tuple(_translate.word(item, name) for name in ("type", "role", "call_id"))


def refuse_server_managed(settings: Mapping[str, object]) -> None:
    """Conversations whose history the provider keeps: a refused answer cannot be taken out of them.

    Raises:
        ConfigError: one of their settings is there.
    """
    for name in _SERVER_MANAGED:
        if settings.get(name):
            raise ConfigError(
                f"{name}: conversations managed by the server are not supported yet; "
                "use a session, or pass the history as input",
                key=name,
            )
