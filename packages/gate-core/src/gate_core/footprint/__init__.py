"""From a call to a fact: what it did to which target, how it ended, what it showed (spec 10, spec 20)."""

from __future__ import annotations

from gate_core.footprint.observe import observe

__all__ = ["observe"]
