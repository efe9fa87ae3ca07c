"""A claim that goes beyond its evidence is downgraded, told why, and proposed again without what nothing supports."""

from __future__ import annotations

from collections.abc import Sequence

from gate_core.admission import ClaimUnit, Evidence, Policy, Proposal, Retried, retry
from gate_core.admission.ready import attributes_supported, cites_something

SHELF = Evidence(id="e1", source_type="tool_output", source_id="c1", attributes={"item": "milk", "litres": 2})
POLICY: Policy[ClaimUnit] = Policy(name="stock", rules=(cites_something, attributes_supported("derived")))
CASES = ["downgraded over-specific brand", "approved"]


def claim(**attributes: str | int) -> Proposal[ClaimUnit]:
    """What the model proposes."""
    unit = ClaimUnit(id="stock", text="There is milk.", grade="proven", cites=("e1",), attributes=attributes)
    return Proposal(id="answer", units=(unit,))


def story() -> tuple[Retried[ClaimUnit], list[str]]:
    """(what came of it, what the model was told)."""
    drafts = iter([claim(item="milk", litres=2, brand="Oatly"), claim(item="milk", litres=2)])
    told: list[str] = []

    def propose(feedback: str) -> Proposal[ClaimUnit]:
        told.append(feedback)
        return next(drafts)

    return retry(propose, POLICY, [SHELF], on=("reject", "downgrade")), told


def outcomes(attempts: Retried[ClaimUnit]) -> Sequence[str]:
    """One line per attempt."""
    items = [attempt.judged[0] for attempt in attempts.attempts]
    return [" ".join((item.status.value, item.code, *item.unsupported)).strip() for item in items]


if __name__ == "__main__":
    done, told = story()
    print(told[1])
    print("\n".join(outcomes(done)))
