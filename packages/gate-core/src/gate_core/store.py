"""Texts of the calls seen by this process, bounded: the text source of a `Gate` that was given none.

Texts arrive in great numbers and are rarely asked for again. The latest are held as they came; older ones are packed
together, some hundred thousand characters at a time, which takes a fifth of the room. A long text is the host's own
string and stays that. The oldest go first when it gets too much, and what no fact refers to any more goes with it.
"""

from __future__ import annotations

import marshal
import sys
import zlib
from collections import OrderedDict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from gate_core.model.json import Json, JsonObject, canonical, text_of

MAX_CHARACTERS = 64 * 1024 * 1024
"""What is kept in all, packed texts at their packed size (spec 05)."""

_RAW = 256 * 1024  # characters of short texts that are held as they came
_BLOCK = 128 * 1024  # characters that are packed together
_LONG = 64 * 1024  # characters of a text that is never packed
_FAST = 2  # of zlib's levels: the first ones are as fast, the later ones much slower and little better
_OPEN = 2  # unpacked blocks that are held


class Held(NamedTuple):
    """The texts of one call. `told` is the digest of the fact that was made of them, "" when not known: it is not
    packed, since digests do not shrink and can be made of the texts again."""

    args: JsonObject
    result: Json
    told: str
    size: int


class _Block(NamedTuple):
    data: bytes
    refs: tuple[str, ...]


class TextStore:
    """A `TextSource` over the most recent calls. Without `packed` texts stay as they came, for whoever holds them
    anyway."""

    def __init__(self, limit: int = MAX_CHARACTERS, *, packed: bool = True) -> None:
        self._limit = limit
        self._most_raw = _RAW if packed else sys.maxsize
        self._long: OrderedDict[str, Held] = OrderedDict()
        self._raw: OrderedDict[str, Held] = OrderedDict()
        self._blocks: OrderedDict[int, _Block] = OrderedDict()
        self._where: dict[str, int] = {}
        self._unpacked: OrderedDict[int, dict[str, Held]] = OrderedDict()
        self._size = self._raw_size = self._number = 0

    def keep(self, ref: str, args: JsonObject, result: Json, *, told: str = "", size: int | None = None) -> None:
        """Remember a call's texts under its reference; `size` is their length in characters, if it is known."""
        if size is None:
            size = len(text_of(result)) + len(canonical(args))
        if ref in self._raw or ref in self._where or ref in self._long:
            self._drop(ref)
        self._put(ref, Held(args, result, told, size))
        if self._raw_size > self._most_raw:
            self._pack()
        if self._size > self._limit:
            self._evict()

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Arguments and result stored under `ref`, or None when they are gone."""
        found = self.held(ref)
        return (found.args, found.result) if found is not None else None

    def held(self, ref: str) -> Held | None:
        """What is stored under `ref`, with the digest it came with."""
        found = self._raw.get(ref) or self._long.get(ref)
        if found is None and (number := self._where.get(ref)) is not None:
            found = self._open(number)[ref]
        return found

    def retain(self, refs: Collection[str]) -> None:
        """Forget everything else."""
        for ref in [ref for ref in (*self._long, *self._raw) if ref not in refs]:
            self._drop(ref)
        for number, block in list(self._blocks.items()):
            kept = [ref for ref in block.refs if ref in refs and self._where.get(ref) == number]
            if len(kept) < len(block.refs):
                texts = self._open(number) if kept else {}
                self._discard(number)
                for ref in kept:  # they came before everything that is not packed yet
                    self._put(ref, texts[ref])
                    self._raw.move_to_end(ref, last=False)
        if self._raw_size > self._most_raw:
            self._pack()

    def _put(self, ref: str, held: Held) -> None:
        self._size += held.size
        if held.size >= _LONG:
            self._long[ref] = held
        else:
            self._raw[ref] = held
            self._raw_size += held.size

    def _drop(self, ref: str) -> None:
        if (found := self._long.pop(ref, None)) is not None:
            self._size -= found.size
        elif (found := self._raw.pop(ref, None)) is not None:
            self._size -= found.size
            self._raw_size -= found.size
        else:
            self._where.pop(ref, None)

    def _pack(self) -> None:
        """Pack the older half of the short texts."""
        while self._raw_size > self._most_raw // 2:
            self._block(dict(self._batch()))

    def _batch(self) -> Iterator[tuple[str, Held]]:
        left = _BLOCK
        while self._raw and left > 0:
            ref, held = self._raw.popitem(last=False)
            self._size -= held.size
            self._raw_size -= held.size
            left -= held.size
            yield ref, held

    def _block(self, batch: dict[str, Held]) -> None:
        try:
            data = marshal.dumps([(held.args, held.result, held.size) for held in batch.values()])
        except ValueError:  # objects of the host's own, or it goes too deep
            self._size += sum(held.size for held in batch.values())
            self._long.update(batch)
            return
        block = _Block(zlib.compress(data, _FAST), tuple(batch))
        self._number += 1
        self._blocks[self._number] = block
        self._size += len(block.data)
        self._where.update(dict.fromkeys(batch, self._number))

    def _open(self, number: int) -> dict[str, Held]:
        found = self._unpacked.pop(number, None)
        if found is None:
            block = self._blocks[number]
            rows = marshal.loads(zlib.decompress(block.data))  # noqa: S302 - bytes of this process, never of a file
            texts = zip(block.refs, rows, strict=True)
            found = {ref: Held(args, result, "", size) for ref, (args, result, size) in texts}
        self._unpacked[number] = found
        if len(self._unpacked) > _OPEN:
            self._unpacked.popitem(last=False)
        return found

    def _discard(self, number: int) -> None:
        block = self._blocks.pop(number)
        self._unpacked.pop(number, None)
        self._size -= len(block.data)
        for ref in block.refs:
            if self._where.get(ref) == number:
                del self._where[ref]

    def _evict(self) -> None:
        """Forget the oldest: what is packed, then long texts but the last, then the others."""
        while self._size > self._limit:
            if self._blocks:
                self._discard(next(iter(self._blocks)))
            else:
                self._drop(next(iter(self._long if len(self._long) > 1 or not self._raw else self._raw)))
