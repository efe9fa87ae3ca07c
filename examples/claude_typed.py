"""A typed answer under the gate: an unsupported value is denied before it goes out. Needs a key, or a login."""

from __future__ import annotations

import asyncio
import sys

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage

from gate_claude_sdk import GateHooks

SUMMARY = {"type": "object", "properties": {"summary": {"type": "string"}}, "required": ["summary"]}


async def main(prompt: str = "Set the timeout in app.cfg to 30.") -> object:
    """Ask once and return the typed answer, None when it was withheld."""
    gate = GateHooks()
    options = ClaudeAgentOptions(
        permission_mode="acceptEdits", output_format={"type": "json_schema", "schema": SUMMARY}
    )
    value: object = None
    async with ClaudeSDKClient(gate.options(options)) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            if isinstance(message, ResultMessage) and message.is_error:
                sys.exit(f"Claude Code: {message.result or message.subtype}")  # not logged in, or no answer
            if isinstance(message, ResultMessage):
                value = message.structured_output
    print(value, "| unverified:", gate.exited_unverified)
    return value


if __name__ == "__main__":
    asyncio.run(main())
