"""The files a command is given: files as named, folders by what is in them, each with its format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

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
    from gate_core.transcripts import reader_names

    return f"no known format (known here: {', '.join(reader_names())}); name it with --from"


def size_of(path: Path) -> int:
    """The bytes of a file, 0 when it is gone."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
