"""Compares a verdict with what a transcript expects. What is not named is not checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from gate_core.model.json import JsonObject
from gate_core.model.verdict import Verdict


def mismatches(verdict: Verdict, expect: JsonObject) -> tuple[str, ...]:
    """One sentence for each expectation that is not met."""
    return tuple(_mismatches(verdict, cast("Mapping[str, Any]", expect)))


def _mismatches(verdict: Verdict, expect: Mapping[str, Any]) -> Iterator[str]:
    came = {
        "decision": verdict.decision.value.lower(),
        "exit": verdict.exit.value if verdict.exit else None,
        "action": verdict.action.value,
        "claim_type": verdict.claim.value,
    }
    for key, value in came.items():
        if key in expect and expect[key] != value:
            yield f"{key}: expected {expect[key]}, got {value}"
    for code in expect.get("codes", ()):
        if code not in verdict.codes:
            yield f"codes: expected {code}, got {', '.join(verdict.codes) or 'none'}"
    for code in expect.get("not_codes", ()):
        if code in verdict.codes:
            yield f"codes: {code} must not be there"
    for value, source in expect.get("provenance", {}).items():
        if verdict.provenance.get(value) != source:
            yield f"provenance of {value}: expected {source}, got {verdict.provenance.get(value)}"
