"""All attempts of a run are one trace, and every verdict leaves a span that tells no contents."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import Agent, TracingProcessor, set_trace_processors, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from openai_scripts import HONEST, LIE, STRICT, edit_file, read_file

from gate_openai_agents import GateRunner

set_tracing_disabled(True)


def worker() -> Agent[Any]:
    """Edits, claims, is refused, reads, answers."""
    edit = function_call("edit_file", {"path": "a.cfg", "old": "5", "new": "30"}, call_id="c1")
    read = function_call("read_file", {"path": "a.cfg"}, call_id="c2")
    said = [[assistant_message(text, item_id=f"m{number}")] for number, text in enumerate((LIE, HONEST))]
    model = ScriptedModel([[edit], said[0], [read], said[1]])
    return Agent(name="worker", model=model, tools=[edit_file, read_file])


class Traces(TracingProcessor):
    """Collects the traces of a run."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.ended: list[str] = []
        self.told: list[tuple[str, Any]] = []

    def on_trace_start(self, trace: Any) -> None:
        self.started.append(trace.trace_id)

    def on_trace_end(self, trace: Any) -> None:
        self.ended.append(trace.trace_id)

    def on_span_start(self, span: Any) -> None:
        pass

    def on_span_end(self, span: Any) -> None:
        if span.span_data.type == "custom":
            self.told.append((span.span_data.name, span.span_data.data))

    def shutdown(self) -> None:
        pass

    def force_flush(self) -> None:
        pass


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("server", [False, True])
def test_all_attempts_are_one_trace(server: bool, streamed: bool) -> None:
    """A repaired answer is one trace, as if it had been one run, in every mode; it begins and ends once."""
    traces = Traces()
    gate = GateRunner(config=STRICT)
    options: dict[str, Any] = {"conversation_id": "c"} if server else {}

    async def stream() -> None:
        async for _ in gate.run_streamed(worker(), "Set it.", **options).stream_events():
            pass

    set_trace_processors([traces])
    set_tracing_disabled(False)
    try:
        asyncio.run(stream()) if streamed else asyncio.run(gate.run(worker(), "Set it.", **options))
    finally:
        set_tracing_disabled(True)
        set_trace_processors([])
    assert len(traces.started) == 1
    assert set(traces.ended) == set(traces.started)
    assert [(name, data["action"], data["codes"]) for name, data in traces.told] == [
        ("gate.boundary_check", "REVISE", ["change-unseen"]),
        ("gate.boundary_check", "DELIVER", []),
    ]
    assert LIE not in str(traces.told)
