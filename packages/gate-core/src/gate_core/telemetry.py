"""OpenTelemetry spans `gate.observe` and `gate.boundary_check` (spec 50, "Telemetry"): decision, codes, counts. Never
contents: no text, no argument, no target.

An edge. It is loaded by the first call of a process that has imported the API of OpenTelemetry itself: without that no
provider can be set. While none is, a span records nothing and its attributes are not even computed. Whatever fails here
is dropped; a trace is nobody's evidence.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from opentelemetry import trace

from gate_core.model.fact import Fact
from gate_core.model.verdict import Verdict

NAME = "gate_core"
"""The instrumentation scope of the spans."""

_Attributes: TypeAlias = Mapping[str, str | int | tuple[str, ...]]


_TRACER = trace.get_tracer(NAME)
"""Of the provider that is set, also when one is set later."""


def begun(name: str) -> Callable[[Fact | Verdict | None], None] | None:
    """Start a span under whatever span is current, and give what ends it; None when nobody records it."""
    try:
        span = _TRACER.start_span(name)
        return partial(_end, span) if span.is_recording() else None
    except Exception:  # noqa: BLE001 - a provider of the host's; asked with every call, so without `suppress`
        return None


def _end(span: trace.Span, outcome: Fact | Verdict | None) -> None:
    """End a span with what came of it; None when the gate raised."""
    with suppress(Exception):
        if isinstance(outcome, Fact):
            span.set_attributes(_of_fact(outcome))
        elif isinstance(outcome, Verdict):
            span.set_attributes(_of_verdict(outcome))
        elif (error := sys.exception()) is not None:
            span.set_attribute("error.type", type(error).__name__)
        span.end()


def _of_fact(fact: Fact) -> _Attributes:
    return {
        "gate.outcome": fact.outcome.value,
        "gate.turn": fact.turn,
        "gate.step": fact.step,
        "gate.effects": len(fact.effects),
        "gate.signals": len(fact.signals),
    }


def _of_verdict(verdict: Verdict) -> _Attributes:
    return {
        "gate.decision": verdict.decision.value,
        "gate.action": verdict.action.value,
        "gate.exit": verdict.exit.value if verdict.exit else "",
        "gate.claim": verdict.claim.value,
        "gate.codes": verdict.codes,
        "gate.findings": len(verdict.findings),
        "gate.blocking": len(verdict.blocking),
    }
