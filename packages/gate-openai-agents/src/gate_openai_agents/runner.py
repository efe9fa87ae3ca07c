"""`GateRunner`: the gate for the OpenAI Agents SDK, as hooks, as a guardrail, and as a run that goes on."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, Unpack

from agents import (
    Agent,
    MaxTurnsExceeded,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    Runner,
    RunState,
)
from agents.memory import Session
from agents.run import RunOptions

from gate_core import Gate, GateArguments, GateFactory, GateState, Json
from gate_openai_agents._guardrail import gated, output_guardrail
from gate_openai_agents._history import History
from gate_openai_agents._hooks import GateHooks
from gate_openai_agents._ledger import RunLedger
from gate_openai_agents._turn import RunInput, Turn
from gate_openai_agents.result import GatedResult

TContext = TypeVar("TContext")

SESSIONS = 256
"""How many conversations with a session one GateRunner remembers; beyond that the longest unused one is forgotten."""

UNWIRED = "no run hooks were called in this run; pass hooks=gate.hooks() beside run_config=gate.run_config()"

_bound: ContextVar[RunLedger | None] = ContextVar("gate_openai_agents", default=None)


class GateRunner:
    """The gate for agents of the OpenAI Agents SDK.

    One instance serves many runs, conversations and threads. `await gate.run(agent, input)` is `Runner.run` with the
    gate at its end: an answer without evidence goes back to the model. For plain `Runner.run` pass `hooks=gate.hooks()`
    and `run_config=gate.run_config()`: the guardrail then raises with the verdict, and each run is a conversation
    of its own.

    Raises:
        ConfigError: a wrong argument.
    """

    def __init__(self, **arguments: Unpack[GateArguments]) -> None:
        self._factory = GateFactory(arguments)
        self._runs: dict[int, RunLedger] = {}
        self._histories: weakref.WeakKeyDictionary[Gate, History] = weakref.WeakKeyDictionary()
        self._sessions: OrderedDict[str, Gate] = OrderedDict()
        self._guardrail: OutputGuardrail[Any] = output_guardrail(self._find)

    # -- the pieces, for plain Runner calls

    def hooks(self, user_hooks: RunHooks[Any] | None = None) -> RunHooks[Any]:
        """Run hooks that observe every call, then call `user_hooks`. Agents used as tools need them as well:
        `agent.as_tool(..., hooks=gate.hooks())`."""
        if isinstance(user_hooks, GateHooks) and user_hooks.find == self._find:
            return user_hooks
        return GateHooks(self._find, user_hooks)

    @property
    def output_guardrail(self) -> OutputGuardrail[Any]:
        """The strict boundary: `OutputGuardrailTripwireTriggered`, with the `Verdict` in
        `guardrail_result.output.output_info`. Belongs into the run configuration: `Agent.output_guardrails` are only
        asked for the last agent of a run."""
        return self._guardrail

    def run_config(self, run_config: RunConfig | None = None) -> RunConfig:
        """A copy of the run configuration with the guardrail and the tool error formatter added to the user's."""
        config = gated(run_config or RunConfig(), self._guardrail, self._find)
        assert isinstance(config, RunConfig)
        return config

    # -- the gated run

    async def run(
        self,
        agent: Agent[TContext],
        input: RunInput[TContext],  # noqa: A002 - the name `Runner.run` gives it
        *,
        gate: Gate | None = None,
        **options: Unpack[RunOptions[TContext]],
    ) -> GatedResult:
        """`Runner.run`, going on until the gate lets the answer go. Takes the same arguments.

        `gate` continues a conversation; with a `session` the conversation is that of its `session_id`. A `RunState` as
        input goes on within its turn. All attempts share one budget of `max_turns`.

        Raises:
            AnswerWithheld: posture `rails`, and no attempt was supported.
            ConfigError: a server-managed conversation, which this version cannot gate.
            Whatever `Runner.run` raises, guardrails of the user included.
        """
        turn = self._turn(agent, input, gate, options)
        with bound(turn.ledger):
            while True:
                try:
                    return turn.delivered(await Runner.run(turn.agent, turn.input, **turn.options))
                except OutputGuardrailTripwireTriggered as error:
                    tripped = error
                except MaxTurnsExceeded as error:
                    raise turn.exhausted(error) from None
                turn.refused(tripped)  # not above: what it raises must not drag the answer along as its context

    def run_sync(
        self,
        agent: Agent[TContext],
        input: RunInput[TContext],  # noqa: A002 - the name `Runner.run_sync` gives it
        *,
        gate: Gate | None = None,
        **options: Unpack[RunOptions[TContext]],
    ) -> GatedResult:
        """`run` for code without an event loop; it is `Runner.run_sync` that is called."""
        turn = self._turn(agent, input, gate, options)
        with bound(turn.ledger):
            while True:
                try:
                    return turn.delivered(Runner.run_sync(turn.agent, turn.input, **turn.options))
                except OutputGuardrailTripwireTriggered as error:
                    tripped = error
                except MaxTurnsExceeded as error:
                    raise turn.exhausted(error) from None
                turn.refused(tripped)  # not above: what it raises must not drag the answer along as its context

    def restore(self, data: Mapping[str, Json]) -> Gate:
        """The gate of a conversation, from what `gate.to_json()` gave: for `run(..., gate=...)`.

        Raises:
            StateError: the data is not a gate's state.
        """
        return self._new(GateState.from_json(data))

    def gate_of(self, session: Session) -> Gate | None:
        """The gate of the session's conversation, None when no gated run had it."""
        return self._sessions.get(session.session_id)

    # -- inside

    def _turn(
        self,
        agent: Agent[TContext],
        given: RunInput[TContext],
        gate: Gate | None,
        options: RunOptions[TContext],
    ) -> Turn[TContext]:
        found = self._gate_for(options.get("session"), gate)
        paused = isinstance(given, RunState)
        said = given.pending_input if isinstance(given, RunState) else given
        ledger = RunLedger(self, found, self._history(found), begun=paused and not said and found.state.turn > 0)
        if said or not paused:
            ledger.begin(said)
        options["hooks"] = self.hooks(options.get("hooks"))
        options["run_config"] = gated(options.get("run_config"), self._guardrail, self._find)
        return Turn(ledger, self._guardrail, agent, given, options, mark_text=self._factory.mark_text)

    def _gate_for(self, session: Session | None, gate: Gate | None) -> Gate:
        if session is None:
            return gate or self._new()
        key = session.session_id
        found = gate or self._sessions.get(key) or self._new()
        self._sessions[key] = found
        self._sessions.move_to_end(key)
        while len(self._sessions) > SESSIONS:
            self._sessions.popitem(last=False)
        return found

    def _new(self, state: GateState | None = None) -> Gate:
        history = History()
        gate = self._factory.new(state=state, texts=history, unwired=UNWIRED)
        self._histories[gate] = history
        return gate

    def _history(self, gate: Gate) -> History:
        """The text source of a gate; one that this runner did not make reads none."""
        return self._histories.get(gate) or History()

    def _find(self, context: RunContextWrapper[Any]) -> RunLedger:
        """The ledger of the run a hook was called in: the one `run` has bound, else by the run's `Usage` object.

        One `Usage` exists per run and every context of the run holds it; the ledger ends with it.
        """
        current = _bound.get()
        if current is not None and current.owner is self:
            return current
        key = id(context.usage)
        ledger = self._runs.get(key)
        if ledger is None:
            gate = self._new()
            ledger = self._runs[key] = RunLedger(self, gate, self._history(gate))
            weakref.finalize(context.usage, self._runs.pop, key, None)
        return ledger


@contextmanager
def bound(ledger: RunLedger) -> Iterator[None]:
    """Bind the ledger for every task the run starts; they inherit the context variable."""
    token = _bound.set(ledger)
    try:
        yield
    finally:
        _bound.reset(token)
