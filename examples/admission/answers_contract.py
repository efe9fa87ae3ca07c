"""Terms of a contract: each stands, name and value, in one clause of the document that does not deny it."""

from __future__ import annotations

from gate_core.admission import ClaimUnit, Evidence, Proposal, admit_units
from gate_core.model.json import JsonObject
from gate_core.policies import answers

DOCUMENT = Evidence(
    id="d1",
    source_type="document",
    source_id="contract.pdf",
    attributes={"text": "The notice period is 30 days. The fee is 14100 euros. There is no penalty clause."},
)
CASES: dict[str, tuple[JsonObject, str]] = {
    "the very value": ({"notice_period": "30 days"}, "approved"),
    "digits of another figure": ({"fee": 410}, "not-in-document"),
    "a value of another term": ({"notice_period": 14100}, "not-in-document"),
    "a term that is denied": ({"penalty": "clause"}, "denied-in-document"),
}


def judge(attributes: JsonObject) -> str:
    """The code of a claim with these terms, or its status."""
    unit = ClaimUnit(id="a", text="So it is agreed.", grade="proven", cites=("d1",), attributes=attributes)
    (item,) = admit_units(Proposal(id="answer", units=(unit,)), answers.contract, [DOCUMENT]).judged
    return item.code or item.status.value


if __name__ == "__main__":
    for title, (attributes, _) in CASES.items():
        print(f"{title}: {judge(attributes)}")
