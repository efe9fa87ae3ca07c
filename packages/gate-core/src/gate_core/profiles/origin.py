"""Where a tool comes from. Catalog entries bind to the origin: a `Read` of some MCP server is not the built-in."""

from __future__ import annotations

from gate_core.model.call import ToolCall

BUILTIN = "builtin"


def origin_of(call: ToolCall) -> str:
    """The origin of a call: as stated, else "mcp:<server>" from a `mcp__<server>__<tool>` name, else "builtin"."""
    if call.origin:
        return call.origin
    server = _mcp_parts(call.tool)[0]
    return f"mcp:{server}" if server else BUILTIN


def bare_name(tool: str) -> str:
    """The tool's own name, without the `mcp__<server>__` prefix."""
    return _mcp_parts(tool)[1]


def _mcp_parts(tool: str) -> tuple[str, str]:
    if tool.startswith("mcp__"):
        server, separator, name = tool[len("mcp__") :].partition("__")
        if separator and server and name:
            return server, name
    return "", tool
