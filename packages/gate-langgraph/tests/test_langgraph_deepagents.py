"""deepagents: its file tools are observed, and what it puts around and behind the gate is seen through."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from gate_core import Action, GateConfig, GateState, Policy, Verdict
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import results, with_gate
from gate_langgraph._scripted import ScriptedModel

pytest.importorskip("deepagents", reason="deepagents is not installed; it needs the newest LangGraph")

from deepagents import create_deep_agent
from deepagents.backends import FilesystemBackend
from deepagents.middleware.rubric import RubricMiddleware

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
STRICT = GateConfig(policy=Policy.STRICT)
ASK: Any = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
CHANGE = {"old_string": "timeout = 5", "new_string": "timeout = 30"}
OVER = ModelStep(text="UNVERIFIED: I could not confirm it.")


def call(name: str, number: int = 1, **args: Any) -> ModelStep:
    return ModelStep(calls=(CaseCall(id=f"c{number}", tool=name, args=args),))


def say(text: str = "Done, the timeout in app.cfg is 30.") -> ModelStep:
    return ModelStep(text=text)


EDIT = call("edit_file", 1, file_path="/app.cfg", **CHANGE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("app.cfg", "b.cfg"):
        (tmp_path / name).write_text("timeout = 5\n")
    return tmp_path


def agent_of(root: Path, *steps: ModelStep, tools: Any = (), config: GateConfig = STRICT, **options: Any) -> Any:
    return create_deep_agent(
        ScriptedModel.of(*steps, OVER),
        list(tools),
        middleware=with_gate(config=config),
        backend=FilesystemBackend(root_dir=str(root), virtual_mode=True),
        checkpointer=InMemorySaver(),
        **options,
    )


def facts_of(agent: Any) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """(call, outcome, what it did) of every fact in the thread."""
    state = GateState.join(agent.get_state(THREAD).values["gate_facts"], {})
    return [(f.call, f.outcome.value, [(e.did.value, e.target) for e in f.effects]) for f in state.facts.values()]


def actions(result: Any) -> list[Action]:
    return [verdict.action for verdict in results(result).verdicts]


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_its_file_tools_are_observed(root: Path, asynchronous: bool) -> None:
    """A claim after an edit goes back, and is let go after the read that shows it."""
    agent = agent_of(root, EDIT, say(), call("read_file", 2, file_path="/app.cfg"), say())
    result = asyncio.run(agent.ainvoke(ASK, THREAD)) if asynchronous else agent.invoke(ASK, THREAD)
    assert actions(result) == [Action.REVISE, Action.DELIVER]
    assert facts_of(agent) == [
        ("c1", "ok", [("changed", "/app.cfg")]),
        ("c2", "ok", [("showed", "/app.cfg")]),
    ]
    assert (root / "app.cfg").read_text() == "timeout = 30\n"


@pytest.mark.parametrize(
    ("step", "outcome", "did"),
    [
        (call("ls", path="/"), "ok", [("listed", "/")]),
        (call("write_file", file_path="/new.cfg", content="x = 1\n"), "ok", [("changed", "/new.cfg")]),
        (call("read_file", file_path="/none.cfg"), "not_found", [("absent", "/none.cfg")]),
        (
            call("edit_file", file_path="/app.cfg", old_string="none", new_string="x"),
            "failed",
            [("changed", "/app.cfg")],
        ),
    ],
    ids=["ls", "write", "a read that fails", "an edit that fails"],
)
def test_what_each_of_them_did(root: Path, step: ModelStep, outcome: str, did: list[tuple[str, str]]) -> None:
    """As `create_deep_agent` really runs them."""
    agent = agent_of(root, step, OVER)
    agent.invoke(ASK, THREAD)
    assert facts_of(agent) == [("c1", outcome, did)]


def decided(agent: Any, *decisions: Any) -> Any:
    """Run up to the question of `interrupt_on`, and answer it."""
    assert "__interrupt__" in agent.invoke(ASK, THREAD)
    return agent.invoke(Command(resume={"decisions": list(decisions)}), THREAD)


def test_what_a_person_made_of_a_call_is_recorded(root: Path) -> None:
    """`interrupt_on` puts the person behind the gate. The call that ran is on record, not the one asked for."""
    agent = agent_of(root, EDIT, call("read_file", 2, file_path="/app.cfg"), say(), interrupt_on={"edit_file": True})
    edited = {"name": "edit_file", "args": {"file_path": "/b.cfg", **CHANGE}}
    result = decided(agent, {"type": "edit", "edited_action": edited})
    assert facts_of(agent)[0] == ("c1", "ok", [("changed", "/b.cfg")])
    assert ((root / "app.cfg").read_text(), (root / "b.cfg").read_text()) == ("timeout = 5\n", "timeout = 30\n")
    first = results(result).verdicts[0]
    assert (first.action, first.blocking[0].subject) == (Action.REVISE, "/b.cfg")


def test_an_approved_call_is_the_call(root: Path) -> None:
    """Recorded as it was asked for, once."""
    agent = agent_of(root, EDIT, call("read_file", 2, file_path="/app.cfg"), say(), interrupt_on={"edit_file": True})
    result = decided(agent, {"type": "approve"})
    assert [fact[0] for fact in facts_of(agent)] == ["c1", "c2"]
    assert actions(result) == [Action.DELIVER]


@pytest.mark.parametrize("kind", ["reject", "respond"])
def test_what_a_person_answers_is_no_execution(root: Path, kind: str) -> None:
    """Nothing was changed, whatever the answer says."""
    agent = agent_of(root, EDIT, say(), interrupt_on={"edit_file": True})
    result = decided(agent, {"type": kind, "message": "Successfully replaced 1 instance(s) in '/app.cfg'"})
    assert [(fact[0], fact[2]) for fact in facts_of(agent)] in ([], [("c1", [])])
    assert actions(result)[0] is Action.REVISE
    assert (root / "app.cfg").read_text() == "timeout = 5\n"


@tool
def query(table: str) -> str:
    """Query a table."""
    return "\n".join(f"row {i} holds {i * 7919 + 1_000_003}" for i in range(40_000))


def row(number: int) -> ModelStep:
    return say(f"Row {number} of the table holds {number * 7919 + 1_000_003}.")


def verdict_of(root: Path, *steps: ModelStep) -> Verdict:
    agent = agent_of(root, *steps, tools=[query], config=GateConfig())
    result = agent.invoke({"messages": [HumanMessage("What is in the table?", id="h1")]}, THREAD)
    moved = next(m for m in result["messages"] if isinstance(m, ToolMessage))
    assert len(moved.text) < 2_000
    found = results(result).verdict
    assert found is not None
    return found


QUERY = call("query", table="t")


def test_of_a_result_that_was_moved_away_only_the_preview_was_seen(root: Path) -> None:
    """A value in the preview was read. One in the part that nobody saw is not, nor is an invented one."""
    seen, unseen = 3, 20_000
    assert verdict_of(root, QUERY, row(seen)).codes == ("subject-unknown",)
    assert "value-unsupported" in verdict_of(root, QUERY, row(unseen)).codes
    assert "value-unsupported" in verdict_of(root, QUERY, say("Row 3 of the table holds 987654321.")).codes


def test_who_reads_on_in_the_file_has_seen_the_value(root: Path) -> None:
    """The file tools are tools like any others."""
    on = call("read_file", 2, file_path="/large_tool_results/c1", offset=20_000, limit=5)
    assert "value-unsupported" not in verdict_of(root, QUERY, on, row(20_000)).codes


def test_the_word_of_a_sub_agent_is_testimony(root: Path) -> None:
    """`task` is a delegation: what it says supports nothing."""
    task = call("task", description="Set the timeout in app.cfg to 30.", subagent_type="general-purpose")
    agent = agent_of(root, task, say("Done, the timeout in app.cfg is 30."), say())
    assert actions(agent.invoke(ASK, THREAD))[0] is Action.REVISE


class Grader(ScriptedModel):
    """Sends the first answer back, and is satisfied with the next."""

    @classmethod
    def strict(cls) -> Any:
        def graded(number: int, result: str, *, passed: bool) -> ModelStep:
            criterion = {"name": "words", "passed": passed, **({} if passed else {"gap": "Say it again."})}
            return call("GraderResponse", number, result=result, explanation="See there.", criteria=[criterion])

        return cls.of(graded(90, "needs_revision", passed=False), graded(91, "satisfied", passed=True))


rubric = pytest.mark.filterwarnings("ignore:The middleware `RubricMiddleware` is in beta")


@rubric
def test_an_answer_that_a_rubric_sent_back_is_judged_again(root: Path) -> None:
    """A model's judgement of the wording comes on top; what goes out has passed both, and its feedback is no turn."""
    honest = say("I read app.cfg back: the timeout is 30.")
    agent: Any = create_deep_agent(
        ScriptedModel.of(EDIT, call("read_file", 2, file_path="/app.cfg"), say(), honest, OVER),
        middleware=with_gate([RubricMiddleware(model=Grader.strict())], config=STRICT),
        backend=FilesystemBackend(root_dir=str(root), virtual_mode=True),
        checkpointer=InMemorySaver(),
    )
    result = agent.invoke({**ASK, "rubric": "Names the file."}, THREAD)
    assert actions(result) == [Action.DELIVER, Action.DELIVER]
    assert result["messages"][-1].text == honest.text
    assert results(result).progress()["turn"] == 1


@rubric
def test_a_lie_told_to_please_a_rubric_does_not_go_out(root: Path) -> None:
    """The second answer claims what the first one did not."""
    agent: Any = create_deep_agent(
        ScriptedModel.of(say("Hello."), say(), OVER),
        middleware=with_gate([RubricMiddleware(model=Grader.strict())], config=STRICT),
        backend=FilesystemBackend(root_dir=str(root), virtual_mode=True),
        checkpointer=InMemorySaver(),
    )
    result = agent.invoke({**ASK, "rubric": "Says that it is done."}, THREAD)
    assert actions(result) == [Action.DELIVER, Action.REVISE, Action.DELIVER]
    assert result["messages"][-1].text == OVER.text
