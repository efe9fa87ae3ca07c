"""What a thread keeps outlives the process: kills, forks, edits of the state, and what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from gate_core import Action, GateConfig, GateState, Policy
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import results, with_gate
from gate_langgraph._scripted import ScriptedModel, file_tools

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
ASK: Any = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
EDIT = ModelStep(
    calls=(CaseCall(id="e", tool="edit_file", args={"path": "app.cfg", "old": "timeout = 5", "new": "timeout = 30"}),)
)
READ = ModelStep(calls=(CaseCall(id="r", tool="read_file", args={"path": "app.cfg"}),))
STRICT = GateConfig(policy=Policy.STRICT)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "app.cfg").write_text("timeout = 5\n", "utf-8")
    return tmp_path


def calls_of(values: Any) -> list[str]:
    state = GateState.join(values["gate_facts"], values["gate_run"]["state"])
    return sorted(fact.call for fact in state.facts.values())


# --- kill -9 -------------------------------------------------------------------------------------------------------

_DONE = {
    "killed": True,
    "actions": ["REVISE", "DELIVER"],
    "facts": ["e", "r"],
    "answers": [DONE.text],
}


@pytest.mark.parametrize("strict", ["false", "true"], ids=["permissive", "strict msgpack"])
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, strict: str) -> None:
    """SIGKILL at six points of a run with `durability="sync"`, a new process on the reopened file: the same verdicts.

    A tool that was killed after its work and before its result runs again; nothing else does.
    """
    script = Path(__file__).with_name("langgraph_killed.py")
    environment = {**os.environ, "LANGGRAPH_STRICT_MSGPACK": strict}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, env=environment, check=True
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == 12
    for run in told:
        twice = 2 if run["point"] == "after the change" else 1
        assert run == {**_DONE, "form": run["form"], "point": run["point"], "changed": twice}
    assert "unregistered" not in done.stderr.lower()
    assert "Traceback" not in done.stderr


# --- time travel ---------------------------------------------------------------------------------------------------


def agent_of(workspace: Path, *steps: ModelStep, saver: Any = None) -> Any:
    return create_agent(
        ScriptedModel.of(*steps),
        file_tools(workspace),
        middleware=with_gate(config=STRICT),
        checkpointer=saver or InMemorySaver(),
    )


def test_a_fork_sees_only_its_own_past(workspace: Path) -> None:
    """A look that comes after the fork is none of its facts, and the rejection before it still counts."""
    agent = agent_of(workspace, EDIT, DONE, READ, DONE, DONE)
    agent.invoke(ASK, THREAD)
    assert calls_of(agent.get_state(THREAD).values) == ["e", "r"]
    before = next(
        s for s in agent.get_state_history(THREAD) if len(s.values["gate_facts"]) == 1 and s.next == ("model",)
    )
    forked = agent.invoke(None, before.config)
    values = agent.get_state(THREAD).values
    assert calls_of(values) == ["e"]
    assert results(forked).exited_unverified


def test_an_edited_message_changes_no_fact(workspace: Path) -> None:
    """`update_state` is the operator's: it may write what it likes into the history, the ledger says what ran."""
    agent = agent_of(workspace, EDIT, DONE, DONE)
    agent.invoke(ASK, THREAD, interrupt_after=["tools"])
    agent.update_state(THREAD, {"messages": [HumanMessage("I have checked it myself.", id="h2")]}, as_node="tools")
    result = agent.invoke(None, THREAD)
    assert calls_of(agent.get_state(THREAD).values) == ["e"]
    assert results(result).verdicts[0].action is Action.REVISE


def test_an_operator_may_reset_what_the_gate_keeps(workspace: Path) -> None:
    """Whoever may call `update_state` is trusted; what it leaves must still be readable, or nothing is accepted."""
    agent = agent_of(workspace, EDIT, DONE, DONE)
    agent.invoke(ASK, THREAD, interrupt_after=["tools"])
    agent.update_state(THREAD, {"gate_run": {"state": {"schema": "other"}}}, as_node="tools")
    result = agent.invoke(None, THREAD)
    assert "gate-unwired" in results(result).verdicts[0].codes


def test_a_turn_that_was_replayed_is_judged_the_same(workspace: Path) -> None:
    """Facts are a set: what is recorded twice is there once."""
    agent = agent_of(workspace, EDIT, READ, DONE, DONE)
    agent.invoke(ASK, THREAD)
    look = next(s for s in agent.get_state_history(THREAD) if s.next == ("tools",) and len(s.values["gate_facts"]) == 1)
    result = agent.invoke(None, look.config)
    assert calls_of(agent.get_state(THREAD).values) == ["e", "r"]
    assert [v.action for v in results(result).verdicts] == [Action.DELIVER]


# --- what it costs -------------------------------------------------------------------------------------------------


def stored(folder: Path, *, gated: bool) -> int:
    """Bytes in the saver's tables after 200 calls with results of 2 KB in one turn."""

    @tool
    def fetch(number: int) -> str:
        """Fetch a page."""
        return f"page {number}: " + "lorem ipsum dolor sit amet " * 75

    steps = [ModelStep(calls=(CaseCall(id=f"c{n}", tool="fetch", args={"number": n}),)) for n in range(200)]
    file = folder / f"{gated}.db"
    with SqliteSaver.from_conn_string(str(file)) as saver:
        agent = create_agent(
            ScriptedModel.of(*steps, ModelStep(text="I could not confirm it.")),
            [fetch],
            middleware=with_gate() if gated else [],
            checkpointer=saver,
        )
        agent.invoke(ASK, {**THREAD, "recursion_limit": 1000})
        sizes = saver.conn.execute(
            "SELECT (SELECT SUM(LENGTH(checkpoint) + LENGTH(metadata)) FROM checkpoints)"
            " + (SELECT SUM(LENGTH(value)) FROM writes)"
        ).fetchone()
    return int(sizes[0])


def test_a_thread_grows_by_a_tenth_at_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """200 calls with results of 2 KB (spec 80)."""
    bare, gated = stored(tmp_path, gated=False), stored(tmp_path, gated=True)
    with capsys.disabled():
        sys.stdout.write(f"\nthread of 200 calls: {bare:,} bytes, gated {gated:,} ({gated / bare - 1:+.1%})\n")
    assert gated <= bare * 1.10
