"""Ready-made policies for typed units (spec 40): take one as it is, or join it with your own (`POLICY | mine`).

answers.health, answers.contract, claims.sourced, actions.tool_calls(config), actions.irreversible(config),
state.memory, state.facts, plans.steps
"""

from __future__ import annotations

from gate_core.policies import actions, answers, claims, plans, state

__all__ = ["actions", "answers", "claims", "plans", "state"]
