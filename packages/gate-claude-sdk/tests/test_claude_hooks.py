"""The seats, called as the SDK calls them: what each event does, and that nothing gets through when one fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, ResultMessage, TextBlock

import gate_claude_sdk
from gate_claude_sdk import GateHooks
from gate_claude_sdk._answer import final_texts
from gate_claude_sdk._session import Session
from gate_core import (
    Action,
    AnswerWithheld,
    ConfigError,
    GateConfig,
    GateUsageError,
    Json,
    Outcome,
    Policy,
    Posture,
    Verdict,
)

Fire: TypeAlias = Callable[..., dict[str, Any]]

PROMPT = "Set the timeout in app.cfg to 30."
CLAIM = "Done, the timeout in app.cfg is 30."
EDIT = {"file_path": "/w/app.cfg", "old_string": "timeout = 5", "new_string": "timeout = 30"}
READ = {"file_path": "/w/app.cfg"}
WINDOW = {"startLine": 1, "numLines": 2, "totalLines": 2}


def edit(fire: Fire, gate: GateHooks, call_id: str = "e1", **more: Any) -> None:
    """The agent edits app.cfg, which succeeds."""
    response = {"filePath": "/w/app.cfg", "structuredPatch": []}
    fire(gate, "PostToolUse", tool_name="Edit", tool_input=EDIT, tool_response=response, tool_use_id=call_id, **more)


def read(fire: Fire, gate: GateHooks, call_id: str = "r1", **more: Any) -> None:
    """The agent reads app.cfg, which shows the new value."""
    response = {"type": "text", "file": {"filePath": "/w/app.cfg", "content": "timeout = 30\n", **WINDOW}}
    fire(gate, "PostToolUse", tool_name="Read", tool_input=READ, tool_response=response, tool_use_id=call_id, **more)


def batch(fire: Fire, gate: GateHooks, *entries: dict[str, Any], **more: Any) -> None:
    """One model response is over."""
    fire(gate, "PostToolBatch", tool_calls=list(entries), **more)


def stop(fire: Fire, gate: GateHooks, text: str = CLAIM, **more: Any) -> dict[str, Any]:
    """The agent wants to finish."""
    return fire(gate, "Stop", last_assistant_message=text, stop_hook_active=False, **more)


def strict(**more: Any) -> GateHooks:
    """A gate for which only a read settles a change, so that no probe is taken."""
    return GateHooks(config=GateConfig(policy=Policy.STRICT, **more), probe_roots=())


def test_the_package_exports_what_it_says() -> None:
    """Every public name exists, and the hooks fit the options of the SDK."""
    assert all(hasattr(gate_claude_sdk, name) for name in gate_claude_sdk.__all__)
    options = ClaudeAgentOptions(hooks=GateHooks().hooks())
    assert options.hooks is not None
    events = {str(event): matchers for event, matchers in options.hooks.items()}
    asked = {event: matcher.matcher for event, (matcher,) in events.items()}
    observing = dict.fromkeys(("UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop"))
    assert asked == {**observing, "PreToolUse": "StructuredOutput"}
    assert all(m.timeout is None for matchers in events.values() for m in matchers)


def test_a_wrong_argument_is_refused_when_the_gate_is_built() -> None:
    """A configuration error leaves the constructor, never a run."""
    with pytest.raises(ConfigError):
        GateHooks(profiles={"x": {"effect": "teleport"}})


def test_an_unseen_change_goes_back_and_a_read_settles_it(fire: Fire) -> None:
    """The block form of the Stop hook carries the feedback; an accepted answer carries nothing."""
    gate = strict()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate)
    batch(fire, gate)
    blocked = stop(fire, gate)
    assert blocked == {"decision": "block", "reason": gate.verdicts[0].feedback}
    assert blocked["reason"].startswith("[gate]")
    assert gate.result() == ""
    read(fire, gate)
    batch(fire, gate)
    assert stop(fire, gate) == {}
    assert [v.action for v in gate.verdicts] == [Action.REVISE, Action.DELIVER]
    assert (gate.verdict, gate.exited_unverified, gate.result()) == (gate.verdicts[1], False, CLAIM)
    assert gate.progress()["rejections"] == gate.session("s1").progress()["rejections"]


def test_calls_of_one_batch_never_settle_each_other(fire: Fire) -> None:
    """A read that ran beside the edit proves nothing, in whatever order the two were reported."""
    gate = strict()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate)
    read(fire, gate)
    batch(fire, gate)
    assert stop(fire, gate)["decision"] == "block"
    assert {fact.step for fact in gate.state.facts.values()} == {0}


def test_a_refused_edit_is_a_failed_call_and_a_denied_one_a_note(fire: Fire) -> None:
    """Only the batch tells of them; a call that was reported is not counted twice."""
    gate = strict()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    read(fire, gate)
    refused = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    denied = "Claude requested permissions to write to /x, but you haven't granted it yet."
    batch(
        fire,
        gate,
        {"tool_name": "Read", "tool_input": READ, "tool_use_id": "r1", "tool_response": "1\ttimeout = 30"},
        {"tool_name": "Edit", "tool_input": EDIT, "tool_use_id": "e1", "tool_response": refused},
        {"tool_name": "Edit", "tool_input": EDIT, "tool_use_id": "e2", "tool_response": denied},
    )
    facts = {fact.call: fact for fact in gate.state.facts.values()}
    assert (facts["e1"].outcome, facts["e1"].note, facts["e2"].note) == (Outcome.FAILED, "", "denied")
    assert (len(facts), {fact.step for fact in facts.values()}) == (3, {0})
    assert stop(fire, gate)["decision"] == "block"
    assert gate.verdicts[0].codes == ("change-failed",)


def test_a_prompt_begins_a_turn_once(fire: Fire) -> None:
    """The same prompt id twice is one turn; a notice of background work and a sub-agent's prompt start none."""
    gate = GateHooks()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    fire(gate, "UserPromptSubmit", prompt="<task-notification>\n<task-id>x</task-id>", prompt_id="p2")
    fire(gate, "UserPromptSubmit", prompt="look around", prompt_id="p3", agent_id="a1")
    assert gate.state.turn == 1
    fire(gate, "UserPromptSubmit", prompt="And now?", prompt_id="p4")
    fire(gate, "UserPromptSubmit", prompt="No id?", prompt_id=None)
    assert gate.state.turn == 3


def test_background_work_is_pending_until_its_notice(fire: Fire) -> None:
    """The notice ends the call it names; its exit code is the one in the summary."""
    gate = GateHooks(probe_roots=())
    fire(gate, "UserPromptSubmit", prompt="Run make.")
    response = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
    shell = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "c1"}
    fire(gate, "PostToolUse", tool_response=response, **shell)
    batch(fire, gate)
    notice = (
        "<task-notification>\n<tool-use-id>c1</tool-use-id>\n<status>failed</status>\n"
        '<summary>Background command "make" failed with exit code 2</summary>\n</task-notification>'
    )
    fire(gate, "UserPromptSubmit", prompt=notice, prompt_id="p2")
    outcomes = [(f.step, f.outcome) for f in sorted(gate.state.facts.values(), key=lambda f: f.step)]
    assert outcomes == [(0, Outcome.PENDING), (1, Outcome.FAILED)]


def test_an_answer_that_is_not_repaired_is_released_and_marked(fire: Fire) -> None:
    """The user is told in the CLI's own channel; the text gets the marker only where the host asks for it."""
    config = GateConfig(policy=Policy.STRICT)
    for mark_text, answer in ((False, CLAIM), (True, f"UNVERIFIED: {CLAIM}")):
        gate = GateHooks(config=config, mark_text=mark_text)
        fire(gate, "UserPromptSubmit", prompt=PROMPT)
        edit(fire, gate)
        batch(fire, gate)
        assert stop(fire, gate)["decision"] == "block"
        released = stop(fire, gate)
        assert list(released) == ["systemMessage"]
        assert released["systemMessage"].startswith("UNVERIFIED: ")
        assert "change-unseen" in released["systemMessage"]
        assert (gate.exited_unverified, gate.result()) == (True, answer)


def test_rails_withhold_the_answer(fire: Fire) -> None:
    """Block and stop together empty the result message; the host's own way to the text raises."""
    gate = strict(posture=Posture.RAILS, max_blocks=0)
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate)
    batch(fire, gate)
    output = stop(fire, gate)
    assert (output["continue_"], output["decision"]) == (False, "block")
    assert CLAIM not in json.dumps(output)
    with pytest.raises(AnswerWithheld) as withheld:
        gate.result("s1")
    assert withheld.value.verdict is gate.verdict


def test_a_stop_without_an_observer_is_unwired(fire: Fire) -> None:
    """The verdict names what the host has to attach, and no model is asked to repair it."""
    gate = GateHooks()
    output = stop(fire, gate)
    assert gate.verdict is not None
    assert (gate.verdict.codes, gate.verdict.action) == (("gate-unwired",), Action.RELEASE)
    assert "ClaudeAgentOptions(hooks=...)" in output["systemMessage"]


def test_several_sessions_are_kept_apart(fire: Fire) -> None:
    """One instance serves many; without an id the error names them, an unknown id too."""
    gate = strict()
    assert (gate.verdict, gate.verdicts, gate.exited_unverified, gate.result()) == (None, (), False, "")
    for name in ("s1", "s2"):
        fire(gate, "UserPromptSubmit", prompt=PROMPT, session_id=name)
    edit(fire, gate, session_id="s1")
    stop(fire, gate, session_id="s1")
    stop(fire, gate, "Hello, what can I do for you?", session_id="s2")
    assert [[v.action for v in gate.session(name).verdicts] for name in ("s1", "s2")] == [
        [Action.REVISE],
        [Action.DELIVER],
    ]
    with pytest.raises(GateUsageError, match="2 sessions: s1, s2"):
        _ = gate.verdict
    with pytest.raises(GateUsageError, match="'s3'; there are: s1, s2"):
        gate.session("s3")
    gate.forget("s2")
    assert gate.verdict is gate.session("s1").verdict


def test_another_instance_goes_on_from_the_state_folder(fire: Fire, tmp_path: Path) -> None:
    """Ledger, step numbers, the tries and the attached observer survive, also in the middle of a batch."""
    config = GateConfig(policy=Policy.STRICT)

    def gate() -> GateHooks:
        return GateHooks(state_dir=tmp_path, config=config)

    fire(gate(), "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate())
    read(fire, gate())
    batch(fire, gate())
    assert stop(fire, gate())["decision"] == "block"
    assert gate().session("s1").state.tries != ()
    read(fire, gate(), "r2")
    batch(fire, gate())
    last = gate()
    assert stop(fire, last) == {}
    assert sorted((fact.call, fact.step) for fact in last.state.facts.values()) == [("e1", 0), ("r1", 0), ("r2", 1)]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_a_session_that_made_no_call_yet_stays_attached(fire: Fire, tmp_path: Path) -> None:
    """That a hook of the observer ran is kept, too: the next instance does not take itself for unwired."""
    fire(GateHooks(state_dir=tmp_path), "UserPromptSubmit", prompt="Hello?")
    assert stop(fire, GateHooks(state_dir=tmp_path), "Hello, what can I do for you?") == {}


def test_a_lost_step_counter_does_not_put_new_calls_before_old_ones(fire: Fire, tmp_path: Path) -> None:
    """The steps in the ledger count, whatever became of the counter beside it."""
    gate = GateHooks(state_dir=tmp_path)
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    read(fire, gate, "r1")
    batch(fire, gate)
    file = tmp_path / "s1.session.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "steps": None}))
    again = GateHooks(state_dir=tmp_path)
    read(fire, again, "r2")
    assert sorted((fact.call, fact.step) for fact in again.state.facts.values()) == [("r1", 0), ("r2", 1)]


def test_an_old_draft_in_the_transcript_is_not_the_new_answer(
    fire: Fire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two drafts that end alike: until the second one is written, only its last block is known."""
    monkeypatch.setattr("gate_claude_sdk._seats.final_texts", partial(final_texts, patience=0.02))
    transcript = tmp_path / "t.jsonl"
    draft = {"type": "assistant", "message": {"id": "m1", "content": [{"type": "text", "text": t} for t in "ab"]}}
    gate = GateHooks()
    fire(gate, "UserPromptSubmit", prompt="Hello?", transcript_path=str(transcript))
    transcript.write_text(json.dumps(draft) + "\n")
    answers = []
    for _ in range(2):
        stop(fire, gate, "b", transcript_path=str(transcript))
        answers.append(gate.result())
    assert answers == ["a\nb", "b"]


def test_a_state_that_cannot_be_read_is_not_a_clean_slate(fire: Fire, tmp_path: Path) -> None:
    """What was lost may have been a debt: the turn it was lost in cannot be accepted; the next one can."""
    gate = GateHooks(state_dir=tmp_path)
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    (tmp_path / "s1.session.json").write_text("{")
    again = GateHooks(state_dir=tmp_path)
    read(fire, again)
    stop(fire, again, "app.cfg has timeout 30.")
    assert again.verdict is not None
    assert again.verdict.codes == ("gate-error",)
    fire(again, "UserPromptSubmit", prompt="Hello?", prompt_id="p2")
    assert stop(fire, again, "Hello, what can I do for you?") == {}


@pytest.mark.parametrize("junk", [None, 7, "text", [], {}, {"session_id": 5, "tool_calls": 7, "prompt": []}])
@pytest.mark.parametrize("event", ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PostToolBatch"])
def test_a_payload_of_unexpected_shape_never_raises(fire_raw: Fire, event: str, junk: object) -> None:
    """The event is taken for what it is, the run goes on, and a call is on record."""
    gate = GateHooks(probe_roots=())
    assert fire_raw(gate, event, junk) == {}
    assert len(gate.state.facts) == (1 if event in ("PostToolUse", "PostToolUseFailure") else 0)


@pytest.mark.parametrize("junk", [None, 7, {"last_assistant_message": ["x"], "transcript_path": {}}])
def test_a_stop_of_unexpected_shape_is_judged(fire_raw: Fire, junk: object) -> None:
    """It is an attempt without text of a gate that saw nothing."""
    gate = GateHooks()
    assert fire_raw(gate, "Stop", junk)["systemMessage"].startswith("UNVERIFIED: ")


def test_a_failing_observer_is_no_silent_accept(fire: Fire, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of a turn in which something was lost is sent back once, then goes out marked."""
    gate = strict()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    with monkeypatch.context() as patch:
        patch.setattr(Session, "completed", _boom)
        broken = gate.hooks()
        assert _call(broken, "PostToolUse", {"session_id": "s1", "tool_name": "Edit"}) == {}
    assert stop(fire, gate, "Hello.")["decision"] == "block"
    assert stop(fire, gate, "Hello.")["systemMessage"].startswith("UNVERIFIED: ")
    assert [v.codes for v in gate.verdicts] == [("gate-error",), ("gate-error",)]


@pytest.mark.parametrize("posture", ["guard", "rails"])
def test_a_stop_that_fails_does_not_let_the_answer_pass(
    fire: Fire, monkeypatch: pytest.MonkeyPatch, posture: str
) -> None:
    """Whatever fails, and even when deciding about the failure fails too."""
    gate = GateHooks(config=GateConfig(posture=Posture(posture)))
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    with monkeypatch.context() as patch:
        patch.setattr("gate_claude_sdk._seats.final_texts", _boom)
        assert stop(fire, gate)["decision"] == "block"
        second = stop(fire, gate)
        assert second.get("continue_", True) is (posture == "guard")
        patch.setattr(Session, "stopped", _boom)
        last = stop(fire, gate)
        assert "the gate failed" in last["systemMessage"]
        assert last.get("continue_", True) is (posture == "guard")


def test_a_host_callback_that_fails_does_not_lift_the_verdict(fire: Fire) -> None:
    """`on_verdict` belongs to the host; its error is logged and the block stands."""

    def failing(verdict: Verdict) -> None:
        raise RuntimeError(verdict.action)

    gate = GateHooks(config=GateConfig(policy=Policy.STRICT), on_verdict=failing)
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate)
    assert stop(fire, gate)["decision"] == "block"


def test_a_full_disk_does_not_stop_the_run(fire: Fire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Persisting fails, observing and judging go on."""
    gate = GateHooks(state_dir=tmp_path, config=GateConfig(policy=Policy.STRICT))

    def full(*args: object, **more: object) -> Json:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gate_claude_sdk._texts.os.open", full)  # which is what the store calls, too
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate)
    assert stop(fire, gate)["decision"] == "block"
    assert list(tmp_path.iterdir()) == []


def _boom(*args: object, **more: object) -> Any:
    raise RuntimeError("boom")


def _call(hooks: Any, event: str, payload: dict[str, Any]) -> Any:
    import asyncio

    return asyncio.run(hooks[event][0].hooks[0](payload, None, {"signal": None}))


def said(text: str, message: str, **more: Any) -> AssistantMessage:
    """One message of the SDK's stream: one text block."""
    return AssistantMessage(content=[TextBlock(text=text)], model="m", message_id=message, session_id="s1", **more)


def ended(how: str = "success") -> ResultMessage:
    """The end of a turn in the stream."""
    return ResultMessage(
        subtype=how, duration_ms=1, duration_api_ms=1, is_error=False, num_turns=1, session_id="s1", result="x"
    )


def test_what_the_host_read_makes_the_answer_whole(fire: Fire) -> None:
    """Where no transcript is written, the stream tells all blocks; what a sub-agent says is not among them."""
    gate = strict()
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate)
    batch(fire, gate)
    for message in (said("Before.", "m1"), said(CLAIM, "m2"), said("Sub.", "m3", parent_tool_use_id="a")):
        gate.hear(message)
    gate.hear(said("Bye.", "m2"))
    assert stop(fire, gate, "Bye.")["decision"] == "block"
    assert gate.verdicts[0].codes == ("change-unseen",)


def test_a_result_without_a_stop_is_unverified(fire: Fire, caplog: pytest.LogCaptureFixture) -> None:
    """Turns ran out, an interrupt: the host's last result was not checked, until a later one is."""
    gate = strict()
    gate.hear(ended())  # of a session the gate knows nothing of
    fire(gate, "UserPromptSubmit", prompt="Hello?")
    stop(fire, gate, "Hello.")
    gate.hear(ended())
    assert not gate.exited_unverified
    gate.hear(ended("error_max_turns"))
    assert (gate.exited_unverified, gate.result()) == (True, "")
    assert "error_max_turns" in caplog.text
    fire(gate, "UserPromptSubmit", prompt="Hello?", prompt_id="p2")
    stop(fire, gate, "Hello.")
    gate.hear(ended())
    assert (gate.exited_unverified, gate.result()) == (False, "Hello.")


def test_compaction_is_no_sub_agent(fire: Fire, monkeypatch: pytest.MonkeyPatch) -> None:
    """It raises SubagentStop without an agent type; and a failure there is no block."""
    gate = GateHooks(config=GateConfig(policy=Policy.STRICT), gate_subagent_stop=True, probe_roots=())
    fire(gate, "UserPromptSubmit", prompt=PROMPT)
    edit(fire, gate, agent_id="a1")
    fields = {"agent_id": "a1", "last_assistant_message": CLAIM}
    assert fire(gate, "SubagentStop", agent_type="", **fields) == {}
    assert fire(gate, "SubagentStop", agent_type="worker", **fields)["decision"] == "block"
    assert fire(gate, "SubagentStop", agent_type="worker", **fields) == {}  # it says the same: let go
    assert gate.verdicts == ()
    monkeypatch.setattr("gate_claude_sdk._seats.subagent_output", _boom)
    assert fire(gate, "SubagentStop", agent_type="worker", **fields) == {}


def test_a_fork_of_an_unknown_session_starts_empty(fire: Fire) -> None:
    """Nothing was kept of its parent."""
    gate = GateHooks()
    options = gate.options(ClaudeAgentOptions(resume="gone", fork_session=True))
    assert options.hooks is not None
    assert _call(options.hooks, "UserPromptSubmit", {"session_id": "s1", "prompt": "Hello?", "cwd": "/w"}) == {}
    assert (gate.state.turn, gate.state.facts) == (1, {})


@pytest.mark.parametrize("place", ["state/s1.session.json", "log.jsonl", "link/x.json"])
def test_a_call_that_changes_the_gates_own_files_ends_the_turn_unverified(
    fire: Fire, tmp_path: Path, place: str
) -> None:
    """What is kept in `state_dir`, and the audit log, by whatever path; a look at them is none."""
    state = tmp_path / "state"
    gate = GateHooks(state_dir=state, audit=tmp_path / "log.jsonl", probe_roots=())
    (tmp_path / "link").symlink_to(state)
    fire(gate, "UserPromptSubmit", prompt="Hello?", cwd=str(tmp_path))
    look = {"tool_name": "Read", "tool_input": {"file_path": str(tmp_path / place)}, "tool_use_id": "r1"}
    fire(gate, "PostToolUse", tool_response={"type": "text", "file": {"content": "x"}}, cwd=str(tmp_path), **look)
    assert stop(fire, gate, "Hello.") == {}
    write = {"file_path": str(tmp_path / place), "content": "{}"}
    wrote = {"tool_name": "Write", "tool_input": write, "tool_response": {"filePath": write["file_path"]}}
    fire(gate, "PostToolUse", tool_use_id="w1", cwd=str(tmp_path), **wrote)
    assert stop(fire, gate, "Hello.")["systemMessage"].startswith("UNVERIFIED: ")
    assert gate.verdicts[-1].codes[-1] == "gate-tampered"
    fire(gate, "UserPromptSubmit", prompt="And now?", prompt_id="p2", cwd=str(tmp_path))
    assert stop(fire, gate, "Hello.") == {}
