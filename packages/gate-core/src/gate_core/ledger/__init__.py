"""The ledger: facts in order, and what is folded from them when asked. Nothing here is stored (spec 00)."""

from __future__ import annotations

from gate_core.ledger.book import Debt
from gate_core.ledger.ledger import Ledger

__all__ = ["Debt", "Ledger"]
