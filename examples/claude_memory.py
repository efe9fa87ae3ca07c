"""A Claude agent whose memory holds of the user only what the user said. Needs a key, or a login of Claude Code."""

from __future__ import annotations

import asyncio
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, create_sdk_mcp_server, tool

from gate_claude_sdk import GateHooks
from gate_core import GateConfig, Layer, Strength

CONFIG = GateConfig(layers={Layer.WRITES: Strength.BLOCK})


def build(gate: GateHooks, kept: dict[str, list[str]]) -> ClaudeAgentOptions:
    """The agent's options; the server has the tool of the reference server for memory, whose profile is known."""

    @tool("add_observations", "Remember what the user said of themselves.", {"observations": list})
    async def add_observations(args: dict[str, Any]) -> dict[str, Any]:
        for item in args["observations"]:
            kept.setdefault(item["entityName"], []).extend(item["contents"])
        return {"content": [{"type": "text", "text": "added"}]}

    memory = create_sdk_mcp_server("memory", tools=[add_observations])
    allowed = ["mcp__memory__add_observations"]
    return gate.options(ClaudeAgentOptions(mcp_servers={"memory": memory}, allowed_tools=allowed))


async def main(prompt: str = "I'm vegetarian and live in Rome. Remember that.") -> dict[str, list[str]]:
    """Tell the agent something; prints and returns what it remembers."""
    gate, kept = GateHooks(config=CONFIG), dict[str, list[str]]()
    async with ClaudeSDKClient(build(gate, kept)) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            gate.hear(message)
    print(kept)
    return kept


if __name__ == "__main__":
    asyncio.run(main())
