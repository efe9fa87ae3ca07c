"""JSON values, their canonical text, and the digests built on it.

Digests must agree between processes, Pythons and hash seeds (spec 00, invariant 6), so the text is canonical:
keys sorted, no spaces, lone surrogates kept. Anything JSON has no word for is written as its type's name; an
adapter that wants more passes JSON.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]

_DIGEST_BYTES = 12  # 96 bits: 16 characters in a fact, and no accidental collision in any conversation


def _foreign(value: object) -> str:
    if isinstance(value, Mapping):
        return canonical({str(k): v for k, v in value.items()})
    if isinstance(value, bytes):
        return digest(value)
    return f"<{type(value).__name__}>"


def canonical(value: object) -> str:
    """The canonical JSON text of a value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_foreign)


def text_of(value: Json) -> str:
    """A result as the text a model reads: strings as they are, content blocks joined, the rest as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, Sequence) and value and all(_is_text_block(item) for item in value):
        return "\n".join(str(item["text"]) for item in value if isinstance(item, Mapping))
    return canonical(value)


def _is_text_block(value: Json) -> bool:
    return isinstance(value, Mapping) and value.get("type") == "text" and isinstance(value.get("text"), str)


def leaves(value: Json) -> tuple[str, ...]:
    """The strings inside a value, in order: what a typed answer says in words."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Mapping):
        return tuple(leaf for item in value.values() for leaf in leaves(item))
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return tuple(leaf for item in value for leaf in leaves(item))
    return ()


def digest(*parts: str | bytes) -> str:
    """A 16 character digest of the parts, in order; parts cannot run into each other."""
    state = blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return urlsafe_b64encode(state.digest()).decode("ascii")
