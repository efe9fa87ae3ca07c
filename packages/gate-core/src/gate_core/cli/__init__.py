"""The `gate` command (spec 70)."""

from __future__ import annotations

from gate_core.cli.main import main

__all__ = ["main"]
