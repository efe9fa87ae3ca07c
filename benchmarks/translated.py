"""Calls of a transcript as the adapters hand them to the core: each is made into what the framework tells of it, and
translated back (spec 60, "Error rate").

What a framework does not tell stays as the transcript has it: an exit code that only a native shell reports, a call
that did not run, what a host declares.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, TypeAlias

from gate_core import CallStatus, ToolCall

Event: TypeAlias = dict[str, Any]

CORE = "core"


def _claude(event: Event) -> ToolCall:
    """A PostToolUse or PostToolUseFailure event of Claude Code."""
    from gate_claude_sdk._translate import completed_call, failed_call

    told = {"tool_name": event["tool"], "tool_input": event["args"], "tool_use_id": event.get("id", "")}
    told["cwd"] = event.get("cwd", "")
    if event.get("status") == "error":
        return failed_call({**told, "error": event["result"]}, step=0)
    return completed_call({**told, "tool_response": event["result"]}, step=0)


def _langgraph(event: Event) -> ToolCall:
    """The request of a `wrap_tool_call` and the message that came of it."""
    from langchain_core.messages import ToolMessage

    from gate_langgraph._translate import read_call

    asked = {"name": event["tool"], "args": event["args"], "id": event.get("id", "c"), "type": "tool_call"}
    failed = event.get("status") == "error"
    content = event["result"] if isinstance(event["result"], str | list) else json.dumps(event["result"])
    message = ToolMessage(content, tool_call_id=asked["id"], status="error" if failed else "success")
    tool = SimpleNamespace(name=event["tool"])  # nothing is told of what is behind it
    return read_call(SimpleNamespace(tool_call=asked, tool=tool, state={}), result=message)


def _openai(event: Event) -> ToolCall:
    """The items of a function call and its output; a failure is told by a hook of its own."""
    from gate_openai_agents._calls import completed
    from gate_openai_agents._translate import answered, asked

    call_id = event.get("id", "c")
    item = {"type": "function_call", "name": event["tool"], "arguments": json.dumps(event["args"]), "call_id": call_id}
    output = {"type": "function_call_output", "call_id": call_id, "output": event["result"]}
    return completed(asked([item])[0], answered([output])[0])


TRANSLATORS: Mapping[str, Callable[[Event], ToolCall]] = {"claude": _claude, "langgraph": _langgraph, "openai": _openai}


def translated(transcript: dict[str, Any], adapter: str) -> dict[str, Any]:
    """The transcript with its calls told by an adapter; as it is for the core."""
    translate = TRANSLATORS.get(adapter)
    if translate is None:
        return transcript
    turns = [
        {**turn, "events": [_told(event, translate) if _is_told(event) else event for event in turn["events"]]}
        for turn in transcript["turns"]
    ]
    return {**transcript, "turns": turns}


def _is_told(event: Event) -> bool:
    """True for a call that ran, of which the frameworks tell all there is to tell."""
    plain = event["type"] == "call" and event.get("status", "ok") in ("ok", "error") and event.get("result") is not None
    result = event.get("result")
    failed_object = event.get("status") == "error" and not isinstance(result, str)
    from_server = isinstance(result, dict) and "content" in result  # the frameworks' own adapters take it out of that
    return (
        plain
        and not failed_object
        and not from_server
        and not {"exit_code", "side", "signals", "profile"} & event.keys()
    )


def _told(event: Event, translate: Callable[[Event], ToolCall]) -> Event:
    call = translate(event)
    status = CallStatus.ERROR.value if event.get("status") == "error" else call.status.value
    told = {"tool": call.tool, "args": dict(call.args), "result": call.result, "status": status}
    return {**event, **told, **({"exit_code": call.exit_code} if call.exit_code is not None else {})}
