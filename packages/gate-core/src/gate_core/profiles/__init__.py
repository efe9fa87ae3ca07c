"""What is known of tools, as data, and how a call finds the profile that applies to it (spec 10)."""

from __future__ import annotations

from gate_core.profiles.origin import bare_name, origin_of
from gate_core.profiles.resolve import Resolved, resolve

__all__ = ["Resolved", "bare_name", "origin_of", "resolve"]
