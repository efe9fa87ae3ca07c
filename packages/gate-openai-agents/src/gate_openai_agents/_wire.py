"""A loopback server that speaks what a scripted model needs of the Responses API: POST /v1/responses, no streams."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

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
            status, answer = _answer(line, body, respond)
        except Exception as error:  # noqa: BLE001 - a script that has ended is an error of the API, not a hang
            status, answer = "500 Internal Server Error", {"error": {"message": f"{type(error).__name__}: {error}"}}
        payload = json.dumps(answer).encode()
        writer.write(
            f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {len(payload)}\r\n\r\n".encode()
        )
        writer.write(payload)
        await writer.drain()


def _answer(line: str, body: dict[str, Any], respond: Respond) -> tuple[str, dict[str, Any]]:
    if not line.startswith("POST /v1/responses "):
        return "404 Not Found", {"error": {"message": f"no such address: {line}", "type": "invalid_request_error"}}
    items = respond()
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return "200 OK", {
        "id": f"resp_{items[0]['id']}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": body.get("model"),
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "usage": {**usage, **details},
    }
