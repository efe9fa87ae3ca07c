"""Spans of OpenTelemetry: decision, codes and counts, never contents, and nothing where nobody records."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gate_core import Attempt, AuditFailure, Gate, GateConfig, JsonObject, StubVerifier, ToolCall

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from gate_core import telemetry

SECRET = "hunter2"
LOOK = ToolCall(tool="read_file", args={"path": f"{SECRET}.cfg"}, result=f"password = {SECRET}", call_id="c1")
Spans = Callable[[], list[ReadableSpan]]


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Spans:
    """The finished spans of a provider that records."""
    provider, kept = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    monkeypatch.setattr(telemetry, "_TRACER", provider.get_tracer(telemetry.NAME))
    return lambda: list(kept.get_finished_spans())


def told(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_a_call_and_a_verdict_are_a_span_each(spans: Spans) -> None:
    """With what came of them, as names and numbers."""
    gate = Gate()
    gate.begin_turn("What is in the file?")
    gate.observe(LOOK)
    gate.boundary_check(Attempt(parts=("Done, I changed b.cfg.",)))
    observe, boundary = spans()
    assert (observe.name, told(observe)) == (
        "gate.observe",
        {"gate.outcome": "ok", "gate.turn": 1, "gate.step": 0, "gate.effects": 1, "gate.signals": 0},
    )
    assert (boundary.name, told(boundary)) == (
        "gate.boundary_check",
        {
            "gate.decision": "REJECT",
            "gate.action": "REVISE",
            "gate.exit": "",
            "gate.claim": "completion",
            "gate.codes": gate.verdicts[0].codes,
            "gate.findings": len(gate.verdicts[0].findings),
            "gate.blocking": len(gate.verdicts[0].blocking),
        },
    )
    assert gate.verdicts[0].codes
    gate.boundary_check(Attempt(parts=("UNVERIFIED: I only looked.",)))
    assert (told(spans()[-1])["gate.action"], told(spans()[-1])["gate.exit"]) == ("DELIVER", "unverified")


def test_no_content_is_in_a_span(spans: Spans) -> None:
    """Neither of a result nor of an argument nor of an answer."""
    gate = Gate()
    gate.begin_turn(f"Is it {SECRET}?")
    gate.observe(LOOK)
    gate.boundary_check(Attempt(parts=(f"Done, I set the password in {SECRET}.cfg to {SECRET}99.",)))
    assert len(spans()) == 2
    assert SECRET not in "".join(span.to_json() for span in spans())


def test_spans_are_children_of_the_hosts_span(spans: Spans) -> None:
    """Also where a slow verifier is awaited; the gate's own span never becomes the current one."""
    gate = Gate(verifier=StubVerifier(1.0))
    gate.begin_turn("What is in the file?")

    async def turn() -> None:
        with trace.get_tracer("host").start_as_current_span("turn"):
            gate.observe(LOOK)
            await gate.aboundary_check(Attempt(parts=(f"{SECRET}.cfg holds a password.",)))

    asyncio.run(turn())
    observe, boundary, host = spans()
    assert host.name == "turn"
    assert [span.parent for span in (observe, boundary)] == [host.get_span_context()] * 2


class Full:
    """A writer whose disk is full."""

    def append(self, record: JsonObject) -> None:
        """Fail."""
        raise OSError(SECRET)


def test_what_the_gate_raises_ends_the_span(spans: Spans) -> None:
    """By the name of the error alone."""
    gate = Gate(GateConfig(), audit=Full())
    with pytest.raises(AuditFailure):
        gate.boundary_check(Attempt(parts=("Hello.",)))
    (boundary,) = spans()
    assert told(boundary) == {"error.type": "AuditFailure"}
    assert SECRET not in boundary.to_json()


def test_without_a_provider_nothing_is_recorded() -> None:
    """The API alone gives spans that record nothing."""
    gate = Gate()
    gate.observe(LOOK)
    assert gate.boundary_check(Attempt(parts=("Hello.",))).accepted


def test_a_provider_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace is nobody's evidence."""
    monkeypatch.setattr(telemetry, "_TRACER", None)
    gate = Gate()
    gate.observe(LOOK)
    assert gate.boundary_check(Attempt(parts=("Hello.",))).accepted


PROCESS = """
import sys
{before}
from gate_core import Attempt, Gate, ToolCall
gate = Gate()
gate.observe(ToolCall(tool="read_file", args={{"path": "a"}}, result="x"))
gate.boundary_check(Attempt(parts=("Hello.",)))
print(sorted(name for name in sys.modules if name in ("opentelemetry", "gate_core.telemetry")))
"""
SET = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
exporter = ConsoleSpanExporter(formatter=lambda span: span.name + " ")
trace.set_tracer_provider(TracerProvider())
trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(exporter))
"""
LATE = """
from opentelemetry import trace
from gate_core import Gate, ToolCall
Gate().observe(ToolCall(tool="read_file", args={"path": "a"}, result="x"))
"""


@pytest.mark.parametrize(
    ("before", "printed"),
    [
        pytest.param("", "[]", id="nobody imported the API"),
        pytest.param(SET, "gate.observe gate.boundary_check ['gate_core.telemetry', 'opentelemetry']", id="a provider"),
        pytest.param(
            LATE + SET,
            "gate.observe gate.boundary_check ['gate_core.telemetry', 'opentelemetry']",
            id="a provider set after the first call",
        ),
    ],
)
def test_a_process_of_its_own(before: str, printed: str) -> None:
    """A host that has nothing to do with OpenTelemetry pays nothing for it."""
    run = [sys.executable, "-I", "-c", PROCESS.format(before=before)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == printed
