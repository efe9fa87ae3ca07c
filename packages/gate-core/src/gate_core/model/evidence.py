"""One thing known, with its source: what units are judged by and what only host code adds (spec 40, "Evidence")."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

from gate_core.model.errors import GateUsageError
from gate_core.model.json import Json, JsonObject, canonical, digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing known. `id` is what units cite; `source_id` says where it stands (a call, a document, a message).

    `attributes` hold what it says, by name. `observed_at` is the host's word for when; `content_hash` is computed from
    the attributes where the host gives none.
    """

    id: str
    source_type: str
    source_id: str = ""
    attributes: JsonObject = field(default_factory=dict)
    observed_at: str = ""
    content_hash: str = ""

    def __post_init__(self) -> None:
        if not self.id or not self.source_type:
            raise GateUsageError(f"evidence needs an id and a source type, got {self.id!r}, {self.source_type!r}")
        object.__setattr__(self, "attributes", MappingProxyType(dict(self.attributes)))
        if not self.content_hash:
            object.__setattr__(self, "content_hash", digest(canonical(dict(self.attributes))))

    def says(self, name: str, default: Json = None) -> Json:
        """The attribute of a name."""
        return self.attributes.get(name, default)
