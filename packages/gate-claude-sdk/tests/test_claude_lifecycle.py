"""What sessions go through on the real CLI: background work, sub-agents, compaction, resume, fork, interrupts."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from claude_agent_sdk import AgentDefinition, ClaudeAgentOptions, ClaudeSDKClient, ResultMessage, query

from gate_claude_sdk import GateHooks
from gate_claude_sdk._offline import offline_environment
from gate_claude_sdk._scripted import Block, scripted_messages, text_block, tool_block
from gate_core import Action, GateConfig, JsonObject, Outcome, Policy

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]

PROMPT = "Set the timeout in app.cfg to 30."
CLAIM = "Done, the timeout in app.cfg is 30."
HONEST = "UNVERIFIED: not confirmed."
STRICT = GateConfig(policy=Policy.STRICT)


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    """The file the prompts speak of."""
    path = tmp_path / "work" / "app.cfg"
    path.parent.mkdir()
    path.write_text("name = app\ntimeout = 5\n")
    return path


def edit(path: Path, call_id: str = "toolu_edit") -> list[Block]:
    """The model sets the timeout."""
    arguments = {"file_path": str(path), "old_string": "timeout = 5", "new_string": "timeout = 30"}
    return [tool_block("Edit", arguments, call_id=call_id)]


def read(path: Path, call_id: str = "toolu_read") -> list[Block]:
    """The model reads the file."""
    return [tool_block("Read", {"file_path": str(path)}, call_id=call_id)]


def bash(command: str, call_id: str, **more: bool) -> list[Block]:
    """The model runs a command."""
    return [tool_block("Bash", {"command": command, "description": "run", **more}, call_id=call_id)]


def outcomes(gate: GateHooks, session: str | None = None) -> dict[str, list[Outcome]]:
    """The outcomes of each call, in order of its facts."""
    found: dict[str, list[Outcome]] = {}
    facts = gate.session(session).state.facts.values()
    for fact in sorted((fact for fact in facts if fact.call), key=lambda fact: (fact.turn, fact.step)):
        found.setdefault(fact.call.removeprefix("toolu_"), []).append(fact.outcome)
    return found


def test_exit_codes_come_from_where_the_cli_hides_them(play: Play, config_file: Path) -> None:
    """A failure's text, an interpreted 1, and a code that the shell itself hid."""
    gate = GateHooks()
    calls = [
        *bash("exit 3", "toolu_three"),
        *bash("grep nothing app.cfg", "toolu_grep"),
        *bash("diff app.cfg /dev/null", "toolu_diff"),
        *bash("true", "toolu_true"),
    ]
    asyncio.run(play({"allowed_tools": ["Bash"]}, [calls, [text_block(HONEST)]], [PROMPT], gate=gate))
    found = outcomes(gate)
    assert found["three"] == [Outcome.FAILED]
    assert Outcome.FAILED not in {*found["grep"], *found["diff"], *found["true"]}


def test_background_work_is_owed_until_its_notice(play: Play, config_file: Path) -> None:
    """The first answer comes while the command runs; its end starts no turn, and the second answer is judged too."""
    pipe = config_file.parent / "pipe"
    os.mkfifo(pipe)
    gate = GateHooks(config=STRICT)

    async def end(client: ClaudeSDKClient, run: Any) -> None:
        assert outcomes(gate) == {"bg": [Outcome.PENDING]}
        await asyncio.to_thread(pipe.write_text, "go\n")
        async for message in client.receive_response():
            run.messages.append(message)

    start = bash(f"cat {pipe} && sed -i s/5/30/ app.cfg", "toolu_bg", run_in_background=True)
    responses = [start, [text_block(HONEST)], read(config_file), [text_block("The timeout in app.cfg is 30.")]]
    run = asyncio.run(play({"allowed_tools": ["Bash"]}, responses, [PROMPT], gate=gate, after=end))
    assert len(run.results) == 2
    assert outcomes(gate)["bg"] == [Outcome.PENDING, Outcome.OK]
    assert gate.state.turn == 1
    assert gate.verdicts[-1].accepted


def test_after_a_one_shot_query_the_gate_says_what_it_did_not_see(
    tmp_path: Path, config_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """`query()` ends the hooks at the first result. The user is warned at Stop, and the second result is unverified."""
    pipe = config_file.parent / "pipe"
    os.mkfifo(pipe)
    gate = GateHooks()
    coming = iter(
        [bash(f"cat {pipe}", "toolu_bg", run_in_background=True), [text_block("Hello.")], [text_block(CLAIM)]]
    )

    async def one_shot() -> list[str | None]:
        results: list[str | None] = []
        async with scripted_messages(lambda body: next(coming)) as url:
            options = ClaudeAgentOptions(
                cwd=config_file.parent,
                env=offline_environment(url, tmp_path / "home"),
                model="claude-sonnet-5",
                permission_mode="acceptEdits",
                setting_sources=[],
                allowed_tools=["Bash"],
            )
            async for message in query(prompt="Hello?", options=gate.options(options)):
                gate.hear(message)
                if isinstance(message, ResultMessage):
                    results.append(message.result)
                    if len(results) == 1:
                        assert not gate.exited_unverified
                        await asyncio.to_thread(pipe.write_text, "go\n")
        return results

    with caplog.at_level(logging.WARNING, "gate_claude_sdk"):
        assert asyncio.run(one_shot()) == ["Hello.", CLAIM]
    assert len(gate.verdicts) == 1
    assert (gate.exited_unverified, gate.result()) == (True, "")
    told = [record.getMessage() for record in caplog.records]
    assert any("one-shot query()" in text for text in told)
    assert any("came without a Stop" in text for text in told)


def routed(responses: dict[str, list[list[Block]]]) -> Callable[[JsonObject], list[Block]]:
    """A script per agent. What the main agent knows bears its marker, and the sub-agent knows its own prompt only."""
    coming = {name: iter(script) for name, script in responses.items()}
    over = [text_block("UNVERIFIED: nothing more was scripted.")]

    def script(body: JsonObject) -> list[Block]:
        text = str(body["messages"])
        return next(coming["main" if "[[main]]" in text else "sub"], over)

    return script


async def with_agent(gate: GateHooks, tmp_path: Path, responses: dict[str, list[list[Block]]], stops: int = 1) -> None:
    """A conversation with a main agent and one sub-agent, read until that many results came."""
    async with scripted_messages(routed(responses)) as url:
        options = ClaudeAgentOptions(
            cwd=tmp_path / "work",
            env=offline_environment(url, tmp_path / "home"),
            model="claude-sonnet-5",
            permission_mode="acceptEdits",
            setting_sources=[],
            agents={"worker": AgentDefinition(description="works", prompt="Work.", tools=["Read", "Edit"])},
        )
        async with ClaudeSDKClient(gate.options(options)) as client:
            await client.query(f"{PROMPT} [[main]]")
            async for message in _results(client, stops):
                gate.hear(message)


async def _results(client: ClaudeSDKClient, number: int) -> AsyncIterator[ResultMessage]:
    async for message in client.receive_messages():
        if isinstance(message, ResultMessage):
            yield message
            number -= 1
            if not number:
                return


def delegate(background: bool) -> list[Block]:
    """The main agent hands the work to the sub-agent."""
    arguments = {"description": "edit", "prompt": "Set it. [[sub]]", "subagent_type": "worker"}
    return [tool_block("Agent", {**arguments, "run_in_background": background}, call_id="toolu_agent")]


def test_what_a_sub_agent_changes_is_owed_by_its_parent(tmp_path: Path, config_file: Path) -> None:
    """Its edit is a fact with its id; its words are testimony, so the parent has to look itself."""
    gate = GateHooks(config=STRICT)
    script = {
        "main": [delegate(background=False), [text_block(CLAIM)], read(config_file), [text_block(CLAIM)]],
        "sub": [edit(config_file), [text_block("I changed it and checked it.")]],
    }
    asyncio.run(with_agent(gate, tmp_path, script))
    assert [(v.codes[:1], v.accepted) for v in gate.verdicts] == [(("change-unseen",), False), ((), True)]
    agents = {fact.call: bool(fact.agent) for fact in gate.state.facts.values()}
    assert (agents["toolu_edit"], agents["toolu_read"]) == (True, False)


def test_a_background_sub_agent_is_pending_until_its_notice(tmp_path: Path, config_file: Path) -> None:
    """The main agent's first Stop comes while the sub-agent works; the notice ends the call and starts no turn."""
    gate = GateHooks(config=STRICT)
    script = {
        "main": [
            delegate(background=True),
            [text_block(HONEST)],
            read(config_file, "toolu_back"),
            [text_block("The timeout in app.cfg is 5.")],
        ],
        "sub": [read(config_file), [text_block("I looked at it.")]],
    }
    asyncio.run(with_agent(gate, tmp_path, script, stops=2))
    found = outcomes(gate)
    assert found["agent"][0] is Outcome.PENDING
    assert found["agent"][-1] is not Outcome.PENDING
    assert (gate.state.turn, found["read"], found["back"]) == (1, [Outcome.OK], [Outcome.OK])


def test_a_sub_agent_can_be_gated_itself(tmp_path: Path, config_file: Path) -> None:
    """Its unsupported text goes back to it, and costs the session neither a try nor an exit."""
    gate = GateHooks(config=STRICT, gate_subagent_stop=True)
    script = {
        "main": [delegate(background=False), [text_block(HONEST)]],
        "sub": [edit(config_file), [text_block(CLAIM)], read(config_file), [text_block(CLAIM)]],
    }
    asyncio.run(with_agent(gate, tmp_path, script))
    assert [fact.call for fact in gate.state.facts.values() if fact.agent] == ["toolu_edit", "toolu_read"]
    assert [v.action for v in gate.verdicts] == [Action.DELIVER]
    assert gate.progress()["rejections"] == 0


def test_the_ledger_survives_compaction(play: Play, config_file: Path) -> None:
    """The model's memory is a summary afterwards; the gate still knows the unseen change."""
    gate = GateHooks(config=STRICT)
    summary, claim = [text_block("The timeout was edited.")], [text_block("The timeout in app.cfg is 30.")]
    responses = [edit(config_file), [text_block(HONEST)], summary, summary, claim, read(config_file), claim]
    asyncio.run(play({}, responses, [PROMPT, "/compact", "Is it done?"], gate=gate))
    assert [v.accepted for v in gate.verdicts] == [True, False, True]
    assert {"toolu_edit", "toolu_read"} <= {fact.call for fact in gate.state.facts.values()}


def test_a_resumed_session_goes_on_and_a_fork_has_its_own_ledger(play: Play, config_file: Path, tmp_path: Path) -> None:
    """Both know the unseen change of the first process; what the fork looks at does not settle it for the other."""
    state = tmp_path / "state"

    def gate() -> GateHooks:
        return GateHooks(config=STRICT, state_dir=state)

    first = asyncio.run(play({}, [edit(config_file), [text_block(HONEST)]], [PROMPT], gate=gate()))
    name = first.messages[-1].session_id
    forked, resumed = gate(), gate()
    options = {"resume": name, "fork_session": True}
    run = asyncio.run(
        play(options, [[text_block(CLAIM)], read(config_file), [text_block(CLAIM)]], ["Done?"], gate=forked)
    )
    fork = run.messages[-1].session_id
    assert fork != name
    assert [v.accepted for v in forked.session(fork).verdicts] == [False, True]
    asyncio.run(play({"resume": name}, [[text_block(CLAIM)], [text_block(HONEST)]], ["Done?"], gate=resumed))
    assert [v.accepted for v in resumed.session(name).verdicts] == [False, True]


def test_an_interrupt_leaves_the_session_usable(play: Play, config_file: Path) -> None:
    """No event tells of the call that was cut off; its result is unverified, and the next turn is judged."""
    pipe = config_file.parent / "pipe"
    os.mkfifo(pipe)
    gate = GateHooks()

    async def interrupt(client: ClaudeSDKClient, run: Any) -> None:
        await client.query("Wait.")
        waiting = asyncio.create_task(asyncio.to_thread(pipe.write_text, ""))  # returns when the command reads
        await waiting
        await client.interrupt()
        async for message in client.receive_response():
            gate.hear(message)
        assert gate.exited_unverified
        await client.query("What is the timeout in app.cfg?")
        async for message in client.receive_response():
            gate.hear(message)

    hold = bash(f"cat {pipe}; tail -f /dev/null", "toolu_hold")
    responses = [[text_block("Hello.")], hold, read(config_file), [text_block("The timeout in app.cfg is 5.")]]
    asyncio.run(play({"allowed_tools": ["Bash"]}, responses, ["Hello?"], gate=gate, after=interrupt))
    assert [v.accepted for v in gate.verdicts] == [True, True]
    assert (gate.state.turn, gate.exited_unverified) == (3, False)


def test_prompt_and_stop_alone_are_no_observer(play: Play, config_file: Path) -> None:
    """Calls that the transcript tells of and no hook does: the gate is not wired, and says what is missing."""
    gate = GateHooks()
    hooks = {event: found for event, found in gate.hooks().items() if event in ("UserPromptSubmit", "Stop")}
    responses = [read(config_file), [text_block("The timeout in app.cfg is 5.")], [text_block("Hello.")]]
    run = asyncio.run(play({"hooks": hooks}, responses, ["What is the timeout in app.cfg?", "Hello?"]))
    assert [v.codes for v in gate.verdicts] == [("gate-unwired",), ()]
    assert "PostToolUse" in run.notices[0]


def test_a_failing_gate_blocks_once_and_then_marks(
    play: Play, config_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The CLI lets everything pass when a callback raises; none does."""
    monkeypatch.setattr("gate_claude_sdk._seats.final_texts", None)
    gate = GateHooks()
    run = asyncio.run(play({}, [[text_block("Hello.")]] * 2, ["Hello?"], gate=gate))
    assert [v.codes for v in gate.verdicts] == [("gate-error",), ("gate-error",)]
    assert run.notices[0].startswith("Stop says: UNVERIFIED: ")
