"""A gated stream: the user reads the answer that was let go, and never a draft that was not.

Usage: OPENAI_API_KEY=... python openai_stream.py "Set the timeout in app.cfg to 30."
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from agents import Agent, Model, function_tool

from gate_openai_agents import GatedStream, GateRunner


@function_tool
def read_file(path: str) -> str:
    """Read a text file."""
    return Path(path).read_text(encoding="utf-8")


@function_tool
def write_file(path: str, content: str) -> str:
    """Write a text file."""
    Path(path).write_text(content, encoding="utf-8")
    return "ok"


async def main(prompt: str, model: str | Model = "gpt-5.1") -> GatedStream:
    """Run the agent once, printing its answer as it is let go."""
    agent = Agent(name="ops", model=model, tools=[read_file, write_file])
    stream = GateRunner(mark_text=True).run_streamed(agent, prompt)
    async for event in stream.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            print(event.data.delta, end="", flush=True)
    print()
    if stream.verdict is not None:
        print(stream.verdict.evidence_line)
    return stream


if __name__ == "__main__":
    if "OPENAI_API_KEY" not in os.environ:
        sys.exit("OPENAI_API_KEY is not set; this example asks a real model (`gate demo` needs no key)")
    asyncio.run(main(" ".join(sys.argv[1:]) or "Set the timeout in app.cfg to 30."))
