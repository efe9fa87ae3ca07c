"""The conformance drivers: a real agent or a hand-built graph, real file tools, a thread in a SQLite file, a scripted
model.

A restart stops the run between two supersteps, closes the saver and goes on in a new agent on the reopened file. The
`[harness]` extra brings the saver: an application picks its own checkpointer, so the adapter does not bring one. What
needs no restart, as the demo, runs without it.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, cast

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from gate_core import AnswerWithheld, ConfigError, GateArguments, GateState, Verdict
from gate_core.conformance import Case, CaseRun, ModelStep, Player
from gate_langgraph._channels import FACTS, RUN
from gate_langgraph._scripted import ScriptedModel, file_tools
from gate_langgraph._translate import SOURCE
from gate_langgraph._turns import messages_of
from gate_langgraph.check import check_builder
from gate_langgraph.graph import (
    GraphGate,
    gate_node,
    gate_route,
    recorded_tool_node,
    reset_node,
    tools_or_gate,
    withhold_node,
)
from gate_langgraph.states import GateMessagesState
from gate_langgraph.wiring import with_gate

_Agent: TypeAlias = CompiledStateGraph[Any, Any, Any, Any]

_THREAD: RunnableConfig = {"configurable": {"thread_id": "case"}}


_Builder: TypeAlias = Callable[[ScriptedModel, "list[BaseTool]", "GateArguments | None", "_Saver"], _Agent]
_Saver: TypeAlias = BaseCheckpointSaver[Any]


def _create_agent(
    model: ScriptedModel, tools: list[BaseTool], arguments: GateArguments | None, saver: _Saver
) -> _Agent:
    middleware = [] if arguments is None else with_gate(**arguments)
    return create_agent(model, tools, middleware=middleware, checkpointer=saver)


def _build_graph(model: ScriptedModel, tools: list[BaseTool], arguments: GateArguments | None, saver: _Saver) -> _Agent:
    """Model and tools by hand; without `arguments` the same graph as it was before the gate."""

    async def speak(state: Any) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(GateMessagesState, input_schema=MessagesState)
    graph.add_node("model", speak)
    graph.add_edge("tools", "model")
    if arguments is None:
        graph.add_node("tools", ToolNode(tools))
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", tools_condition)
        return graph.compile(checkpointer=saver)
    gate = GraphGate(**arguments)
    graph.add_node("start", reset_node(gate))
    graph.add_node("tools", recorded_tool_node(gate, tools))
    graph.add_node("gate", gate_node(gate))
    graph.add_node("withhold", withhold_node(gate))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_conditional_edges("gate", gate_route(revise="model", withhold="withhold"))
    graph.add_edge("withhold", END)
    check_builder(graph)
    return graph.compile(checkpointer=saver)


class LangGraphDriver:
    """Runs cases on `create_agent` with `with_gate`, in one thread over all turns, `durability="sync"`."""

    name = "langgraph"
    capabilities = frozenset({"parallel", "turns", "restart", "probe", "outside", "failed-edit", "rails"})

    build: _Builder = staticmethod(_create_agent)

    async def run(self, case: Case, workspace: Path, *, gated: bool = True) -> CaseRun:
        """Run the case with `workspace` as the agent's folder.

        Raises:
            ConfigError: the case restarts, and the SQLite saver is not installed.
        """
        with tempfile.TemporaryDirectory(prefix="gate-langgraph-") as folder:
            return await _Playing(case, workspace, Path(folder) / "thread.db", self.build, gated=gated).run()


class LangGraphGraphDriver(LangGraphDriver):
    """Runs the same cases on a hand-built graph with `gate_node` and its edges."""

    name = "langgraph-graph"
    build: _Builder = staticmethod(_build_graph)


@dataclass(slots=True)
class _Log:
    """What the run brought, as it comes in."""

    verdicts: list[Verdict] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def step(self, step: ModelStep) -> None:
        """The model answered."""
        for call in step.calls:
            target = call.args.get("path") or call.args.get("src") or ""
            self.events.append(f"calls {call.tool}({target})")
        if step.text:
            self.events.append(f"drafts: {step.text}" if not step.calls else f"says: {step.text}")

    def verdict(self, verdict: Verdict) -> None:
        """The gate decided."""
        self.verdicts.append(verdict)
        told = verdict.feedback or verdict.evidence_line or f"{verdict.action.value.lower()} {' '.join(verdict.codes)}"
        self.events.append(f"gate: {' '.join(told.split())}")


class _Playing:
    """One case on one thread file."""

    def __init__(self, case: Case, workspace: Path, file: Path, build: _Builder, *, gated: bool) -> None:
        self._case = case
        self._workspace = workspace
        self._file = file
        self._build = build
        self._gated = gated
        self._player = Player(case, workspace)
        self._log = _Log()
        self._memory = InMemorySaver()
        self._restarts = any(step.restart for turn in case.turns for step in turn.steps)

    async def run(self) -> CaseRun:
        answers: list[str] = []
        marked: list[bool] = []
        for _ in self._case.turns:
            answer, mark = await self._turn(self._player.begin_turn())
            answers.append(answer)
            marked.append(mark)
            self._log.events.append(f"user sees: {answer}" if answer else "user sees: nothing")
        return CaseRun(
            verdicts=tuple(self._log.verdicts),
            answers=tuple(answers),
            marked=tuple(marked),
            state=await self._state() if self._gated else None,
            events=tuple(self._log.events),
        )

    async def _turn(self, prompt: str) -> tuple[str, bool]:
        """The answer of one turn, and whether it bears the unverified mark."""
        entry: dict[str, Any] | None = {"messages": [HumanMessage(prompt)]}
        while True:
            async with self._agent() as agent:
                try:
                    values = await self._advance(agent, entry)
                except AnswerWithheld:
                    return "", False
            if values is not None:
                return _answer(values)
            entry = None
            self._log.events.append("restart: a new agent on the reopened thread")

    async def _advance(self, agent: _Agent, entry: dict[str, Any] | None) -> Mapping[str, object] | None:
        """Run until the turn ends and give the state, or None when a restart comes before the model's next word."""
        pause: list[str] | None = ["model"] if self._restarts else None
        while True:
            await agent.ainvoke(entry, _THREAD, durability="sync", interrupt_before=pause)
            snapshot = await agent.aget_state(_THREAD)
            if not snapshot.next:
                return cast("Mapping[str, object]", snapshot.values)
            if self._player.restarts_next:
                return None
            entry = None

    @asynccontextmanager
    async def _agent(self) -> AsyncIterator[_Agent]:
        """A new agent on the thread's file; the scripted model goes on where it was."""
        async with self._saver() as checkpointer:
            model, tools = ScriptedModel(self._respond), file_tools(self._workspace)
            yield self._build(model, tools, self._arguments(), checkpointer)

    @asynccontextmanager
    async def _saver(self) -> AsyncIterator[BaseCheckpointSaver[Any]]:
        """The thread's file, opened anew; without the extra a thread in memory, which outlives no restart."""
        try:
            from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
        except ImportError:
            if self._restarts:
                raise ConfigError(
                    "a case with a restart needs the thread in a file: pip install 'gate-langgraph[harness]'"
                ) from None
            yield self._memory
            return
        async with AsyncExitStack() as stack:
            opening = asyncio.ensure_future(
                stack.enter_async_context(AsyncSqliteSaver.from_conn_string(str(self._file)))
            )
            try:
                saver = await asyncio.shield(opening)
            except asyncio.CancelledError:
                await opening  # a connection that is half open cannot be closed, and its thread would stay
                raise
            yield saver

    def _respond(self, _: Sequence[BaseMessage]) -> ModelStep:
        step = self._player.respond()
        self._log.step(step)
        return step

    def _arguments(self) -> GateArguments | None:
        """What the case asks of the gate, None for a run without one."""
        if not self._gated:
            return None
        roots = (str(self._workspace),) if "probe" in self._case.requires else ()
        return {"config": self._case.config, "probe_roots": roots, "on_verdict": self._log.verdict}

    async def _state(self) -> GateState:
        async with self._agent() as agent:
            values = (await agent.aget_state(_THREAD)).values
        return GateState.join(values.get(FACTS) or {}, (values.get(RUN) or {}).get("state") or {})


def _answer(values: Mapping[str, object]) -> tuple[str, bool]:
    last = messages_of(values)[-1:]
    if not last or not isinstance(last[0], AIMessage):
        return "", False
    stamp = last[0].additional_kwargs.get(SOURCE)
    return last[0].text, isinstance(stamp, Mapping) and stamp.get("marked") is True
