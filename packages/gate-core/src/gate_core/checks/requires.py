"""Required signals: no completion without them (spec 10, `completion`; spec 20, `requires`)."""

from __future__ import annotations

from collections.abc import Iterable

from gate_core.checks.finding import finding
from gate_core.ledger import Ledger
from gate_core.model.codes import Code
from gate_core.model.config import GateConfig
from gate_core.model.kinds import Claim, SignalState
from gate_core.model.reading import Reading
from gate_core.model.verdict import Finding


def check_requires(reading: Reading, ledger: Ledger, config: GateConfig) -> Iterable[Finding]:
    """Each required signal must have passed, last, and be current."""
    if reading.claim is not Claim.COMPLETION:
        return
    for name in config.requires:
        raised = ledger.signals.get(name)
        if raised is None or raised.event.state is not SignalState.PASSED:
            yield finding(Code.SIGNAL_MISSING, name)
        elif not raised.current:
            yield finding(Code.SIGNAL_STALE, name, evidence=(raised.fact,))
