"""The budget check: a claim at the end of the rope (spec 10, "Budget and halt")."""

from __future__ import annotations

from collections.abc import Iterable

from gate_core.checks.finding import finding
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.kinds import Claim
from gate_core.model.reading import Reading
from gate_core.model.verdict import Finding


def check_budget(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """Nothing left: an assertion or completion rests on reasoning alone."""
    if reading.claim in (Claim.ASSERTION, Claim.COMPLETION) and ledger.budget.left == 0:
        yield finding(Code.BUDGET_EXHAUSTED)
