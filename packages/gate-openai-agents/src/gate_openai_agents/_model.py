"""The boundary inside the run: a model that asks the gate before the run, or anybody's stream, gets the answer.

A refused answer goes back to the wrapped model at once, in the same step of the run. For the run there was one response
only: one trace, one turn, nothing of the draft in session, stream or history. Later calls are shown draft and feedback
again by this wrapper, at their place. Where the provider keeps the history it knows the draft, and the feedback alone
is said.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import AsyncIterator, Callable, Sequence

from agents import (
    AgentOutputSchemaBase,
    Handoff,
    Model,
    ModelProvider,
    ModelResponse,
    ModelRetryAdvice,
    ModelRetryAdviceRequest,
    ModelSettings,
    ModelTracing,
    Tool,
    TResponseInputItem,
    Usage,
)
from agents.items import TResponseStreamEvent
from openai.types.responses.response_prompt_param import ResponsePromptParam

from gate_core import Action, AnswerWithheld, Verdict
from gate_openai_agents import _translate
from gate_openai_agents._events import is_text_event, terminal_of, with_usage
from gate_openai_agents._ledger import RunLedger

log = logging.getLogger("gate_openai_agents")

Items = list[TResponseInputItem]
Asking = Callable[[object], RunLedger | None]
"""Gives the ledger of the run whose model call has these input items; None inside nested runs."""


@dataclasses.dataclass(slots=True, kw_only=True)
class _Call:
    """One model call of a run, with its refusals."""

    ledger: RunLedger
    shown: Items
    schema: AgentOutputSchemaBase | None
    handoffs: frozenset[str]
    conversation_id: str | None
    previous: str | None
    told: Items | None = None

    @property
    def server(self) -> bool:
        return bool(self.conversation_id or self.previous)

    @property
    def input(self) -> Items:
        """What the wrapped model is asked with next."""
        if self.told is not None:
            return self.told
        return self.shown if self.server else self.ledger.aside.joined(self.shown)

    async def judged(self, output: Sequence[object]) -> Verdict | None:
        """The verdict about a final response; None when it is none, or cannot be read as what the run asks for."""
        ledger = self.ledger
        ledger.heard(output, agent=ledger.agent, handoffs=self.handoffs)
        texts = _translate.texts(output)
        if not texts or not _is_final(output):
            return None
        answer: object = texts[-1]
        if self.schema is not None and not self.schema.is_plain_text():
            try:
                answer = self.schema.validate_json(texts[-1])
            except Exception:  # noqa: BLE001 - not what was asked for; the run says so itself
                return None
        verdict = await ledger.settle(answer)
        if verdict.action is Action.WITHHOLD:
            raise AnswerWithheld(verdict)
        return verdict

    def refuse(self, output: Sequence[object], verdict: Verdict, response_id: str | None) -> None:
        """Prepare the next try."""
        if self.server:
            self.previous = None if self.conversation_id else response_id
            self.told = [{"role": "user", "content": verdict.feedback}]
            return
        self.ledger.aside.say(self.shown, _translate.texts(output), verdict.feedback)
        self.told = self.ledger.aside.joined(self.shown)


def _is_final(output: Sequence[object]) -> bool:
    return not _translate.asked(output) and not any(
        _translate.word(item, "type") == "mcp_approval_request" for item in output
    )


class GateModel(Model):
    """A model behind the gate. Only answers of the run itself are judged, not those of agents used as tools."""

    def __init__(self, inner: Model, asking: Asking) -> None:
        self.inner = inner
        self._asking = asking

    async def get_response(  # noqa: PLR0913 - the SDK's signature
        self,
        system_instructions: str | None,
        input: str | Items,  # noqa: A002 - the name the SDK calls it by
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> ModelResponse:
        """The wrapped model's response; a refused answer is asked for again first."""
        call = self._call(input, output_schema, handoffs, previous_response_id, conversation_id)
        spent = Usage()
        while True:
            response = await self.inner.get_response(
                system_instructions,
                input if call is None else call.input,
                model_settings,
                tools,
                output_schema,
                handoffs,
                tracing,
                previous_response_id=previous_response_id if call is None else call.previous,
                conversation_id=conversation_id,
                prompt=prompt,
            )
            verdict = await call.judged(response.output) if call is not None else None
            if call is None or verdict is None or verdict.action is not Action.REVISE:
                spent.add(response.usage)
                return dataclasses.replace(response, usage=spent)
            spent.add(response.usage)
            call.refuse(response.output, verdict, response.response_id)

    async def stream_response(  # noqa: PLR0913 - the SDK's signature
        self,
        system_instructions: str | None,
        input: str | Items,  # noqa: A002 - the name the SDK calls it by
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> AsyncIterator[TResponseStreamEvent]:
        """The wrapped model's events; those of a text wait until the response is complete and let go."""
        call = self._call(input, output_schema, handoffs, previous_response_id, conversation_id)
        spent: list[TResponseStreamEvent] = []
        while True:
            held: list[TResponseStreamEvent] = []
            end: TResponseStreamEvent | None = None
            async for event in self.inner.stream_response(
                system_instructions,
                input if call is None else call.input,
                model_settings,
                tools,
                output_schema,
                handoffs,
                tracing,
                previous_response_id=previous_response_id if call is None else call.previous,
                conversation_id=conversation_id,
                prompt=prompt,
            ):
                end = event if terminal_of(event) is not None else end
                if call is not None and (event is end or is_text_event(event)):
                    held.append(event)
                else:
                    yield event
            response = terminal_of(end) if end is not None else None
            if call is None or response is None:
                return
            verdict = await call.judged(response.output)
            if verdict is None or verdict.action is not Action.REVISE:
                for event in held:
                    yield with_usage(event, spent) if event is end else event
                return
            spent.append(held[-1])
            call.refuse(response.output, verdict, response.id)

    def _call(
        self,
        given: str | Items,
        schema: AgentOutputSchemaBase | None,
        handoffs: Sequence[Handoff],
        previous: str | None,
        conversation_id: str | None,
    ) -> _Call | None:
        ledger = self._asking(given)
        if ledger is None or isinstance(given, str):
            return None
        return _Call(
            ledger=ledger,
            shown=given,
            schema=schema,
            handoffs=frozenset(handoff.tool_name for handoff in handoffs),
            previous=previous,
            conversation_id=conversation_id,
        )

    def get_retry_advice(self, request: ModelRetryAdviceRequest) -> ModelRetryAdvice | None:
        """The wrapped model's advice."""
        return self.inner.get_retry_advice(request)

    async def close(self) -> None:
        """Close the wrapped model."""
        await self.inner.close()

    async def _cleanup_on_run_end(self, owner: object) -> None:
        await self.inner._cleanup_on_run_end(owner)  # noqa: SLF001 - the SDK calls it on the model it was given


class GateModelProvider(ModelProvider):
    """Models by name, behind the gate."""

    def __init__(self, inner: ModelProvider, asking: Asking) -> None:
        self._inner = inner
        self._asking = asking
        self._made: dict[int, GateModel] = {}

    def get_model(self, model_name: str | None) -> Model:
        """The inner provider's model, wrapped once."""
        model = self._inner.get_model(model_name)
        made = self._made.get(id(model))
        if made is None or made.inner is not model:
            made = self._made[id(model)] = GateModel(model, self._asking)
        return made

    async def aclose(self) -> None:
        """Close the inner provider."""
        await self._inner.aclose()
