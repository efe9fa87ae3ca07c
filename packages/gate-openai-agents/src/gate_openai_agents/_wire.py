"""A loopback server that speaks what a scripted model needs of the Responses and Chat Completions APIs, streams too."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from gate_openai_agents._speech import chat_body, chat_events, responses_body, responses_events

JSON, EVENTS = "application/json", "text/event-stream"
Respond = Callable[[], list[dict[str, Any]]]
"""Gives the output items of the next response."""


@asynccontextmanager
async def responses_server(respond: Respond) -> AsyncIterator[str]:
    """Serve on a free port of 127.0.0.1 and give the base URL; nothing is left open afterwards."""
    connections: set[asyncio.Task[None]] = set()

    async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        try:
            await _serve(reader, writer, respond)
        except asyncio.CancelledError:
            pass  # the server is closing
        finally:
            connections.discard(task)
            writer.close()

    server = await asyncio.start_server(accepted, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.close()
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        await server.wait_closed()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, respond: Respond) -> None:
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        line, *fields = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))) or b"{}")
        try:
            status, kind, payload = _answer(line, body, respond)
        except Exception as error:  # noqa: BLE001 - a script that has ended is an error of the API, not a hang
            failed = {"error": {"message": f"{type(error).__name__}: {error}"}}
            status, kind, payload = "500 Internal Server Error", JSON, json.dumps(failed).encode()
        writer.write(f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(payload)}\r\n\r\n".encode())
        writer.write(payload)
        await writer.drain()


def _answer(line: str, body: dict[str, Any], respond: Respond) -> tuple[str, str, bytes]:
    """Status, content type and body."""
    streamed, model = bool(body.get("stream")), body.get("model")
    if line.startswith("POST /v1/responses "):
        items = respond()
        if not streamed:
            return "200 OK", JSON, json.dumps(responses_body(items, model)).encode()
        return "200 OK", EVENTS, b"".join(_sse(event, event["type"]) for event in responses_events(items, model))
    if line.startswith("POST /v1/chat/completions "):
        items = respond()
        if not streamed:
            return "200 OK", JSON, json.dumps(chat_body(items, model)).encode()
        return "200 OK", EVENTS, b"".join(map(_sse, chat_events(items, model))) + b"data: [DONE]\n\n"
    unknown = {"error": {"message": f"no such address: {line}", "type": "invalid_request_error"}}
    return "404 Not Found", JSON, json.dumps(unknown).encode()


def _sse(event: dict[str, Any], name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(event)}\n\n".encode()
