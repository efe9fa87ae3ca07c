"""The events that cannot wait: each folds the spool and decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gate_claude_sdk import _translate as translate
from gate_claude_sdk._answer import wait_for_texts
from gate_claude_sdk._payload import as_text
from gate_claude_sdk.command.fold import folded
from gate_claude_sdk.command.guarded import silences
from gate_claude_sdk.plugin.scripts import spool
from gate_core import Json, JsonObject

Answer: TypeAlias = Callable[[JsonObject, bytes], dict[str, Json]]

TAMPERED = "gate: hooks of the gate would no longer be called; the change is not taken over (gate-tampered)"


def stop(event: JsonObject, data: bytes) -> dict[str, Json]:
    """Stop: the boundary."""
    _spool(event, data)
    with folded(event) as found:
        session, last = found.session, as_text(event.get("last_assistant_message"))
        if session.typed.gone and not last:
            return {}  # the typed answer was judged when it was offered
        heard = wait_for_texts(as_text(event.get("transcript_path")), last, since=session.heard)
        session.heard = heard.end
        verdict = session.stopped(event, heard.texts, unseen=heard.calls and not session.observed)
        found.note(verdict)
        return translate.stop_output(verdict, found.config.marker)


def before_tool(event: JsonObject, data: bytes) -> dict[str, Json]:
    """PreToolUse: a typed answer is judged, an action admitted when that layer is on."""
    with folded(event) as found:
        if event.get("tool_name") == translate.TYPED and not event.get("agent_id"):
            verdict = found.session.offered(event)
            found.note(verdict)
            return translate.typed_output(verdict, found.config.marker)
        if not found.config.admits:
            return {}
        return translate.admission_output(found.session.admitted(event))


def config_change(event: JsonObject, data: bytes) -> dict[str, Json]:
    """ConfigChange: a change that would silence the gate is not taken over, and the turn bears the mark of it."""
    if not silences(event):
        return {}
    _spool(event, data)
    with folded(event) as found:  # at once: the file may be put back before Stop
        found.session.gate.tamper()
    return {"decision": "block", "reason": TAMPERED, "systemMessage": TAMPERED}


def prompt(event: JsonObject, data: bytes) -> dict[str, Json]:
    """UserPromptSubmit: `/gate` is answered here, without a model; any other prompt is only recorded."""
    words = as_text(event.get("prompt")).split()
    if not words or words[0] not in ("/gate", "/gate:gate"):
        _spool(event, data)
        return {}
    from gate_claude_sdk.command.people import told

    with folded(event) as found:
        return {"decision": "block", "reason": told(found, translate.session_id(event), words[1:])}


def _spool(event: JsonObject, data: bytes) -> None:
    spool.append(spool.state_folder(), translate.session_id(event), data)


ANSWERS: dict[str, Answer] = {
    "Stop": stop,
    "PreToolUse": before_tool,
    "ConfigChange": config_change,
    "UserPromptSubmit": prompt,
}
