"""Reads the data files the core ships: catalogs, cues, language packs. The one place in the core that opens a file,
and it opens only files of this distribution."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_table(room: str, *path: str) -> dict[str, Any]:
    """The TOML file of a room as plain data, read once per process. `room` is a package below `gate_core`."""
    return tomllib.loads(files(f"gate_core.{room}").joinpath(*path).read_text("utf-8"))
