"""The gate for the OpenAI Agents SDK: run hooks, an output guardrail, and a run that feeds rejections back.

`await GateRunner().run(agent, input)` is the way most programs want; see `GateRunner`.
"""

from __future__ import annotations

from gate_openai_agents.result import GatedResult
from gate_openai_agents.runner import GateRunner
from gate_openai_agents.stream import GatedStream

__all__ = ["GateRunner", "GatedResult", "GatedStream"]
