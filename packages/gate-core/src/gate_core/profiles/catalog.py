"""The catalogs: profiles of tools whose behaviour is known, bound to their origin.

Each entry of the TOML files carries examples; the tests run every one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from gate_core.data import load_table
from gate_core.model.profile import ToolProfile, parse_profile
from gate_core.profiles.origin import BUILTIN

CATALOGS = ("neutral", "claude", "anthropic", "langchain", "openai", "mcp")


@cache
def catalog() -> Mapping[tuple[str, str], tuple[ToolProfile, ...]]:
    """(origin, tool name) -> the entries of that name, in catalog order. Names recur: frameworks share them."""
    found: dict[tuple[str, str], list[ToolProfile]] = {}
    for row in entries():
        data = {key: value for key, value in row.items() if key not in ("name", "examples")}
        profile = parse_profile(row["name"], {"origin": BUILTIN, **data})
        found.setdefault((profile.origin, profile.name), []).append(profile)
    return {key: tuple(rows) for key, rows in found.items()}


def entries() -> list[dict[str, Any]]:
    """All rows of all catalogs as they stand in the files, examples included."""
    return [row for name in CATALOGS for row in load_table("profiles", "catalog", f"{name}.toml")["tool"]]
