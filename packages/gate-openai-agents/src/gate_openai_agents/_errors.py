"""Failures the SDK hides from its hooks, seen where they happen.

An MCP result with `isError` reaches the hooks like any other. Its server's `custom_data_extractor` is the one public
place where the flag is shown; it is set on the server object, in front of the user's own, and noted by the context of
the call, which the hooks get too.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any
from weakref import WeakValueDictionary

from agents.mcp import MCPServer, MCPToolCustomDataContext
from agents.tool_context import ToolContext

_failed: WeakValueDictionary[int, ToolContext[Any]] = WeakValueDictionary()


class McpErrors:
    """A custom data extractor that notes `isError`, then asks the user's extractor."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, context: MCPToolCustomDataContext) -> Mapping[str, Any] | None:
        """The user's custom data; the gate adds none."""
        run = context.run_context
        if context.is_error and isinstance(run, ToolContext):
            _failed[id(run)] = run
        if self._inner is None:
            return None
        told = self._inner(context)
        found: Mapping[str, Any] | None = await told if inspect.isawaitable(told) else told
        return found


def see_errors(servers: Iterable[MCPServer]) -> None:
    """Have `isError` of these servers' results noted, once for all gates."""
    for server in servers:
        given = getattr(server, "custom_data_extractor", None)
        if not isinstance(given, McpErrors):
            server.custom_data_extractor = McpErrors(given)


def is_mcp_error(context: object) -> bool:
    """True when the MCP result of the call of this context was an error; its text is what the model reads."""
    return _failed.get(id(context)) is context
