"""A context in the wire formats of three vendors; plain data, no vendor's library.

Texts that came from a model stand in fields of their own or inside JSON, so that no line of them can pass for a caveat.
"""

from __future__ import annotations

import json
from typing import Protocol, TypeAlias, TypeVar

from gate_core.admission.render import Block, Context
from gate_core.model.json import Json

T_co = TypeVar("T_co", covariant=True)
Items: TypeAlias = "list[dict[str, Json]]"


class ContextAdapter(Protocol[T_co]):
    """Turns a context into what one API takes."""

    def adapt(self, context: Context) -> T_co:
        """The context in the API's own form."""
        ...


class AnthropicSearchResults:
    """Content blocks of a user message: one `search_result` per block, the instructions as text in front."""

    def adapt(self, context: Context) -> Items:
        """The content blocks."""
        return [{"type": "text", "text": context.instructions}, *(self._result(block) for block in context.blocks)]

    def _result(self, block: Block) -> dict[str, Json]:
        parts: list[Json] = [{"type": "text", "text": _one_line(block.text)}]
        parts += [{"type": "text", "text": f"Caveat of the gate: {caveat}"} for caveat in block.caveats]
        return {
            "type": "search_result",
            "source": " ".join(_address(block)) or block.id,
            "title": f"{block.id} ({block.grade})" if block.grade else block.id,
            "content": parts,
            "citations": {"enabled": True},
        }


class OpenAIMessages:
    """Messages for Chat Completions: the instructions as `system`, the blocks as one JSON document from the `user`."""

    def adapt(self, context: Context) -> Items:
        """The messages."""
        messages: Items = [{"role": "system", "content": context.instructions}]
        if context.blocks:
            messages.append({"role": "user", "content": _document(context)})
        return messages


class GeminiParts:
    """Parts of a `user` content: the instructions, then one JSON text per block."""

    def adapt(self, context: Context) -> Items:
        """The parts."""
        return [{"text": context.instructions}, *map(self._part, context.blocks)]

    def _part(self, block: Block) -> dict[str, Json]:
        return {"text": _json(_plain(block))}


def _document(context: Context) -> str:
    return _json({"summary": dict(context.summary), "blocks": [_plain(block) for block in context.blocks]})


def _plain(block: Block) -> dict[str, Json]:
    return {
        "id": block.id,
        "grade": block.grade,
        "text": block.text,
        "caveats": list(block.caveats),
        "sources": list(_address(block)),
    }


def _address(block: Block) -> tuple[str, ...]:
    """Each source as "type:where#first-last"."""
    return tuple(
        f"{source.source_type}:{source.source_id or source.id}"
        + (f"#{source.span[0]}-{source.span[1]}" if source.span else "")
        for source in block.sources
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
