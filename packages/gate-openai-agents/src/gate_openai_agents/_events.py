"""Stream events: which of them carry the text of an answer, and how they wait for the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agents import RawResponsesStreamEvent, RunItemStreamEvent, StreamEvent
from agents.items import TResponseStreamEvent
from openai.types.responses import Response, ResponseCompletedEvent, ResponseIncompleteEvent, ResponseTextDeltaEvent

from gate_openai_agents import _translate

_TEXT = ("response.output_text.", "response.content_part.", "response.refusal.")
_ITEM = ("response.output_item.added", "response.output_item.done")
_AFTER_CALLS = ("tool_output", "handoff_occured", "handoff_occurred")


def is_text_event(event: object) -> bool:
    """True for an event of a provider's stream that carries a message or a piece of one."""
    kind = _translate.word(event, "type")
    if kind in _ITEM:
        return _translate.word(_translate.field(event, "item"), "type") == "message"
    return kind.startswith(_TEXT)


def terminal_of(event: object) -> Response | None:
    """The response that a provider's stream ends with."""
    return event.response if isinstance(event, ResponseCompletedEvent | ResponseIncompleteEvent) else None


def with_usage(event: TResponseStreamEvent, spent: Sequence[TResponseStreamEvent]) -> TResponseStreamEvent:
    """The end of a response with the tokens of refused ones before it counted in."""
    response = terminal_of(event)
    if response is None or response.usage is None or not spent:
        return event
    usage = response.usage.model_copy()
    for other in spent:
        ended = terminal_of(other)
        if ended is not None and ended.usage is not None:
            usage.input_tokens += ended.usage.input_tokens
            usage.output_tokens += ended.usage.output_tokens
            usage.total_tokens += ended.usage.total_tokens
    return event.model_copy(update={"response": response.model_copy(update={"usage": usage})})


class Held:
    """The text events of the response that is being streamed, until it is known what becomes of it.

    A response with calls is no answer: what it says is narration. It is shown only with `narration=True`, and then as
    a whole.
    """

    def __init__(self, *, narration: bool) -> None:
        self._narration = narration
        self._events: list[StreamEvent] = []
        self._complete = False

    def take(self, event: StreamEvent) -> Iterator[StreamEvent]:
        """What may be shown now that this event has come."""
        if self._events and self._is_next(event):
            yield from self._narrated()
        if _waits(event):
            self._events.append(event)
            self._complete = self._complete or _end_of(event) is not None
        else:
            yield event

    def rest(self, prefix: str) -> Iterator[StreamEvent]:
        """The answer, let go; `prefix` is put in front of its text."""
        for event in self._events:
            delta = event.data if isinstance(event, RawResponsesStreamEvent) else None
            if prefix and isinstance(delta, ResponseTextDeltaEvent):
                yield RawResponsesStreamEvent(data=delta.model_copy(update={"delta": prefix + delta.delta}))
                prefix = ""
            else:
                yield event
        self._events = []

    def _is_next(self, event: StreamEvent) -> bool:
        """True when the held response was not the last one."""
        if isinstance(event, RunItemStreamEvent):
            return event.name in _AFTER_CALLS
        return self._complete and isinstance(event, RawResponsesStreamEvent)

    def _narrated(self) -> Iterator[StreamEvent]:
        events, self._events, self._complete = self._events, [], False
        yield from events if self._narration else _silent(events)


def _silent(events: Iterable[StreamEvent]) -> Iterator[StreamEvent]:
    """Of a narration only that its response ended, without its texts."""
    for event in events:
        response = _end_of(event)
        if response is not None and isinstance(event, RawResponsesStreamEvent):
            rest = [item for item in response.output if item.type != "message"]
            ended = event.data.model_copy(update={"response": response.model_copy(update={"output": rest})})
            yield RawResponsesStreamEvent(data=ended)


def _end_of(event: StreamEvent) -> Response | None:
    return terminal_of(event.data) if isinstance(event, RawResponsesStreamEvent) else None


def _waits(event: StreamEvent) -> bool:
    if isinstance(event, RunItemStreamEvent):
        return event.name == "message_output_created"
    return isinstance(event, RawResponsesStreamEvent) and (is_text_event(event.data) or _end_of(event) is not None)
