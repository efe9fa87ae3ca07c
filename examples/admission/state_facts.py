"""Facts that tools returned: each cites the call that shows it; two values of one key exclude each other."""

from __future__ import annotations

from gate_core.admission import Evidence, Proposal, StateWrite, admit_units
from gate_core.policies import state

RESULT = Evidence(
    id="call:c1", source_type="tool_output", source_id="c1", attributes={"result": {"plan": "gold", "seats": 25}}
)


def fact(value: str | int, *cites: str, ident: str = "a") -> StateWrite:
    """What the agent wants to keep."""
    return StateWrite(id=ident, subject="account-7", key="plan", value=value, cites=cites)


CASES = {
    "shown": ([fact("gold", "call:c1")], ["approved"]),
    "not shown": ([fact("silver", "call:c1")], ["value-not-in-result"]),
    "no call cited": ([fact("gold")], ["missing-evidence"]),
    "two values": ([fact("gold", "call:c1"), fact(25, "call:c1", ident="b")], ["blocking-conflict"] * 2),
}


def judge(units: list[StateWrite]) -> list[str]:
    """The code of each fact, or its status."""
    result = admit_units(Proposal(id="facts", kind="mutation", units=tuple(units)), state.facts, [RESULT])
    return [item.code or item.status.value for item in result.judged]


if __name__ == "__main__":
    for title, (units, _) in CASES.items():
        print(f"{title}: {', '.join(judge(units))}")
