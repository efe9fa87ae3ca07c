"""The public API as a type checker sees it: mypy reads this file with everything else (`assert_type`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_type

from gate_core import (
    Action,
    Attempt,
    Claim,
    Exit,
    Fact,
    Finding,
    Gate,
    GateConfig,
    GateState,
    Json,
    JsonObject,
    StubVerifier,
    TextSource,
    ToolCall,
    Verdict,
    Verifier,
    boundary_check,
    observe,
    turn_loop,
)


class Texts:
    """A host's own text source."""

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        """Nothing is found."""
        return None


class Strict:
    """A host's own verifier."""

    def score(self, attempt: Attempt, looks: Sequence[str], criteria: Sequence[str]) -> Mapping[str, float]:
        """Everything is supported."""
        return dict.fromkeys(criteria, 1.0)


def test_the_types_of_the_public_api() -> None:
    """What goes in and what comes out, without a cast."""
    texts: TextSource = Texts()
    verifiers: list[Verifier] = [Strict(), StubVerifier(0.9)]
    gate = Gate(GateConfig(max_blocks=1), texts=texts, verifier=verifiers[0], on_verdict=lambda verdict: None)
    assert_type(gate.begin_turn("x"), bool)
    call = ToolCall(tool="read_file", args={"path": "a", "nested": {"list": [1, 2.5, None, True]}}, result={"a": [1]})
    assert_type(gate.observe(call), Fact)
    assert_type(observe(call, GateConfig()), Fact)
    verdict = gate.boundary_check(Attempt(parts=("I read a.cfg.",)))
    assert_type(verdict, Verdict)
    assert_type(boundary_check(gate.state, Attempt(), gate.config, texts), Verdict)
    assert_type(verdict.action, Action)
    assert_type(verdict.exit, Exit | None)
    assert_type(verdict.claim, Claim)
    assert_type(verdict.findings, tuple[Finding, ...])
    assert_type(gate.reasoning_step(), tuple[str, ...])
    assert_type(gate.state, GateState)
    assert_type(turn_loop([], GateState())[0], str | None)
    assert verdict.accepted is (not verdict.blocking)
