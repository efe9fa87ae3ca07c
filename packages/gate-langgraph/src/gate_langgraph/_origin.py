"""Where a tool comes from and what its MCP server says of it, read from LangChain's tool object."""

from __future__ import annotations

from collections.abc import Mapping

from gate_core import Json

_FRAMEWORK_PACKAGES = frozenset({"langchain", "langchain_anthropic", "langchain_community", "deepagents"})
_MCP_PACKAGE = "langchain_mcp_adapters"
_SERVER = ("mcp_server", "server_name")
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def origin_of(tool: object) -> str:
    """ "builtin" for the framework's own tools, "mcp:<server>" for a tool over MCP, "" for the user's."""
    code = _code(tool)
    module = getattr(code, "__module__", "")
    package = module.split(".", 1)[0] if isinstance(module, str) else ""
    named = _stated(tool)
    if package == _MCP_PACKAGE or named:
        return f"mcp:{named or _kept(code) or 'unknown'}"
    return "builtin" if package in _FRAMEWORK_PACKAGES else ""


def annotations_of(tool: object) -> dict[str, Json]:
    """The MCP hints of a tool; the adapters for MCP keep them in its metadata. Only true and false are hints."""
    metadata = _metadata(tool)
    if not metadata:
        return {}
    return {key: value for key in _HINTS if isinstance(value := metadata.get(key), bool)}


def _code(tool: object) -> object:
    return getattr(tool, "coroutine", None) or getattr(tool, "func", None) or type(tool)


def _metadata(tool: object) -> Mapping[str, object]:
    metadata = getattr(tool, "metadata", None)
    return metadata if metadata and isinstance(metadata, Mapping) else {}


def _stated(tool: object) -> str:
    """The server's name where a host wrote it into the tool's metadata."""
    metadata = _metadata(tool)
    if not metadata:
        return ""
    return next((value for key in _SERVER if isinstance(value := metadata.get(key), str) and value), "")


def _kept(code: object) -> str:
    """The server's name as langchain-mcp-adapters keeps it: only the tool's own function holds it (read in 0.3.2)."""
    names = getattr(getattr(code, "__code__", None), "co_freevars", ())
    cells = getattr(code, "__closure__", None) or ()
    for name, cell in zip(names, cells, strict=False):
        if name == "server_name":
            try:
                value = cell.cell_contents
            except ValueError:  # not bound yet
                return ""
            return value if isinstance(value, str) else ""
    return ""
