"""Verdicts at rest, the exceptions that leave the core, and the arguments every adapter takes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gate_core import (
    Action,
    AnswerWithheld,
    Attempt,
    Claim,
    Code,
    ConfigError,
    Decision,
    Finding,
    Gate,
    GateArguments,
    GateConfig,
    GateFactory,
    Severity,
    StateError,
    StubVerifier,
    ToolCall,
    ToolEffect,
    ToolProfile,
    TranscriptError,
    Verdict,
)


def _rejected() -> Verdict:
    gate = Gate()
    gate.begin_turn("x")
    gate.observe(ToolCall(tool="edit_file", args={"path": "a.cfg", "old": "1", "new": "2"}, result="ok"))
    return gate.boundary_check(Attempt(parts=("Done with a.cfg.",)))


def test_a_verdict_comes_back_the_same() -> None:
    """Through JSON text; only what its probes look for stays behind."""
    verdict = _rejected()
    bare = tuple(replace(probe, text="", gone="") for probe in verdict.needs)
    assert Verdict.from_dict(json.loads(json.dumps(verdict.to_dict()))) == replace(verdict, needs=bare)
    sure = replace(verdict, confidence=0.5, needs=())
    assert Verdict.from_dict(sure.to_dict()) == sure


@pytest.mark.parametrize(
    "change",
    [
        {"decision": "MAYBE"},
        {"exit": "left"},
        {"findings": "x"},
        {"findings": ["x"]},
        {"findings": [{}]},
        {"provenance": []},
        {"legal_next": "x"},
        {"needs": [{"kind": "peek", "path": "", "about": ""}]},
        {"confidence": "sure"},
        {"unchecked": ["x"]},
        {"decided_by": None},
    ],
    ids=str,
)
def test_a_damaged_verdict_is_a_state_error(change: dict[str, Any]) -> None:
    """Never another exception."""
    with pytest.raises(StateError):
        Verdict.from_dict({**_rejected().to_dict(), **change})


def test_a_missing_key_is_a_state_error() -> None:
    """Every key is written, so every key is read."""
    with pytest.raises(StateError):
        Verdict.from_dict({})


def test_the_exceptions_say_what_happened() -> None:
    """A withheld answer names its codes and never its text; a bad transcript names its place."""
    verdict = _rejected()
    assert str(AnswerWithheld(verdict)) == "the answer was withheld: change-unseen"
    assert str(AnswerWithheld(replace(verdict, findings=()))) == "the answer was withheld: no support"
    error = TranscriptError("expected a list", file="a.jsonl", line=3, pointer="")
    assert (str(error), error.line, error.expected) == ("a.jsonl:3: /: expected a list", 3, "expected a list")


def test_a_factory_makes_gates_under_one_configuration() -> None:
    """Single keys win over the same keys of `config`; profiles add to its profiles."""
    verdicts: list[Verdict] = []
    own = ToolProfile(name="a", effect=ToolEffect.READ)
    arguments: GateArguments = {
        "config": GateConfig(max_blocks=1, profiles={"a": own}, home="/x"),
        "profiles": {"b": {"effect": "change"}, "c": own},
        "home": "/home/u",
        "surface": ["a.cfg"],
        "verifier": StubVerifier(1.0),
        "on_verdict": verdicts.append,
        "mark_text": True,
    }
    factory = GateFactory(arguments)
    assert (factory.mark_text, factory.config.home, factory.config.surface) == (True, "/home/u", ("a.cfg",))
    assert (factory.config.max_blocks, sorted(factory.config.profiles)) == (1, ["a", "b", "c"])
    gate = factory.new(unwired="pass the hooks")
    assert (gate.wired, gate.config.probe_roots) == (False, None)
    gate.boundary_check(Attempt(parts=("x",)))
    assert [verdict.findings[0].where for verdict in verdicts] == ["pass the hooks"]
    assert factory.new(probe_roots=("/p",), wired=True).config.probe_roots == ("/p",)


def test_the_users_roots_win_over_the_adapters() -> None:
    """Also when the user wants none."""
    factory = GateFactory({"probe_roots": ()})
    assert factory.new(probe_roots=("/p",)).config.probe_roots == ()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"profiles": {"a": {"effect": "eat"}}}, id="profile"),
        pytest.param({"surface": "a"}, id="surface"),
        pytest.param({"audit": ""}, id="an empty path"),
        pytest.param({"audit": []}, id="a list is no writer"),
        pytest.param({"audit": 3}, id="a number is no log"),
        pytest.param({"emit_progress": "yes"}, id="progress to a text"),
    ],
)
def test_a_factory_refuses_at_build_time(arguments: Any) -> None:
    """And not in the middle of a run."""
    with pytest.raises(ConfigError):
        GateFactory(arguments)


@pytest.mark.parametrize(
    ("codes", "approvable"),
    [
        ((), False),
        ((Code.CONFIRMATION_REQUIRED,), True),
        ((Code.CONFIRMATION_REQUIRED, Code.AUTHORIZATION_MISSING), True),
        ((Code.CONFIRMATION_REQUIRED, Code.INTENT_NOT_ESTABLISHED), False),
    ],
)
def test_an_approval_settles_what_only_lacks_the_users_word(codes: tuple[Code, ...], approvable: bool) -> None:
    """And nothing else; a warning beside it does not matter (spec 40, "Confirmation")."""
    warning = Finding(code=Code.REDUNDANT_CALL, severity=Severity.WARN, says="again")
    findings = [Finding(code=code, severity=Severity.BLOCK, says="no") for code in codes]
    verdict = Verdict(
        decision=Decision.REJECT, action=Action.REVISE, exit=None, claim=Claim.NONE, findings=(warning, *findings)
    )
    assert verdict.approvable is approvable
