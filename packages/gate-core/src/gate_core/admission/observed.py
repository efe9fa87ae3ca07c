"""What a conversation observed, as evidence (spec 40, "Evidence"), and by which words a unit may cite it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gate_core.admission.units import SourceType
from gate_core.ledger import Ledger
from gate_core.model.evidence import Evidence
from gate_core.model.grants import Mood

_RESULT = 16_384  # characters of a result that stands in the pool as it is


def pool_of(ledger: Ledger) -> Iterator[Evidence]:
    """The ledger as evidence: calls, what the user said, what they asked for; then what the host added."""
    seen: set[str] = set()
    for fact in ledger.facts:
        if fact.executed:
            name = fact.call if fact.call and fact.call not in seen else fact.key
            seen.add(fact.call)
            found = ledger.text(fact)
            small = found is not None and fact.size <= _RESULT
            yield Evidence(
                id=f"call:{name}",
                source_type=SourceType.TOOL_OUTPUT,
                source_id=fact.key,
                attributes={
                    "tool": fact.tool,
                    "outcome": fact.outcome.value,
                    "targets": [effect.target for effect in fact.effects],
                    **({"result": found[1]} if found is not None and small else {}),
                },
                content_hash=fact.digest,
            )
    grants = ledger.state.grants
    for at, clause in enumerate(grants.stated):
        yield Evidence(
            id=f"statement:{at}",
            source_type=SourceType.USER_STATEMENT,
            source_id=f"message:{clause.turn}",
            attributes={"text": clause.text, "about": clause.about.value, "negated": clause.negated},
        )
    for at, intent in enumerate(grants.intents):
        if intent.mood is Mood.ASKED:
            yield Evidence(
                id=f"request:{at}",
                source_type=SourceType.EXPLICIT_REQUEST,
                source_id=f"message:{intent.turn}",
                attributes={"family": intent.family, "objects": list(intent.objects)},
            )
    yield from grants.evidence


def names_of(pool: Iterable[Evidence]) -> Mapping[str, str]:
    """What else may be cited for a piece -> its id: a call by its own id, its tool or what it touched; the last of
    several. A model sees these and no ids of ours."""
    found: dict[str, str] = {}
    pieces = list(pool)
    for piece in pieces:
        targets = piece.says("targets")
        names = [piece.id.partition(":")[2], piece.source_id, str(piece.says("tool") or "")]
        names += [str(target) for target in targets] if isinstance(targets, list | tuple) else []
        found.update((name, piece.id) for name in names if name)
    return {**found, **{piece.id: piece.id for piece in pieces}}
