"""Framework payloads become calls, attempts and turns; whatever shape they have, something is recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    add_notification_metadata,
)
from langchain_core.tools import tool
from langgraph.types import Command
from pydantic import BaseModel

from gate_core import CallStatus, GateFactory
from gate_langgraph._decide import observed
from gate_langgraph._served import served_texts
from gate_langgraph._translate import MessageTexts, attempt_of, read_call, to_json, unexecuted
from gate_langgraph._turns import prompts_since, text_parts, turn_of


@tool
def look(path: str) -> str:
    """Look at a path."""
    return path


def call_of(name: str = "look", call_id: str = "c1", **args: object) -> dict[str, Any]:
    return {"name": name, "args": args, "id": call_id, "type": "tool_call"}


def asks(*calls: dict[str, Any], text: str = "", message_id: str = "a") -> AIMessage:
    return AIMessage(text, tool_calls=list(calls), id=message_id)


def request(call: object, *, tool: object = look, step: object = 7, facts: object = None) -> object:
    """What `wrap_tool_call` gets."""
    config = {"metadata": {"langgraph_step": step, "lc_agent_name": "builder"}}
    state = {"messages": [], "gate_facts": facts or {}}
    return SimpleNamespace(tool_call=call, tool=tool, state=state, runtime=SimpleNamespace(config=config))


def test_an_executed_call_carries_name_arguments_text_step_agent_and_id() -> None:
    """Everything the core needs is in the request and its tool message."""
    call = read_call(request(call_of(path="a.py")), result=ToolMessage("x = 1", tool_call_id="c1"))
    assert (call.tool, call.args, call.result, call.status) == ("look", {"path": "a.py"}, "x = 1", CallStatus.OK)
    assert (call.call_id, call.ref, call.step, call.agent, call.origin) == ("c1", "c1", 7, "builder", "")


ERROR = ToolMessage("no", tool_call_id="c1", status="error")


@pytest.mark.parametrize(
    ("payload", "outcome", "status"),
    [
        pytest.param(request(call_of(path="a")), {"result": ERROR}, CallStatus.ERROR, id="the tool said error"),
        pytest.param(request(call_of(path="a")), {"error": OSError("disk")}, CallStatus.ERROR, id="the tool raised"),
        pytest.param(request(call_of(), tool=None), {"result": ERROR}, CallStatus.NOT_EXECUTED, id="unknown tool"),
        pytest.param(request(call_of(wrong=1)), {"result": ERROR}, CallStatus.NOT_EXECUTED, id="invalid arguments"),
        pytest.param(
            request(call_of(path="a")), {"status": CallStatus.PENDING}, CallStatus.PENDING, id="still running"
        ),
        pytest.param(
            request(call_of(path="a")), {"status": CallStatus.DENIED, "result": ERROR}, CallStatus.DENIED, id="stopped"
        ),
        pytest.param(request(call_of(path="a")), {"result": Command(update={"x": 1})}, CallStatus.OK, id="no message"),
        pytest.param(request(call_of(path="a")), {}, CallStatus.ERROR, id="nothing at all"),
    ],
)
def test_status_says_what_became_of_the_call(payload: object, outcome: dict[str, Any], status: CallStatus) -> None:
    """An error of the tool is an error; an error of the framework in its place is no execution."""
    assert read_call(payload, **outcome).status is status


def test_the_result_is_found_in_commands_and_lists() -> None:
    """A tool may answer with a Command, or several things; its own tool message counts."""
    other, own = ToolMessage("other", tool_call_id="c9"), ToolMessage("own", tool_call_id="c1")
    results: list[object] = [Command(update={"messages": [own]}), [other, Command(update={"messages": [own]})], [own]]
    for result in results:
        assert read_call(request(call_of(path="a")), result=result).result == "own"


def test_an_id_that_was_asked_before_is_told_apart_by_its_step() -> None:
    """A model that numbers each response's calls anew does not merge two looks into one."""
    answer = ToolMessage("x", tool_call_id="c1")
    first = read_call(request(call_of(path="a")), result=answer)
    _, kept = observed(GateFactory({}), {}, [first])
    again = read_call(request(call_of(path="a"), facts=kept), result=answer)
    assert [(call.call_id, call.ref) for call in (first, again)] == [("c1", "c1"), ("c1@7", "c1")]


def test_of_an_artifact_only_flags_and_numbers_are_taken() -> None:
    """An artifact may hold anything, also what cannot be stored."""
    artifact = {"exit_code": 1, "timed_out": False, "frame": object(), "rows": [1]}
    call = read_call(request(call_of(path="a")), result=ToolMessage("x", tool_call_id="c1", artifact=artifact))
    assert call.exit_code == 1
    assert call.side == {"artifact": {"exit_code": 1, "timed_out": False}}


def test_tools_of_the_framework_are_builtin_and_tools_over_mcp_say_so() -> None:
    """A user's `read_file` is not mistaken for the framework's."""

    def shipped() -> None: ...

    shipped.__module__ = "langchain.agents.middleware.file_search"

    def remote() -> None: ...

    remote.__module__ = "langchain_mcp_adapters.tools"
    origins = [
        read_call(request(call_of(), tool=SimpleNamespace(func=code))).origin for code in (shipped, remote, call_of)
    ]
    assert origins == ["builtin", "mcp:unknown", ""]


class Hostile:
    """An object that answers nothing."""

    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(None, id="nothing"),
        pytest.param(SimpleNamespace(), id="no attributes"),
        pytest.param(request(None), id="no call"),
        pytest.param(request("look"), id="a call that is a string"),
        pytest.param(request({"name": Hostile(), "args": Hostile(), "id": None}), id="hostile fields"),
        pytest.param(request({"name": 3, "args": [1], "id": 4}, step="x"), id="wrong types"),
        pytest.param(SimpleNamespace(tool_call={"name": "look"}, state=3, runtime=3, tool=3), id="wrong context"),
    ],
)
def test_a_malformed_request_is_still_a_call(payload: object) -> None:
    """Never an exception into the framework, never a call that leaves no trace."""
    call = read_call(payload, result=Hostile(), error=None)
    assert call.step in (None, 7)
    assert call.status is CallStatus.OK


def test_a_reader_that_itself_fails_leaves_an_unknown_call() -> None:
    """The last resort still names the tool."""

    class Broken(SimpleNamespace):
        @property
        def runtime(self) -> object:
            raise RuntimeError("broken")

    call = read_call(Broken(tool_call=call_of(), tool=look, state={}))
    assert (call.tool, call.call_id, call.status) == ("look", "c1", CallStatus.ERROR)


def test_a_tool_message_without_an_execution_is_not_executed() -> None:
    """Refused, emulated or answered by a human: the call is known, and nothing ran."""
    call = unexecuted(ToolMessage("User rejected", tool_call_id="c1"), call_of(path="a"))
    assert (call.tool, call.args, call.status, call.ref) == ("look", {"path": "a"}, CallStatus.NOT_EXECUTED, "c1")
    assert unexecuted(ToolMessage("x", tool_call_id="c1", name="look"), None).tool == "look"


class Answer(BaseModel):
    """A typed answer."""

    total: int


@dataclass
class Node:
    """A value that holds itself."""

    inner: list[object] = field(default_factory=list)


def test_any_value_becomes_json() -> None:
    """Models and dataclasses by field, tuples as lists, the rest as text; a cycle ends."""
    node = Node()
    node.inner.append(node)
    assert to_json({"a": Answer(total=1), 2: (1, None)}) == {"a": {"total": 1}, "2": [1, None]}
    assert to_json(b"x") == "b'x'"
    assert "<Node>" in str(to_json(node)) or "<list>" in str(to_json(node))


def test_the_visible_texts_of_a_message_are_its_text_blocks() -> None:
    """Reasoning, images and malformed blocks are not part of an answer."""
    content = ["a", {"type": "text", "text": "b"}, {"type": "reasoning", "text": "c"}, {"type": "text"}, 3]
    assert text_parts(content) == ("a", "b")
    assert text_parts("") == text_parts(None) == ()


def turn() -> list[AnyMessage]:
    result = ToolMessage("x = 1", tool_call_id="c1")
    return [HumanMessage("Fix a.py", id="h1"), asks(call_of(path="a.py"), text="I look."), result, AIMessage("Done.")]


def test_an_attempt_is_the_final_response_with_the_narration_before_it() -> None:
    """Narration is judged as of the step of the calls it came with."""
    attempt = attempt_of(turn_of(turn()), Answer(total=3), {"c1": 4})
    assert (attempt.parts, attempt.output, attempt.earlier) == (("Done.",), {"total": 3}, ((4, "I look."),))


def test_a_rejected_draft_is_not_narration_and_not_part_of_the_next_answer() -> None:
    """What was sent back ended with the feedback."""
    feedback = add_notification_metadata(HumanMessage("Look again."), source="gate")
    messages = [*turn(), feedback, AIMessage("Now it is.")]
    assert attempt_of(turn_of(messages), None, {"c1": 4}).parts == ("Now it is.",)
    assert attempt_of(turn_of(messages), None, {"c1": 4}).earlier == ((4, "I look."),)


def test_a_state_without_an_answer_gives_an_empty_attempt() -> None:
    """The answer of the turn before is never judged a second time."""
    assert attempt_of(turn_of([*turn(), HumanMessage("Next")]), None, {}).parts == ()
    assert turn_of([]) == ([], [])


def test_turns_begin_with_user_messages_and_not_with_notifications() -> None:
    """Consecutive user messages are one prompt; a summary or feedback starts nothing."""
    note = add_notification_metadata(HumanMessage("summary", id="n"), source="summarization")
    messages: list[AnyMessage] = [
        SystemMessage("s"),
        HumanMessage("one", id="h1"),
        AIMessage("ok"),
        note,
        HumanMessage("two", id="h2"),
        HumanMessage("three", id="h3"),
    ]
    found = [(p.tag, p.text) for p in prompts_since(messages, "")]
    assert found == [("h1", "one"), ("h3", "two\n\nthree")]
    assert [p.tag for p in prompts_since(messages, "h1")] == ["h3"]
    assert prompts_since(messages, "h3") == []
    assert [p.tag for p in prompts_since(messages, "summarised-away")] == ["h3"]


def test_texts_are_found_by_tool_call_id_until_they_are_gone() -> None:
    """The source answers what the thread holds, and nothing once a message was removed."""
    texts = MessageTexts(turn(), served_texts)
    assert texts.call("c1") == ({"path": "a.py"}, "x = 1")
    assert texts.call("c2") is None
    assert MessageTexts(turn()[:2], served_texts).call("c1") is None
