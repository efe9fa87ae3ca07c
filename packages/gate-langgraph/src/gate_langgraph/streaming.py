"""Streaming in which the user never sees a rejected draft: text is held until the verdict about it is there.

LangGraph's own stream modes show every token as the model writes it, and the feedback behind it; what was shown cannot
be taken back. What is held here is let go by the verdict that names the message, or by the calls in the message: text
beside calls is narration and no answer. What no verdict names is not shown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig

from gate_core import Action
from gate_langgraph._translate import SOURCE

Streamed: TypeAlias = "tuple[BaseMessage, dict[str, Any]]"
"""A message or a chunk of one with its metadata, as stream mode `messages` gives it."""

_MODES = ["messages", "custom"]  # a tuple would be one mode to LangGraph
_LETS_GO = frozenset({Action.DELIVER.value, Action.RELEASE.value})


@dataclass(slots=True)
class _Holding:
    """Chunks by message id, in the order they came."""

    held: dict[str, list[Streamed]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)

    def take(self, mode: str, item: Any) -> Iterator[Streamed]:
        """What may be shown after this event."""
        if mode == "custom":
            yield from self._judged(item)
        else:
            yield from self._said(item)

    def _said(self, item: Streamed) -> Iterator[Streamed]:
        message = item[0]
        if isinstance(message, ToolMessage):
            yield item
        if not isinstance(message, AIMessage):
            return
        name = message.id or ""
        if _has_calls(message):
            self.open.add(name)
            yield from self.held.pop(name, ())
        if name in self.open:
            yield item
        else:
            self.held.setdefault(name, []).append(item)

    def _judged(self, event: object) -> Iterator[Streamed]:
        if not isinstance(event, Mapping) or event.get("type") != f"{SOURCE}.verdict":
            return
        names = [str(name) for name in event["message_ids"]]
        chunks = [chunk for name in names for chunk in self.held.pop(name, ())]
        if event["verdict"]["action"] not in _LETS_GO:
            return
        text = event.get("text")
        if isinstance(text, str) and chunks:
            yield AIMessageChunk(content=text, id=names[-1]), chunks[-1][1]
        else:
            yield from chunks


def _has_calls(message: AIMessage) -> bool:
    return bool(message.tool_calls) or (isinstance(message, AIMessageChunk) and bool(message.tool_call_chunks))


def gated_stream(
    agent: Any,
    input: Any,  # noqa: A002 - its name in LangGraph
    config: RunnableConfig | None = None,
    **options: Any,
) -> Iterator[Streamed]:
    """Stream a gated agent or graph in mode `messages`: model and tool messages, the answer once it was let go.

    `options` go to `agent.stream` (`durability`, `context`); its mode and sub-graphs are set here.

    Raises:
        AnswerWithheld: posture `rails`; nothing of the answer was yielded.
    """
    holding = _Holding()
    for mode, item in agent.stream(input, config, **options, stream_mode=_MODES):
        yield from holding.take(mode, item)


async def agated_stream(
    agent: Any,
    input: Any,  # noqa: A002 - its name in LangGraph
    config: RunnableConfig | None = None,
    **options: Any,
) -> AsyncIterator[Streamed]:
    """As `gated_stream`, over `agent.astream`."""
    holding = _Holding()
    async for mode, item in agent.astream(input, config, **options, stream_mode=_MODES):
        for shown in holding.take(mode, item):
            yield shown
