"""The files a command is given: files as named, folders by what is in them, each with its format."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gate_core.transcripts import Problem, Read, Skipped, conversations, reader_names
from gate_core.transcripts.readers import format_of, is_part

_SUFFIXES = (".jsonl", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file. `format` is "" when it is of none; `why` says what is wrong with one that was asked for by name."""

    path: Path
    format: str = ""
    why: str = ""


def found_files(names: Iterable[str], given: str | None) -> Iterator[Found]:
    """Every file once. What lies in a folder and is no transcript is no error; what was named is."""
    for name in names:
        path = Path(name)
        if not path.is_dir():
            yield _found(path, given, named=True)
            continue
        files = [file for file in sorted(path.rglob("*")) if file.suffix in _SUFFIXES and file.is_file()]
        if not files:
            yield Found(path=path, why="no *.jsonl or *.json in this folder")
        for file in files:
            found = _found(file, given, named=False)
            if not found.format or not is_part(file, found.format):
                yield found


def _found(path: Path, given: str | None, *, named: bool) -> Found:
    try:
        if not path.stat().st_size:
            return Found(path=path, why="the file is empty" if named else "")
        name = given or format_of(path)
    except OSError as error:
        return Found(path=path, why=f"cannot be read: {error.strerror}")
    if name is not None:
        return Found(path=path, format=name)
    return Found(path=path, why=_unknown() if named else "")


def _unknown() -> str:
    return f"no known format (known here: {', '.join(reader_names())}); name it with --from"


def told_in(options: argparse.Namespace) -> Iterator[Read | Skipped | Problem]:
    """Everything in the files of a command: conversations, lines that are none, and what is wrong."""
    for found in found_files(options.files, options.format):
        if found.why:
            yield Skipped(file=str(found.path), line=1, why=found.why)
        if found.format:
            yield from conversations(found.path, found.format)


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The arguments by which a command is given conversations."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="as for gate replay")
    parser.add_argument(
        "--from", dest="format", choices=reader_names(), metavar="FORMAT", help="the format of the files"
    )
    parser.add_argument("--config", metavar="FILE", help="gate.toml, or pyproject.toml with [tool.gate]")


def size_of(path: Path) -> int:
    """The bytes of a file, 0 when it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
