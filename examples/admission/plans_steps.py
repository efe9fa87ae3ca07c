"""A plan: a step runs when what it needs is there, or a step before it brings it."""

from __future__ import annotations

from gate_core.admission import Evidence, Proposal, admit_units
from gate_core.policies import plans

ACCOUNT = Evidence(id="p1", source_type="prerequisite", attributes={"name": "account"})
PLAN: tuple[plans.Step, ...] = (
    {"id": "login", "needs": ["account"], "brings": ["token"]},
    {"id": "upload", "needs": ["token"]},
    {"id": "announce", "needs": ["approval"]},
)
CASES = {"login": "approved", "upload": "approved", "announce": "prerequisite-missing"}


def judge(plan: tuple[plans.Step, ...] = PLAN) -> dict[str, str]:
    """Step -> its code, or its status."""
    result = admit_units(Proposal(id="plan", kind="plan", units=plan), plans.steps, [ACCOUNT])
    return {item.id: item.code or item.status.value for item in result.judged}


if __name__ == "__main__":
    for step, says in judge().items():
        print(f"{step}: {says}")
