"""Calls that can have run something: "I ran the script" needs one (spec 20, "Statements": executed)."""

from __future__ import annotations

from gate_core.footprint.rules import ANALYSED
from gate_core.footprint.targets import FILES
from gate_core.model.fact import Fact
from gate_core.model.kinds import Did, ToolEffect

_ON_FILES = frozenset(
    effect.value for effect in (ToolEffect.READ, ToolEffect.LIST, ToolEffect.CHANGE, ToolEffect.DELETE, ToolEffect.MOVE)
)


def may_have_run(fact: Fact) -> bool:
    """False for what is known to run nothing: tools and commands that only read, list or edit files, to-do lists."""
    if not fact.executed or fact.profile == ToolEffect.NEUTRAL.value:
        return False
    if fact.signals or any(effect.did is Did.OPAQUE for effect in fact.effects):
        return True
    if fact.profile not in _ON_FILES and fact.profile != ANALYSED:
        return True
    return not any(effect.domain == FILES for effect in fact.effects)
