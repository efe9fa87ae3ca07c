"""What shows a signal visibly, in words of our own (checks/statements.toml)."""

from __future__ import annotations

from functools import cache

from gate_core.data import load_table


def remedy_of(signal: str) -> str | None:
    """The command or the step that raises a signal where it can be seen; None for a signal of the user's own."""
    row = signal_rows().get(signal)
    return f"{row['run']}, then answer again" if row is not None else None


@cache
def signal_rows() -> dict[str, dict[str, str]]:
    """Signal -> how feedback names it (`says`) and what would show it (`run`)."""
    return dict(load_table("checks", "statements.toml")["signals"])
