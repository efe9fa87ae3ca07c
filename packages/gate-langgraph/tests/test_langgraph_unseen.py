"""What only messages tell: changes of others are owed a look, and thinking aloud is counted."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, LLMToolEmulator, hook_config
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from gate_core import Action, Attempt, Fact, GateConfig, GateFactory, GateState, Json, Policy, Verdict
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import adecide, decide, results, with_gate
from gate_langgraph._scripted import ScriptedModel, file_tools
from gate_langgraph._translate import read_call

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
ASK: Any = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
ARGS: dict[str, Json] = {"path": "app.cfg", "old": "timeout = 5", "new": "timeout = 30"}
EDIT = ModelStep(calls=(CaseCall(id="e", tool="edit_file", args=ARGS),))
READ = ModelStep(calls=(CaseCall(id="r", tool="read_file", args={"path": "app.cfg"}),))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "app.cfg").write_text("timeout = 5\n", "utf-8")
    return tmp_path


def facts(values: Any) -> list[Fact]:
    state = GateState.join(values["gate_facts"], values["gate_run"]["state"])
    return sorted(state.facts.values(), key=lambda fact: (fact.turn, fact.step, fact.tool))


# --- calls that were answered elsewhere ---------------------------------------------------------------------------


def handed(tool_name: str, args: dict[str, Json], text: str = "ok", **more: Any) -> list[BaseMessage]:
    """What an agent finds that takes over in the middle of a turn."""
    call: Any = {"name": tool_name, "args": args, "id": "x", "type": "tool_call"}
    return [
        HumanMessage("Set the timeout in app.cfg to 30.", id="h1"),
        AIMessage("", tool_calls=[call], id="a1"),
        ToolMessage(text, tool_call_id="x", id="t1", **more),
    ]


def receive(workspace: Path, messages: list[BaseMessage], *steps: ModelStep) -> Any:
    agent: Any = create_agent(
        ScriptedModel.of(*steps), file_tools(workspace), middleware=with_gate(), checkpointer=InMemorySaver()
    )
    agent.invoke({"messages": messages}, THREAD)
    return agent.get_state(THREAD).values


def test_a_change_of_the_agent_before_is_owed_a_look(workspace: Path) -> None:
    """A hand-off brings messages, not facts: whoever says it is done has to look."""
    values = receive(workspace, handed("edit_file", ARGS), DONE)
    assert [v.action for v in results(values).verdicts] == [Action.REVISE, Action.RELEASE]
    assert "change-unseen" in results(values).verdicts[0].codes


def test_a_look_of_the_receiver_settles_it(workspace: Path) -> None:
    """It is later than what the messages tell."""
    (workspace / "app.cfg").write_text("timeout = 30\n", "utf-8")
    values = receive(workspace, handed("edit_file", ARGS), READ, DONE)
    assert [v.action for v in results(values).verdicts] == [Action.DELIVER]
    assert [(fact.tool, fact.note) for fact in facts(values)] == [("edit_file", ""), ("read_file", "")]


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param(handed("read_file", {"path": "app.cfg"}, "timeout = 30\n"), id="a look"),
        pytest.param(handed("edit_file", ARGS, "no", status="error"), id="a failed change"),
        pytest.param(
            handed("edit_file", ARGS, "I did it.", additional_kwargs={"lc_source": "hitl_interrupt_decision"}),
            id="a person's answer",
        ),
        pytest.param(handed("transfer_to_bob", {}, "Transferred."), id="a hand-off"),
        pytest.param(handed("Answer", {"path": "app.cfg"}, "Returning structured response"), id="a typed answer"),
    ],
)
def test_messages_make_no_evidence(workspace: Path, messages: list[BaseMessage]) -> None:
    """Anybody may write them."""
    values = receive(workspace, messages, ModelStep(text="I could not confirm it."))
    assert [fact.note for fact in facts(values)] == ["not_executed"]


def test_an_emulated_change_is_owed_a_look_too(workspace: Path) -> None:
    """A model played the tool; the text of success is all there is, and no file changed."""
    played = LLMToolEmulator(tools=["edit_file"], model=ScriptedModel.of(ModelStep(text="ok")))
    agent = create_agent(
        ScriptedModel.of(EDIT, DONE),
        file_tools(workspace),
        middleware=with_gate([played]),
        checkpointer=InMemorySaver(),
    )
    agent.invoke(ASK, THREAD)
    assert (workspace / "app.cfg").read_text("utf-8") == "timeout = 5\n"
    found = results(agent.get_state(THREAD))
    assert found.exited_unverified
    assert "change-unseen" in found.verdicts[0].codes


def test_a_failure_of_the_gate_is_told_and_ends_marked(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One rejection, then a marked release; the run never crashes on it."""

    def broken(*given: object, **named: object) -> None:
        raise RuntimeError("bug")

    monkeypatch.setattr("gate_langgraph._decide.reconcile", broken)
    values = receive(workspace, handed("read_file", {"path": "app.cfg"}), READ, DONE)
    assert [(v.action, v.codes) for v in results(values).verdicts] == [
        (Action.REVISE, ("gate-error",)),
        (Action.RELEASE, ("gate-error",)),
    ]


def test_a_look_that_does_not_show_an_emulated_change_does_not_settle_it(workspace: Path) -> None:
    """However often it is claimed: the thread's texts fit the fact, so the look can be compared with the change."""
    played = LLMToolEmulator(tools=["edit_file"], model=ScriptedModel.of(ModelStep(text="ok")))
    agent = create_agent(ScriptedModel.of(EDIT, READ, DONE), file_tools(workspace), middleware=with_gate([played]))
    found = results(agent.invoke(ASK))
    assert found.exited_unverified
    assert all("change-not-visible" in verdict.codes for verdict in found.verdicts)


def test_a_message_is_no_receipt(workspace: Path) -> None:
    """A tool whose result is the system's own word settles its change only when it ran."""
    sent = handed("send_message", {"to": "bob", "text": "hi"}, '{"id": 7, "status": "sent"}')
    values = receive(workspace, sent, ModelStep(text="Done, I sent the message to bob."))
    assert results(values).verdicts[0].action is Action.REVISE


# --- model steps without a call or an attempt ------------------------------------------------------------------------


class Nudge(AgentMiddleware[Any, Any, Any]):
    """Asks the model to go on when it only thought aloud."""

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Jump back with a word of the harness."""
        if not state["messages"][-1].text.startswith("Thinking"):
            return None
        word = HumanMessage("Go on.", additional_kwargs={"lc_source": "nudge"})
        return {"messages": [word], "jump_to": "model"}


THINK = ModelStep(text="Thinking about it.")


def test_thinking_aloud_costs_budget_where_it_was(workspace: Path) -> None:
    """Counted once, between the calls it stood between; a rejected draft and an answer are none."""
    agent = create_agent(
        ScriptedModel.of(THINK, EDIT, THINK, THINK, DONE, READ, DONE),
        file_tools(workspace),
        middleware=with_gate([Nudge()]),
        checkpointer=InMemorySaver(),
    )
    agent.invoke(ASK, THREAD)
    values = agent.get_state(THREAD).values
    assert [v.action for v in results(values).verdicts] == [Action.REVISE, Action.DELIVER]
    order = [(fact.tool, fact.step) for fact in facts(values)]
    thoughts = [step for name, step in order if name not in ("edit_file", "read_file")]
    (edit,) = [step for name, step in order if name == "edit_file"]
    (look,) = [step for name, step in order if name == "read_file"]
    assert len(thoughts) == 3
    assert thoughts[0] < edit < thoughts[1] < thoughts[2] < look
    assert len(values["gate_run"]["counted"]) == 3


def test_too_much_thinking_is_told(workspace: Path) -> None:
    """The budget layer sees it like in any other loop."""
    agent = create_agent(
        ScriptedModel.of(*[THINK] * 8, ModelStep(text="The timeout in app.cfg is 30.")),
        file_tools(workspace),
        middleware=with_gate([Nudge()], config=GateConfig(policy=Policy.STRICT)),
        checkpointer=InMemorySaver(),
    )
    agent.invoke(ASK, THREAD)
    found = results(agent.get_state(THREAD))
    assert found.progress()["budget"] == 0
    assert found.progress()["halted"] is True


def test_counters_live_in_the_thread_and_not_in_the_process(workspace: Path) -> None:
    """Another agent object on the same thread goes on counting."""
    saver = InMemorySaver()
    counted = []
    for number in range(3):
        agent = create_agent(
            ScriptedModel.of(READ, DONE), file_tools(workspace), middleware=with_gate(), checkpointer=saver
        )
        agent.invoke({"messages": [HumanMessage("And now?", id=f"h{number}")]}, THREAD)
        progress = results(agent.get_state(THREAD)).progress()
        counted.append((progress["turn"], progress["calls_this_turn"], progress["verified"]))
    assert [turn for turn, _, _ in counted] == [1, 2, 3]
    assert [calls for _, calls, _ in counted] == [1, 1, 1]


# --- the verifier ----------------------------------------------------------------------------------------------------


class Slow:
    """A verifier that has to be awaited."""

    def __init__(self) -> None:
        self.asked = 0

    def score(self, attempt: Attempt, looks: Any, criteria: Any) -> float:
        """Never used where an asynchronous one is there."""
        raise AssertionError("asked in the thread of the event loop")

    async def ascore(self, attempt: Attempt, looks: Any, criteria: Any) -> float:
        """Let others run first."""
        self.asked += 1
        await asyncio.sleep(0)
        return 0.0


def test_an_asynchronous_run_awaits_the_verifier(workspace: Path) -> None:
    """Its doubt downgrades the answer, and the loop was never held up."""
    slow: Any = Slow()
    seen: list[Verdict] = []
    agent = create_agent(
        ScriptedModel.of(EDIT, READ, DONE),
        file_tools(workspace),
        middleware=with_gate(verifier=slow, on_verdict=seen.append),
    )
    asyncio.run(agent.ainvoke(ASK))
    assert slow.asked >= 1
    assert seen[0].action is Action.REVISE
    assert "verifier-downgrade" in seen[0].codes


def test_decide_and_adecide_agree() -> None:
    """Two ways to ask, one answer; the graph's node takes the awaited one in asynchronous runs."""
    factory = GateFactory({})
    state = {"messages": [HumanMessage("Hi", id="h"), AIMessage("Done, I fixed the bug.", id="a")]}
    one, two = decide(state, factory), asyncio.run(adecide(state, factory))
    assert (one.verdict, one.update.keys()) == (two.verdict, two.update.keys())
    assert one.verdict.codes == ("gate-unwired",)
    assert decide(state, factory, wired=True).verdict.codes != ("gate-unwired",)


# --- tools over MCP --------------------------------------------------------------------------------------------------


def mcp_tool(server_name: str | None, **metadata: Any) -> Any:
    """A tool as langchain-mcp-adapters 0.3.2 builds it: the server's name only in the function, hints in metadata."""

    async def call_tool(**arguments: Any) -> str:
        return f"{server_name} {arguments}"

    call_tool.__module__ = "langchain_mcp_adapters.tools"
    return SimpleNamespace(coroutine=call_tool, metadata=metadata or None)


@pytest.mark.parametrize(
    ("made", "origin", "side"),
    [
        (mcp_tool("files", readOnlyHint=True, title="x", openWorldHint=None), "mcp:files", {"readOnlyHint": True}),
        (mcp_tool(None), "mcp:unknown", None),
        (mcp_tool("a", mcp_server="b", destructiveHint=False), "mcp:b", {"destructiveHint": False}),
        (SimpleNamespace(func=len, metadata={"server_name": "crm"}), "mcp:crm", None),
    ],
)
def test_a_tool_over_mcp_brings_its_server_and_its_hints(made: Any, origin: str, side: Any) -> None:
    """The core decides how far a server is believed."""
    call = read_call(SimpleNamespace(tool_call={"name": "look", "args": {}, "id": "1"}, tool=made))
    assert call.origin == origin
    assert call.side == ({} if side is None else {"annotations": side})
