"""The body of a result: the text in it, and the object in it, whatever it is wrapped in.

Tools answer with a text, an object, a list of MCP content blocks, or the whole result of an MCP call. Nothing here
raises, and nothing is read but the wrapping.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gate_core.model.json import Json, JsonObject, is_block, is_lone_block, text_of
from gate_core.model.late import late
from gate_core.model.printed import as_json

_WRAPPING = frozenset({"content", "isError", "is_error", "structuredContent", "structured_content", "_meta", "meta"})
_COLOUR = late(r"\x1b\[[0-9;]{0,20}[mK]")
_WIRE = late(
    r"""\s{0,8}\{\s{0,8}["'](?:content["']\s{0,8}:\s{0,8}\[\s{0,8}\{|structuredContent["']|isError["']|_meta["'])"""
)
_T = TypeVar("_T")
_PARSED = 200_000  # characters; what is longer is no envelope


@dataclass(frozen=True, slots=True)
class Body:
    """What a result holds.

    Attributes:
        text: its text, or the JSON of an object.
        told: the object it is, or that stands beside its text as structured content.
        spoken: it is text and content blocks, not an object.
        other: it holds blocks that are no text, such as pictures.
        flagged: the wrapping itself says that the call failed.
    """

    text: str
    told: JsonObject | None = None
    spoken: bool = True
    other: bool = False
    flagged: bool = False

    @property
    def object(self) -> JsonObject | None:
        """The object told, or the one its text is the JSON of."""
        return self.told if self.told is not None else _parsed(self.text)

    @property
    def listed(self) -> Sequence[Json] | None:
        """The list its text is the JSON of."""
        return _read(self.text, list) if self.told is None else None


def body_of(result: Json) -> Body:
    """The body of a result."""
    if result is None or isinstance(result, str):
        return (_unwrapped(result) if result and _WIRE.match(result) else None) or Body(result or "")
    if isinstance(result, Mapping):
        if is_lone_block(result):
            return Body(text_of(result))
        return _wrapped(result) or Body(text_of(result), told=result, spoken=False)
    blocks = _blocks(result)
    return _of_blocks(blocks) if blocks else Body(text_of(result), spoken=False)


def shown(result: Json) -> Json:
    """A result as a reader sees it: out of its wrapping, without the colours of a terminal."""
    result = taken_out(result)
    if isinstance(result, str):
        return plain(result)
    blocks = _blocks(result)
    coloured = any("\x1b" in str(block.get("text")) for block in blocks)
    return [_plain_block(block) for block in blocks] if coloured else result


def taken_out(result: Json) -> Json:
    """A result out of the wrapping of an MCP call, and the text of a lone content block; any other as it is."""
    if isinstance(result, str):
        body = _unwrapped(result) if _WIRE.match(result) else None
        return result if body is None else body.text or body.told
    if not isinstance(result, Mapping):
        return result
    if is_lone_block(result):
        return text_of(result)
    body = _wrapped(result)
    return result if body is None else taken_out(result.get("content") or body.told)


def _plain_block(block: JsonObject) -> JsonObject:
    text = block.get("text")
    return {**block, "text": plain(text)} if isinstance(text, str) else block


def plain(text: str) -> str:
    """A text without the colours of a terminal."""
    return _COLOUR.sub("", text) if "\x1b" in text else text


def _unwrapped(text: str) -> Body | None:
    """The body of a result that a framework of texts hands over as it came off the wire, in JSON."""
    told = _parsed(text)
    return _wrapped(told) if told is not None else None


def _wrapped(result: JsonObject) -> Body | None:
    """The result of an MCP call as it comes off the wire."""
    if not _WRAPPING.issuperset(result) or not {"content", "structuredContent"}.intersection(result):
        return None
    content = result.get("content")
    if not isinstance(content, str) and content and not _blocks(content):
        return None
    told = result.get("structuredContent", result.get("structured_content"))
    return replace(
        body_of(content) if content else Body(""),
        told=told if isinstance(told, Mapping) else None,
        flagged=result.get("isError") is True or result.get("is_error") is True,
    )


def _blocks(value: Json) -> list[JsonObject]:
    """The content blocks a list consists of; none when something else is among them."""
    if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
        return []
    found = [item for item in value if isinstance(item, Mapping) and is_block(item)]
    return found if len(found) == len(value) else []


def _of_blocks(blocks: list[JsonObject]) -> Body:
    texts = [_block_text(block) for block in blocks]
    return Body("\n".join(text for text in texts if text is not None), other=None in texts)


def _block_text(block: JsonObject) -> str | None:
    resource = block.get("resource")
    text = resource.get("text") if isinstance(resource, Mapping) else block.get("text")
    return text if isinstance(text, str) else None


def _parsed(text: str) -> JsonObject | None:
    """The object that a text is the JSON of, or that Python printed."""
    return _read(text, dict)


def _read(text: str, kind: type[_T]) -> _T | None:
    if len(text) > _PARSED or not text.lstrip().startswith(_OPENS[kind]):
        return None
    try:
        found = json.loads(as_json(text))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, kind) else None


_OPENS: Mapping[type, str] = {dict: "{", list: "["}
