"""The gate in the Claude Agent SDK. Needs a key, or a login of Claude Code; edits app.cfg in the current folder."""

from __future__ import annotations

import asyncio
import sys

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage, SystemMessage

from gate_claude_sdk import GateHooks


def build(gate: GateHooks) -> ClaudeAgentOptions:
    """The agent's options with the gate in them."""
    return gate.options(ClaudeAgentOptions(permission_mode="acceptEdits"))


async def main(prompt: str = "Set the timeout in app.cfg to 30.") -> str:
    """Ask once, print what the gate has to say, return the answer."""
    gate = GateHooks()
    async with ClaudeSDKClient(build(gate)) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            gate.hear(message)  # optional: so a result that no Stop came before is known as unchecked
            if isinstance(message, SystemMessage) and message.subtype == "informational":
                print(message.data.get("content"))
            if isinstance(message, ResultMessage) and message.is_error:
                sys.exit(f"Claude Code: {message.result or message.subtype}")  # not logged in, or no answer
    answer = gate.result()
    print(answer)
    if gate.verdict is not None:
        print(gate.verdict.evidence_line)
    return answer


if __name__ == "__main__":
    asyncio.run(main())
