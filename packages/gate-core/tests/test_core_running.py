"""A command that runs on after its call returned: what another tool brings of it, and its end, are the command's."""

from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core import Attempt, CallStatus, Fact, Gate, GateConfig, GateState, Json, JsonObject, Outcome, ToolCall
from gate_core.model.profile import parse_profile

ALL_PASS = "All tests pass."


def result(ended: int | None, printed: str, session: int = 7) -> str:
    """What the unified shell of OpenAI's agents answers."""
    how = f"Process running with session ID {session}" if ended is None else f"Process exited with code {ended}"
    return f"Chunk ID: 1\nWall time: 0.1 seconds\n{how}\nOutput:\n{printed}"


def call(tool: str, number: int, told: Json, **args: Json) -> ToolCall:
    return ToolCall(tool=tool, args=args, result=told, call_id=f"c{number}", origin="builtin")


def started(cmd: str = "pytest -q", number: int = 1, session: int = 7) -> ToolCall:
    return call("exec_command", number, result(None, "..", session), cmd=cmd)


def polled(number: int, ended: int | None, printed: str = "", session: int = 7, chars: str = "") -> ToolCall:
    return call("write_stdin", number, result(ended, printed, session), session_id=session, chars=chars)


def gate_of(*calls: ToolCall, gate: Gate | None = None) -> Gate:
    gate = gate or Gate()
    gate.begin_turn("Run the tests.")
    for one in calls:
        gate.observe(one)
    return gate


def command(gate: Gate) -> Fact:
    """What is known of the command in the end."""
    return [fact for fact in gate.state.facts.values() if fact.call == "c1"][-1]


def accepted(gate: Gate, text: str = ALL_PASS) -> bool:
    return not gate.boundary_check(Attempt(parts=(text,))).feedback


@pytest.mark.parametrize(
    ("ended", "printed", "state"),
    [(0, "\n3 passed in 1.2s\n", "passed"), (1, "\n1 failed, 2 passed in 1.2s\n", "failed")],
)
def test_the_end_is_that_of_the_command(ended: int, printed: str, state: str) -> None:
    """Exit code and summary that a later call brings say how the tests went that an earlier one started."""
    gate = gate_of(started(), polled(2, ended, printed))
    found = command(gate)
    assert (found.tool, found.outcome, found.ran, found.step) == ("exec_command", Outcome.OK, ("pytest -q",), 1)
    assert [(event.name, event.state.value) for event in found.signals] == [("tests_passed", state)]
    assert accepted(gate) is (state == "passed")


def test_while_it_runs_nothing_is_known() -> None:
    """A poll that brings a green summary is no end: the command may still fail."""
    gate = gate_of(started(), polled(2, None, "\n3 passed in 1.2s\n"))
    assert (command(gate).outcome, accepted(gate)) == (Outcome.PENDING, False)


def test_what_was_printed_between_belongs_to_it() -> None:
    """The summary came with one poll, the exit code with the next."""
    gate = gate_of(started(), polled(2, None, "\n3 passed in 1.2s\n"), polled(3, 0))
    assert accepted(gate)
    texts = gate.call("c1")
    assert texts is not None
    assert texts[1] == result(0, "..\n3 passed in 1.2s\n")


def test_the_typing_itself_changes_nothing() -> None:
    """What input does is done by the command, whose end owes what it changed."""
    gate = gate_of(started("python3"), polled(2, None, chars="open('a.cfg', 'w')\n"))
    (typed,) = [fact for fact in gate.state.facts.values() if fact.call == "c2"]
    assert (typed.effects, typed.outcome) == ((), Outcome.OK)
    assert not accepted(gate, "Done, a.cfg is written.")
    gate.observe(polled(3, 0))
    assert "opaque" in {effect.did.value for effect in command(gate).effects}


def test_sessions_are_told_apart() -> None:
    """The end of one command says nothing of another that runs beside it."""
    gate = gate_of(started(), started("make", 2, session=8), polled(3, 0, "ok", session=8))
    assert command(gate).outcome is Outcome.PENDING
    ended = [fact.outcome for fact in gate.state.facts.values() if fact.call == "c2"]
    assert ended == [Outcome.PENDING, Outcome.OK]


@pytest.mark.parametrize(
    "why", ["write_stdin failed: PTY session not found: 7", "stdin is not available for this process."]
)
def test_a_call_that_failed_itself_brings_no_end(why: str) -> None:
    """The shell answers with exit code 1 of its own when nothing could be typed."""
    gate = gate_of(started(), call("write_stdin", 2, result(1, why), session_id=7, chars="y"))
    assert command(gate).outcome is Outcome.PENDING


@pytest.mark.parametrize("status", [CallStatus.ERROR, CallStatus.NOT_EXECUTED])
def test_a_call_that_did_not_run_brings_no_end(status: CallStatus) -> None:
    """An error of the tool and a refused call are no news of the command."""
    poll = polled(2, 0, "3 passed in 1s")
    gate = gate_of(started(), ToolCall(tool=poll.tool, args=poll.args, result=poll.result, call_id="c2", status=status))
    assert command(gate).outcome is Outcome.PENDING


def test_an_unknown_session_may_have_changed_anything() -> None:
    """Nobody saw the command that this goes on with, so it stands for itself."""
    gate = gate_of(polled(2, 0, "ok", chars="make\n"))
    (fact,) = gate.state.facts.values()
    assert "opaque" in {effect.did.value for effect in fact.effects}


def test_an_ended_session_does_not_end_again() -> None:
    """Its number may be given to another command later."""
    gate = gate_of(started(), polled(2, 1, "\n1 failed in 1s\n"), polled(3, 0, "3 passed in 1s"))
    assert ([event.state.value for event in command(gate).signals], accepted(gate)) == (["failed"], False)
    gate = gate_of(started("make"), polled(2, 2), started("make", 3), polled(4, 0))
    assert command(gate).outcome is Outcome.FAILED
    assert [fact.outcome for fact in gate.state.facts.values() if fact.call == "c3"][-1] is Outcome.OK


def test_a_command_may_run_over_turns() -> None:
    """What was started in one turn ends in another; the same call id in an earlier turn is another call."""
    gate = gate_of(call("exec_command", 1, result(0, "ok"), cmd="make"))
    gate_of(started(), polled(2, None, "."), gate=gate)
    gate.begin_turn("And now?")
    gate.observe(polled(3, 0, "\n3 passed in 1.2s\n"))
    texts = gate.call("c1")
    assert texts is not None
    assert texts[1] == result(0, "...\n3 passed in 1.2s\n")
    assert (command(gate).turn, [event.state.value for event in command(gate).signals]) == (3, ["passed"])


class Texts:
    """The host's own memory of calls; or one that fails."""

    def __init__(self, *calls: ToolCall, broken: bool = False) -> None:
        self._calls = {one.call_id: (one.args, one.result) for one in calls}
        self._broken = broken

    def call(self, ref: str) -> tuple[JsonObject, Json] | None:
        if self._broken:
            raise OSError("gone")
        return self._calls.get(ref)


@pytest.mark.parametrize(
    ("texts", "outcome"),
    [(Texts(started()), Outcome.OK), (Texts(broken=True), Outcome.PENDING), (None, Outcome.PENDING)],
)
def test_after_a_restart_the_host_is_asked(texts: Texts | None, outcome: Outcome) -> None:
    """The start is found again where the host holds it; where it does not, the command counts as running."""
    state = GateState.from_json(gate_of(started()).to_json())
    gate = Gate(state=state, texts=texts)
    gate.observe(polled(2, 0, "3 passed in 1s"))
    assert command(gate).outcome is outcome


def test_tools_of_ones_own_may_do_the_same() -> None:
    """Which tool goes on with which is told by profiles; without a head the last text alone is the result."""
    begin = parse_profile(
        "begin", {"effect": "shell", "command_arg": "cmd", "pending": ["job "], "session": "job (\\w+)"}
    )
    more = parse_profile("more", {"effect": "exec", "continues": "job", "pending": ["still at it"]})
    gate = Gate(GateConfig(profiles={"begin": begin, "more": more}))
    gate_of(call("begin", 1, "job x1", cmd="pytest -q"), call("more", 2, "still at it", job="x1"), gate=gate)
    assert command(gate).outcome is Outcome.PENDING
    gate.observe(call("more", 3, "3 passed in 1.2s", job="x1"))
    assert command(gate).outcome is Outcome.OK
    assert accepted(gate)


def in_background(number: int = 1, task: str = "b1") -> ToolCall:
    """What Claude Code answers to a command that runs in the background."""
    told = f"Command running in background with ID: {task}"
    return call("Bash", number, told, command="pytest -q", run_in_background=True)


def fetched(number: int, status: str, printed: str, code: int | None = None, task: str = "b1") -> ToolCall:
    ended = f"<exit_code>{code}</exit_code>\n\n" if code is not None else ""
    told = f"<status>{status}</status>\n\n{ended}<stdout>\n{printed}\n</stdout>"
    return call("BashOutput", number, told, bash_id=task)


@pytest.mark.parametrize(
    ("status", "code", "printed", "state"),
    [
        ("completed", 0, "3 passed in 1.2s", "passed"),
        ("failed", 1, "1 failed, 2 passed in 1.2s", "failed"),
        ("completed", None, "3 passed in 1.2s", "passed"),
    ],
)
def test_the_output_of_a_background_task_is_that_of_its_command(
    status: str, code: int | None, printed: str, state: str
) -> None:
    """Claude Code fetches what a command printed since it was asked last, and how it ended."""
    gate = gate_of(in_background(), fetched(2, "running", "..."), fetched(3, status, printed, code))
    found = command(gate)
    assert [(event.name, event.state.value) for event in found.signals] == [("tests_passed", state)]
    assert accepted(gate) is (state == "passed")


def test_a_background_task_that_still_runs_or_was_killed_has_passed_nothing() -> None:
    """Its green lines are no end; fetching them is a look at them."""
    for status in ("running", "killed"):
        gate = gate_of(in_background(), fetched(2, status, "PASSED tests/test_a.py"))
        assert not accepted(gate)
        assert [
            effect.target for fact in gate.state.facts.values() for effect in fact.effects if fact.call == "c2"
        ] == ["task:b1"]


def test_the_end_of_another_background_task_is_not_its_own() -> None:
    """Tasks are told apart by their ids."""
    gate = gate_of(in_background(), fetched(2, "completed", "3 passed in 1.2s", 0, task="b2"))
    assert command(gate).outcome is Outcome.PENDING
