"""Transcripts acted out by `create_agent` and by a hand-built graph, one thread, a new agent for every turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from tests.conformance.acted import Script, Seen, script_of, seen

from gate_core.conformance import CaseCall, ModelStep
from gate_core.transcripts.play import config_of
from gate_langgraph._scripted import ScriptedModel
from gate_langgraph.harness import LangGraphDriver

_THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}, "recursion_limit": 200}


async def act(transcript: dict[str, Any], driver: type[LangGraphDriver]) -> list[Seen]:
    """The verdicts of the adapter."""
    script, saver, verdicts = script_of(transcript), InMemorySaver(), list[Seen]()
    tools = [_tool(script, name, keys) for name, keys in script.tools.items()]
    for _ in range(len(script.turns)):
        model = ScriptedModel(lambda messages: _respond(script, messages))
        arguments: Any = {"config": config_of(transcript), "on_verdict": lambda verdict: verdicts.append(seen(verdict))}
        agent = driver.build(model, tools, arguments, saver)
        entry: Any = {"messages": [HumanMessage(script.begin())]}
        while entry is not None:
            entry = _answered(script, await agent.ainvoke(entry, _THREAD))
    return verdicts


def _answered(script: Script, state: dict[str, Any]) -> Command[Any] | None:
    """What the user says of a call that needs a word of theirs; None when the run is over."""
    if not state.get("__interrupt__"):
        return None
    asked = state["__interrupt__"][0].value
    approved = any(c.approved for c in script.waiting if (c.tool, c.args) == (asked["tool"], asked["args"]))
    if not approved:
        script.take(asked["tool"], asked["args"])
    return Command(resume=approved)


def _respond(script: Script, messages: Sequence[BaseMessage]) -> ModelStep:
    step = script.respond()
    return ModelStep(text=step.text, calls=tuple(CaseCall(id=c.id, tool=c.tool, args=c.args) for c in step.calls))


def _tool(script: Script, name: str, keys: list[str]) -> BaseTool:
    async def call(**arguments: Any) -> Any:
        found = script.take(name, arguments)
        if found.failed:
            raise ToolException(found.text)
        return found.result

    return StructuredTool(
        name=name,
        description=name,
        coroutine=call,
        args_schema={"title": name, "description": name, "type": "object", "properties": {key: {} for key in keys}},
        handle_tool_error=True,
    )
