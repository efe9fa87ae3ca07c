"""What would satisfy a finding, in words of our own that a model can act on (spec 10, "Feedback")."""

from __future__ import annotations

from functools import cache

from gate_core.data import load_table
from gate_core.footprint.targets import FILES
from gate_core.ledger import Debt
from gate_core.model.fact import Effect


def remedy_of(signal: str) -> str | None:
    """The command or the step that raises a signal where it can be seen; None for a signal of the user's own."""
    row = signal_rows().get(signal)
    return f"{row['run']}, then answer again" if row is not None else None


@cache
def signal_rows() -> dict[str, dict[str, str]]:
    """Signal -> how feedback names it (`says`), what would show it (`run`), and after a run of nothing (`anew`)."""
    return dict(load_table("checks", "statements.toml")["signals"])


@cache
def _clients() -> dict[str, str]:
    """Domain -> by what one looks into it."""
    return dict(load_table("checks", "statements.toml")["look_with"])


def payment_of(debt: Debt) -> str | None:
    """What pays a debt; None where it is enough to read its target."""
    client = _clients().get(debt.domain)
    if client is not None and debt.change.ran:
        what = "{subject}" if not debt.target.startswith("tool:") else f"what was changed in {debt.domain}"
        end = "is gone" if debt.gone else "is so"
        return f"look at {what} with {client}, so that its result shows that it {end}, then answer again"
    if debt.gone and debt.domain == FILES:
        return "list the folder of {subject} or try to read it, so that its absence shows, then answer again"
    if debt.gone:
        return "look {subject} up, so that its absence shows, then answer again"
    if debt.target.startswith("tool:"):
        return "look at what {subject} changed with a reading tool, then answer again"
    return None


def payment_of_opaque(effect: Effect) -> str:
    """What pays for a change that nobody can name."""
    client = _clients().get(effect.domain)
    if client is not None:
        return f"look at what was changed with {client}, so that its result shows it, then answer again"
    return "look at what was changed with a tool that shows it, then answer again"
