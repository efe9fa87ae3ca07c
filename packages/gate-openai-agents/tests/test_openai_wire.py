"""Over the wire: the real client against a loopback server, with the boundary in the model, and a process that ends."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    Model,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    set_tracing_disabled,
)
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from openai_scripts import HONEST, LIE, STRICT, edit_file, read_file

from gate_core import Action
from gate_openai_agents import GateRunner
from gate_openai_agents._wire import responses_server

set_tracing_disabled(True)


def call(number: int, name: str, **args: str) -> dict[str, Any]:
    said = {"name": name, "arguments": json.dumps(args), "call_id": f"c{number}"}
    return {"id": f"fc_{number}", "type": "function_call", "status": "completed", **said}


def message(number: int, text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    return {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed", "content": content}


def script() -> list[list[dict[str, Any]]]:
    return [
        [call(1, "edit_file", path="a.cfg", old="5", new="30")],
        [message(2, LIE)],
        [call(3, "read_file", path="a.cfg")],
        [message(4, HONEST)],
    ]


@asynccontextmanager
async def served(steps: list[list[dict[str, Any]]], kind: type[Any]) -> AsyncIterator[Model]:
    """A model of the real client whose provider says these steps."""
    async with (
        responses_server(lambda: steps.pop(0)) as url,
        DefaultAsyncHttpxClient(trust_env=False) as http,
        AsyncOpenAI(base_url=url, api_key="none", max_retries=0, http_client=http) as client,
    ):
        yield kind(model="scripted", openai_client=client)


def worker(model: Model) -> Agent[Any]:
    return Agent(name="worker", model=model, tools=[edit_file, read_file])


async def text_of(stream: Any) -> str:
    return "".join(
        [
            event.data.delta
            async for event in stream.stream_events()
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
        ]
    )


APIS = [OpenAIResponsesModel, OpenAIChatCompletionsModel]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("kind", APIS)
def test_plain_runs_with_the_boundary_in_the_model(kind: type[Any], streamed: bool) -> None:
    """Plain `Runner` calls on both APIs, whole and as server-sent events: the user gets the accepted answer only."""

    async def go() -> tuple[str, list[Action]]:
        gate = GateRunner(config=STRICT)
        pieces: dict[str, Any] = {"hooks": gate.hooks(), "run_config": gate.run_config()}
        async with served(script(), kind) as model:
            agent = worker(gate.model(model))
            if not streamed:
                result = await Runner.run(agent, "Set it.", **pieces)
                found = gate.result_of(result)
                assert found is not None
                return str(result.final_output), [verdict.action for verdict in found.verdicts]
            stream = Runner.run_streamed(agent, "Set it.", **pieces)
            return await text_of(stream), [Action.REVISE, Action.DELIVER]

    assert asyncio.run(go()) == (HONEST, [Action.REVISE, Action.DELIVER])


@pytest.mark.parametrize("kind", APIS)
def test_the_deltas_of_a_gated_stream_are_the_accepted_answer(kind: type[Any]) -> None:
    """On both APIs the text deltas, joined, are the answer that was let go, to the letter; the draft is in no event."""

    async def go() -> None:
        gate, events, text = GateRunner(config=STRICT), "", ""
        steps = script()
        steps[0].insert(0, message(5, "I edit it now."))
        async with served(steps, kind) as model:
            stream = gate.run_streamed(worker(model), "Set it.")
            async for event in stream.stream_events():
                events += str(event)
                if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                    text += event.data.delta
        assert text == stream.final_output == HONEST
        assert (LIE in events, [verdict.action for verdict in stream.verdicts]) == (
            False,
            [Action.REVISE, Action.DELIVER],
        )

    asyncio.run(go())


def test_tokens_of_refused_answers_are_counted() -> None:
    """The refused response was paid for: its tokens are in the run's usage, streamed or not."""

    async def tokens(streamed: bool) -> int:
        gate = GateRunner(config=STRICT)
        pieces: dict[str, Any] = {"hooks": gate.hooks(), "run_config": gate.run_config()}
        async with served(script(), OpenAIResponsesModel) as model:
            agent = worker(gate.model(model))
            if not streamed:
                return (await Runner.run(agent, "Set it.", **pieces)).context_wrapper.usage.total_tokens
            stream = Runner.run_streamed(agent, "Set it.", **pieces)
            await text_of(stream)
            return stream.context_wrapper.usage.total_tokens

    assert [asyncio.run(tokens(streamed)) for streamed in (False, True)] == [8, 8]


@pytest.mark.parametrize("inside", [False, True], ids=["runner", "model"])
def test_a_hosted_call_is_observed_in_a_stream(inside: bool) -> None:
    """A call the provider ran is known only from the stream's items; it is a fact, at either boundary."""
    action = {"type": "search", "query": "x"}
    search = {"id": "w1", "type": "web_search_call", "status": "completed", "action": action}
    steps = [[search, message(1, "UNVERIFIED: nothing found")]]

    async def go() -> tuple[str, list[str]]:
        gate = GateRunner(config=STRICT)
        async with served(steps, OpenAIResponsesModel) as model:
            stream = gate.run_streamed(worker(gate.model(model) if inside else model), "Search it.")
            text = await text_of(stream)
            return text, [fact.call for fact in stream.gate.state.facts.values()]

    assert asyncio.run(go()) == ("UNVERIFIED: nothing found", ["w1"])


RESUME = """
import asyncio, json, sys
from agents import Agent, RunState, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from gate_core import GateConfig
from gate_openai_agents import GateRunner

set_tracing_disabled(True)

@function_tool
def read_file(path: str) -> str:
    return "timeout = 30"

@function_tool(needs_approval=True)
def edit_file(path: str, old: str, new: str) -> str:
    return "ok"

EDIT = function_call("edit_file", {"path": "a.cfg", "old": "5", "new": "30"}, call_id="c1")
READ = function_call("read_file", {"path": "a.cfg"}, call_id="c2")
LIE, HONEST = "Done, the timeout in a.cfg is 30.", "Done; I read a.cfg back, the timeout is 30."
say = lambda text, n: assistant_message(text, item_id=f"m{n}")
gate = GateRunner(config=GateConfig(policy="strict"))
first = sys.argv[1] == "first"
steps = [[EDIT]] if first else [[say(LIE, 1)], [READ], [say(HONEST, 2)]]
agent = Agent(name="w", model=ScriptedModel(steps), tools=[edit_file, read_file])

async def main():
    if first:
        paused = await gate.run(agent, "Set it.")
        print(json.dumps({"run": paused.result.to_state().to_json(), "gate": paused.gate.to_json()}))
        return
    data = json.load(sys.stdin)
    state = await RunState.from_json(agent, data["run"])
    for item in state.get_interruptions():
        state.approve(item)
    done = await gate.run(agent, state, gate=gate.restore(data["gate"]))
    told = [verdict.action.value for verdict in done.verdicts]
    calls = sorted(fact.call for fact in done.gate.state.facts.values())
    print(json.dumps([done.final_output, told, done.gate.state.turn, calls]))

asyncio.run(main())
"""


def test_an_approval_is_given_in_another_process(tmp_path: Path) -> None:
    """The run pauses in one process and goes on in another with nothing but JSON between them."""
    program = tmp_path / "program.py"
    program.write_text(RESUME, encoding="utf-8")
    said = ""
    for part in ("first", "second"):
        command = [sys.executable, str(program), part]
        done = subprocess.run(command, input=said, capture_output=True, text=True, check=True)
        said = done.stdout
    assert json.loads(said) == [HONEST, ["REVISE", "DELIVER"], 1, ["c1", "c2"]]
