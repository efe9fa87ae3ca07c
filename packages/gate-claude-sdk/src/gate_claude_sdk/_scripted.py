"""A scripted stand-in for the Messages API on the loopback, so that the real CLI runs without a model.

It speaks just enough of the streaming protocol: every `POST /v1/messages` that offers tools is answered with the next
response of the script. Requests without tools are the CLI's own side errands and never move the script.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import TypeAlias

from gate_claude_sdk._payload import as_list, as_object
from gate_core import Json, JsonObject

Block: TypeAlias = Mapping[str, Json]
"""A content block of a response, as the Messages API writes it."""

Script: TypeAlias = Callable[[JsonObject], Sequence[Block]]
"""Asked with the request's body, gives the content blocks of the next response."""

_LONGEST_REQUEST = 64 << 20


def text_block(text: str) -> Block:
    """A text of the model."""
    return {"type": "text", "text": text}


def tool_block(name: str, arguments: JsonObject, *, call_id: str) -> Block:
    """A tool call of the model; `call_id` must be unique in the conversation."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": dict(arguments)}


@asynccontextmanager
async def scripted_messages(script: Script) -> AsyncIterator[str]:
    """Serve `script` on a free loopback port and yield the base URL; nothing is left open afterwards."""
    api = _Api(script)
    server = await asyncio.start_server(api.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await api.close()
        await server.wait_closed()


class _Api:
    """The connections of one server. Each serves one request and is closed."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._numbers = count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._connection(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            method, path, body = await _request(reader)
            writer.write(self._answer(method, path, body))
            await writer.drain()
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a client that hung up or spoke nonsense gets nothing
        finally:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    def _answer(self, method: str, path: str, body: JsonObject) -> bytes:
        if method == "HEAD":
            return _response("200 OK", "application/json", b"")
        if path == "/v1/messages/count_tokens":
            return _response("200 OK", "application/json", b'{"input_tokens": 1}')
        if method != "POST" or path != "/v1/messages":
            error = {"type": "error", "error": {"type": "not_found_error", "message": path}}
            return _response("404 Not Found", "application/json", json.dumps(error).encode())
        return self._message(body)

    def _message(self, body: JsonObject) -> bytes:
        blocks = self._script(body) if as_list(body.get("tools")) else [text_block("ok")]
        message = _message(f"msg_{next(self._numbers):06d}", str(body.get("model")), blocks)
        if not body.get("stream"):
            return _response("200 OK", "application/json", json.dumps(message).encode())
        stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(message))
        return _response("200 OK", "text/event-stream", stream.encode())


async def _request(reader: asyncio.StreamReader) -> tuple[str, str, JsonObject]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    size = int(headers.get("content-length") or 0)
    if not 0 <= size <= _LONGEST_REQUEST:
        raise ValueError(f"expected a body of at most {_LONGEST_REQUEST} bytes, got {size}")
    raw = await reader.readexactly(size)
    return method, target.partition("?")[0], as_object(json.loads(raw) if raw else {})


def _response(status: str, kind: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    return head.encode() + body


def _message(message_id: str, model: str, blocks: Sequence[Block]) -> dict[str, Json]:
    calls = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(blocks),
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _events(message: dict[str, Json]) -> Iterator[dict[str, Json]]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, item in enumerate(as_list(message["content"])):
        block = as_object(item)
        start, delta = _started(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}


def _started(block: JsonObject) -> tuple[dict[str, Json], dict[str, Json]]:
    if block["type"] == "text":
        return {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
