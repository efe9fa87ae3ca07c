"""Calls and attempts as events of the neutral transcript (`gate-transcript/1`, spec 60)."""

from __future__ import annotations

from collections.abc import Callable

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._payload import as_object, as_text
from gate_claude_sdk._steps import Steps
from gate_core import Json, JsonObject, ToolCall

_OPTIONAL = ("cwd", "agent", "origin")


def call_event(call: ToolCall) -> dict[str, Json]:
    """A `call` event."""
    event: dict[str, Json] = {
        "type": "call",
        "tool": call.tool,
        "args": dict(call.args),
        "result": call.result,
        "status": call.status.value,
    }
    if call.call_id:
        event["id"] = call.call_id
    if call.exit_code is not None:
        event["exit_code"] = call.exit_code
    if call.step is not None:
        event["step"] = call.step
    if call.side:
        event["side"] = dict(call.side)
    return {**event, **{name: getattr(call, name) for name in _OPTIONAL if getattr(call, name)}}


def background_event(notice: JsonObject) -> dict[str, Json]:
    """The `background` event of a `<task-notification>` prompt."""
    call = translate.ended_call(notice, "Bash", {}, step=0)
    event: dict[str, Json] = {"type": "background", "id": call.call_id, "status": call.status.value}
    if call.exit_code is not None:
        event["exit_code"] = call.exit_code
    return {**event, "result": call.result}


def turn_of_events(events: list[JsonObject]) -> dict[str, Json]:
    """The last turn of a session, from its hook events."""
    turn: dict[str, Json] = {"prompt": "", "events": []}
    found: list[Json] = []
    steps = Steps()
    for event in events:
        kind = as_text(event.get("hook_event_name"))
        if kind == "UserPromptSubmit" and translate.starts_turn(event):
            turn, found = {"prompt": as_text(event.get("prompt"))}, []
        found += _neutral(event, kind, steps)
    return {**turn, "events": found}


def _neutral(event: JsonObject, kind: str, steps: Steps) -> list[dict[str, Json]]:
    told = _TOLD.get(kind)
    return told(event, steps) if told is not None else []


def _completed(event: JsonObject, steps: Steps) -> list[dict[str, Json]]:
    return [call_event(translate.completed_call(event, step=_step(event, event, steps)))]


def _failed(event: JsonObject, steps: Steps) -> list[dict[str, Json]]:
    return [call_event(translate.failed_call(event, step=_step(event, event, steps)))]


def _batched(event: JsonObject, steps: Steps) -> list[dict[str, Json]]:
    agent = as_text(event.get("agent_id"))
    entries = [e for e in translate.batch_entries(event) if not steps.reported(agent, as_text(e.get("tool_use_id")))]
    told = [call_event(translate.unreported_call(event, e, step=_step(event, e, steps))) for e in entries]
    steps.close(agent)
    return told


def _prompted(event: JsonObject, steps: Steps) -> list[dict[str, Json]]:
    return [] if translate.starts_turn(event) else [background_event(event)]


def _offered(event: JsonObject, steps: Steps) -> list[dict[str, Json]]:
    typed = event.get("tool_name") == translate.TYPED
    return [{"type": "finish", "output": dict(as_object(event.get("tool_input")))}] if typed else []


def _stopped(event: JsonObject, steps: Steps) -> list[dict[str, Json]]:
    text = as_text(event.get("last_assistant_message"))
    return [{"type": "finish", "text": text}] if text else []


def _step(event: JsonObject, entry: JsonObject, steps: Steps) -> int:
    return steps.of(as_text(event.get("agent_id")), as_text(entry.get("tool_use_id")))


_TOLD: dict[str, Callable[[JsonObject, Steps], list[dict[str, Json]]]] = {
    "UserPromptSubmit": _prompted,
    "PreToolUse": _offered,
    "PostToolUse": _completed,
    "PostToolUseFailure": _failed,
    "PostToolBatch": _batched,
    "Stop": _stopped,
}
