"""How a call ended. All sources are read and the most specific decides: the profile's patterns, the body, text cues,
the exit code, the transport flag (spec 20, "Outcome of a call").

`failed` means that nothing happened; `unknown` means that it went wrong and may have had an effect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from gate_core.data import load_table
from gate_core.model.call import ToolCall
from gate_core.model.json import Json, text_of
from gate_core.model.kinds import CallStatus, Outcome, ToolEffect
from gate_core.model.profile import ToolProfile

_READERS = frozenset({ToolEffect.READ, ToolEffect.LIST, ToolEffect.SQL})
FILES = "files"
_SHORT = 300  # characters; a reader's error is one short line, file contents rarely are
_KILLED = frozenset({130, 137, 139, 141, 143})


def outcome_of(profile: ToolProfile, call: ToolCall) -> Outcome:
    """The outcome of an executed call."""
    if call.status is CallStatus.PENDING:
        return Outcome.PENDING
    if profile.effect in _READERS:
        return _of_reader(profile, call)
    call = _with_hidden_error(call)
    text = text_of(call.result)
    if profile.effect is ToolEffect.DELETE and _is_told_missing(call, text):
        return Outcome.NOT_FOUND
    cue = _by_cue(call, text) if profile.effect is not ToolEffect.UNKNOWN or _is_error_line(call, text) else None
    return _by_profile(profile, text) or _by_body(call.result) or cue or _by_exit(call)


def _is_told_missing(call: ToolCall, text: str) -> bool:
    """A deletion that finds nothing shows that the thing is not there."""
    return isinstance(call.result, str) and len(text) < _SHORT and _matches("not_found", text)


def _with_hidden_error(call: ToolCall) -> ToolCall:
    """Some hosts show the agent a fixed sentence in place of a tool's error; `side.error` holds what it was."""
    hidden = call.side.get("error")
    if isinstance(hidden, str) and hidden and call.status is CallStatus.ERROR:
        return replace(call, result=hidden)
    return call


def _of_reader(profile: ToolProfile, call: ToolCall) -> Outcome:
    text = text_of(call.result).strip()
    if _is_error_object(call.result) or _is_error_line(call, text):
        return Outcome.NOT_FOUND if _matches("not_found", _error_text(call.result, text)) else Outcome.FAILED
    if not text or (text in ("[]", "{}", "null") and not _is_content(profile, call)):
        return Outcome.EMPTY
    if (profile.search or profile.effect is ToolEffect.LIST) and len(text) < _SHORT and _matches("no_matches", text):
        return Outcome.EMPTY
    return Outcome.OK


def _is_content(profile: ToolProfile, call: ToolCall) -> bool:
    """What a reader of files answers is the file, whatever stands in it."""
    return profile.domain == FILES and not profile.search and isinstance(call.result, str)


def _is_error_object(result: Json) -> bool:
    return (
        isinstance(result, Mapping)
        and bool(result.get("error") or result.get("isError"))
        and not any(key in result for key in ("content", "file", "text", "data", "rows", "results"))
    )


def _is_error_line(call: ToolCall, text: str) -> bool:
    if call.status is CallStatus.ERROR and call.exit_code is None:
        return True
    return (
        isinstance(call.result, str)
        and len(text) < _SHORT
        and "\n" not in text
        and re.match(r"error(?:\s*[:(]| (?:reading|opening|while|in)\b)", text, re.IGNORECASE) is not None
    )


def _error_text(result: Json, text: str) -> str:
    if isinstance(result, Mapping) and isinstance(result.get("error"), str):
        return str(result["error"])
    return text


def _by_profile(profile: ToolProfile, text: str) -> Outcome | None:
    if any(re.match(pattern, text) for pattern in profile.failed):
        return Outcome.FAILED
    if profile.succeeded:
        return Outcome.OK if any(re.match(p, text) for p in profile.succeeded) else Outcome.UNKNOWN
    return None


def _by_body(result: Json) -> Outcome | None:
    if not isinstance(result, Mapping):
        return None
    for key in ("return_code", "returncode", "exitCode", "exit_code"):
        code = result.get(key)
        if isinstance(code, int) and not isinstance(code, bool):
            return Outcome.OK if code == 0 else Outcome.FAILED
    status = result.get("statusCode", result.get("status"))
    if isinstance(status, int) and status >= 400:
        return Outcome.FAILED if status < 500 else Outcome.UNKNOWN
    if result.get("success") is False or result.get("ok") is False or result.get("isError") is True:
        return _failure(result)
    if result.get("error") or result.get("errors"):
        return _failure(result)
    return None


def _failure(result: Mapping[str, Json]) -> Outcome:
    """A failure that says it was cut off may have had an effect; any other that a tool reports had none."""
    said = (result.get(key) for key in ("error", "errors", "message"))
    return Outcome.UNKNOWN if any(_matches("cut_off", text_of(text)) for text in said) else Outcome.FAILED


def _by_cue(call: ToolCall, text: str) -> Outcome | None:
    if not isinstance(call.result, str) or call.exit_code is not None:
        return None
    erred = call.status is CallStatus.ERROR
    told = _matches("failed", text) or _matches("cut_off", text)
    if erred or told:
        if _matches("failed_without_effect", text):
            return Outcome.FAILED
        return Outcome.UNKNOWN if told else None
    return Outcome.NO_OP if len(text) < _SHORT and _matches("no_op", text) else None


def _by_exit(call: ToolCall) -> Outcome:
    if call.exit_code in _KILLED:
        return Outcome.UNKNOWN
    if call.exit_code is not None:
        return Outcome.OK if call.exit_code == 0 else Outcome.FAILED
    return Outcome.UNKNOWN if call.status is CallStatus.ERROR else Outcome.OK


@cache
def _cues(kind: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in load_table("footprint", "cues.toml")[kind])


def _matches(kind: str, text: str) -> bool:
    head = text.lstrip()[:_SHORT]
    return any(cue.match(head) for cue in _cues(kind))
