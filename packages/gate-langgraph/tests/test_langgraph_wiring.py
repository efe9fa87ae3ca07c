"""What can be wired wrong is refused when the list is built, with the way out in the message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware, ToolCallRequest, ToolRetryMiddleware
from langchain.agents.middleware.types import AgentState

from gate_core import ConfigError, GateConfig, GateFactory, Posture
from gate_langgraph import (
    GateBoundary,
    GateMiddleware,
    GateRecorder,
    check_middleware,
    merge_facts,
    with_gate,
)
from gate_langgraph.middleware import LoneRecorder, QuietBoundary
from gate_langgraph.wiring import _wraps_tools

Middleware = AgentMiddleware[Any, Any, Any]
RAILS = GateConfig(posture=Posture.RAILS)


class Plain(AgentMiddleware):
    """A middleware that leaves tools alone."""


class Wraps(AgentMiddleware):
    """A middleware around tools."""

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Pass through."""
        return handler(request)


class AsyncWraps(AgentMiddleware):
    """A middleware around tools, in async runs only."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Pass through."""
        return await handler(request)


def test_the_sandwich_is_recorder_others_boundary() -> None:
    """The order of the others is kept."""
    plain, wraps = Plain(), Wraps()
    whole = with_gate([plain, wraps])
    assert [m.name for m in whole] == ["GateRecorder", "Plain", "Wraps", "GateBoundary"]
    assert [m.name for m in with_gate(config=RAILS)] == ["GateRecorder", "GateBoundary"]
    check_middleware(whole)


@pytest.mark.parametrize("arguments", [{}, {"config": RAILS}], ids=["guard", "rails"])
def test_one_wrapper_is_around_the_tools_where_nobody_stands_between(arguments: Any) -> None:
    """LangChain makes a span of each wrapper, with every call; others between the halves need both."""
    for others, number in (([], 1), ([Plain()], 1), ([Wraps()], 3), ([Plain(), AsyncWraps()], 3)):
        assert len([m for m in with_gate(others, **arguments) if _wraps_tools(m)]) == number


def test_a_gate_alone_may_stand_behind_middleware_that_leaves_tools_alone() -> None:
    """Only what wraps tools is in its way."""
    check_middleware([GateMiddleware()])
    check_middleware([Plain(), GateMiddleware()])


FACTORY, LONE = GateFactory({}), with_gate()


class Overridden(GateBoundary):
    """A subclass that lost the way back to the model."""

    def after_agent(self, state: AgentState[Any], runtime: Any) -> Any:  # type: ignore[misc]
        """Do nothing."""


@pytest.mark.parametrize(
    ("middleware", "says"),
    [
        pytest.param([], "expected one gate", id="no gate"),
        pytest.param([Plain()], "expected one gate", id="none among others"),
        pytest.param([*with_gate(), GateMiddleware()], "expected one gate", id="two gates"),
        pytest.param([*with_gate()[:-1], *with_gate()], "expected one gate", id="two recorders"),
        pytest.param([Wraps(), GateMiddleware()], "beside Wraps", id="outside the sandwich"),
        pytest.param([AsyncWraps(), GateMiddleware()], "beside AsyncWraps", id="outside, async"),
        pytest.param([ToolRetryMiddleware(), GateMiddleware()], "beside ToolRetry", id="outside, shipped"),
        pytest.param([GateMiddleware(), Plain()], "must be last", id="not last"),
        pytest.param([*with_gate(), Plain()], "must be last", id="sandwich not last"),
        pytest.param([Plain(), *with_gate()], "must be first", id="recorder not first"),
        pytest.param([GateBoundary(FACTORY)], "records nothing", id="inner half alone"),
        pytest.param([GateRecorder(FACTORY)], "expected one gate", id="outer half alone"),
        pytest.param([GateRecorder(FACTORY), GateMiddleware()], "counts twice", id="recorder with a whole gate"),
        pytest.param([with_gate()[0], with_gate()[-1]], "two gates", id="halves of two gates"),
        pytest.param([GateRecorder(FACTORY), Overridden(FACTORY)], "hook_config", id="lost jump"),
        pytest.param([LONE[0], Wraps(), LONE[-1]], "another list .* with Wraps", id="put between later"),
        pytest.param([LONE[0], AsyncWraps(), LONE[-1]], "another list .* with AsyncWraps", id="put between, async"),
        pytest.param([GateRecorder(FACTORY), QuietBoundary(FACTORY)], "another list", id="nobody sees what runs"),
        pytest.param([LoneRecorder(FACTORY), GateBoundary(FACTORY)], "another list", id="both see what runs"),
        pytest.param(
            [GateRecorder(rails := GateFactory({"config": RAILS})), GateBoundary(rails)], "rails", id="nobody raises"
        ),
    ],
)
def test_a_list_that_would_fail_without_a_word_is_refused(middleware: Sequence[Middleware], says: str) -> None:
    """Each message says what is wrong, and how to build the list."""
    with pytest.raises(ConfigError, match=says):
        check_middleware(middleware)


def test_with_gate_refuses_a_list_that_already_holds_a_gate() -> None:
    """Wrapping twice would count every call twice."""
    with pytest.raises(ConfigError, match="expected one gate"):
        with_gate(with_gate())
    with pytest.raises(ConfigError, match="expected one gate"):
        with_gate([GateMiddleware()])


def test_a_gate_alone_cannot_withhold() -> None:
    """Under rails the text must leave the thread before the exception does."""
    with pytest.raises(ConfigError, match="with_gate"):
        GateMiddleware(config=RAILS)


def test_wrong_arguments_are_refused_when_the_list_is_built() -> None:
    """Not in the middle of a run."""
    with pytest.raises(ConfigError, match="effect"):
        with_gate(profiles={"look": {"efect": "read"}})


def test_facts_merge_as_a_set() -> None:
    """Any order, any repetition, and the first fact of a key stays."""
    a: dict[str, object] = {"k": [1]}
    b: dict[str, object] = {"l": [2]}
    assert merge_facts(a, b) == merge_facts(b, a) == merge_facts(merge_facts(a, b), b)
    assert merge_facts(a, {"k": [3]}) == a
    assert merge_facts(None, a) == merge_facts(a, None) == a
