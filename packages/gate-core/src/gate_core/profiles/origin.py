"""Where a tool comes from. Catalog entries bind to the origin: a `Read` of some MCP server is not the built-in."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from gate_core.data import load_table
from gate_core.model.call import ToolCall

BUILTIN = "builtin"
_MCP = "mcp:"


def origin_of(call: ToolCall) -> str:
    """The origin of a call: as stated, else "mcp:<server>" from a `mcp__<server>__<tool>` name, else "builtin"."""
    return call.origin or origin_of_name(call.tool)


@lru_cache(maxsize=1024)
def origin_of_name(tool: str) -> str:
    """The origin that a tool's name tells."""
    server = _mcp_parts(tool)[0]
    return f"{_MCP}{server}" if server else BUILTIN


def bare_name(tool: str) -> str:
    """The tool's own name, without the `mcp__<server>__` prefix."""
    return _mcp_parts(tool)[1]


def server_of(origin: str) -> str:
    """The name of the MCP server of an origin, "" for any other origin."""
    return origin.removeprefix(_MCP) if origin.startswith(_MCP) else ""


@cache
def reference_of(origin: str) -> str:
    """The origin catalog entries are bound to: a host may call a reference server `my-filesystem` or `fs`.

    The name must hold the reference server's name, or a known short form, as a word of its own; the entries then
    still ask for the shape of the arguments.
    """
    words = re.split(r"[^a-z0-9]+", server_of(origin)[:200].lower())
    for name, spellings in load_table("profiles", "catalog", "mcp.toml")["servers"].items():
        if any(_holds(words, spelling.split("-")) for spelling in spellings):
            return f"{_MCP}{name}"
    return origin


def _holds(words: list[str], spelling: list[str]) -> bool:
    return any(words[at : at + len(spelling)] == spelling for at in range(len(words)))


@lru_cache(maxsize=1024)
def _mcp_parts(tool: str) -> tuple[str, str]:
    if tool.startswith("mcp__"):
        server, separator, name = tool[len("mcp__") :].partition("__")
        if separator and server and name:
            return server, name
    return "", tool
