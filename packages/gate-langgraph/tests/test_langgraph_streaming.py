"""Streaming: what a user sees of a draft before its verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from gate_core import AnswerWithheld, GateConfig, Posture
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import (
    GateMessagesState,
    GraphGate,
    agated_stream,
    gate_node,
    gate_route,
    gated_stream,
    recorded_tool_node,
    reset_node,
    tools_or_gate,
    with_gate,
)
from gate_langgraph._scripted import ScriptedModel, file_tools

ASK: Any = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
EDIT = ModelStep(
    text="I set it now.",
    calls=(CaseCall(id="e", tool="edit_file", args={"path": "app.cfg", "old": "timeout = 5", "new": "timeout = 30"}),),
)
READ = ModelStep(calls=(CaseCall(id="r", tool="read_file", args={"path": "app.cfg"}),))
CHECKED = ModelStep(text="I looked: the timeout in app.cfg is 30 now.")


class Talking(ScriptedModel):
    """Says its words one by one, as a model behind an API does."""

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> Iterator[ChatGenerationChunk]:
        step = self._respond(messages)
        for word in step.text.split(" ") if step.text else []:
            yield ChatGenerationChunk(message=AIMessageChunk(content=word + " "))
        for at, call in enumerate(step.calls):
            chunk = tool_call_chunk(name=call.tool, args=_json(call.args), id=call.id, index=at)
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[chunk]))


def _json(args: object) -> str:
    import json

    return json.dumps(args)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "app.cfg").write_text("timeout = 5\n", "utf-8")
    return tmp_path


def agent_of(workspace: Path, *steps: ModelStep, **arguments: Any) -> Any:
    return create_agent(
        Talking.of(*steps), file_tools(workspace), middleware=with_gate(**arguments), checkpointer=InMemorySaver()
    )


def graph_of(workspace: Path, *steps: ModelStep, **arguments: Any) -> Any:
    model, gate = Talking.of(*steps), GraphGate(**arguments)
    graph: StateGraph[Any] = StateGraph(GateMessagesState, input_schema=MessagesState)
    graph.add_node("start", reset_node(gate))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", recorded_tool_node(gate, file_tools(workspace)))
    graph.add_node("gate", gate_node(gate))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("gate", gate_route())
    return graph.compile(checkpointer=InMemorySaver())


FORMS = pytest.mark.parametrize("form", [agent_of, graph_of], ids=["agent", "graph"])
THREAD: Any = {"configurable": {"thread_id": "t"}}


def shown(agent: Any, *, is_async: bool = False) -> list[BaseMessage]:
    if not is_async:
        return [message for message, _ in gated_stream(agent, ASK, THREAD, durability="sync")]

    async def collect() -> list[BaseMessage]:
        return [message async for message, _ in agated_stream(agent, ASK, THREAD)]

    return asyncio.run(collect())


def told(messages: Sequence[BaseMessage]) -> str:
    return "".join(m.text for m in messages if not isinstance(m, ToolMessage)).strip()


@FORMS
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_rejected_draft_is_never_shown(workspace: Path, form: Any, is_async: bool) -> None:
    """Narration and results come as they are made, the answer word by word when it was let go, the draft not at all."""
    messages = shown(form(workspace, EDIT, DONE, READ, CHECKED), is_async=is_async)
    assert told(messages) == f"{EDIT.text} {CHECKED.text}"
    assert [m.text for m in messages if isinstance(m, ToolMessage)] == ["ok", "timeout = 30\n"]
    assert not any(isinstance(m, HumanMessage) for m in messages)
    assert sum(isinstance(m, AIMessageChunk) for m in messages) > 10


def test_plain_streaming_shows_the_draft(workspace: Path) -> None:
    """The reason for `gated_stream`: what was shown cannot be taken back. The event after it names the message."""
    agent = agent_of(workspace, EDIT, DONE, READ, CHECKED)
    seen = list(agent.stream(ASK, THREAD, stream_mode=["messages", "custom"]))
    words = [(item[0].id, item[0].text) for mode, item in seen if mode == "messages"]
    draft = "".join(text for _, text in words)
    assert DONE.text in draft
    events = [item for mode, item in seen if mode == "custom"]
    assert [event["verdict"]["action"] for event in events] == ["REVISE", "DELIVER"]
    by_id = {name: "".join(text for i, text in words if i == name).strip() for name, _ in words}
    assert [by_id[event["message_id"]] for event in events] == [DONE.text, CHECKED.text]


@FORMS
def test_a_released_answer_is_shown_as_it_was_marked(workspace: Path, form: Any) -> None:
    """With `mark_text` the marker is in the stream too, in place of the words the model said."""
    assert told(shown(form(workspace, EDIT, DONE))).endswith(DONE.text)
    marked = told(shown(form(workspace, EDIT, DONE, mark_text=True)))
    assert "UNVERIFIED" in marked
    assert marked.count(DONE.text) == 1


def test_a_withheld_answer_is_never_shown(workspace: Path) -> None:
    """Nothing of it was yielded when the error comes."""
    agent = agent_of(workspace, EDIT, DONE, config=GateConfig(posture=Posture.RAILS))
    messages: list[BaseMessage] = []
    with pytest.raises(AnswerWithheld):
        messages.extend(message for message, _ in gated_stream(agent, ASK, THREAD))
    assert told(messages) == EDIT.text


def test_text_no_verdict_names_is_not_shown(workspace: Path) -> None:
    """An agent without the gate, or a node that speaks behind it: fails closed."""
    agent = create_agent(Talking.of(EDIT, DONE), file_tools(workspace))
    assert told([message for message, _ in gated_stream(agent, ASK)]) == EDIT.text
