"""Reads the data files the core ships: catalogs, cues, language packs. The one place in the core that opens a file,
and it opens only files of this distribution."""

from __future__ import annotations

import json
import os.path
import tomllib
from functools import cache
from typing import Any

_HERE = os.path.dirname(__file__)


@cache
def load_table(room: str, *path: str) -> dict[str, Any]:
    """The TOML file of a room as plain data, read once per process. `room` is a package below `gate_core`."""
    with open(os.path.join(_HERE, room, *path), encoding="utf-8") as file:
        return tomllib.loads(file.read())


@cache
def load_head(end: str, room: str, *path: str) -> dict[str, Any]:
    """What stands in a TOML file before the first line that begins with `end`: "[" for what belongs to no table,
    "[[examples]]" for all but the examples, which only tests need."""
    with open(os.path.join(_HERE, room, *path), encoding="utf-8") as file:
        return tomllib.loads(f"\n{file.read()}".partition(f"\n{end}")[0])


@cache
def load_section(name: str, room: str, *path: str) -> dict[str, Any]:
    """One table `[name]` of a TOML file without the rest of it; for what a process needs of many files."""
    with open(os.path.join(_HERE, room, *path), encoding="utf-8") as file:
        _, found, rest = f"\n{file.read()}".partition(f"\n[{name}]\n")
    if not found:
        raise KeyError(name)
    return tomllib.loads(rest.partition("\n[")[0])


@cache
def row_texts(table: str, room: str, *path: str) -> tuple[str, tuple[str, ...]]:
    """What stands before the first `[[table]]` of a TOML file, and each such row, as texts: of a long table a process
    needs a few rows, and to parse all of them takes longer than to use them."""
    with open(os.path.join(_HERE, room, *path), encoding="utf-8") as file:
        head, *rows = f"\n{file.read()}".split(f"\n[[{table}]]\n")
    return head, tuple(rows)


def parse_row(text: str) -> dict[str, Any]:
    """One text of `row_texts` as plain data."""
    return tomllib.loads(text)


def load_json(room: str, *path: str) -> Any:
    """The JSON file of a room, or None when it ships none: what is worked out of a table beforehand."""
    name = os.path.join(_HERE, room, *path)
    if not os.path.exists(name):
        return None
    with open(name, encoding="utf-8") as file:
        return json.load(file)


def has_table(room: str, *path: str) -> bool:
    """True when a room ships such a file."""
    return os.path.exists(os.path.join(_HERE, room, *path))
