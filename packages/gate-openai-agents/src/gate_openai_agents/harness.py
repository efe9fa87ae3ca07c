"""Conformance drivers: the real `Runner` with a scripted model, in the process and over the wire."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from agents import (
    Agent,
    ItemHelpers,
    MaxTurnsExceeded,
    Model,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    RunResult,
    RunResultStreaming,
    RunState,
    SQLiteSession,
    TResponseInputItem,
)
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from gate_core import AnswerWithheld, Gate, GateArguments, GateState, Layer, Strength, Verdict
from gate_core.conformance import Case, CaseRun, Player
from gate_openai_agents._script import Script, ScriptedModel
from gate_openai_agents._turn import RunInput
from gate_openai_agents._wire import responses_server
from gate_openai_agents.runner import GateRunner
from gate_openai_agents.stream import GatedStream

Result = RunResult | RunResultStreaming

CAPABILITIES = frozenset({"parallel", "turns", "restart", "probe", "outside", "failed-edit", "rails"})

_QUIET = {"tracing_disabled": True}  # nothing leaves the machine


class OpenAIDriver:
    """Runs cases on the real `Runner` with a scripted `Model` subclass, function tools and an SDK session."""

    name = "openai"
    capabilities = CAPABILITIES
    session = True
    streamed = False

    async def run(self, case: Case, workspace: Path, *, gated: bool = True) -> CaseRun:
        """Run the case; see `Driver.run`."""
        script = Script(Player(case, workspace), restarts=gated)
        async with self._model(script) as model:
            play = _Play(self, case, script, model, workspace, gated=gated)
            try:
                return await play.run()
            finally:
                play.close()

    def _model(self, script: Script) -> AbstractAsyncContextManager[Model]:
        return _local(script)


class OpenAIPlainDriver(OpenAIDriver):
    """The same without a session: history and gate are passed from turn to turn."""

    name = "openai-plain"
    session = False


class OpenAIStreamedDriver(OpenAIDriver):
    """The same with `run_streamed`. What counts as the answer is what the text deltas of the stream said."""

    name = "openai-streamed"
    streamed = True


class OpenAIWireDriver(OpenAIDriver):
    """The same over the wire: the real `openai` client against a loopback server that speaks the Responses API."""

    name = "openai-wire"
    chat = False

    def _model(self, script: Script) -> AbstractAsyncContextManager[Model]:
        return _remote(script, chat=self.chat)


class OpenAIWireStreamedDriver(OpenAIWireDriver):
    """The Responses API as a stream of server-sent events."""

    name = "openai-wire-streamed"
    streamed = True


class OpenAIChatDriver(OpenAIWireDriver):
    """The Chat Completions API."""

    name = "openai-chat"
    chat = True


class OpenAIChatStreamedDriver(OpenAIChatDriver):
    """The Chat Completions API as a stream of server-sent events."""

    name = "openai-chat-streamed"
    streamed = True


@asynccontextmanager
async def _local(script: Script) -> AsyncIterator[Model]:
    yield ScriptedModel(script)


@asynccontextmanager
async def _remote(script: Script, *, chat: bool) -> AsyncIterator[Model]:
    async with (
        responses_server(script.respond) as url,
        DefaultAsyncHttpxClient(trust_env=False) as http,
        AsyncOpenAI(base_url=url, api_key="none", max_retries=0, http_client=http) as client,
    ):
        kind = OpenAIChatCompletionsModel if chat else OpenAIResponsesModel
        yield kind(model="scripted", openai_client=client)


class _Play:
    """One case on one model: the conversation, and its restarts."""

    def __init__(
        self, driver: OpenAIDriver, case: Case, script: Script, model: Model, workspace: Path, *, gated: bool
    ) -> None:
        self._streamed = driver.streamed
        self._case = case
        self._script = script
        self._model = model
        self._workspace = workspace
        self._gated = gated
        self._session = SQLiteSession(case.id) if driver.session else None
        self._history: list[TResponseInputItem] = []
        self._verdicts: list[Verdict] = []
        self._gate: Gate | None = None
        self._start()

    def close(self) -> None:
        """Drop the session's database."""
        if self._session is not None:
            self._session.close()

    def _start(self) -> None:
        """What a process makes anew when it starts: the agent with its tools, and the gate."""
        agent: Agent[None] = Agent(name="worker", model=self._model, tools=self._script.tools(self._workspace))
        roots = (str(self._workspace),) if "probe" in self._case.requires else ()
        arguments: GateArguments = {"config": self._case.config, "probe_roots": roots, "on_verdict": self._told}
        self._runner = GateRunner(**arguments)
        admits = self._case.config.layers[Layer.ACTIONS] is not Strength.OFF
        self._agent = self._runner.instrument(agent) if admits else agent

    def _told(self, verdict: Verdict) -> None:
        self._verdicts.append(verdict)
        self._script.told.append(f"gate: {verdict.feedback or verdict.evidence_line or verdict.action.value}")

    async def run(self) -> CaseRun:
        """Play all turns."""
        answers: list[str] = []
        marked: list[bool] = []
        for number in range(len(self._case.turns)):
            prompt = self._script.begin_turn()
            result = await (self._turn(prompt, number) if self._gated else self._ungated(prompt))
            answers.append(str(result.final_output) if result else "")
            marked.append(result is not None and _marked(result))
            self._script.told.append(f"user sees: {answers[-1]}" if result else "user sees nothing")
        return CaseRun(
            verdicts=tuple(self._verdicts),
            answers=tuple(answers),
            marked=tuple(marked),
            state=self._state(),
            events=tuple(self._script.told),
        )

    def _state(self) -> GateState | None:
        gate = self._current()
        return gate.state if gate is not None and self._gated else None

    def _current(self) -> Gate | None:
        return self._runner.gate_of(self._session) if self._session is not None else self._gate

    def _said(self, prompt: str) -> str | list[TResponseInputItem]:
        """The prompt, behind what was said before where no session does that."""
        return prompt if self._session is not None else [*self._history, {"role": "user", "content": prompt}]

    async def _ungated(self, prompt: str) -> Result:
        config = RunConfig(**_QUIET)  # type: ignore[arg-type]  # a dict of booleans
        done = await Runner.run(self._agent, self._said(prompt), session=self._session, run_config=config)
        self._history = done.to_input_list()
        return done

    async def _turn(self, prompt: str, number: int) -> Result | None:
        """One gated turn; None when the answer was withheld."""
        plan = _Stops(self._case, number)
        if self._script.restarts_next and not plan.first_calls:
            self._reload()
        given: RunInput[Any] = self._said(prompt)
        limit = plan.next(0)
        while True:
            try:
                done = await self._attempt(given, limit)
            except AnswerWithheld:
                return None
            except MaxTurnsExceeded as error:
                given, limit = await self._stopped(error, plan)
                continue
            if not done.interruptions:
                self._history = done.to_input_list()
                return done
            given = await self._approved(done.to_state())

    async def _attempt(self, given: RunInput[Any], limit: int) -> Result:
        if self._gate is None and self._session is None:
            self._gate = self._runner.restore(GateState().to_json())
        options: dict[str, Any] = {"session": self._session, "max_turns": limit, "run_config": dict(_QUIET)}
        if self._streamed:
            return await self._read(self._runner.run_streamed(self._agent, given, gate=self._gate, **options))
        return (await self._runner.run(self._agent, given, gate=self._gate, **options)).result

    async def _read(self, stream: GatedStream) -> Result:
        """Read a stream to its end.

        Raises:
            ValueError: its text was not the answer.
        """
        text = ""
        async for event in stream.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                text += event.data.delta
        if not stream.result.interruptions and text != stream.final_output:
            raise ValueError(f"the stream said {text!r:.80}, the answer is {stream.final_output!r:.80}")
        return stream.result

    async def _approved(self, paused: RunState[Any]) -> RunState[Any]:
        """The process ends while calls wait for an approval; the next one approves them."""
        state = await self._restarted(paused)
        for item in state.get_interruptions():
            state.approve(item)
        return state

    async def _stopped(self, error: MaxTurnsExceeded, plan: _Stops) -> tuple[RunState[Any], int]:
        """The process ends between two model calls: what the run had done goes on in a new state."""
        data = error.run_data
        assert data is not None
        history = ItemHelpers.input_to_new_input_list(data.input) + [
            item.to_input_item() for item in data.new_items if item.type != "tool_approval_item"
        ]
        limit = plan.next(self._script.asked)
        state: RunState[Any] = RunState(data.context_wrapper, history, data.last_agent, max_turns=limit)
        return await self._restarted(state), limit

    async def _restarted(self, state: RunState[Any]) -> RunState[Any]:
        saved = json.dumps(state.to_json())
        self._reload()
        return await RunState.from_json(self._agent, json.loads(saved))

    def _reload(self) -> None:
        """A new process: nothing is left of the gate but what was stored beside the run state."""
        self._script.told.append("the process restarts")
        gate = self._current()
        saved = json.dumps(gate.to_json()) if gate is not None else None
        self._start()
        self._gate = self._runner.restore(json.loads(saved)) if saved else None


class _Stops:
    """Where a turn is cut by a restart before a text: there the run is stopped by its budget of model calls. A
    restart before calls needs no cut, the calls wait for an approval."""

    def __init__(self, case: Case, number: int) -> None:
        self._steps = case.turns[number].steps

    @property
    def first_calls(self) -> bool:
        """True when the turn begins with calls."""
        return bool(self._steps and self._steps[0].calls)

    def next(self, asked: int) -> int:
        """How many model calls may be made before the next cut, after `asked` calls of this turn."""
        cuts = (i for i, step in enumerate(self._steps) if i > asked and step.restart and not step.calls)
        return next(cuts, asked + len(self._steps) + 20) - asked


def _marked(result: Result) -> bool:
    """True when the SDK's own result carries the unverified mark."""
    infos = (item.output.output_info for item in result.output_guardrail_results)
    return any(isinstance(info, Verdict) and info.marked for info in infos)
