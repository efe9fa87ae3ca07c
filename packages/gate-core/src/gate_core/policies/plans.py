"""A policy for plans: a step runs when what it needs is there, or a step before it brings it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gate_core.admission.lint import gives
from gate_core.admission.policy import Policy, RuleContext, Ruling, reject
from gate_core.admission.units import Proposal, field_of, text_field
from gate_core.model.evidence import Evidence

Step = Mapping[str, object]
"""`id`, `needs` (names of prerequisites), `brings` (names of what it leaves behind)."""


@gives("prerequisite-missing")
def prerequisites_met(unit: Step, evidence: Sequence[Evidence], context: RuleContext[Step]) -> Ruling | None:
    """By evidence of type `prerequisite` (attribute `name`, not `met: false`), or by an earlier step of the plan."""
    there = set(_brought_before(unit, context.proposal))
    for name in _names(unit, "needs"):
        known = context.pool.having("name", name)
        met = any(piece.source_type == "prerequisite" and piece.says("met") is not False for piece in known)
        if name not in there and not met:
            return reject(unit, "prerequisite-missing")
    return None


def _brought_before(unit: Step, plan: Proposal[Step]) -> Iterable[str]:
    for step in plan.units:
        if step is unit:
            return
        yield from _names(step, "brings")


def _names(unit: Step, field: str) -> tuple[str, ...]:
    given = field_of(unit, field, ())
    return tuple(map(str, given)) if isinstance(given, list | tuple) else ()


def _is_plan(proposal: Proposal[Step]) -> Iterable[str]:
    if proposal.kind != "plan":
        yield "kind: a plan is proposed as kind 'plan'"
    for at, step in enumerate(proposal.units):
        if not text_field(step, "id"):
            yield f"step {at + 1}: a step has an id"


steps: Policy[Step] = Policy(
    name="plans.steps",
    rules=(prerequisites_met,),
    structure=_is_plan,
    codes={"prerequisite-missing": "put a step in front that brings it, or ask for it"},
)
"""Steps in their order."""
