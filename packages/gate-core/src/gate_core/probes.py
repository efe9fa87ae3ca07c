"""The edge that takes the free looks the core asks for, on the local file system.

It follows no link out of its roots, reads no more than it needs, and never raises: what it cannot see stays open.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from gate_core.model.kinds import ProbeKind
from gate_core.model.verdict import Probe, ProbeResult

MAX_BYTES = 16 * 1024 * 1024
"""Larger files are not read; the agent has to look itself."""


class FileProber:
    """Takes probes inside `roots`. A relative path is looked for under each root in order."""

    def __init__(self, roots: Sequence[str | Path]) -> None:
        self._roots = [Path(root) for root in roots]

    def take(self, probes: Iterable[Probe]) -> tuple[ProbeResult, ...]:
        """One result per probe, in order. `held` is None where nothing could be seen."""
        return tuple(ProbeResult(probe=probe, held=self._held(probe)) for probe in probes)

    def _held(self, probe: Probe) -> bool | None:
        try:
            path = self._inside(probe.path)
            return None if path is None else _LOOKS[probe.kind](path, probe)
        except (OSError, ValueError, RuntimeError):
            return None

    def _inside(self, path: str) -> Path | None:
        """The real path, when it lies under a root after all links are followed; of several, the one that is there."""
        places = [(base / path, base) for base in (root.resolve() for root in self._roots)]
        inside = [
            real for real, base in ((place.resolve(), base) for place, base in places) if real.is_relative_to(base)
        ]
        return next((real for real in inside if _stat(real) is not None), inside[0] if inside else None)


def _contains(path: Path, probe: Probe) -> bool | None:
    seen = _stat(path)
    if seen is None:
        return False
    if not stat.S_ISREG(seen.st_mode) or seen.st_size > MAX_BYTES:
        return None
    with path.open("rb") as file:
        text = file.read(MAX_BYTES + 1).replace(b"\r\n", b"\n")
    if _bytes(probe.text) not in text:
        return False
    return None if probe.gone and _bytes(probe.gone) in text else True


def _bytes(text: str) -> bytes:
    return text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")


def _stat(path: Path) -> os.stat_result | None:
    """None only when the file is known to be missing; whatever else is in the way raises (`Path.exists` hides it)."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _exists(path: Path, probe: Probe) -> bool | None:
    return _stat(path) is not None


def _absent(path: Path, probe: Probe) -> bool | None:
    return _stat(path) is None


_LOOKS = {ProbeKind.FILE_CONTAINS: _contains, ProbeKind.EXISTS: _exists, ProbeKind.ABSENT: _absent}
