"""What a process keeps of the texts it indexed: long ones their index, short ones a sieve (spec 05, spec 80)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import chain

from gate_core.values.document import Document
from gate_core.values.index import Index
from gate_core.values.sieve import Asked, Sieve
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
        self._sieves: dict[str, Sieve | None] = {}
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
        document = walk(result)
        index = Index(document)
        if not key.endswith(":"):
            self._keep(key, index, _size(document))
        return index

    def may_hold(self, told: str, results: Callable[[], Iterable[tuple[str, object]]], asked: Asked) -> bool:
        """False when none of the results, (digest, result) each, can show a value. `told` is a digest of them all. A
        long result has an index of its own, and may hold anything."""
        if not told:
            return True
        if told not in self._sieves:
            if asked.probe.anything:
                return True
            self._sieves[told] = self._sieve(results())
            if len(self._sieves) > MAX_SIEVES:
                del self._sieves[next(iter(self._sieves))]
        sieve = self._sieves[told]
        return sieve is None or sieve.may_hold(asked.probe)

    def _sieve(self, results: Iterable[tuple[str, object]]) -> Sieve | None:
        """The sieve of some results, None when one of them is long."""
        documents: list[Document] = []
        for told, result in results:
            key = f"result:{told}"
            if key in self._long or (isinstance(result, str) and len(result) > _LONG):
                return None
            known = self._short.get(key)
            document = known.document if known is not None else walk(result)
            size = _size(document)
            if size > _SHORT:
                self._keep(key, Index(document), size)
                return None
            documents.append(document)
        return Sieve(chain.from_iterable(document.texts for document in documents))

    def _keep(self, key: str, index: Index, size: int) -> None:
        if size <= _SHORT:
            self._short[key] = index
            if len(self._short) > MAX_SHORT:
                self._short.popitem(last=False)
            return
        self._long[key] = (index, size)
        self._size += size
        while self._size > MAX_KEPT and len(self._long) > 1:
            self._size -= self._long.popitem(last=False)[1][1]


_LONG = 4 * _SHORT  # characters of a text that is not walked to see how much it holds


def _size(document: Document) -> int:
    return sum(map(len, document.texts)) + 200
