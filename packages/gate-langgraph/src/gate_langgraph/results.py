"""What a run came to, read from what it returned or from the state of its thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gate_core import Json, Verdict
from gate_langgraph._channels import REPORT, VERDICT
from gate_langgraph._read import read_verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """The gate's part of a run's result. `verdicts` are those of the last turn, oldest first."""

    verdict: Verdict | None = None
    verdicts: tuple[Verdict, ...] = ()
    exited_unverified: bool = False
    _progress: Mapping[str, Json] = field(default_factory=dict)

    def progress(self) -> dict[str, Json]:
        """`Gate.progress()` as of the last verdict; empty when no answer was judged."""
        return dict(self._progress)


def results(state: object) -> GateResult:
    """The gate's results from what `invoke` returned, a state's values, or a `StateSnapshot`.

    A state without the gate's channels gives an empty result: no verdict is not a good one.
    """
    values = getattr(state, "values", None) if not isinstance(state, Mapping) else state
    held = values if isinstance(values, Mapping) else {}
    report = held.get(REPORT)
    found = report if isinstance(report, Mapping) else {}
    progress = found.get("progress")
    verdicts = [read_verdict(item) for item in found.get("verdicts") or ()]
    return GateResult(
        verdict=read_verdict(held.get(VERDICT)),
        verdicts=tuple(v for v in verdicts if v is not None),
        exited_unverified=bool(found.get("exited_unverified")),
        _progress=progress if isinstance(progress, Mapping) else {},
    )
