"""Two worker processes take turns on one thread in Postgres; the second knows what the first left open.

DSN=postgresql://localhost/agents ANTHROPIC_API_KEY=... python examples/langgraph_postgres.py
DSN=... python examples/langgraph_postgres.py --rehearse     (the model's words come from a script, no key needed)

The gate has no server of its own: its facts ride in the thread, so any process that opens the thread knows them.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware.types import InputAgentState
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres import PostgresSaver

from gate_core import GateConfig, Policy
from gate_langgraph import results, with_gate

PROMPTS = ("Set the timeout in app.cfg to 30.", "So what is the timeout in app.cfg now?")


def read_file(path: str) -> str:
    """Read a text file."""
    return Path(path).read_text("utf-8")


def write_file(path: str, content: str) -> str:
    """Write a text file."""
    Path(path).write_text(content, "utf-8")
    return "ok"


class Rehearsed(GenericFakeChatModel):
    """A model that says what a script says."""

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """The script knows the tools."""
        return self


def rehearsed(turn: int) -> Rehearsed:
    """The words of one turn: the first one changes and stops, the second one claims before it looks."""

    def call(name: str, **args: str) -> AIMessage:
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"{name}-{turn}"}])

    done = AIMessage("The timeout in app.cfg is 30.")
    turns = (
        [call("write_file", path="app.cfg", content="timeout = 30\n"), AIMessage("I could not confirm it yet.")],
        [done, call("read_file", path="app.cfg"), done.model_copy()],
    )
    return Rehearsed(messages=iter(turns[turn]))


def take_turn(dsn: str, turn: int, rehearse: bool) -> None:
    """One worker process: open the thread, answer one message, close it."""
    model: str | BaseChatModel = rehearsed(turn) if rehearse else "anthropic:claude-sonnet-4-5"
    with PostgresSaver.from_conn_string(dsn) as saver:
        saver.setup()
        agent = create_agent(
            model,
            [read_file, write_file],
            middleware=with_gate(config=GateConfig(policy=Policy.STRICT)),
            checkpointer=saver,
        )
        entry: InputAgentState = {"messages": [HumanMessage(PROMPTS[turn])]}
        thread: RunnableConfig = {"configurable": {"thread_id": "demo"}}
        # With durability="sync" a crash forgets no change; one that the thread does not know owes nobody a look.
        result = agent.invoke(entry, thread, durability="sync")
    found = results(result)
    print(f"worker {turn + 1}: {result['messages'][-1].text}")
    for verdict in found.verdicts:
        print(f"  {verdict.action.value} {' '.join(verdict.codes)}".rstrip())
    print(f"  turn {found.progress()['turn']} of the thread, pending: {found.progress()['pending']}")


def main(dsn: str, *, rehearse: bool) -> int:
    """Start the workers one after the other, each with nothing but the thread."""
    os.chdir(tempfile.mkdtemp(prefix="gate-example-"))
    Path("app.cfg").write_text("timeout = 5\n", "utf-8")
    for turn in range(len(PROMPTS)):
        worker = multiprocessing.get_context("spawn").Process(target=take_turn, args=(dsn, turn, rehearse))
        worker.start()
        worker.join()
        if worker.exitcode:
            return 1
    return 0


if __name__ == "__main__":
    scripted = "--rehearse" in sys.argv
    if "DSN" not in os.environ:
        sys.exit("DSN is not set; it names the database, as in DSN=postgresql://localhost/agents")
    if not scripted and ("ANTHROPIC_API_KEY" not in os.environ or find_spec("langchain_anthropic") is None):
        sys.exit("set ANTHROPIC_API_KEY and pip install langchain-anthropic, or --rehearse with a scripted model")
    sys.exit(main(os.environ["DSN"], rehearse=scripted))
