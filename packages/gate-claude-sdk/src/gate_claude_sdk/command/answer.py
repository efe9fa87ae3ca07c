"""From the event on stdin to the JSON on stdout, whatever happens between."""

from __future__ import annotations

import json
import sys

from gate_claude_sdk._payload import as_object, as_text
from gate_claude_sdk.plugin.scripts import spool
from gate_core import Json

DECIDED = ("Stop", "PreToolUse", "ConfigChange", "UserPromptSubmit")
"""Events that are decided about; `events.ANSWERS` has one answer for each."""


def answer_stdin() -> None:
    """Print the answer to the event on stdin."""
    data = spool.read_all()
    try:
        text = json.dumps(for_cli(answer(data)))
    except BaseException as error:  # noqa: BLE001 - the host reads anything else as consent
        _complain(error)
        text = json.dumps(for_cli(_last_resort(data, error)))
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def answer(data: bytes) -> dict[str, Json]:
    """The answer to one event, in the SDK's key names. What needs none is recorded, as `start.py` does it faster."""
    event = as_object(json.loads(data))
    kind = as_text(event.get("hook_event_name"))
    if kind not in DECIDED:
        spool.append(spool.state_folder(), spool.session_in(data), data)
        return {}
    from gate_claude_sdk.command.events import ANSWERS  # this imports the core

    return ANSWERS[kind](event, data)


def for_cli(output: dict[str, Json]) -> dict[str, Json]:
    """`continue_` is how the SDK spells the CLI's `continue`."""
    return {"continue" if key == "continue_" else key: value for key, value in output.items()}


def _last_resort(data: bytes, error: BaseException) -> dict[str, Json]:
    """Nobody may take a failure for a check. What is asked before a tool runs is left to the user. A decision that
    could not be recorded stops the run."""
    if type(error).__name__ == "AuditFailure":
        from gate_claude_sdk._translate import unrecorded_output

        return unrecorded_output(as_object(json.loads(data)), error)
    if b'"PreToolUse"' not in data[:2000]:
        return {"systemMessage": f"UNVERIFIED: {spool.FAILED}"}
    return {
        "systemMessage": spool.FAILED,
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": spool.FAILED,
        },
    }


def _complain(error: BaseException) -> None:
    import traceback

    traceback.print_exception(error, file=sys.stderr)
