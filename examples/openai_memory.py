"""An agent of the OpenAI Agents SDK whose memory holds of the user only what the user said.

Usage: OPENAI_API_KEY=... python openai_memory.py "I'm vegetarian and live in Rome. Remember that."
"""

from __future__ import annotations

import asyncio
import sys

from agents import Agent, Model, function_tool

from gate_core import GateConfig, Layer, Strength, ToolEffect, ToolProfile
from gate_openai_agents import GateRunner

KEEP = ToolProfile(
    name="keep", effect=ToolEffect.CHANGE, targets=("memory:{name}",), stores=("fact",), store_key="name"
)
CONFIG = GateConfig(layers={Layer.WRITES: Strength.BLOCK}, profiles={"keep": KEEP})


async def main(prompt: str, model: str | Model = "gpt-5.1") -> dict[str, str]:
    """Tell the agent something; prints and returns what it remembers."""
    kept: dict[str, str] = {}

    @function_tool
    def keep(name: str, fact: str) -> str:
        """Keep one fact of the user, in the user's own words."""
        kept[name] = fact
        return "kept"

    gate = GateRunner(config=CONFIG)
    await gate.run(gate.instrument(Agent(name="friend", model=model, tools=[keep])), prompt)
    print(kept)
    return kept


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or "I'm vegetarian and live in Rome. Remember that."))
