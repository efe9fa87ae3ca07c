"""A verdict back from the JSON a thread keeps of it."""

from __future__ import annotations

from collections.abc import Mapping

from gate_core import StateError, Verdict


def read_verdict(data: object) -> Verdict | None:
    """The verdict that `Verdict.to_dict` wrote, None for anything else."""
    if not isinstance(data, Mapping):
        return None
    try:
        return Verdict.from_dict(data)
    except StateError:
        return None
