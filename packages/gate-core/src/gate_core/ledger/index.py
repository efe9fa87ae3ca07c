"""Finds, among many targets, those that mean the same thing as a given one, without comparing with all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

from gate_core.footprint.targets import is_placed, same_target, tails

Held = TypeVar("Held")

_MOST = 100  # spellings; a name that ends more targets than this is too short to mean all of them


class TargetIndex(Generic[Held]):
    """Values by target. A look-up finds the target itself and its relative or absolute spellings.

    Each target is filed under its own trailing components, so a look-up costs what the target is long and what it
    finds, however many other targets there are.
    """

    def __init__(self) -> None:
        self._exact: dict[str, Held] = {}
        self._by_tail: dict[str, dict[str, None]] = {}

    def __setitem__(self, target: str, value: Held) -> None:
        if target not in self._exact:
            for tail in tails(target):
                self._by_tail.setdefault(tail, {})[target] = None
        self._exact[target] = value

    def __contains__(self, target: str) -> bool:
        return target in self._exact

    def pop(self, target: str) -> None:
        """Forget a target; nothing happens when it is not there."""
        if target in self._exact:
            del self._exact[target]
            for tail in tails(target):
                self._by_tail[tail].pop(target)

    def get(self, target: str) -> Held | None:
        """The value of exactly this target."""
        return self._exact.get(target)

    def matching(self, target: str) -> Iterator[tuple[str, Held]]:
        """(target, value) of every spelling of the same thing: itself, then the longer ones, then the shorter ones."""
        if target in self._exact:
            yield target, self._exact[target]
        longer = () if is_placed(target) else islice(self._by_tail.get(target, ()), _MOST)
        shorter = [tail for tail in tails(target) if tail in self._exact]
        for other in [*longer, *shorter]:
            if same_target(other, target):
                yield other, self._exact[other]

    def means(self, target: str) -> bool:
        """True when some spelling of the target is in the index."""
        return next(self.matching(target), None) is not None

    def values(self) -> Iterator[Held]:
        """All values, in the order their targets were first set."""
        return iter(self._exact.values())


def names(targets: Iterable[str]) -> TargetIndex[None]:
    """An index that only knows which targets there are."""
    index: TargetIndex[None] = TargetIndex()
    for target in targets:
        index[target] = None
    return index
