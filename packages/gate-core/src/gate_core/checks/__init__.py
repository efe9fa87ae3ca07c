"""The checks: functions of one signature, (Reading, Ledger, GateConfig) -> findings. `decide` alone makes a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from gate_core.checks.altered import check_altered
from gate_core.checks.budget import check_budget
from gate_core.checks.floor import check_floor
from gate_core.checks.requires import check_requires
from gate_core.checks.statements import check_statements
from gate_core.checks.values import check_values
from gate_core.ledger import Ledger
from gate_core.model.config import GateConfig
from gate_core.model.kinds import Layer
from gate_core.model.reading import Reading
from gate_core.model.verdict import Finding

Check: TypeAlias = Callable[[Reading, Ledger, GateConfig], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    check_floor,
    check_requires,
    check_statements,
    check_altered,
    check_values,
    check_budget,
)
"""In the order of spec 10, "Boundary and retry control"."""

BUILT = frozenset({Layer.FLOOR, Layer.BUDGET, Layer.STATEMENTS, Layer.VALUES, Layer.ACTIONS, Layer.WRITES})
"""The layers with a dial that this version checks; the others are reported as unchecked when switched on."""
