"""Tests of the SDK's traps that belong to no other file; `openai_traps.py` has the table of all of them."""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    ComputerTool,
    ModelBehaviorError,
    ModelRefusalError,
    OutputGuardrailTripwireTriggered,
    RunHooks,
    Runner,
    RunState,
    SQLiteSession,
    UserError,
    function_tool,
    set_trace_processors,
    set_tracing_disabled,
)
from agents.computer import AsyncComputer
from agents.run_error_handlers import RunErrorHandlerResult
from agents.testing import ScriptedModel, function_call
from openai.types.responses import (
    ResponseComputerToolCall,
    ResponseFunctionWebSearch,
    ResponseOutputMessage,
    ResponseOutputRefusal,
    ResponseToolSearchCall,
)
from openai_scripts import HONEST, LIE, STRICT, edit_file, read, read_file, say

from gate_core import Action, AuditFailure, Fact, Gate, GateConfig, ToolCall
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
HERE = Path(__file__).resolve().parent
DOC = HERE.parents[2] / "docs" / "openai-agents.md"
ASSIST = GateConfig(posture="assist")  # type: ignore[arg-type]


def edit(call_id: str = "c1", new: str = "30") -> Any:
    return function_call("edit_file", {"path": "a.cfg", "old": "5", "new": new}, call_id=call_id)


def agent_of(*responses: Any, **extra: Any) -> Agent[Any]:
    given = {"tools": [edit_file, read_file], **extra}
    return Agent(name="worker", model=ScriptedModel(list(responses)), **given)


def run(agent: Agent[Any], *, config: GateConfig = STRICT, gate: GateRunner | None = None, **extra: Any) -> GatedResult:
    return asyncio.run((gate or GateRunner(config=config)).run(agent, extra.pop("input", "Set it."), **extra))


def calls_of(result: GatedResult) -> list[tuple[str, str]]:
    return sorted((fact.call, fact.outcome.value) for fact in result.gate.state.facts.values())


def test_all_messages_are_judged_in_the_model() -> None:
    """T3: the boundary in the model judges a claim in a message that is not the last one."""
    gate = GateRunner(config=STRICT)
    model = ScriptedModel([[edit()], [say(LIE, 1), say("Anything else?", 2)], [read()], [say(HONEST, 3)]])
    agent: Agent[Any] = Agent(name="w", model=gate.model(model), tools=[edit_file, read_file])
    result = run(agent, gate=gate)
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.DELIVER]


@pytest.mark.parametrize("plain", [False, True])
def test_what_leaves_the_gate_keeps_the_answer_out_of_the_session(plain: bool, tmp_path: Path) -> None:
    """T6: a guardrail that raises has its answer saved; an audit record that cannot be written must not do that."""
    config = GateConfig(policy="strict", audit=str(tmp_path), audit_on_error="raise")  # type: ignore[arg-type]
    session = SQLiteSession("s")
    gate = GateRunner(config=config)
    agent = agent_of([edit()], [read()], [say(HONEST)])
    pieces: dict[str, Any] = {"hooks": gate.hooks(), "run_config": gate.run_config()}
    go = (
        Runner.run(agent, "Set it.", session=session, **pieces)
        if plain
        else gate.run(agent, "Set it.", session=session)
    )
    with pytest.raises((OutputGuardrailTripwireTriggered, AuditFailure)) as caught:
        asyncio.run(go)
    assert HONEST not in str(asyncio.run(session.get_items()))
    told: object = caught.value
    assert isinstance(told, OutputGuardrailTripwireTriggered if plain else AuditFailure)
    if isinstance(told, OutputGuardrailTripwireTriggered):
        assert isinstance(told.guardrail_result.output.output_info, AuditFailure)
    session.close()


def test_the_output_of_an_error_handler_is_judged() -> None:
    """T7: without turns the gate is not asked, but what a handler says in place of an answer is."""

    def handler(data: object) -> RunErrorHandlerResult:
        return RunErrorHandlerResult(final_output="Done, I deleted b.cfg.")

    result = run(agent_of([read()], [read("c3")]), max_turns=1, error_handlers={"max_turns": handler})
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.RELEASE]
    assert (result.final_output, result.exited_unverified) == ("Done, I deleted b.cfg.", True)


def test_a_refusal_of_the_model_is_the_users_to_see() -> None:
    """T7: a model that refuses to answer ends the run as without the gate, with the boundary in the model too."""
    part = ResponseOutputRefusal(type="refusal", refusal="I cannot help with that.")
    message = ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])
    gate = GateRunner(config=STRICT)
    for wrap in (lambda model: model, gate.model):
        agent: Agent[Any] = Agent(name="w", model=wrap(ScriptedModel([[message]])))
        with pytest.raises(ModelRefusalError):
            run(agent, gate=gate)


def test_an_unobserved_agent_is_no_evidence_and_is_named(caplog: pytest.LogCaptureFixture) -> None:
    """T8: the calls of an agent used as a tool without the hooks are not seen; a warning says which and what to do."""
    inner = agent_of([read("n1")], [say("It is 30.", 8)])
    ask = function_call("ask", {"input": "x"}, call_id="p1")
    outer = agent_of([ask], [say("UNVERIFIED: end")], tools=[inner.as_tool("ask", "asks")])
    result = run(outer)
    assert {fact.call for fact in result.gate.state.facts.values()} == {"p1"}
    assert "behind the tool ask was not observed" in caplog.text
    assert "hooks=gate.hooks()" in caplog.text


def test_a_tool_that_ends_the_run_leaves_its_siblings_on_record() -> None:
    """T9: a raising tool without an error function ends the run; what ran or may have run is in the ledger."""

    @function_tool(failure_error_function=None)
    def delete_file(path: str) -> str:
        """Delete."""
        raise ValueError("bug")

    gate = GateRunner(config=STRICT)
    session = SQLiteSession("s")
    broken = function_call("delete_file", {"path": "a.cfg"}, call_id="c2")
    agent = agent_of([edit("c1")], [broken], tools=[edit_file, delete_file])
    with pytest.raises(UserError, match="bug"):
        run(agent, gate=gate, session=session)
    kept = gate.gate_of(session)
    assert kept is not None
    found = sorted((fact.call, fact.outcome.value) for fact in kept.state.facts.values())
    assert found == [("c1", "ok"), ("c2", "pending")]
    session.close()


@function_tool(name_override="edit_file")
def broken_edit(path: str, old: str, new: str) -> str:
    """Edit."""
    raise ValueError("No match for old")


def sides(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    """What the gate is told of each call beside its result: status and error."""
    told: list[tuple[str, object]] = []
    observe = Gate.observe

    def noted(gate: Gate, call: ToolCall) -> Fact:
        told.append((call.status.value, call.side.get("error")))
        return observe(gate, call)

    monkeypatch.setattr(Gate, "observe", noted)
    return told


def test_the_exception_behind_the_sentence_is_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """T10: the SDK's fixed sentence hides the exception; the gate is told its type and text."""
    told = sides(monkeypatch)
    run(agent_of([edit()], [say("UNVERIFIED: no")], tools=[broken_edit]), config=ASSIST)
    assert told == [("error", "ValueError: No match for old")]


def test_hooks_alone_know_the_sentence_of_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """T10: without the gate's run configuration nobody tells the exception; the sentence itself is known."""
    told = sides(monkeypatch)
    agent = agent_of([edit()], [say("UNVERIFIED: no")], tools=[broken_edit])
    asyncio.run(Runner.run(agent, "Set it.", hooks=GateRunner(config=ASSIST).hooks()))
    assert told == [("error", None)]


def test_approvals_for_good_survive_a_refusal() -> None:
    """T13: a tool approved for good stays approved over a refused answer, and the agent stays the user's object."""

    @function_tool(needs_approval=True, name_override="edit_file")
    def guarded(path: str, old: str, new: str) -> str:
        """Edit."""
        return "ok"

    agent = agent_of([edit("c1")], [say(LIE)], [edit("c2")], [read("c3")], [say(HONEST, 2)], tools=[guarded, read_file])
    gate = GateRunner(config=STRICT)
    paused = run(agent, gate=gate)
    state: RunState[Any] = paused.result.to_state()
    for item in state.get_interruptions():
        state.approve(item, always_approve=True)
    result = asyncio.run(gate.run(agent, state, gate=paused.gate))
    assert (result.final_output, result.result.interruptions) == (HONEST, [])
    assert result.result.last_agent is agent


def test_a_repeated_call_id_is_one_call() -> None:
    """T14: the SDK drops an exact repetition without running it, and it is no second call; with other arguments the
    run ends."""
    result = run(agent_of([edit("c1")], [edit("c1"), read("c2")], [say(HONEST)]), config=ASSIST)
    assert calls_of(result) == [("c1", "ok"), ("c2", "ok")]
    with pytest.raises(ModelBehaviorError):
        run(agent_of([edit("c1")], [edit("c1", new="31")], [say(HONEST)]))


@pytest.mark.parametrize("output", [[say("")], []], ids=["empty-message", "nothing"])
def test_an_empty_answer_claims_nothing(output: list[Any]) -> None:
    """T15: an empty answer is asked about like any other, and says nothing that needs support."""
    result = run(agent_of(output), input="Hi")
    assert (result.final_output, [verdict.action for verdict in result.verdicts]) == ("", [Action.DELIVER])


class Screen(AsyncComputer):
    """A computer that shows a picture."""

    environment = "browser"
    dimensions = (1, 1)

    async def screenshot(self) -> str:
        return "aGk="

    async def _nothing(self, *args: Any, **kwargs: Any) -> None:
        pass

    click = double_click = scroll = type = wait = move = keypress = drag = _nothing


def test_a_computer_call_is_recorded() -> None:
    """T18: hooks call the tool by another name than items do; the picture itself is not kept."""
    item = {"id": "k1", "call_id": "k1", "type": "computer_call", "status": "completed", "pending_safety_checks": []}
    call = ResponseComputerToolCall.model_validate({**item, "action": {"type": "screenshot"}})
    agent = agent_of([call], [say("UNVERIFIED: end")], tools=[ComputerTool(computer=Screen())])
    result = run(agent, config=ASSIST)
    (fact,) = result.gate.state.facts.values()
    assert (fact.tool, fact.call, fact.outcome.value) == ("computer", "k1", "ok")
    kept = result.gate.call(fact.ref)
    assert kept is not None
    assert kept[1] == "<screenshot>"


def test_tracing_changes_nothing() -> None:
    """T19: spans show errors only while tracing is on; facts and verdicts do not depend on it."""

    def told() -> Any:
        result = run(agent_of([edit()], [say(LIE)], [say("UNVERIFIED: no")], tools=[broken_edit]))
        return calls_of(result), [verdict.codes for verdict in result.verdicts]

    off = told()
    set_trace_processors([])
    set_tracing_disabled(False)
    try:
        assert told() == off
    finally:
        set_tracing_disabled(True)


def test_the_floor_is_the_version_that_was_run() -> None:
    """T22: before 0.24 refused output was saved to sessions; the dependency has a floor and a cap."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert "openai-agents>=0.24,<0.25" in project["dependencies"]


@pytest.mark.parametrize(("installed", "warned"), [("0.22.1", True), ("0.24.3", False)])
def test_a_version_below_the_floor_is_named(
    installed: str, warned: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """T22: an SDK that is older than what was run is said so, once, with both numbers."""
    monkeypatch.setattr("gate_core.versions.version", lambda name: installed)
    monkeypatch.setattr("gate_core.versions._warned", set())
    GateRunner()
    GateRunner()
    assert caplog.text.count(f"openai-agents 0.24.0 to 0.24.0, and {installed} is installed") == warned


SEARCH = ResponseFunctionWebSearch.model_validate(
    {"id": "w1", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}}
)


def test_a_response_without_a_message_is_no_answer() -> None:
    """T23: a response of hosted calls alone is followed by another one; with a gated model too."""
    gate = GateRunner(config=ASSIST)
    for wrap in (lambda model: model, gate.model):
        agent: Agent[Any] = Agent(name="w", model=wrap(ScriptedModel([[SEARCH], [say("UNVERIFIED: x")]])))
        result = run(agent, gate=gate)
        assert ([v.action for v in result.verdicts], calls_of(result)) == ([Action.DELIVER], [("w1", "empty")])


class Counts(RunHooks[Any]):
    """Counts ends."""

    def __init__(self) -> None:
        self.outputs: list[object] = []

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        self.outputs.append(output)


def test_the_users_end_hook_sees_refused_answers() -> None:
    """T25: it is called before the guardrails, once per attempt; the docs say so. With a gated model it is not."""
    responses = ([edit()], [say(LIE, 1)], [read()], [say(HONEST, 2)])
    hooks = Counts()
    run(agent_of(*responses), hooks=hooks)
    assert hooks.outputs == [LIE, HONEST]
    hooks, gate = Counts(), GateRunner(config=STRICT)
    agent: Agent[Any] = Agent(name="w", model=gate.model(ScriptedModel(list(responses))), tools=[edit_file, read_file])
    run(agent, gate=gate, hooks=hooks)
    assert hooks.outputs == [HONEST]
    assert "on_agent_end" in DOC.read_text(encoding="utf-8")


def test_a_step_of_reasoning_alone_costs_budget() -> None:
    """A response that brings neither a call nor a text is a reasoning step; one with either is none."""
    item = {"id": "t1", "type": "tool_search_call", "status": "completed", "execution": "server", "arguments": {}}
    search = ResponseToolSearchCall.model_validate({**item, "call_id": None})
    result = run(agent_of([search], [read()], [say("UNVERIFIED: end")]), config=ASSIST)
    assert [fact.tool for fact in result.gate.state.facts.values()] == ["reasoning", "read_file"]


def test_agents_side_by_side_do_not_vouch_for_each_other() -> None:
    """Two agents used as tools of one response: what one reads while the other edits is no look after the change."""
    looked = asyncio.Event()

    @function_tool(name_override="edit_file")
    async def slow_edit(path: str, old: str, new: str) -> str:
        """Edit."""
        await looked.wait()
        return "ok"

    @function_tool(name_override="read_file")
    async def quick_read(path: str) -> str:
        """Read."""
        looked.set()
        return "timeout = 5"

    gate = GateRunner(config=STRICT)
    one: Agent[Any] = Agent(name="one", model=ScriptedModel([[edit("n1")], [say("ok", 5)]]), tools=[slow_edit])
    two: Agent[Any] = Agent(name="two", model=ScriptedModel([[read("n2")], [say("ok", 6)]]), tools=[quick_read])
    tools = [one.as_tool("ask_one", "x", hooks=gate.hooks()), two.as_tool("ask_two", "x", hooks=gate.hooks())]
    both = [function_call(f"ask_{name}", {"input": "x"}, call_id=name) for name in ("one", "two")]
    result = run(agent_of(both, [say(LIE)], [say("UNVERIFIED: no", 2)], tools=tools), gate=gate)
    found = {fact.call: (fact.agent, fact.step) for fact in result.gate.state.facts.values()}
    assert found["n1"][1] == found["n2"][1] > found["one"][1] == found["two"][1]
    assert (found["n1"][0], found["n2"][0]) == ("one", "two")
    assert result.verdicts[0].action is Action.REVISE
