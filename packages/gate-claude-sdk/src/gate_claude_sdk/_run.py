"""What the gate knows of one run before its first event: what the host put into the options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gate_claude_sdk._annotations import annotations_of
from gate_core import JsonObject


@dataclass(slots=True, kw_only=True)
class Run:
    """One set of callbacks. `typed` says that a typed answer is asked for, `parent` names the session this one is
    forked from, `servers` are the MCP servers of the options, `system` is what the host's system prompt says."""

    typed: bool = False
    parent: str = ""
    system: str = ""
    servers: Mapping[str, object] = field(default_factory=dict)
    _annotations: dict[str, JsonObject] | None = None

    async def annotations(self) -> Mapping[str, JsonObject]:
        """The hints of the in-process servers' tools by tool name; the servers are asked once."""
        if self._annotations is None:
            self._annotations = await annotations_of(self.servers) if self.servers else {}
        return self._annotations
