"""Hook payloads of Claude Code to the gate's calls and attempts, and verdicts to hook outputs. Pure: no I/O, no state.

Every function takes what came off the wire and never raises: a field that is missing or of another type is left empty,
the call is still a call. The payload shapes are those Claude Code 2.1 was seen to send.
"""

from __future__ import annotations

import json
import re
from functools import cache

from gate_claude_sdk._payload import as_count, as_list, as_object, as_text
from gate_claude_sdk._results import model_text
from gate_core import Action, Attempt, CallStatus, Claim, GateConfig, Json, JsonObject, Posture, ToolCall, Verdict

TYPED = "StructuredOutput"
"""The CLI's tool through which a typed answer goes out."""

_EXIT = re.compile(r"Exit code (\d{1,9})(?:\n|\Z)")
_SHELLS = frozenset({"Bash", "PowerShell"})
_NOTIFICATION = "<task-notification>"
_TOOL_USE = re.compile(r"<tool-use-id>([^<\n]{1,200})</tool-use-id>")
_STATUS = re.compile(r"<status>(\w{1,40})</status>")
# "completed (exit code 0)", "failed with exit code 3". At the very end: the model words the rest of the summary.
_NOTED_EXIT = re.compile(r"exit code (\d{1,9})\)?</summary>\s*</task-notification>\s*\Z")
_REFUSED = "<tool_use_error>"
_NO_SUCH_TOOL = re.compile(r"<tool_use_error>(?:Error: )?No such tool available")


@cache
def _denied() -> re.Pattern[str]:
    """What the CLI tells the model about a call that a person, a rule or a hook did not let run. All at the start.

    Compiled when it is first needed: the command hook starts for every Stop, and few turns have such a call.
    """
    return re.compile(
        r"Claude requested permissions? to "
        r"|Permission (?:to|for) [^\n]{0,400}? (?:has been|was) denied"
        r"|PreToolUse:[^\n]{1,200}? hook error: |PreToolUse hook did not respond"
        r"|The user doesn't want to (?:proceed|take)"
        r"|[^\n]{0,400}? did not run\. It needs the user's approval"
        r"|(?:This|The) [^\n]{0,400}?\brequires? approval\b"
    )


def session_id(event: JsonObject) -> str:
    """The session an event belongs to; sub-agents share their parent's."""
    return as_text(event.get("session_id"))


def starts_turn(event: JsonObject) -> bool:
    """True for what a person typed. Notices about background tasks come as prompts too; sub-agents have their own."""
    prompt = as_text(event.get("prompt"))
    return not event.get("agent_id") and not prompt.lstrip().startswith(_NOTIFICATION)


def completed_call(event: JsonObject, *, step: int) -> ToolCall:
    """The call of a PostToolUse event: it ran, or it was started in the background."""
    tool = as_text(event.get("tool_name"))
    response = event.get("tool_response")
    parts = as_object(response)
    started = bool(parts.get("backgroundTaskId")) or parts.get("status") == "async_launched"
    failed = tool == "NotebookEdit" and bool(as_text(parts.get("error")))
    return ToolCall(
        tool=tool,
        args=as_object(event.get("tool_input")),
        result=model_text(tool, response),
        status=CallStatus.PENDING if started else CallStatus.ERROR if failed else CallStatus.OK,
        exit_code=None if started else _silent_exit(tool, parts),
        call_id=as_text(event.get("tool_use_id")),
        step=step,
        agent=as_text(event.get("agent_id")),
        cwd=as_text(event.get("cwd")),
        origin=_origin(tool, event),
        side=_side(parts),
    )


def failed_call(event: JsonObject, *, step: int) -> ToolCall:
    """The call of a PostToolUseFailure event; a shell's exit code is the number in "Exit code N"."""
    tool = as_text(event.get("tool_name"))
    error = as_text(event.get("error"))
    found = _EXIT.match(error) if tool in _SHELLS else None
    return ToolCall(
        tool=tool,
        args=as_object(event.get("tool_input")),
        result=error,
        status=CallStatus.ERROR,
        exit_code=int(found[1]) if found else None,
        call_id=as_text(event.get("tool_use_id")),
        step=step,
        agent=as_text(event.get("agent_id")),
        cwd=as_text(event.get("cwd")),
        origin=_origin(tool, event),
    )


def unreported_call(event: JsonObject, entry: JsonObject, *, step: int) -> ToolCall:
    """A call that PostToolBatch lists and no other event reported: denied or refused.

    A text that is neither may belong to a call that did run, so it counts as failed: it shows nothing, and what
    it may have changed is owed.
    """
    tool = as_text(entry.get("tool_name"))
    response = entry.get("tool_response")
    return ToolCall(
        tool=tool,
        args=as_object(entry.get("tool_input")),
        result=response if isinstance(response, str | list) else "",
        status=_status_of_refusal(as_text(response)),
        call_id=as_text(entry.get("tool_use_id")),
        step=step,
        agent=as_text(event.get("agent_id")),
        cwd=as_text(event.get("cwd")),
        origin=_origin(tool, entry),
    )


def bare_call(event: JsonObject, *, step: int) -> ToolCall:
    """What is left of an event that could not be translated: that something was called, with an unknown end."""
    return ToolCall(
        tool=as_text(event.get("tool_name")),
        args=as_object(event.get("tool_input")),
        call_id=as_text(event.get("tool_use_id")),
        step=step,
        agent=as_text(event.get("agent_id")),
        cwd=as_text(event.get("cwd")),
        status=CallStatus.ERROR,
    )


def ended_id(event: JsonObject) -> str:
    """The call id of the background call whose end a `<task-notification>` prompt reports, or ""."""
    found = _TOOL_USE.search(as_text(event.get("prompt")))
    return found[1] if found else ""


def ended_call(event: JsonObject, tool: str, args: JsonObject, *, step: int) -> ToolCall:
    """The end of a background call of `tool`, which began as pending under the same id."""
    notice = as_text(event.get("prompt"))
    status, code = _STATUS.search(notice), _NOTED_EXIT.search(notice)
    completed = status is not None and status[1] == "completed"
    return ToolCall(
        tool=tool,
        args=args,
        result=notice,
        status=CallStatus.OK if completed else CallStatus.ERROR,
        exit_code=int(code[1]) if code and tool in _SHELLS else None,
        call_id=ended_id(event),
        step=step,
        cwd=as_text(event.get("cwd")),
        origin=_origin(tool, {}),
    )


def batch_entries(event: JsonObject) -> tuple[JsonObject, ...]:
    """The calls a PostToolBatch event lists."""
    return tuple(as_object(entry) for entry in as_list(event.get("tool_calls")))


def attempt_of(event: JsonObject, texts: tuple[str, ...]) -> Attempt:
    """The attempt of a Stop event: all `texts` of the final response, else the last one, which the event carries."""
    last = as_text(event.get("last_assistant_message"))
    return Attempt(parts=texts or ((last,) if last else ()))


def visible(attempt: Attempt) -> str:
    """The answer as text: what was said, or the typed value as JSON."""
    if attempt.output is None or attempt.parts:
        return attempt.text
    return json.dumps(attempt.output, ensure_ascii=False)


def typed_output(verdict: Verdict, marker: str) -> dict[str, Json]:
    """What the PreToolUse hook of `StructuredOutput` answers: a revision denies the value, and the model tries again.

    A withheld value is denied and the run ended. What goes out without support bears the marker as in `stop_output`.
    """
    if verdict.action in (Action.REVISE, Action.WITHHOLD):
        withheld = verdict.action is Action.WITHHOLD
        reason = f"[gate] the answer was withheld: {_why(verdict)}" if withheld else verdict.feedback
        stop: dict[str, Json] = (
            {"continue_": False, "stopReason": reason, "systemMessage": f"WITHHELD: {_why(verdict)}"}
            if withheld
            else {}
        )
        return {**stop, **_permission("deny", reason)}
    return stop_output(verdict, marker)


def admission_output(verdict: Verdict) -> dict[str, Json]:
    """What the PreToolUse hook answers about an action. An admitted action is left to the host's own permissions:
    "allow" would skip them. One that only lacks the user's word is asked for."""
    if verdict.accepted:
        return {}
    reason = verdict.feedback or f"[gate] {_why(verdict)}"
    return _permission("ask" if verdict.approvable else "deny", reason)


def _permission(decision: str, reason: str) -> dict[str, Json]:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }
    }


def proposed_call(event: JsonObject) -> ToolCall:
    """The call of a PreToolUse event, which has not run."""
    tool = as_text(event.get("tool_name"))
    return ToolCall(
        tool=tool,
        args=as_object(event.get("tool_input")),
        call_id=as_text(event.get("tool_use_id")),
        agent=as_text(event.get("agent_id")),
        cwd=as_text(event.get("cwd")),
        origin=_origin(tool, event),
    )


def stop_output(verdict: Verdict, marker: str) -> dict[str, Json]:
    """What the Stop hook answers, in the SDK's key names (`continue_` for the CLI's `continue`).

    What goes out without support bears the marker in a `systemMessage`, which reaches the user and not the model. A
    withheld answer is blocked and stopped at once: only both together empty the text of the ResultMessage.
    """
    if verdict.action is Action.REVISE:
        return {"decision": "block", "reason": verdict.feedback}
    if verdict.action is Action.WITHHOLD:
        why = f"the answer was withheld: {_why(verdict)}"
        return {
            "continue_": False,
            "decision": "block",
            "reason": f"[gate] {why}",
            "stopReason": why,
            "systemMessage": f"WITHHELD: {_why(verdict)}",
        }
    return {"systemMessage": f"{marker}: {_why(verdict)}"} if verdict.marked else {}


def undecided_output() -> dict[str, Json]:
    """What the PreToolUse hook answers when the check of an action failed: the user decides."""
    return _permission("ask", "[gate] the gate failed and did not check this action")


def failed_output(config: GateConfig) -> dict[str, Json]:
    """What the Stop hook answers when not even a verdict could be had: the answer does not go out as if checked."""
    why = "the gate failed and nothing was checked"
    if config.posture is Posture.RAILS:
        return {"continue_": False, "decision": "block", "reason": f"[gate] {why}", "systemMessage": f"WITHHELD: {why}"}
    return {"systemMessage": f"{config.marker}: {why}"}


def unrecorded_output(event: JsonObject, error: BaseException) -> dict[str, Json]:
    """What any hook answers about a decision that could not be recorded: nobody acts on it, and the run stops."""
    stop: dict[str, Json] = {"continue_": False, "stopReason": f"[gate] {error}", "systemMessage": f"WITHHELD: {error}"}
    why = "[gate] the decision could not be recorded"
    if event.get("hook_event_name") == "PreToolUse":
        return {**stop, **_permission("deny", why)}
    return {**stop, "decision": "block", "reason": why}


def progress_line(progress: JsonObject) -> str:
    """`Gate.progress()` in one line for the user."""
    open_targets = len(as_list(progress.get("pending")))
    told = f"calls {progress['calls_this_turn']}, not settled {open_targets}, sent back {progress['blocks']}"
    return f"gate: {told}, budget {progress['budget']} of {progress['cap']}"


def _why(verdict: Verdict) -> str:
    if verdict.claim is Claim.UNVERIFIED:
        return "the agent says itself that it could not confirm this"
    reasons = dict.fromkeys(f"{finding.says} ({finding.code.value})" for finding in verdict.blocking)
    return "; ".join(reasons) or "nothing that was observed supports the answer"


def _silent_exit(tool: str, response: JsonObject) -> int | None:
    """The exit code of a shell call that counts as a success: 0, or the 1 of a program whose 1 is an answer."""
    if tool not in _SHELLS or response.get("interrupted") is not False:
        return None
    return 1 if response.get("returnCodeInterpretation") else 0


def _status_of_refusal(text: str) -> CallStatus:
    if _NO_SUCH_TOOL.match(text):
        return CallStatus.NOT_EXECUTED
    if not text.startswith(_REFUSED) and _denied().match(text):
        return CallStatus.DENIED
    return CallStatus.ERROR


def _origin(tool: str, event: JsonObject) -> str:
    named = as_text(as_object(event.get("mcp_server")).get("name"))
    if named:
        return f"mcp:{named}"
    prefix, _, rest = tool.partition("__")
    server, separator, _ = rest.partition("__")
    return f"mcp:{server}" if prefix == "mcp" and separator and server else "builtin"


def _side(response: JsonObject) -> dict[str, Json]:
    """Facts of the response that the model did not write and was not shown; never the contents of a file."""
    side: dict[str, Json] = {}
    if "structuredPatch" in response:
        side["structuredPatch"] = as_list(response["structuredPatch"])
    interpretation = as_text(response.get("returnCodeInterpretation"))
    if interpretation:
        side["returnCodeInterpretation"] = interpretation
    window = _window(as_object(response.get("file")))
    if window:
        side["file"] = window
    return side


def _window(file: JsonObject) -> dict[str, Json]:
    """The lines a Read showed. The CLI counts an empty file as one empty line; here it has none."""
    counts = {key: as_count(file.get(key)) for key in ("startLine", "numLines", "totalLines")}
    if any(value is None for value in counts.values()):
        return {}
    if file.get("content") == "" and counts["totalLines"] == 1:
        return {"startLine": 1, "numLines": 0, "totalLines": 0}
    return dict(counts)
