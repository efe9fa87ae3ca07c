"""Finds, among many targets, those that mean the same thing as a given one, without comparing with all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from gate_core.footprint.globs import covers, is_glob
from gate_core.footprint.targets import is_placed, same_target, tails

Held = TypeVar("Held")

_MOST_COMPARED = 2000  # the targets touched last that a pattern or a folder is compared with
_MOST = 100  # spellings; a name that ends more targets than this is too short to mean all of them


class _Spelt(NamedTuple):
    """What a target's spelling says: whether another spelling can complete it, and the shorter ones."""

    placed: bool
    tails: tuple[str, ...]


@lru_cache(maxsize=4096)
def _spelt(target: str) -> _Spelt:
    return _Spelt(is_placed(target), tuple(tails(target)))


class TargetIndex(Generic[Held]):
    """Values by target. A look-up finds the target itself and its relative or absolute spellings.

    Each target is filed under its own trailing components, so a look-up costs what the target is long and what it
    finds, however many other targets there are. Patterns are compared one by one, at most so many of them.
    """

    def __init__(self) -> None:
        self._globs: dict[str, None] = {}
        self._exact: dict[str, Held] = {}
        self._by_tail: dict[str, dict[str, None]] = {}
        self._shared: set[str] | None = None  # tails not yet copied after `copy`; None before the first

    def copy(self) -> TargetIndex[Held]:
        """An index of its own with the same values. What is filed under a tail is copied when it first changes."""
        made: TargetIndex[Held] = TargetIndex()
        made._globs, made._exact, made._by_tail = self._globs.copy(), self._exact.copy(), self._by_tail.copy()
        made._shared, self._shared = set(self._by_tail), set(self._by_tail)
        return made

    def _filed(self, tail: str) -> dict[str, None]:
        """What is filed under a tail, to be changed."""
        if self._shared and tail in self._shared:
            self._shared.discard(tail)
            self._by_tail[tail] = self._by_tail[tail].copy()
        return self._by_tail.setdefault(tail, {})

    def __setitem__(self, target: str, value: Held) -> None:
        if target not in self._exact:
            for tail in _spelt(target).tails:
                self._filed(tail)[target] = None
            if is_glob(target):
                self._globs[target] = None
        self._exact[target] = value

    def __contains__(self, target: str) -> bool:
        return target in self._exact

    def pop(self, target: str) -> None:
        """Forget a target; nothing happens when it is not there."""
        if target in self._exact:
            del self._exact[target]
            self._globs.pop(target, None)
            for tail in _spelt(target).tails:
                self._filed(tail).pop(target)

    def get(self, target: str) -> Held | None:
        """The value of exactly this target."""
        return self._exact.get(target)

    def matching(self, target: str) -> Iterator[tuple[str, Held]]:
        """(target, value) of every spelling of the same thing: itself, then the longer ones, then the shorter ones."""
        if target in self._exact:
            yield target, self._exact[target]
        spelt = _spelt(target)
        longer = () if spelt.placed else islice(self._by_tail.get(target, ()), _MOST)
        shorter = [tail for tail in spelt.tails if tail in self._exact]
        for other in [*longer, *shorter]:
            if same_target(other, target):
                yield other, self._exact[other]
        for other in self._covered(target):
            yield other, self._exact[other]

    def _covered(self, target: str) -> list[str]:
        """The targets that a pattern covers, or the patterns that cover a target."""
        if is_glob(target):
            latest = islice(reversed(self._exact), _MOST_COMPARED)
            return [other for other in latest if not is_glob(other) and covers(target, other)]
        globs = islice(reversed(self._globs), _MOST) if self._globs else ()
        return [other for other in globs if covers(other, target)]

    def below(self, folder: str) -> list[str]:
        """The targets that lie in a folder, at any depth."""
        start = f"{folder.rstrip('/')}/"
        return [other for other in islice(reversed(self._exact), _MOST_COMPARED) if other.startswith(start)]

    def means(self, target: str) -> bool:
        """True when some spelling of the target is in the index."""
        return next(self.matching(target), None) is not None

    def targets(self) -> Iterator[str]:
        """All targets, in the order they were first set."""
        return iter(self._exact)

    def values(self) -> Iterator[Held]:
        """All values, in the order their targets were first set."""
        return iter(self._exact.values())


def names(targets: Iterable[str]) -> TargetIndex[None]:
    """An index that only knows which targets there are."""
    index: TargetIndex[None] = TargetIndex()
    for target in targets:
        index[target] = None
    return index
