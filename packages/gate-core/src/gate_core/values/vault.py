"""What is kept of texts that are let go of: their distinct values, packed, within limits (spec 05, "Lazy observation";
spec 80: at most 12 % of the bytes they stood in)."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable, Iterator

from gate_core.model.json import Json, text_of
from gate_core.model.late import late
from gate_core.values.walk import walk

SHARE = 0.12
"""Packed characters per character they cover."""
PER_CONVERSATION = 524_288
"""Packed characters of one conversation; the values of later results are left out."""
PER_RESULT = 65_536
"""Characters of the values of one result, which pack to a quarter."""

_VALUE = late(r"[^\s\"'<>()\[\]{},;|=]*\d[^\s\"'<>()\[\]{};|=]*(?: (?:[%‰°$€£¥₹]|[^\W\d_]{1,9})(?![\w]))?")
_SMALL = late(r"\d{1,3}")  # nobody looks them up
_ROOM = 100  # characters of one value
_PACKED = "zlib:"
_CUT = "\x00"
"""Stands among values of which some had to be left out: what is not there may still have been shown."""


def distilled(results: Iterable[Json], *, kept: int = 0) -> tuple[str, ...]:
    """The values of some results as they are spelt there, each with the word behind it, packed into one text; `kept`
    packed characters are taken."""
    found: dict[str, None] = {}
    covered, cut = 0, False
    for result in results:
        covered += len(text_of(result))
        room = PER_RESULT
        for spelling in _spellings(result):
            if spelling not in found:
                room -= len(spelling)
                cut |= room < 0
                if room >= 0:
                    found[spelling] = None
    values = sorted(found)
    return (_fitting(values, min(int(covered * SHARE), PER_CONVERSATION - kept), cut=cut),) if values else ()


def _spellings(result: object) -> Iterator[str]:
    for text in walk(result).texts:
        for found in _VALUE.findall(text):
            spelling = found.rstrip(",.:")
            if len(spelling) <= _ROOM and _SMALL.fullmatch(spelling) is None:
                yield spelling


def _fitting(values: list[str], room: int, *, cut: bool) -> str:
    """The values packed, or as many of them as there is room for."""
    packed = _pack([*values, _CUT] if cut else values)
    while len(packed) > room and values:
        values = values[: min(len(values) - 1, len(values) * max(room, 0) // len(packed))]
        packed = _pack([*values, _CUT])
    return packed


def _pack(values: list[str]) -> str:
    raw = "\n".join(values).encode("utf-8", "surrogatepass")
    return _PACKED + b85encode(zlib.compress(raw, 9)).decode("ascii")


def unpacked(kept: Iterable[str]) -> tuple[tuple[str, ...], bool]:
    """(the values, whether some had to be left out). A text that cannot be read held some that are lost."""
    found: dict[str, None] = {}
    for text in kept:
        found.update(dict.fromkeys(_unpack(text)))
    cut = _CUT in found
    found.pop(_CUT, None)
    return tuple(found), cut


def _unpack(text: str) -> list[str]:
    if not text.startswith(_PACKED):
        return [text]
    try:
        return zlib.decompress(b85decode(text.removeprefix(_PACKED))).decode("utf-8", "surrogatepass").split("\n")
    except (ValueError, zlib.error):
        return [_CUT]
