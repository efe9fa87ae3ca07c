"""The gate's channels in a real Postgres: both savers, texts that JSONB refuses, two processes on one thread.

A server of its own is started for the tests, on a socket in a temporary folder. Without the binaries the tests are
skipped, with `--require-services` they fail.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool

from gate_core import Action, GateConfig, GateState, Policy
from gate_core.conformance import CaseCall, ModelStep
from gate_langgraph import results, with_gate
from gate_langgraph._scripted import ScriptedModel

ASK: Any = {"messages": [HumanMessage("Set the timeout in app.cfg to 30.", id="h1")]}
DONE = ModelStep(text="Done, the timeout in app.cfg is 30.")
NUL = "a\x00b"
STRICT = GateConfig(policy=Policy.STRICT)


def _programs() -> Path | None:
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    here = shutil.which("initdb")
    return max(found) if found else Path(here).parent if here else None


@pytest.fixture(scope="module")
def dsn(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server that is gone afterwards. The server refuses to run as root, so root hands it to another user."""
    programs = _programs()
    if programs is None:
        reason = "Postgres is not installed (Debian: apt-get update && apt-get install postgresql)"
        if request.config.getoption("--require-services"):
            pytest.fail(reason)
        pytest.skip(reason)
    as_user: dict[str, Any] = {}
    folder = Path(tempfile.mkdtemp(prefix="gate-pg-"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
        as_user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    data, options = folder / "data", f"-c listen_addresses='' -k {folder} -c fsync=off"

    def run(program: str, *arguments: str) -> None:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        subprocess.run([str(programs / program), *arguments], check=True, **quiet, **as_user)

    try:
        run("initdb", "-D", str(data), "-U", "gate", "--auth=trust", "--no-sync")
        run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://gate@/postgres?host={quote(str(folder), safe='')}"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def agent_of(saver: Any, *steps: ModelStep) -> Any:
    @tool
    def edit_file(path: str, old: str, new: str) -> str:
        """Edit a file."""
        return "ok"

    @tool
    def read_file(path: str) -> str:
        """Read a file."""
        return f"timeout = 30\n{NUL}"

    middleware = with_gate(config=STRICT)
    return create_agent(ScriptedModel.of(*steps), [edit_file, read_file], middleware=middleware, checkpointer=saver)


EDIT = ModelStep(
    calls=(CaseCall(id="e", tool="edit_file", args={"path": "app.cfg", "old": f"5{NUL}", "new": "30"}),),
)
READ = ModelStep(calls=(CaseCall(id="r", tool="read_file", args={"path": "app.cfg"}),))


def check(values: Any) -> None:
    assert [v.action for v in results(values).verdicts] == [Action.REVISE, Action.DELIVER]
    state = GateState.join(values["gate_facts"], values["gate_run"]["state"])
    assert sorted(fact.call for fact in state.facts.values()) == ["e", "r"]


def test_a_thread_in_postgres_keeps_what_it_was_given(dsn: str) -> None:
    """Another connection and another agent go on with it; a NUL in arguments and results does no harm."""
    from langgraph.checkpoint.postgres import PostgresSaver

    thread: RunnableConfig = {"configurable": {"thread_id": "sync"}}
    with PostgresSaver.from_conn_string(dsn) as saver:
        saver.setup()
        agent_of(saver, EDIT, DONE).invoke(ASK, thread, durability="sync", interrupt_before=["tools"])
    with PostgresSaver.from_conn_string(dsn) as saver:
        agent = agent_of(saver, DONE, READ, DONE)
        agent.invoke(None, thread, durability="sync")
        check(agent.get_state(thread).values)


def test_the_asynchronous_saver_keeps_the_same(dsn: str) -> None:
    """With the awaited forms of every seat."""
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    thread: RunnableConfig = {"configurable": {"thread_id": "async"}}

    async def run() -> Any:
        async with AsyncPostgresSaver.from_conn_string(dsn) as saver:
            await saver.setup()
            agent = agent_of(saver, EDIT, DONE, READ, DONE)
            await agent.ainvoke(ASK, thread, durability="sync")
            return (await agent.aget_state(thread)).values

    check(asyncio.run(run()))


def test_the_example_with_two_workers_runs(dsn: str) -> None:
    """The second process knows from the thread alone what the first changed, and settles it with its look."""
    example = Path(__file__).parents[3] / "examples" / "langgraph_postgres.py"
    done = subprocess.run(
        [sys.executable, str(example), "--rehearse"],
        env={**os.environ, "DSN": dsn},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "worker 1: I could not confirm it yet.",
        "  DELIVER change-unseen",
        "  turn 1 of the thread, pending: ['app.cfg']",
        "worker 2: The timeout in app.cfg is 30.",
        "  REVISE nothing-observed",
        "  DELIVER",
        "  turn 2 of the thread, pending: []",
    ]
