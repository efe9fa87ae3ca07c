"""`GateRunner`: the gate for the OpenAI Agents SDK, as hooks, as a guardrail, and as a run that goes on."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Any, TypeVar, Unpack, overload

from agents import (
    Agent,
    FunctionTool,
    MaxTurnsExceeded,
    Model,
    ModelProvider,
    MultiProvider,
    OutputGuardrail,
    RunConfig,
    RunContextWrapper,
    RunHooks,
    RunResult,
    RunState,
    Tool,
)
from agents.memory import Session
from agents.run import RunOptions

from gate_core import ConfigError, Gate, GateArguments, GateFactory, GateState, Json
from gate_openai_agents._admission import Admission, is_guarded
from gate_openai_agents._guardrail import gated, output_guardrail
from gate_openai_agents._history import History
from gate_openai_agents._hooks import GateHooks
from gate_openai_agents._instrument import Instruments
from gate_openai_agents._ledger import BOUND, RunLedger, at_work, bound
from gate_openai_agents._model import GateModel, GateModelProvider
from gate_openai_agents._submit import SUBMIT, UntilAccepted, refuse_ending, submit_tool
from gate_openai_agents._tested import TESTED
from gate_openai_agents._turn import TRIPPED, RunInput, Tripped, Turn, unwrapped
from gate_openai_agents.result import GatedResult
from gate_openai_agents.stream import GatedStream

TContext = TypeVar("TContext")

SESSIONS = 256
"""How many conversations with a session one GateRunner remembers; beyond that the longest unused one is forgotten."""

UNWIRED = "no run hooks were called in this run; pass hooks=gate.hooks() beside run_config=gate.run_config()"
NO_HOOKS = "the model was asked without run hooks; pass hooks=gate.hooks() to the run"


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
        self._factory = GateFactory(arguments, tested=TESTED)
        self._runs: dict[int, RunLedger] = {}
        self._histories: weakref.WeakKeyDictionary[Gate, History] = weakref.WeakKeyDictionary()
        self._sessions: OrderedDict[str, Gate] = OrderedDict()
        self._guardrail: OutputGuardrail[Any] = output_guardrail(self._find)
        self._owned: set[str] = set()
        self._admission = Admission(self._find) if self._factory.config.admits else None
        self._instruments = Instruments(self._find, self._admission)

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

    def run_config(self, run_config: RunConfig | None = None, *, guardrail: bool = True) -> RunConfig:
        """A copy of the run configuration with the guardrail and the tool error formatter added to the user's.

        `guardrail=False` leaves the guardrail out, for runs that have their boundary in the model: where the provider
        keeps the conversation the SDK refuses any output guardrail.
        """
        config = gated(run_config or RunConfig(), self._guardrail if guardrail else None, self._find)
        assert isinstance(config, RunConfig)
        return config

    def model(self, inner: Model) -> Model:
        """`inner` behind the gate, for `Agent(model=...)`: the boundary inside the run, before any stream."""
        return GateModel(inner, self._asking)

    def model_provider(self, inner: ModelProvider | None = None) -> ModelProvider:
        """The provider's models behind the gate, for `RunConfig(model_provider=...)`; the SDK's default provider
        without `inner`. The run needs `hooks=gate.hooks()` too."""
        return GateModelProvider(inner or MultiProvider(), self._asking)

    def submit_tool(self, answer_type: type = str) -> FunctionTool:
        """A tool `submit_answer(answer, claim)` by which an agent ends, with what kind of claim its answer makes.

        Give the agent `tool_use_behavior=gate.until_accepted` with it.
        """
        self._owned.add(SUBMIT)
        return submit_tool(self._find, answer_type)

    @property
    def until_accepted(self) -> UntilAccepted:
        """The `tool_use_behavior` that goes with `submit_tool`: the run ends when the submitted answer was let go."""
        return UntilAccepted(self._find)

    @overload
    def instrument(self, subject: Agent[TContext], *, ask: Collection[str] = ()) -> Agent[TContext]: ...

    @overload
    def instrument(self, subject: Tool, *, ask: Collection[str] = ()) -> Tool: ...

    def instrument(self, subject: Agent[Any] | Tool, *, ask: Collection[str] = ()) -> Agent[Any] | Tool:
        """A copy of an agent, or of a tool, that shows the gate the failures the SDK hides.

        These are a tool's own error function, custom tools that raise, exit codes of shell executors, and results that
        an output guardrail replaced.

        With the layer `actions` on, its function tools and MCP servers have the seat before a tool runs as well. Tools
        named in `ask` then pause for an approval where only the confirmation is missing.
        """
        if isinstance(subject, Agent):
            return self._instruments.agent(subject, ask)
        return self._instruments.tool(subject, ask)

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
            AuditFailure: a decision could not be recorded.
            ConfigError: what the agent is set up with would let answers or actions pass unasked.
            Whatever `Runner.run` raises, guardrails of the user included.
        """
        turn = self._turn(agent, input, gate, options)
        with bound(turn.ledger), at_work(turn.ledger), turn.traced(), unwrapped():
            while True:
                try:
                    return turn.delivered(await turn.run())
                except TRIPPED as error:
                    tripped: Tripped = error
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
        with bound(turn.ledger), at_work(turn.ledger), turn.traced(), unwrapped():
            while True:
                try:
                    return turn.delivered(turn.run_sync())
                except TRIPPED as error:
                    tripped: Tripped = error
                except MaxTurnsExceeded as error:
                    raise turn.exhausted(error) from None
                turn.refused(tripped)  # not above: what it raises must not drag the answer along as its context

    def run_streamed(
        self,
        agent: Agent[TContext],
        input: RunInput[TContext],  # noqa: A002 - the name `Runner.run_streamed` gives it
        *,
        gate: Gate | None = None,
        narration: bool = False,
        **options: Unpack[RunOptions[TContext]],
    ) -> GatedStream:
        """`run` as a stream of the SDK's events. Text waits until the gate lets the answer go, so the text deltas are
        the delivered answer and nothing else; `narration=True` also shows what was said beside calls."""
        turn = self._turn(agent, input, gate, options)
        return GatedStream(turn, narration=narration)

    def result_of(self, result: RunResult) -> GatedResult | None:
        """What the gate said in a plain `Runner.run` with its pieces; None when its hooks were not there."""
        ledger = self._runs.get(id(result.context_wrapper.usage))
        if ledger is None:
            return None
        verdicts, marks = tuple(ledger.verdicts), self._factory.mark_text
        return GatedResult(result=result, gate=ledger.gate, verdicts=verdicts, mark_text=marks)

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
        refuse_ending(agent)
        self._refuse_unseated(agent)
        found = self._gate_for(options.get("session"), gate)
        paused = isinstance(given, RunState)
        said = given.pending_input if isinstance(given, RunState) else given
        begun = paused and not said and found.state.turn > 0
        ledger = RunLedger(self, found, self._history(found), begun=begun, owned=self._owned, emit=self._factory.emit)
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

    def _new(self, state: GateState | None = None, unwired: str = UNWIRED) -> Gate:
        history = History()
        gate = self._factory.new(state=state, texts=history, unwired=unwired)
        self._histories[gate] = history
        return gate

    def _history(self, gate: Gate) -> History:
        """The text source of a gate; one that this runner did not make reads none."""
        return self._histories.get(gate) or History()

    def _refuse_unseated(self, agent: Agent[Any]) -> None:
        """With a layer on that asks before calls, tools without the seat would run unasked."""
        tools = [tool for tool in agent.tools if isinstance(tool, FunctionTool) and tool.name != SUBMIT]
        bare = [tool.name for tool in tools if not is_guarded(tool)]
        if self._admission is not None and bare:
            raise ConfigError(
                "a layer that asks before calls is on (actions, writes), but these tools would run unasked: "
                f"{', '.join(bare)}; use agent = gate.instrument(agent)",
                key="layers",
            )

    def _find(self, context: RunContextWrapper[Any]) -> RunLedger:
        """The ledger of the run a hook was called in: the one `run` has bound, else by the run's `Usage` object.

        One `Usage` exists per run and every context of the run holds it; the ledger ends with it.
        """
        current = BOUND.get()
        if current is not None and current.owner is self:
            return current
        key = id(context.usage)
        ledger = self._runs.get(key)
        if ledger is None:
            ledger = self._runs[key] = self._ledger()
            weakref.finalize(context.usage, self._runs.pop, key, None)
        return ledger

    def _ledger(self) -> RunLedger:
        gate = self._new()
        return RunLedger(self, gate, self._history(gate), owned=self._owned, emit=self._factory.emit)

    def _asking(self, items: object) -> RunLedger | None:
        """The ledger of the run whose model call this is: the hooks were shown the very same list just before.

        A call that no hook announced is that of an agent used as a tool when a run is at work, else that of a run
        without hooks: its gate says so (`gate-unwired`).
        """
        current = BOUND.get()
        known = [current] if current is not None and current.owner is self else list(self._runs.values())
        for ledger in known:
            if ledger.asking is items:
                return ledger
        if any(ledger.calls.running or ledger is current for ledger in known):
            return None
        gate = self._new(unwired=NO_HOOKS)
        unwired = RunLedger(self, gate, self._history(gate), owned=self._owned, emit=self._factory.emit)
        unwired.begin(items)
        return unwired
