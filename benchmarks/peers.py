"""The peers: other libraries that do some of the same work. A missing one is told once, and its rows go without it."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

GROUNDING_GATE = "grounding-gate"
JINGU = "jingu-trust-gate"


@cache
def peer(distribution: str) -> ModuleType | None:
    """The peer's module; None, and a line on stderr, when it is not installed."""
    try:
        return import_module(distribution.replace("-", "_"))
    except ImportError:
        how = "uv run --group benchmarks python -m benchmarks"
        print(f"{distribution} is not installed, so its rows have no ratio. With it: {how}", file=sys.stderr)
        return None


def named(distribution: str) -> str:
    """The peer's name and version."""
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return distribution
