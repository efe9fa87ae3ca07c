"""`progress()`: where a conversation stands, as plain numbers and names (spec 00)."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core.ledger import Ledger
from gate_core.model.json import Json
from gate_core.model.kinds import Exit, SignalState


def progress(ledger: Ledger) -> dict[str, Json]:
    """The counters. Everything comes from the state, so they are the same in every process."""
    config, budget = ledger.config, ledger.budget
    here = ledger.calls_here
    changed = [fact.step for fact, _ in ledger.changes_here]
    looked = [fact.step for fact in ledger.looks_here]
    current = sorted(name for name, r in ledger.signals.items() if r.current and r.event.state is SignalState.PASSED)
    exits = ledger.state.exits
    return {
        "budget": budget.left,
        "cap": budget.cap,
        "refill": budget.refill,
        "headroom": budget.cap - budget.left,
        "step": ledger.last_step,
        "turn": ledger.turn,
        "halted": budget.halted,
        "grounded": exits.get(Exit.GROUNDED, 0),
        "verified": exits.get(Exit.VERIFIED, 0),
        "rejections": sum(1 for t in ledger.tries if t.pairs),
        "steps_since_change": _since(ledger, changed),
        "steps_since_verification": _since(ledger, looked),
        "pending": [debt.target for debt in ledger.debts if debt.by is None],
        "looks_this_turn": len(ledger.looks_here),
        "signals": list(current),
        "unmet_signals": [name for name in config.requires if name not in current],
        "unverified_exits": exits.get(Exit.UNVERIFIED, 0),
        "blocks": sum(1 for t in ledger.tries if t.feedback),
        "max_blocks": config.max_blocks,
        "calls_this_turn": len(here),
        "exited_unverified": ledger.state.exited_unverified,
    }


def _since(ledger: Ledger, steps: Sequence[int]) -> int | None:
    return ledger.last_step - max(steps) if steps else None
