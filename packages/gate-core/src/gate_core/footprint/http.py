"""What the host of a request said, where a client of the network ran in a shell: its exit status 0 only says that there
was an answer (spec 20, "Outcome of a call": the body outranks the exit)."""

from __future__ import annotations

import re

from gate_core.footprint.body import body_of
from gate_core.footprint.command import Command
from gate_core.footprint.envelope import by_object
from gate_core.footprint.targets import is_url
from gate_core.model.kinds import Outcome
from gate_core.model.late import late
from gate_core.shell import Role

_STATUS = late(r"^HTTP/[\d.]{1,4} (\d{3})\b", re.MULTILINE)
_WRITTEN = late(r"(?:^|[\s:=])([1-5]\d\d)\s*\Z")
_TELLS_STATUS = late(r"%\{(?:http_code|response_code)\}")
_CHANGES = frozenset({Role.WRITE, Role.MAKE, Role.DELETE, Role.LEAVE})
_WRONG = (Outcome.FAILED, Outcome.UNKNOWN)


def answered(command: Command) -> Outcome | None:
    """How a request ended that changes something on its host, where the command changes nothing else: by the status
    that was printed, or by the object that came back; None where neither says that it went wrong."""
    uses = command.analysis.uses
    sent = [place for use in uses for place in use.places if place.role is Role.RUN and is_url(place.word.text)]
    local = any(use.opaque or any(place.role in _CHANGES for place in use.places) for use in uses)
    if len(sent) != 1 or local or not sent[0].word.text.startswith("http"):
        return None
    status = _status(command)
    if status is not None:
        return None if status < 400 else Outcome.FAILED if status < 500 else Outcome.UNKNOWN
    told = body_of(command.rest).object
    found = by_object(told) if told is not None else None
    return found if found in _WRONG else None


def _status(command: Command) -> int | None:
    """The HTTP status that the command printed, by itself or among the headers."""
    words = (word.text for stage in command.analysis.stages for word in stage.argv)
    told = _WRITTEN.search(command.rest) if any(_TELLS_STATUS.search(word) for word in words) else None
    if told is not None:
        return int(told[1])
    heads = _STATUS.findall(command.rest)
    return int(heads[-1]) if heads else None
