"""What a process keeps of the texts it indexed: long ones their index, short ones a sieve (spec 05, spec 80)."""

from __future__ import annotations

from collections import OrderedDict

from gate_core.values.index import Index
from gate_core.values.sieve import Sieve
from gate_core.values.value import Value
from gate_core.values.walk import walk

MAX_KEPT = 16 * 1024 * 1024
"""Characters of indexed long texts that are kept; the oldest go first."""
MAX_SHORT = 64
"""Indexes of short texts that are kept."""
MAX_SIEVES = 50_000
_SHORT = 32_768  # characters


class Kept:
    """Indexes and sieves by digest: a long text is walked once per process, a short one when it may hold a value."""

    def __init__(self) -> None:
        self._long: OrderedDict[str, tuple[Index, int]] = OrderedDict()
        self._short: OrderedDict[str, Index] = OrderedDict()
        self._sieves: dict[str, Sieve] = {}
        self._size = 0

    def index(self, key: str, result: object) -> Index:
        """The index of a result known by its digest; a key that ends in ":" names none, and nothing is kept."""
        if key in self._long:
            self._long.move_to_end(key)
            return self._long[key][0]
        found = self._short.get(key)
        if found is not None:
            self._short.move_to_end(key)
            return found
        index = Index(walk(result))
        if not key.endswith(":"):
            self._keep(key, index)
        return index

    def may_hold(self, told: str, result: object, value: Value) -> bool:
        """False when the result of a digest cannot show a value."""
        sieve = self._sieves.get(told)
        if sieve is None:
            key = f"result:{told}"
            index = self.index(key, result)
            if key not in self._short:
                return True
            sieve = self._sieves[told] = Sieve(index)
            if len(self._sieves) > MAX_SIEVES:
                del self._sieves[next(iter(self._sieves))]
        return sieve.may_hold(value)

    def _keep(self, key: str, index: Index) -> None:
        size = sum(map(len, index.document.texts)) + 200
        if size <= _SHORT:
            self._short[key] = index
            if len(self._short) > MAX_SHORT:
                self._short.popitem(last=False)
            return
        self._long[key] = (index, size)
        self._size += size
        while self._size > MAX_KEPT and len(self._long) > 1:
            self._size -= self._long.popitem(last=False)[1][1]
