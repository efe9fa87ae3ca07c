"""The catalogs: profiles of tools whose behaviour is known, bound to their origin.

Each entry of the TOML files carries examples; the tests run every one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from gate_core.data import load_table, parse_row, row_texts
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile, parse_profile
from gate_core.profiles.origin import BUILTIN

CATALOGS = ("neutral", "claude", "anthropic", "langchain", "openai", "mcp")


def profiles_named(origin: str, name: str) -> tuple[ToolProfile, ...]:
    """The entries of a tool name at an origin, in catalog order. Names recur: frameworks share them."""
    return tuple(profile for profile in _named(name) if profile.origin == origin)


@lru_cache(1024)
def _named(name: str) -> tuple[ToolProfile, ...]:
    return tuple(_profile(parse_row(text)) for text in _texts().get(name, ()))


def _profile(row: Mapping[str, Any]) -> ToolProfile:
    data = {key: value for key, value in row.items() if key not in ("name", "examples")}
    return parse_profile(row["name"], {"origin": BUILTIN, **data})


@cache
def _texts() -> dict[str, list[str]]:
    """Name -> the rows of that name, as they stand in the files."""
    found: dict[str, list[str]] = {}
    for catalog in CATALOGS:
        for text in row_texts("tool", "profiles", "catalog", f"{catalog}.toml")[1]:
            if (name := _NAME.search(text)) is not None:
                found.setdefault(name[1], []).append(text)
    return found


_NAME = late(r'^name = "([^"\\]*)"$', re.MULTILINE)


def entries() -> list[dict[str, Any]]:
    """All rows of all catalogs as they stand in the files, examples included."""
    return [row for name in CATALOGS for row in load_table("profiles", "catalog", f"{name}.toml")["tool"]]
