"""A LangChain agent behind the gate. (Not named `langgraph.py`: run as a script it would hide the library.)

ANTHROPIC_API_KEY=... python examples/langgraph_agent.py "Set the timeout in app.cfg to 30."
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel

from gate_langgraph import results, with_gate


def read_file(path: str) -> str:
    """Read a text file."""
    return Path(path).read_text("utf-8")


def write_file(path: str, content: str) -> str:
    """Write a text file."""
    Path(path).write_text(content, "utf-8")
    return "ok"


def build(model: str | BaseChatModel = "anthropic:claude-sonnet-4-5") -> Any:
    """The agent; `with_gate` is all that differs from one without a gate."""
    return create_agent(model, [read_file, write_file], middleware=with_gate(mark_text=True))


def main(prompt: str, model: str | BaseChatModel = "anthropic:claude-sonnet-4-5") -> str:
    """Ask the agent; returns what the user is told and what it rests on."""
    result = build(model).invoke({"messages": [("user", prompt)]})
    verdict = results(result).verdict
    return f"{result['messages'][-1].text}\n{verdict.evidence_line if verdict else ''}".rstrip()


if __name__ == "__main__":
    if "ANTHROPIC_API_KEY" not in os.environ or find_spec("langchain_anthropic") is None:
        sys.exit("this example asks a real model: set ANTHROPIC_API_KEY and pip install langchain-anthropic")
    print(main(" ".join(sys.argv[1:]) or "What is in app.cfg?"))
