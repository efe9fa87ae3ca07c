"""Finds all texts of the final response in the session's transcript.

A Stop event carries only the last text block. The CLI writes the transcript a moment later (12 to 92 ms were measured;
before a quick first answer there is no file at all), one line per content block. So the wait is short and bounded, and
ends as soon as the last block is there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gate_claude_sdk._payload import as_list, as_object, as_text
from gate_core import JsonObject

PATIENCE = 2.0
"""Seconds a Stop waits for the last block to stand in the transcript before it makes do with that block."""

FIRST_PATIENCE = 0.5
"""Seconds a Stop waits for a transcript that is not there at all: a host can switch transcripts off."""

_PAUSE = 0.01  # seconds between looks
_TAIL = 4 << 20  # bytes; one response is far smaller, a transcript may be far larger


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one look into the transcript found: the texts of the final response, where the file ended, and whether the
    main agent called a tool since the last look. Without texts `end` is where that look began."""

    texts: tuple[str, ...] = ()
    end: int = 0
    calls: bool = False


def transcript_end(path: str) -> int:
    """The size of the transcript in bytes, 0 while there is none: what is said from now on comes after it."""
    try:
        return Path(path).stat().st_size if path else 0
    except OSError:
        return 0


async def final_texts(path: str, last: str, *, since: int, patience: float = PATIENCE) -> Heard:
    """All texts of the response that ended with the block `last`, once they stand in the transcript.

    Only lines after byte `since` count, so that an earlier draft with the same last block is not taken for this one.
    When the block does not show up in time there are no texts.
    """
    import anyio  # the command hook waits without an event loop, and has to start quickly

    begun = time.monotonic()
    found = _look(path, last, since)
    while _worth_waiting(found, path, last, begun, patience):
        await anyio.sleep(_PAUSE)
        found = _look(path, last, since)
    return found


def wait_for_texts(path: str, last: str, *, since: int, patience: float = PATIENCE) -> Heard:
    """`final_texts` for a process that has nothing else to do."""
    begun = time.monotonic()
    found = _look(path, last, since)
    while _worth_waiting(found, path, last, begun, patience):
        time.sleep(_PAUSE)
        found = _look(path, last, since)
    return found


def _worth_waiting(found: Heard, path: str, last: str, begun: float, patience: float) -> bool:
    if found.texts or not path or not last:
        return False
    limit = patience if Path(path).is_file() else min(patience, FIRST_PATIENCE)
    return time.monotonic() - begun < limit


def _look(path: str, last: str, since: int) -> Heard:
    if not path:
        return Heard(end=since)
    data, start = _tail(path, since)
    texts, calls = texts_ending_with(data, last), calls_in(data)
    return Heard(texts=texts, end=start + data.rfind(b"\n") + 1 if texts else since, calls=calls)


def texts_ending_with(data: bytes, last: str) -> tuple[str, ...]:
    """The texts of the newest response in transcript lines, if its last text is `last`; else none."""
    responses: dict[str, list[str]] = {}
    for message in _responses(data):
        found = [as_text(as_object(block).get("text")) for block in as_list(message.get("content"))]
        texts = responses.setdefault(as_text(message.get("id")), [])
        texts += [text for text in found if text]
    newest = next(reversed(responses.values()), [])
    return tuple(newest) if newest and last and newest[-1].strip() == last.strip() else ()


def calls_in(data: bytes) -> bool:
    """True when the main agent called a tool in these transcript lines."""
    blocks = (as_object(block) for message in _responses(data) for block in as_list(message.get("content")))
    return any(block.get("type") == "tool_use" for block in blocks)


def _responses(data: bytes) -> Iterator[JsonObject]:
    """The main agent's messages in whole lines; a line still being written and lines of no interest are left out."""
    for line in data[: data.rfind(b"\n") + 1].splitlines():
        if b'"assistant"' not in line:
            continue
        try:
            row = as_object(json.loads(line))
        except ValueError:
            continue
        if row.get("type") == "assistant" and not row.get("isSidechain"):
            yield as_object(row.get("message"))


def _tail(path: str, since: int) -> tuple[bytes, int]:
    """The bytes after `since`, but not more than the last of them; a file that shrank is read from its start."""
    try:
        with Path(path).open("rb") as file:
            size = file.seek(0, 2)
            start = max(since if since <= size else 0, size - _TAIL)
            file.seek(start)
            return file.read(), start
    except OSError:
        return b"", since
