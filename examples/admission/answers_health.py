"""Claims about health: what was reported may be said, a diagnosis may not, whatever its flags say."""

from __future__ import annotations

from gate_core.admission import ClaimUnit, Evidence, Proposal, admit_units
from gate_core.policies import answers

REPORT = Evidence(
    id="r1", source_type="user_statement", source_id="message:1", attributes={"text": "a headache since monday"}
)
CASES = {
    "reported": (ClaimUnit(id="a", text="A headache since Monday.", grade="reported", cites=("r1",)), "approved"),
    "graded too high": (ClaimUnit(id="a", text="A headache.", grade="proven", cites=("r1",)), "grade-beyond-evidence"),
    "no source": (ClaimUnit(id="a", text="A headache since Monday.", grade="proven"), "missing-evidence"),
    "a diagnosis": (
        ClaimUnit(id="a", text="It is a migraine.", grade="reported", cites=("r1",), attributes={"diagnosis": False}),
        "diagnosis-or-treatment",
    ),
}


def judge(unit: ClaimUnit) -> str:
    """The code of a claim, or its status."""
    (item,) = admit_units(Proposal(id="answer", units=(unit,)), answers.health, [REPORT]).judged
    return item.code or item.status.value


if __name__ == "__main__":
    for title, (unit, _) in CASES.items():
        print(f"{title}: {judge(unit)}")
