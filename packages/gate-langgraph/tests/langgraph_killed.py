"""Runs an agent that is killed at a point of its run, and goes on with it in a new process. Started by a test.

    python langgraph_killed.py FOLDER

Prints one JSON object per form and point. The processes are forked after the imports, which take seconds; each opens
the thread's file by itself.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage, get_notification_metadata
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph

from gate_core import GateConfig, GateState, Policy
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import (
    GateMessagesState,
    GraphGate,
    gate_node,
    gate_route,
    recorded_tool_node,
    reset_node,
    results,
    tools_or_gate,
    with_gate,
)
from gate_langgraph._scripted import ScriptedModel

POINTS = ("first word", "before the change", "after the change", "the draft", "the look", "the answer")
THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
ASK: Any = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
CONFIG = GateConfig(policy=Policy.STRICT)
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
WRITE = ModelStep(calls=(CaseCall(id="e", tool="write_file", args={"path": "app.cfg", "content": "timeout = 30\n"}),))
READ = ModelStep(calls=(CaseCall(id="r", tool="read_file", args={"path": "app.cfg"}),))

Reach = Callable[[str], None]


def build(form: str, folder: Path, reach: Reach, saver: SqliteSaver) -> Any:
    """The agent or the graph. `reach` is told every point of the run, and may not return."""

    def respond(messages: Sequence[BaseMessage]) -> ModelStep:
        ran = sum(isinstance(m, ToolMessage) for m in messages)
        told = any(get_notification_metadata(m) for m in messages)
        at, step = (
            ("first word", WRITE) if ran == 0
            else ("the draft", DONE) if ran == 1 and not told
            else ("", READ) if ran == 1
            else ("the answer", DONE)
        )  # fmt: skip
        reach(at)
        return step

    model = ScriptedModel(respond)
    if form == "agent":
        return create_agent(model, tools(folder, reach), middleware=with_gate(config=CONFIG), checkpointer=saver)
    gate = GraphGate(config=CONFIG)
    graph: StateGraph[Any] = StateGraph(GateMessagesState, input_schema=MessagesState)
    graph.add_node("start", reset_node(gate))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", recorded_tool_node(gate, tools(folder, reach)))
    graph.add_node("gate", gate_node(gate))
    graph.add_edge(START, "start")
    graph.add_edge("start", "model")
    graph.add_conditional_edges("model", tools_or_gate())
    graph.add_edge("tools", "model")
    graph.add_conditional_edges("gate", gate_route())
    return graph.compile(checkpointer=saver)


def tools(folder: Path, reach: Reach) -> list[BaseTool]:
    """Two tools over a folder; every change leaves a line in a log."""

    @tool
    def write_file(path: str, content: str) -> str:
        """Write a file."""
        reach("before the change")
        (folder / path).write_text(content, "utf-8")
        with (folder / "log").open("a", encoding="utf-8") as log:
            log.write("changed\n")
        reach("after the change")
        return "ok"

    @tool
    def read_file(path: str) -> str:
        """Read a file."""
        reach("the look")
        return (folder / path).read_text("utf-8")

    return [write_file, read_file]


def run(form: str, folder: Path, point: str, entry: Any) -> dict[str, Any]:
    """One run in this process; at `point` the process is killed."""

    def reach(at: str) -> None:
        if at and at == point:
            os.kill(os.getpid(), signal.SIGKILL)

    with SqliteSaver.from_conn_string(str(folder / "thread.db")) as saver:
        agent = build(form, folder, reach, saver)
        agent.invoke(entry, THREAD, durability="sync")
        values = agent.get_state(THREAD).values
    state = GateState.join(values["gate_facts"], values["gate_run"]["state"])
    return {
        "form": form,
        "actions": [verdict.action.value for verdict in results(values).verdicts],
        "facts": sorted(fact.call for fact in state.facts.values()),
        "answers": [m.text for m in values["messages"] if m.type == "ai" and m.text],
        "changed": (folder / "log").read_text("utf-8").count("changed"),
    }


def in_child(work: Callable[[], object]) -> int:
    """The wait status of a forked process."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            sys.stdout.flush()
            code = 0
        except Exception:  # noqa: BLE001 - a forked process must end here, whatever happened
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1]


def main(folder: Path) -> None:
    """All forms and points."""
    for form in ("agent", "graph"):
        for point in POINTS:
            place = folder / form / point.replace(" ", "-")
            place.mkdir(parents=True)
            killed = in_child(lambda p=place, f=form, at=point: run(f, p, at, ASK))  # type: ignore[misc]
            signaled = os.WIFSIGNALED(killed) and os.WTERMSIG(killed) == signal.SIGKILL
            told = {"point": point, "killed": signaled}
            in_child(lambda p=place, f=form, t=told: print(json.dumps({**t, **run(f, p, "", None)})))  # type: ignore[misc]  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
