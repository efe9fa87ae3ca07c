"""A scripted CLI and fired hooks for the tests of this package."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, Message, ResultMessage, SystemMessage
from claude_fired import end_servers

from gate_claude_sdk import GateHooks
from gate_claude_sdk._offline import offline_environment
from gate_claude_sdk._scripted import Block, scripted_messages, text_block
from gate_core import JsonObject

Response: TypeAlias = list[Block]

OVER: Response = [text_block("UNVERIFIED: nothing more was scripted.")]
"""What a model says that is asked more often than foreseen: without an answer the CLI would ask for minutes."""


@dataclass
class CliRun:
    """What a host saw of one conversation: messages of the SDK, and the bodies of the model requests."""

    messages: list[Message] = field(default_factory=list)
    requests: list[JsonObject] = field(default_factory=list)

    @property
    def results(self) -> list[str | None]:
        """The text of every ResultMessage."""
        return [message.result for message in self.messages if isinstance(message, ResultMessage)]

    @property
    def notices(self) -> list[str]:
        """What hooks told the user."""
        found = [m for m in self.messages if isinstance(m, SystemMessage) and m.subtype == "informational"]
        return [str(message.data["content"]) for message in found]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Coroutine[Any, Any, CliRun]]]:
    """Run prompts through the real CLI, which gets the given model responses one after the other.

    A response may be a function, called when its turn has come. With `gate` the options are `gate.options(...)`;
    `after` goes on with the client when the prompts are done; without `exactly` responses may be left over. Servers of
    sessions in which hooks were silenced, so that no event told them of the end, are let go.
    """

    async def run(
        options: dict[str, Any],
        responses: Sequence[Response | Callable[[], Response]],
        prompts: Sequence[str] = ("go",),
        folder: str = "work",
        gate: GateHooks | None = None,
        after: Callable[[ClaudeSDKClient, CliRun], Coroutine[Any, Any, None]] | None = None,
        exactly: bool = True,
    ) -> CliRun:
        done = CliRun()
        coming = iter(responses)

        def script(body: JsonObject) -> Response:
            done.requests.append(body)
            response = next(coming, OVER)
            return response() if callable(response) else response

        workspace = tmp_path / folder
        workspace.mkdir(exist_ok=True)
        options = dict(options)
        async with scripted_messages(script) as url:
            base: dict[str, Any] = {
                "cwd": workspace,
                "env": offline_environment(url, tmp_path / f"home-{folder}"),
                "model": "claude-sonnet-5",
                "permission_mode": "acceptEdits",
                "setting_sources": [],
                "tools": ["Read", "Edit", "Write", "Bash"],
            }
            base["env"] = {**base["env"], **options.pop("env", {})}
            settings = ClaudeAgentOptions(**{**base, **options})
            async with ClaudeSDKClient(gate.options(settings) if gate else settings) as client:
                for prompt in prompts:
                    await client.query(prompt)
                    async for message in client.receive_response():
                        done.messages.append(message)
                        if gate is not None:
                            gate.hear(message)
                if after is not None:
                    await after(client, done)
        assert not exactly or next(coming, OVER) == OVER, "the script was not played to its end"
        assert len(done.requests) <= len(responses), "the model was asked more often than scripted"
        return done

    yield run
    end_servers(tmp_path)


@pytest.fixture
def fire() -> Callable[..., dict[str, Any]]:
    """Call the callback of an event as the SDK does, and return its output."""

    def call(gate: GateHooks, event: str, **fields: Any) -> dict[str, Any]:
        payload = {"session_id": "s1", "prompt_id": "p1", "cwd": "/w", "hook_event_name": event, **fields}
        return call_raw(gate, event, payload)

    return call


def call_raw(gate: GateHooks, event: str, payload: Any) -> dict[str, Any]:
    """The output of the callback for any payload, sane or not."""
    hooks: dict[str, Any] = {str(name): matchers for name, matchers in gate.hooks().items()}
    output: dict[str, Any] = asyncio.run(hooks[event][0].hooks[0](payload, None, {"signal": None}))
    return output


@pytest.fixture
def fire_raw() -> Callable[..., dict[str, Any]]:
    """Call the callback of an event with any payload."""
    return call_raw
