"""MCP annotations of tools. No hook event carries them; the server objects in the options do, and the client's status.

The core reads them from `ToolCall.side["annotations"]` and decides how far a server is believed.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gate_claude_sdk._payload import as_list, as_object, as_text
from gate_core import JsonObject

_LOG = logging.getLogger("gate_claude_sdk")
_ODD = re.compile(r"[^A-Za-z0-9_-]")
_REPORTED = {"readOnly": "readOnlyHint", "destructive": "destructiveHint", "openWorld": "openWorldHint"}


def tool_name(server: str, tool: str) -> str:
    """The name under which the CLI calls a server's tool."""
    return f"mcp__{_ODD.sub('_', server)}__{_ODD.sub('_', tool)}"


async def annotations_of(servers: Mapping[str, object]) -> dict[str, JsonObject]:
    """The hints of every tool of the in-process servers (`create_sdk_mcp_server`), by tool name.

    A server that does not answer has none: its tools are judged by their names. Other servers are not started.
    """
    found: dict[str, JsonObject] = {}
    for name, config in servers.items():
        instance = config.get("instance") if isinstance(config, Mapping) else None
        if instance is None:
            continue
        try:
            found |= _hints(name, await _tools(instance))
        except Exception as error:  # noqa: BLE001 - the host's own server
            _LOG.warning(
                "the tools of MCP server %s cannot be listed, their annotations are not known: %s", name, error
            )
    return found


def reported_annotations(status: JsonObject) -> dict[str, JsonObject]:
    """The hints in the answer of `ClaudeSDKClient.get_mcp_status()`, which names only those that are true."""
    found: dict[str, JsonObject] = {}
    for server in map(as_object, as_list(status.get("mcpServers"))):
        for tool in map(as_object, as_list(server.get("tools"))):
            told = as_object(tool.get("annotations"))
            hints = {hint: told[word] for word, hint in _REPORTED.items() if isinstance(told.get(word), bool)}
            if hints:
                found[tool_name(as_text(server.get("name")), as_text(tool.get("name")))] = hints
    return found


def _hints(server: str, tools: Iterable[Any]) -> dict[str, JsonObject]:
    """mcp 1.x spells the fields in camel case, mcp 2.x in snake case with camel case aliases."""
    dumped = {
        tool.name: tool.annotations.model_dump(by_alias=True, exclude_none=True) for tool in tools if tool.annotations
    }
    return {tool_name(server, name): hints for name, hints in dumped.items() if hints}


async def _tools(instance: Any) -> Sequence[Any]:
    import mcp  # comes with the SDK, and is slow to import

    client = getattr(mcp, "Client", None)  # since mcp 2
    if client is not None:
        async with client(instance) as session:
            return list((await session.list_tools()).tools)
    from mcp.shared import memory

    connected: Any = vars(memory)["create_connected_server_and_client_session"]
    async with connected(instance) as session:
        return list((await session.list_tools()).tools)
