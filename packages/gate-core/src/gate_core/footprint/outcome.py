"""How a call ended. All sources are read and the most specific decides: the profile's patterns, the body, text cues,
the exit code, the transport flag (spec 20, "Outcome of a call").

`failed` means that nothing happened; `unknown` means that it went wrong and may have had an effect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from gate_core.footprint.body import Body, body_of
from gate_core.footprint.cues import SHORT, is_line, is_partial, matches
from gate_core.footprint.envelope import by_object, complaint, handles, is_bare, is_complaint, keys, run_report
from gate_core.footprint.keys import Kind, kind_of
from gate_core.footprint.patch import operations
from gate_core.footprint.targets import FILES, last_name, words
from gate_core.model.call import ToolCall
from gate_core.model.json import JsonObject
from gate_core.model.kinds import CallStatus, Outcome, ToolEffect
from gate_core.model.profile import ToolProfile
from gate_core.profiles.verbs import name_words

_READERS = frozenset({ToolEffect.READ, ToolEffect.LIST, ToolEffect.SQL})
_CHANGERS = frozenset({ToolEffect.CHANGE, ToolEffect.DELETE, ToolEffect.MOVE})
_RUNNERS = frozenset({ToolEffect.EXEC, ToolEffect.SHELL})
_KILLED = frozenset({130, 137, 139, 141, 143})


def outcome_of(profile: ToolProfile, call: ToolCall) -> Outcome:
    """The outcome of an executed call."""
    if call.status is CallStatus.PENDING:
        return Outcome.PENDING
    if profile.effect in _READERS:
        plain = _is_plain_content(profile, call)
        return Outcome.OK if plain else _of_reader(profile, call, body_of(call.result))
    call = _with_hidden_error(call)
    body = body_of(call.result)
    told = _told(profile, body)
    if profile.effect is ToolEffect.DELETE and _is_told_missing(body, told):
        return Outcome.NOT_FOUND
    found = _by_profile(profile, body.text) or (by_object(told) if told is not None else None)
    if found is None and told is not None and (_is_refused(told, call) or _act_failed(told, call)):
        return Outcome.FAILED
    found = found or _by_items(profile, call) or _by_cue(profile, call, body) or _by_exit(profile, call, body)
    tried = found is Outcome.OK and profile.effect in _CHANGERS and only_tried(call.args)
    return Outcome.NO_OP if tried else found


def _is_plain_content(profile: ToolProfile, call: ToolCall) -> bool:
    """True for what can only be content: a long text from a call that nobody flagged, of many lines or from a tool
    that has no words of its own for a failure. Most reads are."""
    text = call.result
    if not isinstance(text, str) or len(text) < SHORT or call.status is not CallStatus.OK:
        return False
    if text[0] in "{[" or text[0].isspace():
        return False
    return "\n" in text or (not profile.failed and len(text.rstrip()) >= SHORT)


def exit_of(profile: ToolProfile, call: ToolCall) -> int | None:
    """The exit code of what a call ran: as the host says, else as the tool's own text does."""
    if call.exit_code is not None or not profile.exit:
        return call.exit_code
    found = re.search(profile.exit, body_of(call.result).text)
    return int(found[1][:9]) if found else None


def says_empty(call: ToolCall) -> bool:
    """True when the reader says in words that the file has nothing in it."""
    return matches("empty_file", body_of(call.result).text)


def only_tried(args: JsonObject) -> bool:
    """True when a tool was asked to say what it would do, and to do nothing."""
    asked = keys("dry_run").intersection(args)
    return any(args[key] in (True, "true", "True") for key in asked)


def _told(profile: ToolProfile, body: Body) -> JsonObject | None:
    """The object a tool reports with. What a program printed, and what a tool nobody knows answers, is content when
    it is text; only where it does nothing but report a run, or a failure, is it believed."""
    if body.told is not None:
        return body.told
    if profile.effect in _RUNNERS or profile.effect is ToolEffect.UNKNOWN:
        report = run_report(body.text)
        if report is not None or profile.effect in _RUNNERS:
            return report
    told = body.object
    if profile.effect is ToolEffect.UNKNOWN and told is not None and not (is_bare(told) and is_complaint(told)):
        return None
    return told


def _is_refused(told: JsonObject, call: ToolCall) -> bool:
    """True when a record says that what was asked for was refused, and refusing is not what was asked for."""
    word = str(told.get("status", told.get("state", ""))).lower()
    nothing_made = word in keys("unmade_status") and not handles(told)
    if word not in keys("refused_status") and not nothing_made:
        return False
    asked = {*name_words(call.tool), *(w.lower() for value in call.args.values() for w in words(value))}
    return not any(len(other) >= _STEM and word.startswith(other[:_STEM]) for other in asked)


def _act_failed(told: JsonObject, call: ToolCall) -> bool:
    """True when what a record holds of the very act is that it failed: {"refund": {"status": "failed"}} of a refund."""
    parts = (told.get(word) for word in name_words(call.tool))
    return any(isinstance(part, Mapping) and by_object(part, depth=0) is Outcome.FAILED for part in parts)


_STEM = 4  # letters by which "decline" and "declined" are one word


def _is_told_missing(body: Body, told: JsonObject | None) -> bool:
    """A deletion that finds nothing shows that the thing is not there."""
    text = body.text if told is None else complaint(told) if is_complaint(told) else ""
    return len(text) < SHORT and not is_partial(text) and matches("not_found", text)


def _with_hidden_error(call: ToolCall) -> ToolCall:
    """Some hosts show the agent a fixed sentence in place of a tool's error; `side.error` holds what it was."""
    hidden = call.side.get("error")
    if isinstance(hidden, str) and hidden and call.status is CallStatus.ERROR:
        return replace(call, result=hidden)
    return call


def _of_reader(profile: ToolProfile, call: ToolCall, body: Body) -> Outcome:
    text = body.text.strip()
    told = body.told if body.told is not None else _bare(body.object)
    if body.told is None and _shows_places(profile, call) and not _is_no_content(profile, call, body, told):
        told = None
    wrong = told is not None and is_complaint(told)
    if wrong or body.flagged or _by_profile(profile, text) is Outcome.FAILED or _is_error_text(profile, call, body):
        said = complaint(told) if wrong and told is not None else text
        found = matches("not_found", said) and not matches("query_error", said)
        return Outcome.NOT_FOUND if found else Outcome.FAILED
    return Outcome.EMPTY if not body.other and _is_empty(profile, call, body, text) else Outcome.OK


def _is_no_content(profile: ToolProfile, call: ToolCall, body: Body, told: JsonObject | None) -> bool:
    """True when an object that says no more than that there is no such file stands in place of one that holds no
    objects: a framework that knows only texts hands it over as JSON."""
    files = profile.domain == FILES or any(kind_of(str(key)).kind is Kind.PATH for key in call.args)
    if told is None or not files or not is_complaint(told) or not is_line(body.text.strip()):
        return False
    names = (last_name(word) for value in call.args.values() for word in words(value))
    kinds = {name.rpartition(".")[2].lower() for name in names if "." in name}
    said = complaint(told)
    return bool(kinds) and kinds.isdisjoint(keys("object_files")) and any(matches(cue, said) for cue in _NO_FILE)


_NO_FILE = ("error_line", "not_found")


def _bare(told: JsonObject | None) -> JsonObject | None:
    return told if told is not None and is_bare(told) else None


def _searches(profile: ToolProfile, call: ToolCall) -> bool:
    """True for a tool to which nothing found is an answer: a search, a listing, a query."""
    if profile.search or profile.effect in (ToolEffect.LIST, ToolEffect.SQL):
        return True
    return not _shows_places(profile, call) and not _SEARCHING.isdisjoint(name_words(call.tool))


_SEARCHING = frozenset({"search", "find", "query", "lookup", "count", "retrieve"})


def _is_empty(profile: ToolProfile, call: ToolCall, body: Body, text: str) -> bool:
    if not text or (text in ("[]", "{}", "null") and not (profile.domain == FILES and _is_content(profile, body))):
        return True
    if len(text) >= SHORT:
        return False
    if matches("empty_file", text) or matches("past_the_end", text):
        return True
    return matches("no_matches", text) and _searches(profile, call)


def _is_content(profile: ToolProfile, body: Body) -> bool:
    """What a reader of files answers is the file, whatever stands in it."""
    return not profile.search and body.spoken


def _shows_places(profile: ToolProfile, call: ToolCall) -> bool:
    """True when what is read is a file or a page: its text is content and never an envelope."""
    return profile.domain == FILES or any(kind_of(str(key)).kind in (Kind.PATH, Kind.URL) for key in call.args)


def _is_error_text(profile: ToolProfile, call: ToolCall, body: Body) -> bool:
    """The call was flagged as failed, or its whole answer is one short line that says so."""
    if _is_flagged(call):
        return True
    text = body.text.strip()
    if not body.spoken or body.other or not is_line(text):
        return False
    return matches("error_line", text) or _is_refusal(profile, call, text) or _is_service_line(profile, call, text)


def _is_error_line(call: ToolCall, body: Body) -> bool:
    """The call was flagged as failed, or its whole answer is one short line of an error."""
    text = body.text.strip()
    spoken = body.spoken and not body.other and is_line(text)
    return _is_flagged(call) or (spoken and matches("error_line", text))


def _is_flagged(call: ToolCall) -> bool:
    return call.status is CallStatus.ERROR and call.exit_code is None


def _is_service_line(profile: ToolProfile, call: ToolCall, line: str) -> bool:
    """The line of a service that says that it gave no answer."""
    return matches("service_line", line) and not _shows_places(profile, call)


def _is_refusal(profile: ToolProfile, call: ToolCall, line: str) -> bool:
    """The line names what was asked for and says it is not there, or an HTTP status."""
    if profile.search:
        return False
    if matches("status_line", line) and any(kind_of(str(key)).kind is Kind.URL for key in call.args):
        return True
    names = (last_name(word) for value in call.args.values() for word in words(value))
    return matches("missing_line", line) and any(name and name in line for name in names)


def _by_profile(profile: ToolProfile, text: str) -> Outcome | None:
    if profile.pending and any(re.search(pattern, text) for pattern in profile.pending):
        return Outcome.PENDING
    if _starts(text, profile.failed):
        return Outcome.FAILED
    if _starts(text, profile.nothing):
        return Outcome.NO_OP
    if profile.succeeded:
        return Outcome.OK if _starts(text, profile.succeeded) else Outcome.UNKNOWN
    return None


def _starts(text: str, patterns: tuple[str, ...]) -> bool:
    return bool(patterns) and any(re.match(pattern, text) for pattern in patterns)


def _by_items(profile: ToolProfile, call: ToolCall) -> Outcome | None:
    """A list of results: one outcome for each thing that was to be changed."""
    if profile.effect in (*_RUNNERS, ToolEffect.UNKNOWN) or not isinstance(call.result, list | tuple):
        return None
    return by_object({"results": call.result}, depth=1)


def _by_cue(profile: ToolProfile, call: ToolCall, body: Body) -> Outcome | None:
    found = _by_cues(profile, call, body)
    if found is Outcome.FAILED and len(operations(call.args.get(profile.operations))) > 1:
        return Outcome.UNKNOWN  # the first of several changes may have been made
    return found


def _by_cues(profile: ToolProfile, call: ToolCall, body: Body) -> Outcome | None:
    if not body.spoken or exit_of(profile, call) is not None:
        return None
    erred = call.status is CallStatus.ERROR or body.flagged
    if profile.effect is ToolEffect.UNKNOWN and not erred and not _is_error_line(call, body):
        return None
    return _by_words(body.text, erred=erred, ran=profile.effect in _RUNNERS)


def _by_words(text: str, *, erred: bool, ran: bool) -> Outcome | None:
    told = matches("failed", text) or matches("cut_off", text)
    if erred or told:
        if matches("failed_without_effect", text):
            return Outcome.FAILED
        return Outcome.UNKNOWN if told or erred else None
    if len(text) >= SHORT:
        return None
    if not ran and (is_partial(text) or matches("partial", text)):
        return Outcome.UNKNOWN
    if not ran and matches("pending", text):
        return Outcome.PENDING
    return Outcome.NO_OP if matches("no_op", text) else None


def _by_exit(profile: ToolProfile, call: ToolCall, body: Body) -> Outcome:
    code = exit_of(profile, call)
    if code in _KILLED:
        return Outcome.UNKNOWN
    if code is not None:
        return Outcome.OK if code == 0 else Outcome.FAILED
    return Outcome.UNKNOWN if call.status is CallStatus.ERROR or body.flagged else Outcome.OK
