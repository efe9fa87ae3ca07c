"""JSON values, their canonical text, and the digests built on it.

Digests must agree between processes, Pythons and hash seeds (spec 00, invariant 6), so the text is canonical:
keys sorted, no spaces, lone surrogates kept. Anything JSON has no word for is written as its type's name; an
adapter that wants more passes JSON.
"""

from __future__ import annotations

import json
from binascii import b2a_base64
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from json.encoder import encode_basestring as _quoted
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = Mapping[str, Json]

DIGEST = 16
"""Characters of a digest: 96 bits, so that no two are equal by chance in any conversation."""

_DIGEST_BYTES = DIGEST * 6 // 8


def _foreign(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(k): v for k, v in value.items()}
    if isinstance(value, bytes):
        return digest(value)
    return f"<{type(value).__name__}>"


_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_foreign).encode
_FLAT = 16  # keys; more are left to the encoder, which is made for them


def canonical(value: object) -> str:
    """The canonical JSON text of a value."""
    if type(value) is dict and len(value) <= _FLAT:
        for key, item in value.items():
            if type(key) is not str or type(item) is not str:
                break
        else:
            return f"{{{','.join([f'{_quoted(key)}:{_quoted(value[key])}' for key in sorted(value)])}}}"
    return _encode(value)


def text_of(value: Json) -> str:
    """A result as the text a model reads: strings as they are, content blocks joined, the rest as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    texts = block_texts(value)
    return canonical(value) if texts is None else "\n".join(texts)


def block_texts(value: object) -> list[str] | None:
    """What a reader has of a value that is content blocks with a text among them, a line or more for each; None for any
    other value.

    A framework may hand over a lone block without its list. With keys that no block has it is a record of the tool's.
    """
    if isinstance(value, Mapping):
        return [value["text"]] if is_lone_block(value) else None
    if not isinstance(value, list | tuple) or not any(map(_is_text_block, value)) or not all(map(is_block, value)):
        return None
    return list(map(_block_text, value))


def is_lone_block(value: Mapping[str, Json]) -> bool:
    """True for one content block of text that stands for a whole result."""
    return _is_text_block(value) and _BLOCK_KEYS.issuperset(value)


def is_block(value: object) -> bool:
    """True for a content block, as MCP and the frameworks write them."""
    return isinstance(value, Mapping) and str(value.get("type")) in _BLOCKS


_TEXTS = frozenset({"text", "input_text", "output_text"})
_DATA = frozenset(
    {"image", "audio", "video", "file", "document", "image_url", "input_image", "input_audio", "input_file"}
)
_BLOCKS = frozenset({"resource", "resource_link", *_TEXTS, *_DATA})
_BLOCK_KEYS = frozenset(
    {"type", "text", "annotations", "_meta", "meta", "cache_control", "citations", "extras", "logprobs"}
)


def _is_text_block(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("type") in _TEXTS and isinstance(value.get("text"), str)


def _block_text(block: Mapping[str, Json]) -> str:
    """A text as it is, a picture as its digest (its data says nothing that a text could be compared with)."""
    if _is_text_block(block):
        return str(block["text"])
    resource = block.get("resource")
    if isinstance(resource, Mapping) and isinstance(resource.get("text"), str):
        return str(resource["text"])
    kind = str(block["type"])
    return f"<{kind} {digest(canonical(block))}>" if kind in _DATA else canonical(block)


def scalars(value: Json) -> Iterator[Json]:
    """What stands inside a value and holds nothing else, in order; keys are not part of it."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from scalars(item)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        for item in value:
            yield from scalars(item)
    else:
        yield value


def leaves(value: Json) -> tuple[str, ...]:
    """The strings inside a value, in order: what a typed answer says in words."""
    return tuple(item for item in scalars(value) if isinstance(item, str))


def digest(*parts: str | bytes) -> str:
    """A 16 character digest of the parts, in order; parts cannot run into each other."""
    state = blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return b2a_base64(state.digest(), newline=False).translate(_URL_SAFE).decode("ascii")


def stamp(data: bytes) -> str:
    """A 16 character digest of one thing. Every observed call takes four, so it does without the parts of `digest`."""
    spelt = b2a_base64(blake2b(data, digest_size=_DIGEST_BYTES).digest(), newline=False)
    return spelt.translate(_URL_SAFE).decode("ascii")


_URL_SAFE = bytes.maketrans(b"+/", b"-_")
