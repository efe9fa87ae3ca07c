"""What becomes of the answer: sent back, let go with its verdict, released marked, or withheld."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import InputAgentState
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import (
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    add_notification_metadata,
    get_notification_metadata,
)
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import BaseModel

from gate_core import Action, AnswerWithheld, Exit, GateArguments, GateConfig, GateFactory, JsonObject, Verdict
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import GateBoundary, GateMiddleware, results, with_gate
from gate_langgraph._scripted import ScriptedModel, file_tools

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
ASK: InputAgentState = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
EDIT = ModelStep(
    calls=(CaseCall(id="e", tool="edit_file", args={"path": "app.cfg", "old": "timeout = 5", "new": "timeout = 30"}),)
)


def read(call_id: str = "r") -> ModelStep:
    return ModelStep(calls=(CaseCall(id=call_id, tool="read_file", args={"path": "app.cfg"}),))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "app.cfg").write_text("timeout = 5\n", "utf-8")
    return tmp_path


def build(
    workspace: Path,
    *steps: ModelStep,
    middleware: Sequence[AgentMiddleware[Any, Any, Any]] | None = None,
    **arguments: Unpack[GateArguments],
) -> Any:
    return create_agent(
        ScriptedModel.of(*steps),
        file_tools(workspace),
        middleware=with_gate(**arguments) if middleware is None else middleware,
        checkpointer=InMemorySaver(),
    )


def told(result: dict[str, Any]) -> list[tuple[str, str]]:
    """(type, text) of the messages a user is left with."""
    return [(m.type, m.text) for m in result["messages"] if m.text]


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "sandwich"])
def test_a_draft_without_evidence_goes_back_and_the_repaired_answer_is_delivered(workspace: Path, alone: bool) -> None:
    """The model reads why, looks, and answers again; the user is left with the answer alone."""
    seen: list[Verdict] = []
    middleware = [GateMiddleware(on_verdict=seen.append)] if alone else with_gate(on_verdict=seen.append)
    model = ScriptedModel.of(EDIT, DONE, read(), DONE)
    agent = create_agent(model, file_tools(workspace), middleware=middleware)
    result = agent.invoke(ASK)
    assert [v.action for v in seen] == [Action.REVISE, Action.DELIVER]
    draft, feedback = model.requests[2][-2:]
    assert (draft.text, feedback.text) == (DONE.text, seen[0].feedback)
    assert get_notification_metadata(feedback) == {
        "source": "gate",
        "data": {"rejected": draft.id, "codes": ["change-unseen"]},
    }
    assert told(result) == [
        ("human", "Set the timeout in app.cfg to 30."),
        ("tool", "ok"),
        ("tool", "timeout = 30\n"),
        ("ai", DONE.text),
    ]


def test_an_answer_carries_its_verdict_and_the_result_reads_it_back(workspace: Path) -> None:
    """Metadata of the message, the output channel and `results` tell the same."""
    result = build(workspace, EDIT, DONE, read(), DONE).invoke(ASK, THREAD)
    found = results(result)
    assert found.verdict is not None
    assert found.verdict.exit is Exit.VERIFIED
    assert [v.action for v in found.verdicts] == [Action.REVISE, Action.DELIVER]
    assert result["messages"][-1].additional_kwargs["gate"] == result["gate_verdict"] == found.verdict.to_dict()
    assert not found.exited_unverified
    assert found.progress()["turn"] == 1
    assert "gate_facts" not in result
    assert "gate_run" not in result


def test_results_come_from_states_and_snapshots_too(workspace: Path) -> None:
    """A host that only has the thread can ask as well; without a gate there is no verdict."""
    agent = build(workspace, read(), DONE)
    result = agent.invoke(ASK, THREAD)
    snapshot = agent.get_state(THREAD)
    assert results(snapshot) == results(snapshot.values) == results(result)
    for nothing in ({}, {"gate_verdict": {"decision": "maybe"}, "gate_report": 3}, None, 3):
        assert (results(nothing).verdict, results(nothing).verdicts, results(nothing).progress()) == (None, (), {})


def test_an_agent_that_never_repairs_is_released_marked_in_metadata_only(workspace: Path) -> None:
    """No trap: the answer goes out, and what a client shows is unchanged."""
    result = build(workspace, EDIT, DONE).invoke(ASK, THREAD)
    found = results(result)
    assert found.verdict is not None
    assert (found.verdict.action, found.verdict.exit) == (Action.RELEASE, Exit.UNVERIFIED)
    assert found.exited_unverified
    assert result["messages"][-1].text == DONE.text
    assert result["messages"][-1].additional_kwargs["gate"]["action"] == "RELEASE"
    assert [m for m in result["messages"] if isinstance(m, HumanMessage)] == ASK["messages"]


def test_a_released_answer_shows_the_marker_when_asked_to(workspace: Path) -> None:
    """`mark_text=True` writes it into the visible text, of the same message."""
    result = build(workspace, EDIT, DONE, mark_text=True).invoke(ASK, THREAD)
    assert result["messages"][-1].text == f"UNVERIFIED: {DONE.text}"


def rails(**more: Any) -> GateConfig:
    return GateConfig(posture="rails", **more)  # type: ignore[arg-type]  # words stand for closed choices


def test_a_withheld_answer_raises_and_is_not_left_in_the_thread(workspace: Path) -> None:
    """Posture rails: the exception carries the verdict, the state holds neither draft nor answer."""
    agent = build(workspace, EDIT, DONE, config=rails())
    with pytest.raises(AnswerWithheld) as caught:
        agent.invoke(ASK, THREAD)
    assert caught.value.verdict.action is Action.WITHHOLD
    values = agent.get_state(THREAD).values
    assert told(values) == [("human", "Set the timeout in app.cfg to 30."), ("tool", "ok")]
    assert results(values).verdict == caught.value.verdict


def test_a_withheld_run_cannot_be_resumed_into_an_answer_and_the_next_turn_works(workspace: Path) -> None:
    """Going on with the broken run raises again; a new message is a new turn."""
    agent = build(workspace, EDIT, DONE, DONE, ModelStep(text="Hello."), config=rails())
    for entry in (ASK, None):
        with pytest.raises(AnswerWithheld):
            agent.invoke(entry, THREAD)
    assert told(agent.invoke({"messages": [HumanMessage("Hi")]}, THREAD))[-1] == ("ai", "Hello.")


def test_a_withheld_answer_raises_in_async_runs_too(workspace: Path) -> None:
    """Both forms of the hook raise."""
    agent = build(workspace, EDIT, DONE, config=rails())
    with pytest.raises(AnswerWithheld):
        asyncio.run(agent.ainvoke(ASK, THREAD))


def test_an_inner_half_alone_is_unwired(workspace: Path) -> None:
    """Nobody recorded anything: the first answer is released marked, and names what is missing."""
    agent = build(workspace, EDIT, read(), DONE, middleware=[GateBoundary(GateFactory({}))])
    for _ in range(2):  # a second turn does not heal it
        result = agent.invoke({"messages": [HumanMessage("Set the timeout in app.cfg to 30.")]}, THREAD)
        found = results(result)
        assert found.verdict is not None
        assert found.verdict.action is Action.RELEASE
        assert found.verdict.codes == ("gate-unwired",)
        assert "with_gate" in found.verdict.findings[0].where + found.verdict.findings[0].subject


def test_an_inner_half_alone_withholds_under_rails(workspace: Path) -> None:
    """Without a recorder the boundary raises itself."""
    agent = build(workspace, EDIT, read(), DONE, middleware=[GateBoundary(GateFactory({"config": rails()}))])
    with pytest.raises(AnswerWithheld):
        agent.invoke(ASK, THREAD)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param({"gate_run": {"state": {"schema": "other"}, "wired": True, "tag": "h1"}}, id="other schema"),
        pytest.param({"gate_facts": {"k": ["short"]}}, id="not a fact"),
        pytest.param({"gate_run": {"state": 3, "tag": 4, "drafts": 5, "verdicts": 6}}, id="wrong types"),
    ],
)
def test_a_state_that_cannot_be_read_never_accepts(workspace: Path, broken: dict[str, Any]) -> None:
    """A damaged thread is not an exception in the graph and not a pass."""

    class Damage(AgentMiddleware):
        state_schema = GateMiddleware.state_schema

        def after_model(self, state: Any, runtime: Any) -> dict[str, Any]:
            return broken

    found = results(build(workspace, DONE, middleware=with_gate([Damage()])).invoke(ASK, THREAD))
    assert found.verdict is not None
    assert not found.verdict.accepted


def test_looks_of_an_earlier_turn_are_told_apart(workspace: Path) -> None:
    """A new user message begins a turn, with its own verdicts."""
    agent = build(workspace, EDIT, read(), DONE, ModelStep(text="Hello."))
    agent.invoke(ASK, THREAD)
    result = agent.invoke({"messages": [HumanMessage("Thanks!")]}, THREAD)
    assert results(result).progress()["turn"] == 2
    assert results(result).progress()["calls_this_turn"] == 0
    assert len(results(result).verdicts) == 1


def turn_after(agent: Any, entry: object) -> object:
    return results(agent.invoke(entry, THREAD)).progress()["turn"]


def test_a_turn_that_enters_past_the_start_is_noticed(workspace: Path) -> None:
    """A jump to the model skips `before_agent`; the new user message still begins a turn."""
    agent = build(workspace, read(), DONE)
    agent.invoke(ASK, THREAD)
    jump = Command(update={"messages": [HumanMessage("And now?")]}, goto="model")
    assert turn_after(agent, jump) == 2


def test_a_notification_wakes_the_agent_without_a_new_turn(workspace: Path) -> None:
    """What the harness adds is not what the user says; the same words sent once more are."""
    agent = build(workspace, read(), DONE)
    agent.invoke(ASK, THREAD)
    woken = add_notification_metadata(HumanMessage("Task t finished."), source="async_subagent")
    assert turn_after(agent, {"messages": [woken]}) == 1
    assert turn_after(agent, ASK) == 2


def test_a_run_that_broke_off_does_not_leave_its_rejected_draft_behind(workspace: Path) -> None:
    """The next answer takes it out of the thread."""
    agent = build(workspace, EDIT, DONE, read(), ModelStep(text="Hello."))
    agent.invoke(ASK, THREAD, interrupt_after=["GateBoundary.after_agent"])
    assert any(get_notification_metadata(m) for m in agent.get_state(THREAD).values["messages"])
    result = agent.invoke({"messages": [HumanMessage("Never mind.")]}, THREAD)
    assert not [m for m in result["messages"] if get_notification_metadata(m) or m.text == DONE.text]


def test_a_verdict_is_a_custom_stream_event_with_the_message_it_is_about(workspace: Path) -> None:
    """Streaming clients can tell which text was taken back."""
    agent = build(workspace, EDIT, DONE, read(), DONE)
    events = list(agent.stream(ASK, THREAD, stream_mode="custom"))
    assert [(e["type"], e["verdict"]["action"]) for e in events] == [
        ("gate.verdict", "REVISE"),
        ("gate.verdict", "DELIVER"),
    ]
    assert events[1]["message_id"] == agent.get_state(THREAD).values["messages"][-1].id


class Answer(BaseModel):
    """The typed answer."""

    text: str


def test_a_typed_answer_is_judged_and_taken_back(workspace: Path) -> None:
    """The answer is `structured_response`; a rejection clears it, so that no host reads the old one."""
    answer = ModelStep(calls=(CaseCall(id="s", tool="Answer", args={"text": DONE.text}),))
    seen: list[Verdict] = []
    agent = create_agent(
        ScriptedModel.of(EDIT, answer, read(), answer),
        file_tools(workspace),
        middleware=with_gate(on_verdict=seen.append),
        response_format=ToolStrategy(Answer),
    )
    cleared = [
        update["GateBoundary.after_agent"].get("structured_response", "kept")
        for update in agent.stream(ASK, stream_mode="updates")
        if "GateBoundary.after_agent" in update
    ]
    assert [v.action for v in seen][-1] is Action.DELIVER
    assert cleared == [None, "kept"]


class Cited(BaseModel):
    """A claim with what it rests on."""

    id: str
    text: str
    cites: list[str]


class Findings(BaseModel):
    """A typed answer of claims."""

    claims: list[Cited]


@pytest.mark.parametrize(
    ("text", "cites", "codes"),
    [
        pytest.param("The timeout is 5.", ["r"], (), id="read there"),
        pytest.param("The timeout is 5000.", ["r"], ("missing-evidence",), id="a figure nobody showed"),
        pytest.param("The timeout is 5.", ["nowhere"], ("missing-evidence",), id="a source that is not there"),
    ],
)
def test_claims_of_a_typed_answer_are_judged_by_what_they_cite(
    workspace: Path, text: str, cites: list[str], codes: tuple[str, ...]
) -> None:
    """A claim cites a call by the id that the model gave it."""
    args: JsonObject = {"claims": [{"id": "a", "text": text, "cites": cites}]}
    answer = ModelStep(calls=(CaseCall(id="s", tool="Findings", args=args),))
    seen: list[Verdict] = []
    agent = create_agent(
        ScriptedModel.of(read(), answer),
        file_tools(workspace),
        middleware=with_gate(on_verdict=seen.append),
        response_format=ToolStrategy(Findings),
    )
    agent.invoke({"messages": [HumanMessage("What is the timeout in app.cfg?")]})
    assert tuple(finding.code.value for finding in seen[0].blocking) == codes


def test_a_tool_that_answers_the_user_itself_passes_the_gate(workspace: Path) -> None:
    """`return_direct` ends the run on a tool message; the boundary still runs and marks the model's message."""
    tools = file_tools(workspace)
    tools[0].return_direct = True
    agent = create_agent(ScriptedModel.of(read()), tools, middleware=with_gate())
    result = agent.invoke(ASK)
    assert isinstance(result["messages"][-1], ToolMessage)
    assert results(result).verdict is not None
    assert result["messages"][-2].additional_kwargs["gate"]["decision"] == "ACCEPT"


def test_an_agent_without_tools_is_gated(workspace: Path) -> None:
    """A tool-free "done" is what the gate is for."""
    result = create_agent(ScriptedModel.of(DONE), [], middleware=with_gate()).invoke(ASK)
    assert results(result).exited_unverified


def is_plain(value: object) -> bool:
    """True for JSON in its exact types: a checkpointer in strict mode drops or changes anything else."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(is_plain(item) for item in value)
    return value is None or type(value) in (str, int, float, bool)


def test_what_the_thread_keeps_is_plain_json_in_objects(workspace: Path) -> None:
    """No enum, tuple or dataclass reaches a checkpointer, and no channel is a bare string."""
    agent = build(workspace, EDIT, DONE, read(), DONE)
    agent.invoke(ASK, THREAD)
    values = agent.get_state(THREAD).values
    channels = {key: value for key, value in values.items() if key.startswith("gate_")}
    assert sorted(channels) == ["gate_facts", "gate_report", "gate_run", "gate_verdict"]
    for value in channels.values():
        assert type(value) is dict
        assert is_plain(value)
    assert all(is_plain(m.additional_kwargs) for m in values["messages"])


def repairing(messages: Sequence[BaseMessage]) -> ModelStep:
    """A model that claims first, looks when it is sent back, and claims again; whatever else runs beside it."""
    looked = any(isinstance(m, ToolMessage) for m in messages)
    sent_back = any(get_notification_metadata(m) for m in messages if isinstance(m, HumanMessage))
    return read() if sent_back and not looked else ModelStep(text="I read app.cfg: the timeout is 5.")


def asks(number: int) -> tuple[Any, RunnableConfig]:
    config: RunnableConfig = {"configurable": {"thread_id": str(number)}}
    return {"messages": [HumanMessage("What is the timeout in app.cfg?", id=f"h{number}")]}, config


@pytest.mark.parametrize("is_async", [False, True], ids=["batch", "abatch"])
def test_conversations_in_a_batch_are_gated_each_for_itself(workspace: Path, is_async: bool) -> None:
    """Side by side on one agent: every one is sent back once and repaired."""
    agent: Any = create_agent(
        ScriptedModel(repairing), file_tools(workspace), middleware=with_gate(), checkpointer=InMemorySaver()
    )
    inputs, configs = map(list, zip(*(asks(n) for n in range(4)), strict=True))
    found = asyncio.run(agent.abatch(inputs, configs)) if is_async else agent.batch(inputs, configs)
    for result in found:
        assert [v.action for v in results(result).verdicts] == [Action.REVISE, Action.DELIVER]
        assert results(result).progress()["calls_this_turn"] == 1
        assert len(told(result)) == 3  # question, result, answer


def test_a_run_followed_by_its_events_is_gated(workspace: Path) -> None:
    """`astream_events` shows drafts as they come; what the run ends with has passed the gate."""
    agent: Any = create_agent(
        ScriptedModel(repairing), file_tools(workspace), middleware=with_gate(), checkpointer=InMemorySaver()
    )

    async def events() -> list[Any]:
        return [event async for event in agent.astream_events(*asks(1), version="v2")]

    seen = asyncio.run(events())
    last = seen[-1]["data"]["output"]
    assert [v.action for v in results(last).verdicts] == [Action.REVISE, Action.DELIVER]
    assert [event["name"] for event in seen if event["event"] == "on_tool_start"] == ["read_file"]


def test_what_a_thread_begins_with_and_the_host_states_needs_no_other_source(workspace: Path) -> None:
    """Not so a system message of later, which may be a summary in the agent's own words."""
    seen: list[Verdict] = []
    answer = ModelStep(text="A bag costs $57, a seat $58 and a meal $59.")
    agent = build(
        workspace,
        answer,
        answer,
        on_verdict=seen.append,
        supplied=["A seat costs $58."],
        config=GateConfig(posture="assist"),  # type: ignore[arg-type]  # strings do
    )
    agent.invoke({"messages": [SystemMessage("A bag costs $57."), HumanMessage("What does it cost?")]}, THREAD)
    agent.invoke({"messages": [SystemMessage("A meal costs $59."), HumanMessage("And now?")]}, THREAD)
    provenance = {"$57": "supplied", "$58": "supplied", "$59": "unsupported"}
    assert [verdict.provenance for verdict in seen] == [provenance, provenance]
