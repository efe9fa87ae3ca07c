"""Required signals: no completion without them (spec 10, `completion`; spec 20, `requires`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gate_core.checks.finding import finding
from gate_core.checks.remedies import remedy_of
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
        yield from check_signal(name, ledger)


_CODES = {
    SignalState.FAILED: Code.SIGNAL_CONTRADICTED,
    SignalState.EMPTY: Code.SIGNAL_EMPTY,
    SignalState.MASKED: Code.SIGNAL_INCONCLUSIVE,
    SignalState.UNCLEAR: Code.SIGNAL_INCONCLUSIVE,
}


def check_signal(name: str, ledger: Ledger) -> Iterator[Finding]:
    """What keeps a signal from being current and passed; nothing when it is."""
    raised = ledger.signals.get(name)
    if raised is None:
        yield finding(Code.SIGNAL_MISSING, name, fix=remedy_of(name))
    elif raised.event.state is not SignalState.PASSED:
        fix = remedy_of(name) if raised.event.state is not SignalState.FAILED else None
        yield finding(_CODES[raised.event.state], name, evidence=(raised.fact,), fix=fix)
    elif not raised.current:
        yield finding(Code.SIGNAL_STALE, name, evidence=(raised.fact,), fix=remedy_of(name))
