"""A LangChain agent with a long-term memory that holds of the user only what the user said.

ANTHROPIC_API_KEY=... python examples/langgraph_memory.py "I'm vegetarian and live in Rome. Remember that."
"""

from __future__ import annotations

import sys
from typing import Any

from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.language_models import BaseChatModel
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from gate_core import GateConfig, Layer, Strength
from gate_langgraph import GatedStore, with_gate

NAMESPACE = ("memories", "user")
CONFIG = GateConfig(layers={Layer.WRITES: Strength.BLOCK})


def take_note(name: str, content: str, runtime: ToolRuntime) -> str:
    """Remember one fact of the user, in the user's own words."""
    assert runtime.store is not None
    runtime.store.put(NAMESPACE, name, {"content": content})
    return "noted"


def build(store: BaseStore, model: str | BaseChatModel = "anthropic:claude-sonnet-4-5") -> Any:
    """The agent; its tools get the gated store, the host keeps the one inside."""
    return create_agent(
        model, [take_note], middleware=with_gate(config=CONFIG), store=GatedStore(store, fields=["content"])
    )


def main(prompt: str, model: str | BaseChatModel = "anthropic:claude-sonnet-4-5") -> dict[str, str]:
    """Tell the agent something; returns what it remembers."""
    store = InMemoryStore()
    build(store, model).invoke({"messages": [("user", prompt)]})
    return {item.key: item.value["content"] for item in store.search(NAMESPACE)}


if __name__ == "__main__":
    print(main(" ".join(sys.argv[1:]) or "I'm vegetarian and live in Rome. Remember that."))
