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
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    RunResult,
    RunState,
    SQLiteSession,
)
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from gate_core import AnswerWithheld, Gate, GateArguments, GateState, Verdict
from gate_core.conformance import Case, CaseRun, Player
from gate_openai_agents._script import Script, ScriptedModel
from gate_openai_agents._wire import responses_server
from gate_openai_agents.result import GatedResult
from gate_openai_agents.runner import GateRunner

CAPABILITIES = frozenset({"parallel", "turns", "restart", "probe", "outside", "failed-edit", "rails"})

_QUIET = {"tracing_disabled": True}  # nothing leaves the machine


class OpenAIDriver:
    """Runs cases on the real `Runner` with a scripted `Model` subclass, function tools and an SDK session."""

    name = "openai"
    capabilities = CAPABILITIES

    async def run(self, case: Case, workspace: Path, *, gated: bool = True) -> CaseRun:
        """Run the case; see `Driver.run`."""
        script = Script(Player(case, workspace), restarts=gated)
        async with self._model(script) as model:
            play = _Play(case, script, model, workspace, gated=gated)
            try:
                return await play.run()
            finally:
                play.close()

    def _model(self, script: Script) -> AbstractAsyncContextManager[Model]:
        return _local(script)


class OpenAIWireDriver(OpenAIDriver):
    """The same over the wire: the real `openai` client against a loopback server that speaks the Responses API."""

    name = "openai-wire"

    def _model(self, script: Script) -> AbstractAsyncContextManager[Model]:
        return _remote(script)


@asynccontextmanager
async def _local(script: Script) -> AsyncIterator[Model]:
    yield ScriptedModel(script)


@asynccontextmanager
async def _remote(script: Script) -> AsyncIterator[Model]:
    async with (
        responses_server(script.respond) as url,
        DefaultAsyncHttpxClient(trust_env=False) as http,
        AsyncOpenAI(base_url=url, api_key="none", max_retries=0, http_client=http) as client,
    ):
        yield OpenAIResponsesModel(model="scripted", openai_client=client)


class _Play:
    """One case on one model: the conversation, and its restarts."""

    def __init__(self, case: Case, script: Script, model: Model, workspace: Path, *, gated: bool) -> None:
        self._case = case
        self._script = script
        self._model = model
        self._workspace = workspace
        self._gated = gated
        self._session = SQLiteSession(case.id)
        self._verdicts: list[Verdict] = []
        self._gate: Gate | None = None
        self._start()

    def close(self) -> None:
        """Drop the session's database."""
        self._session.close()

    def _start(self) -> None:
        """What a process makes anew when it starts: the agent with its tools, and the gate."""
        self._agent = Agent(name="worker", model=self._model, tools=self._script.tools(self._workspace))
        roots = (str(self._workspace),) if "probe" in self._case.requires else ()
        arguments: GateArguments = {"config": self._case.config, "probe_roots": roots, "on_verdict": self._told}
        self._runner = GateRunner(**arguments)

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
        gate = self._runner.gate_of(self._session)
        return gate.state if gate is not None else None

    async def _ungated(self, prompt: str) -> RunResult:
        config = RunConfig(**_QUIET)  # type: ignore[arg-type]  # a dict of booleans
        return await Runner.run(self._agent, prompt, session=self._session, run_config=config)

    async def _turn(self, prompt: str, number: int) -> RunResult | None:
        """One gated turn; None when the answer was withheld."""
        plan = _Stops(self._case, number)
        given: str | RunState[Any] = prompt
        if self._script.restarts_next and not plan.first_calls:
            self._reload()
        limit = plan.next(0)
        while True:
            try:
                done = await self._attempt(given, limit)
            except AnswerWithheld:
                return None
            except MaxTurnsExceeded as error:
                given, limit = await self._stopped(error, plan)
                continue
            if not done.result.interruptions:
                return done.result
            given = await self._approved(done.result.to_state())

    async def _attempt(self, given: str | RunState[Any], limit: int) -> GatedResult:
        gate, self._gate = self._gate, None
        return await self._runner.run(
            self._agent, given, gate=gate, session=self._session, max_turns=limit, run_config=dict(_QUIET)
        )

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
        gate = self._runner.gate_of(self._session)
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


def _marked(result: RunResult) -> bool:
    """True when the SDK's own result carries the unverified mark."""
    infos = (item.output.output_info for item in result.output_guardrail_results)
    return any(isinstance(info, Verdict) and info.marked for info in infos)
