"""An agent of the OpenAI Agents SDK that edits files, gated: "done" goes out only after it looked.

Usage: OPENAI_API_KEY=... python openai_agent.py "Set the timeout in app.cfg to 30."
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from agents import Agent, Model, function_tool

from gate_openai_agents import GatedResult, GateRunner


@function_tool
def read_file(path: str) -> str:
    """Read a text file."""
    return Path(path).read_text(encoding="utf-8")


@function_tool
def write_file(path: str, content: str) -> str:
    """Write a text file."""
    Path(path).write_text(content, encoding="utf-8")
    return "ok"


async def main(prompt: str, model: str | Model = "gpt-5.1") -> GatedResult:
    """Run the agent once and print what the user gets and why it may be believed."""
    agent = Agent(name="ops", model=model, tools=[read_file, write_file])
    result = await GateRunner().run(agent, prompt)
    print(result.final_output)
    if result.verdict is not None:
        print(result.verdict.evidence_line)
    return result


if __name__ == "__main__":
    if "OPENAI_API_KEY" not in os.environ:
        sys.exit("OPENAI_API_KEY is not set; this example asks a real model (`gate demo` needs no key)")
    asyncio.run(main(" ".join(sys.argv[1:]) or "Set the timeout in app.cfg to 30."))
