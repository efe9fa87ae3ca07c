"""Background work whose end has not been told yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from gate_claude_sdk._payload import as_object, as_text
from gate_core import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A call that goes on in the background: its notice names the call id only. `ref` is where it can be found."""

    tool: str
    args: JsonObject = field(default_factory=dict)
    ref: str = ""

    def to_json(self) -> dict[str, Json]:
        """The call as JSON."""
        return {"tool": self.tool, "args": self.args, "ref": self.ref}

    @classmethod
    def from_json(cls, data: Json) -> Pending:
        """The call that `to_json` wrote; what cannot be read is empty."""
        row = as_object(data)
        return cls(tool=as_text(row.get("tool")), args=as_object(row.get("args")), ref=as_text(row.get("ref")))
