"""What a ledger hands on to another one of the same facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias, TypeVar

from gate_core.ledger.budget import Budget
from gate_core.ledger.debts import DebtFold
from gate_core.ledger.signals import SignalFold
from gate_core.model.fact import Fact

if TYPE_CHECKING:
    from gate_core.ledger.ledger import Ledger


class _View(Protocol):
    def copy(self) -> Self: ...


View = TypeVar("View", bound=_View)
"""A view that a later ledger goes on from, in a copy."""

MadeOf: TypeAlias = "tuple[int, Ledger | None, tuple[Fact, ...]]"
"""What a ledger was given: the turn, the closed ledger, the facts of the state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """What a ledger folded, for another one that is `made_of` the same: None for what nobody asked of it. `basis` is
    the closed ledger, where it fitted, and the facts in order that it has not seen."""

    made_of: MadeOf
    basis: tuple[Ledger | None, tuple[Fact, ...]]
    debts: DebtFold | None
    signals: SignalFold | None
    spent: Budget | None
    looks: tuple[Fact, ...] | None
