"""Which kinds of statement are proved precise in which language: data that the benchmark computes (spec 20)."""

from __future__ import annotations

from functools import cache

from gate_core.data import load_table


def is_certified(kind: str, language: str) -> bool:
    """True when held-back sentences of the language proved the kind precise."""
    return kind in _table().get(language, frozenset())


@cache
def _table() -> dict[str, frozenset[str]]:
    rows = load_table("checks", "certified.toml")
    return {language: frozenset(kinds) for language, kinds in rows.get("certified", {}).items()}
