"""Reads transcript files: JSON Lines or JSON arrays, each object checked against the shipped schema.

What is wrong is reported with file, line, pointer and what was expected; the other objects are still read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from gate_core.checks.requires import check_names
from gate_core.model.config import parse_config
from gate_core.model.errors import ConfigError, TranscriptError
from gate_core.model.json import JsonObject
from gate_core.transcripts.shape import Fits, quick_check


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One valid transcript and where it stands."""

    transcript: JsonObject
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One object, or a whole file, that is no transcript."""

    error: TranscriptError


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema of `gate-transcript/1`."""
    found: Mapping[str, Any] = json.loads((files("gate_core.transcripts") / "schema.json").read_text("utf-8"))
    return found


def read_file(path: str | Path) -> Iterator[Read | Problem]:
    """The transcripts of a file in order, and the problems between them."""
    name = str(path)
    try:
        if name.endswith(".jsonl"):
            with Path(path).open("rb") as file:
                yield from _lines(file, name)
            return
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not UTF-8 text"
        yield Problem(error=TranscriptError(f"cannot be read: {reason}", file=name, line=1, pointer=""))
        return
    if text.lstrip().startswith(("[", "{")):
        yield from _document(text, name)
    else:
        yield from _lines(text.encode("utf-8", "surrogatepass").split(b"\n"), name)


def _lines(lines: Iterable[bytes], name: str) -> Iterator[Read | Problem]:
    """An object a line, one at a time, so that a long file needs the room of its longest conversation."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                text = line.rstrip().decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                yield Problem(error=TranscriptError("expected UTF-8 text", file=name, line=number, pointer=""))
                continue
            yield _object(text, name, number)


def _document(text: str, name: str) -> Iterator[Read | Problem]:
    """One object, or an array of them. Objects a line each under another name than .jsonl are taken as lines."""
    try:
        whole = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        if text.lstrip().startswith("{") and "\n" in text.strip() and _is_json(text.strip().partition("\n")[0]):
            yield from _lines(text.encode().split(b"\n"), name)
        else:
            yield Problem(error=_not_json(error, name, 1))
        return
    if isinstance(whole, list):
        for index, item in enumerate(whole):
            yield _checked(item, name, 1, f"/{index}")
    else:
        yield _checked(whole, name, 1, "")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return False
    return True


def _object(line: str, name: str, number: int) -> Read | Problem:
    try:
        item = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        return Problem(error=_not_json(error, name, number))
    return _checked(item, name, number, "")


def _not_json(error: Exception, name: str, line: int) -> TranscriptError:
    if isinstance(error, json.JSONDecodeError):
        return TranscriptError(
            f"expected JSON: {error.msg} at column {error.colno}", file=name, line=line + error.lineno - 1, pointer=""
        )
    return TranscriptError("expected JSON of sensible depth", file=name, line=line, pointer="")


def _checked(item: Any, name: str, line: int, base: str) -> Read | Problem:
    found = problem_of(item)
    if found is not None:
        pointer, message = found
        return Problem(error=TranscriptError(message, file=name, line=line, pointer=base + pointer))
    return Read(transcript=item, file=name, line=line)


def problem_of(item: Any) -> tuple[str, str] | None:
    """(pointer, what was expected) of the first thing wrong with an object, None when it is a transcript."""
    if not _quick()(item) and (found := _said_by_schema(item)) is not None:
        return found
    try:
        check_names(parse_config(item.get("gate", {})))
        for at, profile in _inline_profiles(item):
            try:
                parse_config({"profiles": {"x": profile}})
            except ConfigError as wrong:
                return at, str(wrong)
    except ConfigError as wrong:
        return f"/gate/{_escaped(wrong.key)}" if wrong.key in item["gate"] else "/gate", str(wrong)
    return None


@cache
def _quick() -> Fits:
    return quick_check(schema())


def _said_by_schema(item: Any) -> tuple[str, str] | None:
    import jsonschema  # ships with the [cli] extra
    from jsonschema.exceptions import best_match

    error = best_match(_validator(jsonschema.Draft202012Validator).iter_errors(item))
    if error is None:
        return None
    return "".join(f"/{_escaped(part)}" for part in error.absolute_path), _plain(error)


@cache
def _validator(kind: Any) -> Any:
    return kind(schema())


def _escaped(part: object) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


def _plain(error: Any) -> str:
    """A validation error as what was expected and what came."""
    tell = _TELL.get(error.validator)
    return tell(error) if tell is not None else str(error.message)[:200]


def _unknown_key(error: Any) -> str:
    known = sorted(error.schema.get("properties", {}))
    unknown = sorted(set(error.instance) - set(known))
    return f"unknown key {unknown[0]!r}; expected one of {', '.join(known)}" if unknown else str(error.message)


def _wrong_type(error: Any) -> str:
    kinds = error.validator_value
    return f"expected {kinds if isinstance(kinds, str) else ' or '.join(kinds)}, got {error.instance!r:.60}"


_TELL: dict[str, Callable[[Any], str]] = {
    "additionalProperties": _unknown_key,
    "type": _wrong_type,
    "enum": lambda e: f"expected one of {', '.join(map(str, e.validator_value))}, got {e.instance!r:.60}",
    "const": lambda e: f"expected {e.validator_value!r}, got {e.instance!r:.60}",
    "required": lambda e: f"expected the keys {', '.join(e.validator_value)}; {e.message}",
    "anyOf": lambda e: "expected one of the keys text, parts, output, units",
}


def _inline_profiles(item: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for t, turn in enumerate(item["turns"]):
        for e, event in enumerate(turn["events"]):
            if "profile" in event:
                yield f"/turns/{t}/events/{e}/profile", event["profile"]
