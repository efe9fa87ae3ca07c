"""What a scripted model says, in the words of the two APIs: whole bodies, and events of a stream.

Items are those of the Responses API; Chat Completions says the same with fewer words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

Item = dict[str, Any]
Body = dict[str, Any]

PIECE = 7
"""Characters of one text delta."""


def responses_body(items: Sequence[Item], model: object, *, status: str = "completed") -> Body:
    """A response of the Responses API."""
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    details = {
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": f"resp_{items[0]['id']}" if items else "resp_open",
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": model,
        "output": list(items),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "usage": {**usage, **details} if status == "completed" else None,
    }


def responses_events(items: Sequence[Item], model: object) -> Iterator[Body]:
    """The same response as a stream."""
    numbers = count()

    def event(kind: str, **fields: Any) -> Body:
        return {"type": kind, "sequence_number": next(numbers), **fields}

    yield event("response.created", response=responses_body((), model, status="in_progress"))
    for index, item in enumerate(items):
        yield event("response.output_item.added", output_index=index, item=_begun(item))
        for kind, fields in _pieces(item):
            yield event(kind, item_id=item["id"], output_index=index, **fields)
        yield event("response.output_item.done", output_index=index, item=item)
    yield event("response.completed", response=responses_body(items, model))


def _begun(item: Item) -> Item:
    empty: dict[str, Item] = {"message": {"content": []}, "function_call": {"arguments": ""}}
    return {**item, "status": "in_progress", **empty.get(item["type"], {})}


def _pieces(item: Item) -> Iterator[tuple[str, Item]]:
    if item["type"] == "function_call":
        yield "response.function_call_arguments.delta", {"delta": item["arguments"]}
        yield "response.function_call_arguments.done", {"name": item["name"], "arguments": item["arguments"]}
    for at, part in enumerate(item["content"] if item["type"] == "message" else ()):
        place = {"content_index": at}
        yield "response.content_part.added", {**place, "part": {**part, "text": ""}}
        for piece in _cut(part["text"]):
            yield "response.output_text.delta", {**place, "delta": piece, "logprobs": []}
        yield "response.output_text.done", {**place, "text": part["text"], "logprobs": []}
        yield "response.content_part.done", {**place, "part": part}


def chat_body(items: Sequence[Item], model: object) -> Body:
    """A completion of the Chat Completions API."""
    text, calls = _chat_parts(items)
    message: Body = {"role": "assistant", "content": text or None, "refusal": None}
    if calls:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop", "logprobs": None}
    return {**_chat_head(items, model, "chat.completion"), "choices": [choice], "usage": _CHAT_USAGE}


def chat_events(items: Sequence[Item], model: object) -> Iterator[Body]:
    """The same completion as a stream."""
    text, calls = _chat_parts(items)
    head = _chat_head(items, model, "chat.completion.chunk")

    def chunk(delta: Body, finish: str | None = None) -> Body:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"content": piece}) for piece in _cut(text))
    yield from (chunk({"tool_calls": [{"index": index, **call}]}) for index, call in enumerate(calls))
    yield chunk({}, "tool_calls" if calls else "stop")
    yield {**head, "choices": [], "usage": _CHAT_USAGE}


_CHAT_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _chat_head(items: Sequence[Item], model: object, kind: str) -> Body:
    return {"id": f"chatcmpl-{items[0]['id']}", "created": 0, "model": model, "object": kind}


def _chat_parts(items: Sequence[Item]) -> tuple[str, list[Body]]:
    text = "".join(part["text"] for item in items if item["type"] == "message" for part in item["content"])
    calls = [
        {
            "id": item["call_id"],
            "type": "function",
            "function": {"name": item["name"], "arguments": item["arguments"]},
        }
        for item in items
        if item["type"] == "function_call"
    ]
    return text, calls


def _cut(text: str) -> list[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
