"""Calls that the model's provider ran itself (web search, code execution): both halves stand in the model's message.

No tool node sees them. A message the graph made in this turn is the provider's word, as a hosted call is in every other
framework; one that came with the turn's input anybody may have written, so it is none.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from gate_core import CallStatus, Gate, Json, JsonObject, ToolCall
from gate_langgraph._translate import to_json
from gate_langgraph._turns import Turn

_LOG = logging.getLogger("gate_langgraph")


def observe_served(gate: Gate, turn: Turn, given: Collection[str]) -> None:
    """Put the calls of the turn's own messages on record, in the step of the last recorded call before them: what they
    show was there before, so it never settles a change of that step."""
    steps = {fact.ref: fact.step for fact in gate.state.facts.values() if fact.turn == gate.state.turn}
    step = 0
    for message in turn.messages:
        if isinstance(message, ToolMessage):
            step = max(step, steps.get(message.tool_call_id, 0))
        elif isinstance(message, AIMessage) and message.content and (message.id or "") not in given:
            for call in served_by(message, step=step):
                gate.observe(call)


def served_by(message: BaseMessage, *, step: int = 0) -> Iterator[ToolCall]:
    """The calls in a model's message that have a result there; one without is not over, or has failed to arrive."""
    blocks = _blocks(message)
    results = {str(b.get("tool_call_id")): b for b in blocks if b.get("type") == "server_tool_result"}
    for block in blocks:
        result = results.get(str(block.get("id"))) if block.get("type") == "server_tool_call" else None
        if result is not None:
            args = to_json(block.get("args"))
            yield ToolCall(
                tool=str(block.get("name") or ""),
                args=args if isinstance(args, dict) else {},
                result=to_json(result.get("output")),
                status=CallStatus.ERROR if result.get("status") == "error" else CallStatus.OK,
                call_id=str(block["id"]),
                ref=str(block["id"]),
                step=step,
                origin="builtin",
            )


def served_texts(messages: Sequence[BaseMessage]) -> dict[str, tuple[JsonObject, Json]]:
    """Arguments and results of all of them, by reference."""
    return {call.ref: (call.args, call.result) for message in messages for call in served_by(message)}


def _blocks(message: BaseMessage) -> Sequence[Mapping[str, object]]:
    """The content in LangChain's standard blocks; a plain text has none of these."""
    if not isinstance(message, AIMessage) or isinstance(message.content, str):
        return []
    try:
        return message.content_blocks
    except Exception:  # noqa: BLE001 - what a provider's translator makes of an odd message; then nothing is known of it
        _LOG.warning("the content of a message could not be read", exc_info=True)
        return []
