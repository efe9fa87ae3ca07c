"""An MCP server over stdio for `test_langgraph_mcp.py`: a register of settings, kept in a file.

Written out, because the servers of the library are made differently in each of its lines.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = Path(sys.argv[1])
TEXT = {"type": "string"}
TOOLS = [
    {
        "name": "look_up",
        "description": "Look a setting up.",
        "inputSchema": {"type": "object", "properties": {"setting": TEXT}, "required": ["setting"]},
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "change_setting",
        "description": "Change a setting.",
        "inputSchema": {"type": "object", "properties": {"setting": TEXT, "value": TEXT}},
        "annotations": {"readOnlyHint": False, "destructiveHint": True},
    },
]


def called(name: str, args: Mapping[str, str]) -> dict[str, Any]:
    """The result of a tool call."""
    held = dict(line.split(" = ") for line in FILE.read_text("utf-8").splitlines())
    setting = args["setting"]
    if name == "change_setting":
        FILE.write_text(f"{setting} = {args['value']}\n", "utf-8")
        return {"content": [{"type": "text", "text": "ok"}]}
    if setting not in held:
        return {"content": [{"type": "text", "text": f"no setting {setting}"}], "isError": True}
    return {"content": [{"type": "text", "text": f"{setting} = {held[setting]}"}]}


def answer(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a request."""
    if method == "initialize":
        info = {"name": "register", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    return called(params["name"], params["arguments"]) if method == "tools/call" else {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = answer(message["method"], message.get("params") or {})
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
        sys.stdout.flush()
