"""A deterministic gate between an AI agent and its user.

`Gate` watches completed tool calls (`observe`) and decides at the end whether what was observed supports what the agent
says (`boundary_check`). No model call, no network, no clock: the same transcript always gives the same verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate_core.admission.memory import SPEAKER
    from gate_core.admission.units import StateWrite
    from gate_core.arguments import GateArguments, GateFactory
    from gate_core.checks.values import check_answer
    from gate_core.decide import boundary_check
    from gate_core.feedback import mark
    from gate_core.footprint import observe
    from gate_core.footprint.delivered import as_delivered
    from gate_core.gate import Gate, Prober
    from gate_core.loop import turn_loop
    from gate_core.model.call import Attempt, SignalEvent, TextSource, ToolCall
    from gate_core.model.codes import Code
    from gate_core.model.config import GateConfig, parse_config
    from gate_core.model.errors import (
        AuditFailure,
        ConfigError,
        GateUsageError,
        GateUserError,
        StateError,
        TranscriptError,
    )
    from gate_core.model.fact import Effect, Fact
    from gate_core.model.json import Json, JsonObject
    from gate_core.model.kinds import (
        LEGAL_NEXT,
        Action,
        CallStatus,
        Claim,
        Decision,
        Did,
        Exit,
        Layer,
        Outcome,
        Policy,
        Posture,
        ProbeKind,
        Receipt,
        Settle,
        Severity,
        SignalState,
        Strength,
        ToolEffect,
    )
    from gate_core.model.profile import SignalRule, ToolProfile
    from gate_core.model.reading import Reading
    from gate_core.model.state import GateState
    from gate_core.model.verdict import AnswerWithheld, Finding, Probe, ProbeResult, Verdict
    from gate_core.values.report import Carrier, Judged, Provenance, ValueReport
    from gate_core.verifier import StubVerifier, Verifier

__all__ = [
    "LEGAL_NEXT",
    "SPEAKER",
    "Action",
    "AnswerWithheld",
    "Attempt",
    "AuditFailure",
    "CallStatus",
    "Carrier",
    "Claim",
    "Code",
    "ConfigError",
    "Decision",
    "Did",
    "Effect",
    "Exit",
    "Fact",
    "Finding",
    "Gate",
    "GateArguments",
    "GateConfig",
    "GateFactory",
    "GateState",
    "GateUsageError",
    "GateUserError",
    "Json",
    "JsonObject",
    "Judged",
    "Layer",
    "Outcome",
    "Policy",
    "Posture",
    "Probe",
    "ProbeKind",
    "ProbeResult",
    "Prober",
    "Provenance",
    "Reading",
    "Receipt",
    "Settle",
    "Severity",
    "SignalEvent",
    "SignalRule",
    "SignalState",
    "StateError",
    "StateWrite",
    "Strength",
    "StubVerifier",
    "TextSource",
    "ToolCall",
    "ToolEffect",
    "ToolProfile",
    "TranscriptError",
    "ValueReport",
    "Verdict",
    "Verifier",
    "as_delivered",
    "boundary_check",
    "check_answer",
    "mark",
    "observe",
    "parse_config",
    "turn_loop",
]

_ROOMS = {
    "admission.memory": "SPEAKER",
    "admission.units": "StateWrite",
    "arguments": "GateArguments GateFactory",
    "checks.values": "check_answer",
    "decide": "boundary_check",
    "feedback": "mark",
    "footprint": "observe",
    "footprint.delivered": "as_delivered",
    "gate": "Gate Prober",
    "loop": "turn_loop",
    "model.call": "Attempt SignalEvent TextSource ToolCall",
    "model.codes": "Code",
    "model.config": "GateConfig parse_config",
    "model.errors": "AuditFailure ConfigError GateUsageError GateUserError StateError TranscriptError",
    "model.fact": "Effect Fact",
    "model.json": "Json JsonObject",
    "model.kinds": "LEGAL_NEXT Action CallStatus Claim Decision Did Exit Layer Outcome "
    "Policy Posture ProbeKind Receipt Settle Severity SignalState Strength ToolEffect",
    "model.profile": "SignalRule ToolProfile",
    "model.reading": "Reading",
    "model.state": "GateState",
    "model.verdict": "AnswerWithheld Finding Probe ProbeResult Verdict",
    "values.report": "Carrier Judged Provenance ValueReport",
    "verifier": "StubVerifier Verifier",
}
"""Where each name lives. A room is imported with the first name of it that somebody asks for (PEP 562): a host that
only starts must not pay for what it may never use."""

_HOME = {name: f"gate_core.{room}" for room, names in _ROOMS.items() for name in names.split()}


if not TYPE_CHECKING:  # a type checker would take any name for one that is there

    def __getattr__(name: str) -> object:
        home = _HOME.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(home), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
