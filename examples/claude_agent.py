"""The gate in the Claude Agent SDK. Needs a key, or a login of Claude Code; edits app.cfg in the current folder."""

from __future__ import annotations

import asyncio

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, SystemMessage

from gate_claude_sdk import GateHooks


def build(gate: GateHooks) -> ClaudeAgentOptions:
    """The agent's options, with the gate's hooks."""
    return ClaudeAgentOptions(
        hooks=gate.hooks(),
        permission_mode="acceptEdits",
        max_buffer_size=50 << 20,  # hooks carry whole files
    )


async def main(prompt: str = "Set the timeout in app.cfg to 30.") -> str:
    """Ask once, print what the gate has to say, return the answer."""
    gate = GateHooks()
    async with ClaudeSDKClient(build(gate)) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            if isinstance(message, SystemMessage) and message.subtype == "informational":
                print(message.data.get("content"))
    answer = gate.result()
    print(answer)
    if gate.verdict is not None:
        print(gate.verdict.evidence_line)
    return answer


if __name__ == "__main__":
    asyncio.run(main())
