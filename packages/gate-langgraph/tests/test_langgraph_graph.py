"""Hand-built graphs: the same verdicts as the middleware, and no wiring that fails without a word."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command

from gate_core import Action, AnswerWithheld, ConfigError, GateConfig, GateState, Policy, Posture, Verdict
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import (
    GateFields,
    GateMessagesState,
    GateModel,
    GraphGate,
    check_builder,
    create_gated_react_agent,
    gate_node,
    gate_route,
    recorded_tool_node,
    reset_node,
    results,
    tools_or_gate,
    withhold_node,
)
from gate_langgraph._scripted import ScriptedModel, file_tools

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
ASK: Any = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
EDIT = ModelStep(
    calls=(CaseCall(id="e", tool="edit_file", args={"path": "app.cfg", "old": "timeout = 5", "new": "timeout = 30"}),)
)
READ = ModelStep(calls=(CaseCall(id="r", tool="read_file", args={"path": "app.cfg"}),))


class Typed(GateMessagesState):
    """A TypedDict state."""


class Model(GateModel):
    """A pydantic state."""

    messages: Annotated[list[AnyMessage], add_messages]


@dataclass(kw_only=True)
class Fields(GateFields):
    """A dataclass state."""

    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "app.cfg").write_text("timeout = 5\n", "utf-8")
    return tmp_path


def messages(state: Any) -> list[BaseMessage]:
    return list(state["messages"] if isinstance(state, dict) else state.messages)


def build(workspace: Path, *steps: ModelStep, state: Any = Typed, gate: GraphGate | None = None) -> StateGraph[Any]:
    """The graph of the docs, with a scripted model."""
    model, own = ScriptedModel.of(*steps), gate or GraphGate()
    graph: StateGraph[Any] = StateGraph(state, input_schema=MessagesState)
    graph.add_node("start", reset_node(own))
    graph.add_node("model", lambda s: {"messages": [model.invoke(messages(s))]})
    graph.add_node("tools", recorded_tool_node(own, file_tools(workspace)))
    graph.add_node("gate", gate_node(own))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("gate", gate_route(revise="model"))
    check_builder(graph)
    return graph


def compiled(graph: StateGraph[Any]) -> Any:
    return graph.compile(checkpointer=InMemorySaver())


@pytest.mark.parametrize("state", [Typed, Model, Fields])
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_every_kind_of_state_gives_the_verdicts_of_the_middleware(workspace: Path, state: Any, is_async: bool) -> None:
    """A draft goes back, the model looks, the answer goes out with its verdict; the thread keeps the answer alone."""
    seen: list[Verdict] = []
    app = compiled(build(workspace, EDIT, DONE, READ, DONE, state=state, gate=GraphGate(on_verdict=seen.append)))
    result = asyncio.run(app.ainvoke(ASK, THREAD)) if is_async else app.invoke(ASK, THREAD)
    assert [v.action for v in seen] == [Action.REVISE, Action.DELIVER]
    assert [(m.type, m.text) for m in result["messages"] if m.text] == [
        ("human", "Set the timeout in app.cfg to 30."),
        ("tool", "ok"),
        ("tool", "timeout = 30\n"),
        ("ai", DONE.text),
    ]
    assert result["messages"][-1].additional_kwargs["gate"]["exit"] == "verified"
    found = results(app.get_state(THREAD))
    assert found.verdict is not None
    assert (found.verdict.action, found.progress()["calls_this_turn"]) == (Action.DELIVER, 2)


def test_a_new_turn_starts_with_its_own_looks(workspace: Path) -> None:
    """The reset node begins it, and the verdict of the last turn is gone from the state while it runs."""
    app = compiled(build(workspace, EDIT, READ, DONE, DONE, gate=GraphGate(config=GateConfig(policy=Policy.STRICT))))
    app.invoke(ASK, THREAD)
    app.invoke({"messages": [HumanMessage("And what is it now?", id="h2")]}, THREAD)
    values = app.get_state(THREAD).values
    assert GateState.join(values["gate_facts"], values["gate_run"]["state"]).turn == 2


def test_updates_of_the_tool_node_are_one_dict(workspace: Path) -> None:
    """As with a plain tool node, whatever the gate put beside the messages."""
    two = ModelStep(calls=(*EDIT.calls, CaseCall(id="l", tool="list_dir", args={})))
    app = build(workspace, two, READ, DONE).compile()
    tools = [update["tools"] for update in app.stream(ASK, stream_mode="updates") if "tools" in update]
    assert [sorted(update) for update in tools] == [["gate_facts", "messages"]] * 3


def test_wrappers_of_the_user_run_between_the_halves(workspace: Path) -> None:
    """They see tool messages, and every execution behind them is recorded."""
    kinds: list[type] = []

    def again(request: Any, execute: Any) -> Any:
        kinds.append(type(execute(request)))
        return execute(request)

    gate = GraphGate()
    graph = build(workspace, READ, DONE, gate=gate)
    graph.nodes["tools"].runnable = recorded_tool_node(gate, file_tools(workspace), wrap_tool_call=again)
    result = graph.compile().invoke(ASK)
    assert kinds == [ToolMessage]
    assert len(result["gate_facts"]) == 1  # the same call with the same result is one fact


def test_what_a_tool_commands_is_kept(workspace: Path) -> None:
    """A command with more than messages is handed on as it is, its evidence taken out and the facts added."""

    class Noted(Typed):
        note: str

    @tool
    def jot(text: str) -> Any:
        """Write a note."""
        done = ToolMessage("ok", tool_call_id="j")
        return Command(update={"messages": [done], "note": text, "gate_facts": {"forged": 1}})

    gate = GraphGate()
    graph = build(workspace, ModelStep(calls=(CaseCall(id="j", tool="jot", args={"text": "x"}),)), DONE, state=Noted)
    graph.nodes["tools"].runnable = recorded_tool_node(gate, [jot])
    result = graph.compile().invoke(ASK)
    assert result["note"] == "x"
    assert "forged" not in result["gate_facts"]
    assert len(result["gate_facts"]) == 1


def test_a_call_that_raises_makes_no_other_run_again(workspace: Path) -> None:
    """Each call is a task of its own: on resume only the failed one runs. The one fails when the other is kept: the
    framework keeps nothing of a call that returns when its run has ended."""
    ran: list[str] = []
    kept = Event()

    class Saver(InMemorySaver):
        def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
            super().put_writes(config, writes, task_id, task_path)
            if "good" in ran and any(channel == "gate_facts" for channel, _ in writes):
                kept.set()

    @tool
    def good() -> str:
        """Work."""
        ran.append("good")
        return "ok"

    @tool
    def shaky() -> str:
        """Work the second time."""
        ran.append("shaky")
        if ran.count("shaky") == 1:
            assert kept.wait(60)
            raise RuntimeError("down")
        return "ok"

    gate = GraphGate()
    both = ModelStep(calls=(CaseCall(id="a", tool="good", args={}), CaseCall(id="b", tool="shaky", args={})))
    graph = build(workspace, both, ModelStep(text="I could not confirm it."), gate=gate)
    graph.nodes["tools"].runnable = recorded_tool_node(gate, [good, shaky])
    app = graph.compile(checkpointer=Saver())
    with pytest.raises(RuntimeError, match="down"):
        app.invoke(ASK, THREAD, durability="sync")
    result = app.invoke(None, THREAD, durability="sync")
    assert sorted(ran) == ["good", "shaky", "shaky"]
    assert len(result["gate_facts"]) == 2


def rails(workspace: Path) -> StateGraph[Any]:
    gate = GraphGate(config=GateConfig(posture=Posture.RAILS))
    model = ScriptedModel.of(EDIT, DONE)
    graph: StateGraph[Any] = StateGraph(Typed, input_schema=MessagesState)
    graph.add_node("start", reset_node(gate))
    graph.add_node("model", lambda s: {"messages": [model.invoke(messages(s))]})
    graph.add_node("tools", recorded_tool_node(gate, file_tools(workspace)))
    graph.add_node("gate", gate_node(gate))
    graph.add_node("withhold", withhold_node(gate))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("gate", gate_route(withhold="withhold"))
    return graph


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_withheld_answer_raises_and_is_not_left_in_the_thread(workspace: Path, is_async: bool) -> None:
    """The node behind the gate raises when the removal is already kept."""
    graph = rails(workspace)
    check_builder(graph)
    app = compiled(graph)
    with pytest.raises(AnswerWithheld):
        asyncio.run(app.ainvoke(ASK, THREAD)) if is_async else app.invoke(ASK, THREAD)
    assert all(DONE.text not in m.text for m in app.get_state(THREAD).values["messages"])


# --- create_react_agent ----------------------------------------------------------------------------------------------

deprecated = pytest.mark.filterwarnings("ignore:create_react_agent has been moved")


@deprecated
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("pre", [False, True], ids=["agent", "pre_model_hook"])
def test_a_react_agent_is_gated(workspace: Path, is_async: bool, pre: bool) -> None:
    """A rejected draft jumps to where the agent begins; its own router would end the run on the feedback."""
    seen: list[Verdict] = []
    entered: list[int] = []

    def enter(state: Any) -> dict[str, Any]:
        entered.append(len(state["messages"]))
        return {"llm_input_messages": state["messages"]}

    agent = create_gated_react_agent(
        ScriptedModel.of(EDIT, DONE, READ, DONE),
        file_tools(workspace),
        GraphGate(on_verdict=seen.append),
        checkpointer=InMemorySaver(),
        pre_model_hook=enter if pre else None,
    )
    result = asyncio.run(agent.ainvoke(ASK, THREAD)) if is_async else agent.invoke(ASK, THREAD)
    assert [v.action for v in seen] == [Action.REVISE, Action.DELIVER]
    assert [m.text for m in result["messages"] if isinstance(m, AIMessage) and m.text] == [DONE.text]
    assert len(entered) == (4 if pre else 0)


@deprecated
def test_a_react_agent_that_never_calls_a_tool_is_wired(workspace: Path) -> None:
    """The helper placed both ends, so a turn without a call is small talk and no missing recorder."""
    agent = create_gated_react_agent(ScriptedModel.of(ModelStep(text="Hello.")), file_tools(workspace), GraphGate())
    verdict = results(agent.invoke({"messages": [HumanMessage("Hi")]})).verdict
    assert verdict is not None
    assert (verdict.action, verdict.codes) == (Action.DELIVER, ())


def test_what_a_react_agent_hands_out_past_the_gate_is_refused(workspace: Path) -> None:
    """A structured response comes from a later model call, a direct result goes straight to the end."""

    @tool(return_direct=True)
    def answer() -> str:
        """Answer the user."""
        return "Done."

    model = ScriptedModel.of(DONE)
    with pytest.raises(ConfigError, match=r"response_format has no place .* create_agent"):
        create_gated_react_agent(model, [], GraphGate(), response_format=dict)
    with pytest.raises(ConfigError, match=r"result of answer would go out past the gate"):
        create_gated_react_agent(model, [answer], GraphGate())
    with pytest.raises(ConfigError, match="rails"):
        create_gated_react_agent(model, [], GraphGate(config=GateConfig(posture=Posture.RAILS)))
