"""The SDK's traps, T1 to T25 of what was found out about 0.24: which test holds each, and those that had none."""

from __future__ import annotations

import asyncio
import re
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

from gate_core import Action, AuditFailure, GateConfig
from gate_openai_agents import GatedResult, GateRunner

set_tracing_disabled(True)
HERE = Path(__file__).resolve().parent
DOC = HERE.parents[2] / "docs" / "openai-agents.md"
ASSIST = GateConfig(posture="assist")  # type: ignore[arg-type]

TRAPS: dict[str, tuple[str, ...]] = {
    "T1": ("test_an_answer_made_by_a_tool_keeps_its_verdict",),
    "T2": ("test_the_deltas_are_the_accepted_answer", "test_a_cancelled_answer_is_not_shown"),
    "T3": ("test_all_messages_of_the_final_response_are_judged", "test_all_messages_are_judged_in_the_model"),
    "T4": ("test_an_mcp_error_is_a_failure_without_any_setting", "test_an_instrumented_tool_shows_its_failure"),
    "T5": ("test_an_exit_code_is_that_of_the_executor", "test_a_refused_shell_call_did_not_run"),
    "T6": ("test_what_leaves_the_gate_keeps_the_answer_out_of_the_session",),
    "T7": ("test_the_output_of_an_error_handler_is_judged", "test_a_refusal_of_the_model_is_the_users_to_see"),
    "T8": ("test_an_unobserved_agent_is_no_evidence_and_is_named",),
    "T9": ("test_a_tool_that_ends_the_run_leaves_its_siblings_on_record",),
    "T10": ("test_a_tool_that_raised_is_a_failure", "test_a_result_that_quotes_the_sdk_is_a_result"),
    "T11": ("test_a_behaviour_that_would_deliver_the_refusal_is_refused",),
    "T12": ("test_the_users_hooks_are_all_called",),
    "T13": ("test_approvals_for_good_survive_a_refusal", "test_a_refused_answer_is_repaired"),
    "T14": ("test_a_repeated_call_id_is_one_call",),
    "T15": ("test_an_empty_answer_claims_nothing",),
    "T16": ("test_a_session_beside_a_conversation_id_is_the_sdks_error",),
    "T17": ("test_the_session_gets_neither_draft_nor_feedback",),
    "T18": ("test_a_computer_call_is_recorded",),
    "T19": ("test_tracing_changes_nothing",),
    "T20": ("test_the_docs_say_what_fails_open",),
    "T21": ("test_a_paused_run_goes_on_in_another_process",),
    "T22": (
        "test_the_floor_is_the_version_that_was_run",
        "test_a_refused_answer_raises_with_the_verdict_and_is_not_saved",
    ),
    "T23": ("test_a_response_without_a_message_is_no_answer",),
    "T24": ("test_a_hosted_call_is_observed_in_a_stream",),
    "T25": ("test_the_users_end_hook_sees_refused_answers",),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_every_trap_has_its_test(trap: str) -> None:
    """The named tests exist; a trap without one would be met again."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)", sources, re.MULTILINE))
    assert TRAPS[trap]
    assert set(TRAPS[trap]) <= there
    assert list(TRAPS) == [f"T{number}" for number in range(1, 26)]


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
    if plain:
        with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
            asyncio.run(Runner.run(agent, "Set it.", session=session, hooks=gate.hooks(), run_config=gate.run_config()))
        assert isinstance(caught.value.guardrail_result.output.output_info, AuditFailure)
    else:
        with pytest.raises(AuditFailure):
            run(agent, gate=gate, session=session)
    assert HONEST not in str(asyncio.run(session.get_items()))
    session.close()


def test_the_output_of_an_error_handler_is_judged() -> None:
    """T7: without turns the gate is not asked, but what a handler says in place of an answer is."""

    def handler(data: object) -> RunErrorHandlerResult:
        return RunErrorHandlerResult(final_output=LIE)

    result = run(agent_of([edit()], [edit("c2")]), max_turns=1, error_handlers={"max_turns": handler})
    assert [verdict.action for verdict in result.verdicts] == [Action.REVISE, Action.RELEASE]
    assert (result.final_output, result.exited_unverified) == (LIE, True)


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
    result = run(agent_of([edit("c1")], [edit("c1"), read("c2")], [say(HONEST)]))
    assert calls_of(result) == [("c1", "ok"), ("c2", "ok")]
    with pytest.raises(ModelBehaviorError):
        run(agent_of([edit("c1")], [edit("c1", new="31")], [say(HONEST)]))


@pytest.mark.parametrize("output", [[say("")], []], ids=["empty-message", "nothing"])
def test_an_empty_answer_claims_nothing(output: list[Any]) -> None:
    """T15: an empty answer is asked about like any other, and says nothing that needs support."""
    result = run(agent_of(output), input="Hi")
    assert (result.final_output, [verdict.action for verdict in result.verdicts]) == ("", [Action.DELIVER])


def test_a_session_beside_a_conversation_id_is_the_sdks_error() -> None:
    """T16: the two cannot be combined, with the gate as without it."""
    session = SQLiteSession("s")
    with pytest.raises(UserError, match="conversation_id"):
        run(agent_of([say("Hello!")]), session=session, conversation_id="c")
    session.close()


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

    @function_tool(name_override="edit_file")
    def broken(path: str, old: str, new: str) -> str:
        """Edit."""
        raise ValueError("bug")

    def told() -> Any:
        result = run(agent_of([edit()], [say(LIE)], [say("UNVERIFIED: no")], tools=[broken]))
        return calls_of(result), [verdict.codes for verdict in result.verdicts]

    off = told()
    set_trace_processors([])
    set_tracing_disabled(False)
    try:
        assert told() == off
    finally:
        set_tracing_disabled(True)


def test_the_docs_say_what_fails_open() -> None:
    """T20: voice and realtime are no promise of the gate; the docs name what does not hold there."""
    text = DOC.read_text(encoding="utf-8")
    for word in ("Realtime", "Voice", "fails open", "debounce_text_length", "tool_start", "cannot be taken back"):
        assert word in text


def test_the_floor_is_the_version_that_was_run() -> None:
    """T22: before 0.24 refused output was saved to sessions; the dependency has a floor and a cap."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert "openai-agents>=0.24,<0.25" in project["dependencies"]


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
