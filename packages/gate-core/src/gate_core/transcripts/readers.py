"""Readers of transcripts that others wrote: which there are, which one a file is for (spec 60, "Reading other people's
transcripts").

A reader is a module in the entry-point group `gate_core.transcripts` with

* `NAME`: the word for `--from`;
* `detects(head) -> bool`: is this the beginning of such a file?
* `read(lines, problem) -> conversations`: objects that follow the schema of `gate-transcript/1`, one after the other;
  `problem(line, what)` is told what cannot be read and is skipped;
* optional, for formats that spread one conversation over files: `read_path(path, problem)` in place of `read`, and
  `is_part(path) -> bool` for files that another one brings along.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from gate_core.model.errors import TranscriptError
from gate_core.model.json import JsonObject
from gate_core.transcripts.files import Problem, Read, read_file

Tell = Callable[[int, str], None]
GROUP, OWN = "gate_core.transcripts", "gate"
_SHIPPED = {"codex": "gate_core.transcripts.codex", "opencode": "gate_core.transcripts.opencode"}
"""Readers that need no framework, beside those of the entry points."""

HEAD = 64 * 1024  # characters by which a format is recognised


class Reader(Protocol):
    """What the module of an entry point offers; `read_path` and `is_part` may be missing."""

    NAME: str

    def detects(self, head: str) -> bool:
        """True when these first lines are of this format."""
        ...

    def read(self, lines: Iterable[str], problem: Tell) -> Iterator[JsonObject]:
        """The conversations in these lines."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A line of a file that was left out, and why."""

    file: str
    line: int
    why: str


@cache
def reader_names() -> tuple[str, ...]:
    """The formats that can be read here, our own first."""
    return (OWN, *_SHIPPED, *sorted({point.name for point in entry_points(group=GROUP)} - {OWN, *_SHIPPED}))


@cache
def reader(name: str) -> Reader:
    """The reader of a format, loaded when it is first asked for: one brings its whole framework."""
    where = _SHIPPED.get(name) or next(iter(entry_points(group=GROUP, name=name))).value
    found: Reader = importlib.import_module(where)
    return found


def format_of(path: Path) -> str | None:
    """The format of a file by its beginning, None when no reader knows it.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open(encoding="utf-8", errors="replace") as file:
        head = file.read(HEAD)
    if '"gate-transcript/' in head:
        return OWN
    return next((name for name in reader_names()[1:] if _detects(name, head)), None)


def _detects(name: str, head: str) -> bool:
    try:
        return reader(name).detects(head)
    except ImportError:  # its framework is not whole; the other readers do not need it
        return False


def conversations(path: Path, name: str) -> Iterator[Read | Skipped | Problem]:
    """What a file of a format holds, one conversation after the other, and what of it cannot be read."""
    if name == OWN:
        yield from read_file(path)
        return
    skipped: list[Skipped] = []

    def tell(line: int, what: str) -> None:
        skipped.append(Skipped(file=str(path), line=line, why=what))

    try:
        for told in _told(reader(name), path, tell):
            yield from skipped
            skipped.clear()
            yield Read(transcript=told, file=str(path), line=1)
    except (OSError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it goes too deep"
        yield Problem(error=TranscriptError(f"cannot be read: {why}", file=str(path), line=1, pointer=""))
    yield from skipped


def _told(chosen: Reader, path: Path, tell: Tell) -> Iterator[JsonObject]:
    read_path: Callable[[Path, Tell], Iterator[JsonObject]] | None = getattr(chosen, "read_path", None)
    if read_path is not None:
        yield from read_path(path, tell)
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        yield from chosen.read(lines, tell)


def is_part(path: Path, name: str) -> bool:
    """True for a file that belongs to another one of the same format, which reads it."""
    asked: Callable[[Path], bool] | None = None if name == OWN else getattr(reader(name), "is_part", None)
    return asked is not None and asked(path)
