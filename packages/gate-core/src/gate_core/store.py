"""Texts of the calls seen by this process, bounded: the text source of a `Gate` that was given none."""

from __future__ import annotations

from collections import OrderedDict

from gate_core.model.json import Json, JsonObject, canonical, text_of

MAX_CHARACTERS = 64 * 1024 * 1024
"""What is kept in all; the oldest texts go first (spec 05)."""


class TextStore:
    """A `TextSource` over the most recent calls."""

    def __init__(self, limit: int = MAX_CHARACTERS) -> None:
        self._limit = limit
        self._size = 0
        self._held: OrderedDict[str, tuple[JsonObject, Json, int]] = OrderedDict()

    def keep(self, ref: str, args: JsonObject, result: Json) -> None:
        """Remember a call's texts under its reference."""
        size = len(text_of(result)) + len(canonical(args))
        if ref in self._held:
            self._size -= self._held.pop(ref)[2]
        self._held[ref] = (args, result, size)
        self._size += size
        while self._size > self._limit and self._held:
            self._size -= self._held.popitem(last=False)[1][2]

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result stored under `ref`, or None when they are gone."""
        found = self._held.get(ref)
        return (found[0], found[1]) if found is not None else None
