"""Many sessions on one gate, kept over restarts of the host. Needs a key, or a login of Claude Code."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage

from gate_claude_sdk import GateHooks
from gate_core import AnswerWithheld, GateConfig, Posture


async def ask(gate: GateHooks, prompt: str, resume: str | None = None) -> tuple[str, str]:
    """One conversation, or the next turn of one; returns (session id, what may be shown)."""
    session = ""
    options = ClaudeAgentOptions(permission_mode="acceptEdits", resume=resume)
    async with ClaudeSDKClient(gate.options(options)) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            if isinstance(message, ResultMessage) and message.is_error:
                raise RuntimeError(message.result or message.subtype)  # not logged in, or no answer
            if isinstance(message, ResultMessage):
                session = message.session_id
    try:
        return session, gate.result(session)
    except AnswerWithheld as withheld:
        return session, f"(withheld: {', '.join(withheld.verdict.codes)})"


async def main(folder: Path = Path(".gate-state")) -> list[str]:
    """Two conversations at once, then another turn of the first under a new gate on the same folder."""
    config = GateConfig(posture=Posture.RAILS)
    gate = GateHooks(state_dir=folder, config=config)
    (first, one), (_, two) = await asyncio.gather(
        ask(gate, "What is the timeout in app.cfg?"), ask(gate, "What is the name in app.cfg?")
    )
    _, three = await ask(GateHooks(state_dir=folder, config=config), "And is it really so?", resume=first)
    print(one, two, three, sep="\n")
    return [one, two, three]


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except RuntimeError as error:
        sys.exit(f"Claude Code: {error}")
