"""What the gate says on LangGraph's own channel, the custom stream events of a run (stream mode `custom`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gate_core import GateFactory, Json
from gate_langgraph._decide import Decision
from gate_langgraph._translate import SOURCE

StreamWriter: TypeAlias = Callable[[object], object]


def announce(decision: Decision, factory: GateFactory, writer: StreamWriter) -> None:
    """A verdict was given."""
    writer(decision.event())
    tell(lambda: decision.progress, factory, writer)


def tell(progress: Callable[[], dict[str, Json]], factory: GateFactory, writer: StreamWriter) -> None:
    """Where the conversation stands, for those who asked for it (`emit_progress`)."""
    factory.emit(progress, lambda told: writer({"type": f"{SOURCE}.progress", "progress": told}))
