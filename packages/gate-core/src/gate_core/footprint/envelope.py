"""What an object result says about how the call ended: codes, flags, errors, counts (spec 20, "Outcome of a call").

Only the envelope is read: the keys that tools use to report. `failed` means that nothing happened, `unknown` that
something may have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from gate_core.data import load_table
from gate_core.footprint.body import body_of
from gate_core.footprint.cues import matches
from gate_core.model.json import Json, JsonObject, leaves, text_of
from gate_core.model.kinds import Outcome
from gate_core.model.late import late

_BAD = (Outcome.FAILED, Outcome.UNKNOWN, Outcome.NO_OP, Outcome.PENDING)
_HANDLE = late(r"(?:_id|Id|_url|Url)$|^(?:task|job|operation|location|Location)$")
"""The keys by which a job that waits is found again."""
_MOST = 200  # results of one call that are looked at


def by_object(told: JsonObject, *, depth: int = 2) -> Outcome | None:
    """The outcome an object tells, or None when it tells none. A failure may hide one level inside a success."""
    found = _by_code(told) or _by_status(told) or _by_flag(told) or _by_words(told) or _by_counts(told)
    if found is None and depth:
        found = _by_parts(told, depth - 1)
    return found


def run_report(result: Json) -> JsonObject | None:
    """The object in which a tool that runs programs reports a run: its exit code, or both of its streams, and nothing
    that is no part of a run. A framework that knows only texts hands it over as JSON."""
    body = body_of(result)
    if body.told is None and not any(key in body.text for key in ("metadata", "stderr", *keys("exit_codes"))):
        return None
    told = body.object
    if told is None or not keys("run").issuperset(told):
        return None
    ended = any(type(told.get(key)) is int for key in keys("exit_codes")) or isinstance(told.get("metadata"), Mapping)
    streams = all(isinstance(told.get(key), str) for key in ("stdout", "stderr"))
    return told if streams or (ended and any(isinstance(told.get(key), str) for key in keys("printed"))) else None


def is_complaint(told: JsonObject) -> bool:
    """True for an object that holds an error and nothing that was asked for."""
    if keys("payload").intersection(told):
        return False
    wrong = told.get("isError") or any(told.get(key) for key in keys("wrong"))
    return bool(wrong) or _denies(told) or (is_bare(told) and (_status(told) or 0) >= 400)


def is_bare(told: JsonObject) -> bool:
    """True for an object whose keys only report."""
    return keys("report").issuperset(told)


def complaint(told: JsonObject) -> str:
    """The text of the error an object reports."""
    for key in ("error", "errors", "message", "detail"):
        value = told.get(key)
        value = value[0] if isinstance(value, list | tuple) and value else value
        value = value.get("message", value.get("code")) if isinstance(value, Mapping) else value
        if isinstance(value, str) and value:
            return value
    return "not found" if _status(told) in (404, 410) else ""


def _by_code(told: JsonObject) -> Outcome | None:
    for key in keys("exit_codes"):
        code = told.get(key)
        if isinstance(code, int) and not isinstance(code, bool):
            return Outcome.OK if code == 0 else Outcome.FAILED
    return None


def _by_status(told: JsonObject) -> Outcome | None:
    status = _status(told)
    if status is not None and status >= 400:
        return Outcome.FAILED if status < 500 else Outcome.UNKNOWN
    if status == _ACCEPTED and _state(record(told)) in keys("waiting_status") | keys("pending_status"):
        return Outcome.PENDING
    word = told.get("status")
    if not isinstance(word, str):
        return None
    if word.lower() in keys("failed_status"):
        return _failure(told)
    if word.lower() in keys("queue_status") and all(key in keys("report") or _HANDLE.search(key) for key in told):
        return Outcome.PENDING
    waits = word.lower() in keys("waiting_status") or (word.lower() in keys("pending_status") and "id" not in told)
    return Outcome.PENDING if waits and is_bare(told) else None


_ACCEPTED = 202
"""The status by which a host takes a job on that it has not done yet."""


def record(told: JsonObject) -> JsonObject:
    """The object that the answer to a request carries; the object itself where it is no such answer."""
    body = told.get("body", told.get("data"))
    return body if isinstance(body, Mapping) and _status(told) is not None else told


def _state(told: JsonObject) -> str:
    word = told.get("state", told.get("status"))
    return word.lower() if isinstance(word, str) else ""


def _status(told: JsonObject) -> int | None:
    status = told.get("statusCode", told.get("status_code", told.get("status")))
    if isinstance(status, str) and re.fullmatch(r"[1-5]\d\d", status):
        return int(status)
    return status if isinstance(status, int) and not isinstance(status, bool) else None


def _denies(told: JsonObject) -> bool:
    return told.get("success") is False or told.get("ok") is False or told.get("isError") is True


def _by_flag(told: JsonObject) -> Outcome | None:
    if _denies(told):
        return _failure(told)
    tallies = keys("tallies") if _is_report(told) else frozenset()
    if not any(_counts(told.get(key)) for key in (*keys("wrong"), *tallies)):
        return None
    done = any(_counts(told.get(key)) for key in keys("done"))
    return Outcome.UNKNOWN if done else _failure(told)


def _by_words(told: JsonObject) -> Outcome | None:
    """An object that only reports, and whose report is a complaint: the fields a validation found wrong, or a message
    that speaks of a failure."""
    detail = told.get("detail", told.get("details"))
    parts = detail if isinstance(detail, list | tuple) else ()
    if parts and all(isinstance(part, Mapping) and "msg" in part and "loc" in part for part in parts):
        return Outcome.FAILED
    said = [told.get(key) for key in ("detail", "message", "msg")]
    if not is_bare(told) or told.get("success") is True or told.get("ok") is True or handles(told):
        return None
    bad = any(isinstance(text, str) and matches("failed_without_effect", text) for text in said)
    return _failure(told) if bad else None


def _is_report(told: JsonObject) -> bool:
    """True for an object that reports and counts, and is no record of the thing itself."""
    return all(
        key in keys("report") or key in keys("tallies") or key in keys("done") or key in keys("counts") for key in told
    )


def _counts(value: Json) -> bool:
    """True for what is neither zero nor empty."""
    return bool(value) and value not in ("", "0", "null", "none", "None")


def _failure(told: JsonObject) -> Outcome:
    """A failure that says it was cut off may have had an effect; any other that a tool reports had none."""
    said = (told.get(key) for key in ("error", "errors", "message", "detail"))
    return Outcome.UNKNOWN if any(matches("cut_off", text_of(text)) for text in said) else Outcome.FAILED


def _by_counts(told: JsonObject) -> Outcome | None:
    """Nothing was touched, by the tool's own count."""
    sure = [told[key] for key in keys("sure_counts") if isinstance(told.get(key), int)]
    if sure and not any(sure):
        return Outcome.NO_OP
    counts = [told[key] for key in keys("counts") if isinstance(told.get(key), int)]
    return Outcome.NO_OP if counts and not any(counts) and _is_report(told) else None


def handles(told: JsonObject) -> frozenset[str]:
    """The ids and addresses by which an object names a job."""
    named = (told[key] for key in told if key == "id" or _HANDLE.search(key))
    return frozenset(str(value) for value in named if isinstance(value, str | int) and str(value))


def asked_for(args: JsonObject) -> frozenset[str]:
    """What a look asked for: the words of its arguments, and the last part of an address."""
    words = leaves(args)
    return frozenset((*words, *(word.partition("?")[0].rstrip("/").rpartition("/")[2] for word in words)))


def ended(told: JsonObject) -> bool | None:
    """Whether a job ended well, by its status; None while it runs, or where its status says neither."""
    words = {str(told.get(key)).lower() for key in ("status", "state")}
    if words & keys("failed_status"):
        return False
    return True if words & keys("ended_status") else None


def _by_parts(told: JsonObject, depth: int) -> Outcome | None:
    """The worst an inner object says; of many results, whether all or some went wrong."""
    inner = [told[key] for key in keys("inner") if isinstance(told.get(key), Mapping | Sequence)]
    for value in inner:
        parts = [by_object(part, depth=depth) for part in _objects(value)]
        bad = [part for part in parts if part in _BAD]
        if bad:
            return bad[0] if len(bad) == len(parts) else Outcome.UNKNOWN
    return None


def _objects(value: Json) -> Iterator[JsonObject]:
    items = [value] if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else []
    yield from (item for item in items[:_MOST] if isinstance(item, Mapping))


@cache
def keys(kind: str) -> frozenset[str]:
    """A list of keys or words of the data file."""
    return frozenset(load_table("footprint", "cues.toml")["envelope"][kind])
