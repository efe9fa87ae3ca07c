"""Finds, among many targets, those that mean the same thing as a given one, without comparing with all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from gate_core.footprint.targets import last_name, same_target

Held = TypeVar("Held")


class TargetIndex(Generic[Held]):
    """Values by target. A look-up finds the target itself and its relative or absolute spellings.

    Targets that share a last name are compared one by one only when one side is relative, so the cost stays linear
    in any session that names its files one way.
    """

    def __init__(self) -> None:
        self._exact: dict[str, Held] = {}
        self._by_name: dict[str, dict[str, None]] = {}

    def __setitem__(self, target: str, value: Held) -> None:
        self._exact[target] = value
        self._by_name.setdefault(last_name(target), {})[target] = None

    def __contains__(self, target: str) -> bool:
        return target in self._exact

    def pop(self, target: str) -> None:
        """Forget a target; nothing happens when it is not there."""
        if self._exact.pop(target, None) is not None:
            self._by_name[last_name(target)].pop(target)

    def get(self, target: str) -> Held | None:
        """The value of exactly this target."""
        return self._exact.get(target)

    def matching(self, target: str) -> Iterator[tuple[str, Held]]:
        """(target, value) of every spelling of the same thing."""
        if target in self._exact:
            yield target, self._exact[target]
        for other in list(self._by_name.get(last_name(target), ())):
            if other != target and same_target(other, target):
                yield other, self._exact[other]

    def values(self) -> Iterator[Held]:
        """All values, in the order their targets were first set."""
        return iter(self._exact.values())
