"""`audit=` and `emit_progress=`: every decision is recorded, and who asks for it hears where a run stands."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    OutputGuardrailTripwireTriggered,
    Runner,
    Span,
    Trace,
    TracingProcessor,
    function_tool,
    set_trace_processors,
    set_tracing_disabled,
)
from agents.testing import ScriptedModel, assistant_message, function_call

from gate_core import AuditFailure, Gate, GateConfig, JsonObject, Layer, Strength
from gate_core.audit import records_of, verify
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
CLAIM = "a.txt says blue."
ADMITS = GateConfig(layers={Layer.ACTIONS: Strength.BLOCK})


class Full:
    """A writer whose disk is full."""

    def append(self, record: JsonObject) -> None:
        """Fail."""
        raise OSError("disk full")


class Spans(TracingProcessor):
    """Keeps the custom spans of all runs."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []

    def on_span_end(self, span: Span[Any]) -> None:
        """Keep it."""
        if span.span_data.type == "custom":
            self.told.append((span.span_data.name, span.span_data.data))

    def on_trace_start(self, trace: Trace) -> None: ...
    def on_trace_end(self, trace: Trace) -> None: ...
    def on_span_start(self, span: Span[Any]) -> None: ...
    def shutdown(self) -> None: ...
    def force_flush(self) -> None: ...


@pytest.fixture
def spans() -> Iterator[Spans]:
    """What the SDK's tracing is told."""
    found = Spans()
    set_trace_processors([found])
    set_tracing_disabled(False)
    yield found
    set_tracing_disabled(True)
    set_trace_processors([])


@function_tool
def read_file(path: str) -> str:
    """Read."""
    return "blue"


def say(text: str, number: int) -> Any:
    return assistant_message(text, item_id=f"m{number}")


def look() -> Any:
    return function_call("read_file", {"path": "a.txt"}, call_id="c1")


def agent_of(gate: GateRunner, *responses: Any, in_model: bool = False, **extra: Any) -> Agent[Any]:
    model: Any = ScriptedModel(list(responses) or [[say(CLAIM, 1)], [look()], [say(CLAIM, 2)]])
    agent: Agent[Any] = Agent(
        name="w", model=gate.model(model) if in_model else model, **{"tools": [read_file], **extra}
    )
    return gate.instrument(agent)


def run(gate: GateRunner, agent: Agent[Any] | None = None) -> GatedResult:
    return asyncio.run(gate.run(agent or agent_of(gate), "What does a.txt say?"))


def streamed(gate: GateRunner, agent: Agent[Any]) -> None:
    async def read() -> None:
        async for _ in gate.run_streamed(agent, "What does a.txt say?").stream_events():
            pass

    asyncio.run(read())


def synchronous(gate: GateRunner, agent: Agent[Any]) -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        gate.run_sync(agent, "What does a.txt say?")
    finally:
        asyncio.set_event_loop(None)
        loop.close()


RUNS: Any = {
    "run": run,
    "sync": synchronous,
    "streamed": streamed,
}


@pytest.mark.parametrize("in_model", [False, True], ids=["guardrail", "model"])
@pytest.mark.parametrize("how", RUNS)
def test_every_verdict_is_recorded(how: str, in_model: bool, tmp_path: Path) -> None:
    """In a chained log at the path that was given."""
    log = tmp_path / "log.jsonl"
    gate = GateRunner(audit=log)
    RUNS[how](gate, agent_of(gate, in_model=in_model))
    assert [(row["kind"], row["verdict"]) for _, row in records_of(log)] == [
        ("boundary", "REJECT"),
        ("boundary", "ACCEPT"),
    ]
    assert verify(log).whole


@pytest.mark.parametrize("in_model", [False, True], ids=["guardrail", "model"])
@pytest.mark.parametrize("how", RUNS)
def test_a_verdict_that_cannot_be_recorded_leaves_as_an_error(how: str, in_model: bool) -> None:
    """Before it is used: no answer comes back, however the agent is run."""
    gate = GateRunner(audit=Full())
    with pytest.raises(AuditFailure, match="disk full"):
        RUNS[how](gate, agent_of(gate, [say(CLAIM, 1)], in_model=in_model))


def test_a_submitted_answer_that_cannot_be_recorded_leaves_as_an_error() -> None:
    """The submit tool is a boundary too."""
    gate = GateRunner(audit=Full())
    call = function_call("submit_answer", {"answer": CLAIM, "claim": "assertion"}, call_id="c1")
    agent = agent_of(gate, [call], tools=[gate.submit_tool()], tool_use_behavior=gate.until_accepted)
    with pytest.raises(AuditFailure, match="disk full"):
        run(gate, agent)


@pytest.mark.parametrize("ask", [(), ("read_file",)], ids=["guardrail", "approval"])
def test_an_admission_that_cannot_be_recorded_leaves_as_an_error(ask: tuple[str, ...]) -> None:
    """The call did not run, and the model is not told of an error it could talk about."""
    ran: list[str] = []

    @function_tool(name_override="read_file")
    def reads(path: str) -> str:
        ran.append(path)
        return "blue"

    gate = GateRunner(config=ADMITS, audit=Full())
    agent: Agent[Any] = Agent(name="w", model=ScriptedModel([[look()], [say(CLAIM, 1)]]), tools=[reads])
    with pytest.raises(AuditFailure, match=r"\(action\)"):
        run(gate, gate.instrument(agent, ask=ask))
    assert ran == []


def test_admissions_are_recorded(tmp_path: Path) -> None:
    """Each call that asked to run, beside the answers."""
    log = tmp_path / "log.jsonl"
    gate = GateRunner(config=ADMITS, audit=str(log))
    run(gate, agent_of(gate, [look()], [say(CLAIM, 1)]))
    assert [row["kind"] for _, row in records_of(log)] == ["action", "boundary"]


def test_degraded_the_run_goes_on_and_says_so() -> None:
    """`audit_on_error="degrade"`."""
    result = run(GateRunner(config=GateConfig(audit_on_error="degrade"), audit=Full()))
    assert result.verdict is not None
    assert (result.verdict.accepted, result.verdict.audited, result.final_output) == (True, False, CLAIM)


@pytest.mark.parametrize("in_model", [False, True], ids=["guardrail", "model"])
def test_progress_goes_to_a_function(in_model: bool) -> None:
    """After every verdict and every call; the shape is that of `Gate.progress()`."""
    told: list[Any] = []
    gate = GateRunner(emit_progress=told.append)
    result = run(gate, agent_of(gate, in_model=in_model))
    assert [(p["rejections"], p["calls_this_turn"]) for p in told] == [(1, 0), (1, 1), (1, 1)]
    assert all(set(p) == set(Gate().progress()) for p in told)
    assert told[-1] == result.progress()


def test_plain_runs_tell_it_too() -> None:
    """With the pieces, where the guardrail raises."""
    told: list[Any] = []
    gate = GateRunner(emit_progress=told.append)
    agent = agent_of(gate, [look()], [say("a.txt says blue, and I changed b.txt.", 1)])
    with pytest.raises(OutputGuardrailTripwireTriggered):
        asyncio.run(Runner.run(agent, "Go.", hooks=gate.hooks(), run_config=gate.run_config()))
    assert [p["calls_this_turn"] for p in told] == [1, 1]


def test_progress_is_a_custom_span_of_the_trace(spans: Spans) -> None:
    """The SDK's own channel; a trace leaves the machine, so it holds numbers in place of names."""
    result = run(GateRunner(emit_progress=True))
    assert [name for name, _ in spans.told] == [
        "gate.boundary_check", "gate.progress", "gate.progress", "gate.boundary_check", "gate.progress"
    ]  # fmt: skip
    last = spans.told[-1][1]
    assert last == {**result.progress(), "pending": 0, "signals": 0, "unmet_signals": 0}


def test_progress_is_told_only_to_who_asked_for_it(spans: Spans) -> None:
    """Verdicts are in the trace all the same; without a trace nothing is."""
    run(GateRunner())
    assert {name for name, _ in spans.told} == {"gate.boundary_check"}
    set_tracing_disabled(True)
    run(GateRunner(emit_progress=True))
    assert {name for name, _ in spans.told} == {"gate.boundary_check"}
