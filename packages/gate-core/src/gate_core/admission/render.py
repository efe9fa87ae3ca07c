"""From a result to what a model may be given: blocks with the evidence they rest on, caveats as fields of their own.

A block's text is the unit's; whatever it says, it cannot become a caveat or a source, because those never stand in the
same field. Nothing admitted leaves nothing but instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gate_core.admission.policy import Policy
from gate_core.admission.result import AdmissionResult, Judged, Status
from gate_core.admission.units import U, field_of, hash_of_all
from gate_core.model.errors import GateUsageError
from gate_core.model.evidence import Evidence
from gate_core.model.json import Json

Span: TypeAlias = tuple[int, int]
"""First character and the one after the last, in the source."""

_NOTHING = "Nothing of what was proposed is supported by evidence. Say so, and state none of it as a fact."
_SOME = "State only what stands in the blocks, each no stronger than its grade, and pass on its caveats."
_LEFT_OUT = "Some of what was proposed was left out for want of support; do not bring it back."


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One piece of evidence behind a block. `span` is None for all of it."""

    id: str
    source_type: str
    source_id: str
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One admitted unit as it may be shown to a model."""

    id: str
    text: str
    grade: str = ""
    sources: tuple[Source, ...] = ()
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything that may be shown. `summary` counts; `instructions` is our own text."""

    blocks: tuple[Block, ...]
    summary: Mapping[str, Json]
    instructions: str


def render(result: AdmissionResult[U], policy: Policy[U], *, units: Sequence[U] | None = None) -> Context:
    """The admitted units as a context. `units` are those of the proposal, where the host holds them still.

    Raises:
        GateUsageError: the units are not what was judged any more.
    """
    _check_same(result, units)
    blocks = tuple(_block(item, policy) for item in result.admitted)
    told = {key: value for key, value in result.explain().items() if key not in ("codes", "errors", "proposal")}
    if not blocks:
        return Context(blocks=(), summary={}, instructions=_NOTHING)
    return Context(blocks=blocks, summary=told, instructions=f"{_SOME} {_LEFT_OUT}" if result.rejected else _SOME)


def _check_same(result: AdmissionResult[U], units: Sequence[U] | None) -> None:
    """The judged objects themselves may have been changed since, when they are mappings."""
    for some in (result.order, units):
        if some is not None and hash_of_all(tuple(some)) != result.content:
            raise GateUsageError(
                f"the units of {result.proposal_id!r} differ from those that were judged; admit them again"
            )


def _block(item: Judged[U], policy: Policy[U]) -> Block:
    return Block(
        id=item.id,
        text=policy.render(item.unit),
        grade=item.grade,
        sources=tuple(_source(piece) for piece in item.evidence),
        caveats=tuple(_caveats(item)),
    )


def _source(piece: Evidence) -> Source:
    return Source(id=piece.id, source_type=piece.source_type, source_id=piece.source_id, span=_span(piece))


def _span(piece: Evidence) -> Span | None:
    given = piece.says("span")
    if isinstance(given, list | tuple) and len(given) == 2 and all(isinstance(end, int) for end in given):
        first, last = given
        return (int(str(first)), int(str(last)))
    return None


def _caveats(item: Judged[U]) -> Iterator[str]:
    """What has to be said with a unit, from codes, grades and names of attributes alone."""
    if item.status is Status.DOWNGRADED:
        was = field_of(item.unit, "grade", "")
        yield f"{item.code}: stands as {item.grade}" + (f", proposed as {was}" if was else "")
    for name in item.unsupported:
        yield f"not supported: {name}"
    for code in item.conflicts:
        yield f"in conflict: {code}"
