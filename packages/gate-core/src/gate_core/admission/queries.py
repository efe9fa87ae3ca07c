"""Questions to evidence that rules ask all the time. Each takes what a rule was given, or a whole pool."""

from __future__ import annotations

from collections.abc import Iterable

from gate_core.admission.units import Pool
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json


def all_type(evidence: Iterable[Evidence], *types: str) -> tuple[Evidence, ...]:
    """The pieces of these types."""
    if isinstance(evidence, Pool):
        return evidence.of_type(*types)
    return tuple(piece for piece in evidence if piece.source_type in types)


def find_type(evidence: Iterable[Evidence], *types: str) -> Evidence | None:
    """The first piece of these types, or None."""
    return next(iter(all_type(evidence, *types)), None)


def has_type(evidence: Iterable[Evidence], *types: str) -> bool:
    """True when there is a piece of one of these types."""
    return find_type(evidence, *types) is not None


def where(evidence: Iterable[Evidence], **attributes: Json) -> tuple[Evidence, ...]:
    """The pieces whose attributes have these values."""
    return tuple(piece for piece in evidence if all(piece.says(name) == value for name, value in attributes.items()))
