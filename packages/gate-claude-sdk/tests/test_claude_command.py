"""The command hook as Claude Code starts it: processes of their own, JSON in, JSON out."""

from __future__ import annotations

import json
import posix
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from claude_fired import CLAIM, PROMPT, Hooks

from gate_claude_sdk.plugin.scripts import spool


@pytest.fixture
def hooks(tmp_path: Path) -> Hooks:
    """The hooks of a session under the strict policy."""
    return Hooks(tmp_path)


def test_tool_events_are_spooled_and_stop_decides(hooks: Hooks) -> None:
    """An unseen change is blocked with the feedback, and a read settles it, over six processes and two folds."""
    assert hooks.fire("UserPromptSubmit", prompt=PROMPT) == {}
    hooks.edit()
    assert not (hooks.state / "s1.session.json").exists()
    blocked = hooks.fire("Stop", last_assistant_message=CLAIM)
    assert (blocked["decision"], blocked["reason"][:6]) == ("block", "[gate]")
    hooks.read()
    assert hooks.fire("Stop", last_assistant_message=CLAIM) == {}
    assert (hooks.session()["judged"], hooks.session()["last"]["exit"]) == (2, "verified")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in hooks.state.iterdir()}
    assert modes == dict.fromkeys(("s1.config", "s1.lock", "s1.session.json", "s1.spool.jsonl"), 0o600)
    assert stat.S_IMODE(hooks.state.stat().st_mode) == 0o700


def test_what_is_not_repaired_goes_out_marked(hooks: Hooks) -> None:
    """The mark is for the user, in the CLI's own channel."""
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    hooks.edit()
    hooks.fire("Stop", last_assistant_message=CLAIM)
    assert hooks.fire("Stop", last_assistant_message=CLAIM)["systemMessage"].startswith("UNVERIFIED: ")


def test_rails_stop_the_run(tmp_path: Path) -> None:
    """In the CLI's own spelling."""
    hooks = Hooks(tmp_path, '{"posture": "rails", "max_blocks": 0, "policy": "strict"}')
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    hooks.edit()
    output = hooks.fire("Stop", last_assistant_message=CLAIM)
    assert (output["continue"], output["decision"]) == (False, "block")
    assert CLAIM not in json.dumps(output)


@pytest.mark.parametrize("event", ["Stop", "PreToolUse"])
def test_a_decision_that_cannot_be_recorded_stops_the_run(tmp_path: Path, event: str) -> None:
    """Nobody acts on it: an answer is not shown, an action not run."""
    hooks = Hooks(tmp_path, json.dumps({"layers": {"actions": "block"}, "audit": str(tmp_path)}))
    hooks.fire("UserPromptSubmit", prompt="Hello?")
    asked = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "c1"}
    output = hooks.fire(event, **({"last_assistant_message": "Hello."} if event == "Stop" else asked))
    assert (output["continue"], output["systemMessage"][:10]) == (False, "WITHHELD: ")
    if event == "Stop":
        assert output["decision"] == "block"
    else:
        assert output["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_typed_answer_is_judged_when_it_is_offered(hooks: Hooks) -> None:
    """Denied with the feedback, then let go marked; its Stop is not judged once more."""
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    hooks.edit()
    offer = {"tool_name": "StructuredOutput", "tool_input": {"summary": CLAIM}, "tool_use_id": "so1"}
    assert hooks.fire("PreToolUse", **offer)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert hooks.fire("PreToolUse", **offer)["systemMessage"].startswith("UNVERIFIED: ")
    assert hooks.fire("Stop") == {}
    assert hooks.session()["judged"] == 2


def test_five_processes_at_once_lose_nothing(hooks: Hooks) -> None:
    """Parallel calls end at the same time, large ones too: every row is whole."""
    hooks.fire("UserPromptSubmit", prompt="What is in these files?")

    def one(number: int) -> None:
        content = f"{number}" * 300_000
        file = {"filePath": f"/w/{number}", "content": content, "startLine": 1, "numLines": 1, "totalLines": 1}
        fields = {"tool_name": "Read", "tool_input": {"file_path": f"/w/{number}"}, "tool_use_id": f"c{number}"}
        hooks.fire("PostToolUse", tool_response={"type": "text", "file": file}, **fields)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(one, range(20)))
    hooks.fire("PostToolBatch", tool_calls=[])
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda _: hooks.fire("Stop", last_assistant_message="Hello."), range(3))) == [{}] * 3
    assert len(hooks.session()["gate"]["facts"]) == 20
    assert hooks.session()["judged"] == 3


def test_texts_are_found_in_the_spool(hooks: Hooks) -> None:
    """The values of an answer are looked up where the events lie: nothing of a result is in the session's file."""
    hooks.fire("UserPromptSubmit", prompt="What is the timeout in app.cfg?")
    hooks.read()
    assert hooks.fire("Stop", last_assistant_message="The timeout in app.cfg is 30.") == {}
    kept = (hooks.state / "s1.session.json").read_text()
    assert "timeout = 30" not in kept


def test_prompt_and_stop_alone_are_unwired(hooks: Hooks, tmp_path: Path) -> None:
    """The transcript tells of a call, no event does."""
    call = {"type": "assistant", "message": {"id": "m1", "content": [{"type": "tool_use", "id": "c", "name": "Bash"}]}}
    said = {"type": "assistant", "message": {"id": "m2", "content": [{"type": "text", "text": "It is 5."}]}}
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(f"{json.dumps(call)}\n{json.dumps(said)}\n")
    hooks.fire("UserPromptSubmit", prompt="Hello?")
    output = hooks.fire("Stop", last_assistant_message="It is 5.", transcript_path=str(transcript))
    assert "gate-unwired" in output["systemMessage"]


def test_all_texts_of_the_response_are_judged(hooks: Hooks, tmp_path: Path) -> None:
    """The claim stands in the first block; the event carries the second."""
    said = {"type": "text"}
    blocks = [{"type": "assistant", "message": {"id": "m", "content": [{**said, "text": t}]}} for t in (CLAIM, "Bye.")]
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("".join(f"{json.dumps(block)}\n" for block in blocks))
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    hooks.edit()
    output = hooks.fire("Stop", last_assistant_message="Bye.", transcript_path=str(transcript))
    assert output["decision"] == "block"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"7", b'{"session_id": 5}', b'{"session_id"'])
@pytest.mark.parametrize("event", ["PostToolUse", "Stop", "PreToolUse", "ConfigChange", "UserPromptSubmit"])
def test_the_answer_is_valid_json_whatever_comes(hooks: Hooks, event: str, data: bytes) -> None:
    """The CLI lets everything pass that it cannot read."""
    assert isinstance(json.loads(hooks.raw(event, data)), dict)


def test_a_state_folder_that_is_a_file_is_told(hooks: Hooks) -> None:
    """The user hears of every event that was not recorded, and nothing counts as checked."""
    hooks.state.parent.mkdir()
    hooks.state.write_text("")
    assert "not recorded" in hooks.fire("PostToolUse")["systemMessage"]
    assert hooks.fire("Stop", last_assistant_message=CLAIM)["systemMessage"].startswith("UNVERIFIED: ")
    asked = hooks.fire("PreToolUse", tool_name="StructuredOutput", tool_input={})
    assert asked["hookSpecificOutput"]["permissionDecision"] == "ask"


def test_a_wrong_configuration_is_no_silent_accept(tmp_path: Path) -> None:
    """The file was edited after it was installed."""
    hooks = Hooks(tmp_path, '{"posture": "nonsense"}')
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    assert hooks.fire("Stop", last_assistant_message=CLAIM)["systemMessage"].startswith("UNVERIFIED: ")


def test_a_configuration_edited_later_takes_no_effect(hooks: Hooks, tmp_path: Path) -> None:
    """It is kept as it was at the session's first event."""
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    (tmp_path / "gate.json").write_text('{"layers": {"floor": "off"}}')
    hooks.edit()
    assert hooks.fire("Stop", last_assistant_message=CLAIM)["decision"] == "block"


def test_a_torn_row_costs_the_turn_and_not_the_session(hooks: Hooks) -> None:
    """Something of this turn was lost, so its answer cannot be accepted; the next turn can."""
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    with (hooks.state / "s1.spool.jsonl").open("ab") as file:
        file.write(b'\n{"session_id": "s1", "hook_event_name": "PostTo')
    hooks.read()
    assert hooks.fire("Stop", last_assistant_message="Hello.")["decision"] == "block"
    hooks.fire("UserPromptSubmit", prompt="Hello?", prompt_id="p2")
    assert hooks.fire("Stop", last_assistant_message="Hello.") == {}


def test_a_lost_session_file_is_folded_anew_and_a_broken_one_is_told(hooks: Hooks) -> None:
    """Everything is still in the spool; a file that cannot be read may have held something else."""
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    hooks.edit()
    hooks.fire("Stop", last_assistant_message=CLAIM)
    (hooks.state / "s1.session.json").unlink()
    assert hooks.fire("Stop", last_assistant_message=CLAIM)["decision"] == "block"
    (hooks.state / "s1.session.json").write_text("{")
    assert "gate" in json.dumps(hooks.fire("Stop", last_assistant_message=CLAIM))


def test_background_work_ends_with_its_notice(hooks: Hooks) -> None:
    """The end is found again in the spool, with the arguments of the start."""
    hooks.fire("UserPromptSubmit", prompt="Run make.")
    response = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
    shell = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "c1"}
    hooks.fire("PostToolUse", tool_response=response, **shell)
    notice = (
        "<task-notification>\n<tool-use-id>c1</tool-use-id>\n<status>completed</status>\n"
        '<summary>Background command "make" completed (exit code 0)</summary>\n</task-notification>'
    )
    hooks.fire("UserPromptSubmit", prompt=notice, prompt_id="p2")
    hooks.fire("Stop", last_assistant_message="Hello.")
    data = hooks.session()
    assert (data["pending"], data["gate"]["turn"], len(data["gate"]["facts"])) == ({}, 1, 2)


def test_gate_answers_without_a_model(hooks: Hooks) -> None:
    """`/gate` shows what is owed; `/gate wrong` writes the turn; any other prompt is the agent's."""
    hooks.fire("UserPromptSubmit", prompt=PROMPT)
    hooks.edit()
    hooks.fire("Stop", last_assistant_message=CLAIM)
    told = hooks.fire("UserPromptSubmit", prompt="/gate", prompt_id="p2")
    assert told["decision"] == "block"
    assert "change-unseen" in told["reason"]
    assert "app.cfg" in told["reason"]
    assert "wrong.json" in hooks.fire("UserPromptSubmit", prompt="/gate wrong", prompt_id="p3")["reason"]
    assert hooks.fire("UserPromptSubmit", prompt="/gatekeeper", prompt_id="p4") == {}
    assert hooks.session()["gate"]["turn"] == 1  # what is answered here is no turn
    assert (hooks.state / "s1.wrong.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("words", "more"), [([], set()), (["--decide", "/bin/true"], {"scripts.ask", "_socket"})])
def test_hooks_import_nothing_that_is_not_built_in(hooks: Hooks, words: list[str], more: set[str]) -> None:
    """One process per tool call: it must start as fast as the interpreter does. The line to the server is a socket."""
    start = Path(spool.__file__).with_name("start.py")
    command = [sys.executable, "-I", "-S", "-X", "importtime"]

    def run(*more: str) -> bytes:
        done = subprocess.run(
            [*command, *more], input=b'{"session_id":"s"}', capture_output=True, env=hooks.env, check=True
        )
        return done.stderr

    def imported(lines: bytes) -> set[str]:
        return {line.rpartition("|")[2].strip() for line in lines.decode().splitlines()}

    allowed = {"scripts", "scripts.spool", "posix", "__future__"}
    assert imported(run(str(start), *words)) - imported(run("-c", "pass")) <= allowed | more


@pytest.mark.parametrize(
    ("data", "session"),
    [
        (b'{"session_id":"abc-1","x":1}', "abc-1"),
        (b'{ "session_id" : "abc" }', "abc"),
        (b'{"x":"' + b"y" * 99 + b'","session_id":"late"}', "from-env"),
        (b"", "from-env"),
    ],
)
def test_the_session_is_read_without_a_parser(data: bytes, session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands at the start of every event; the CLI's variable is what is left otherwise."""
    monkeypatch.setitem(posix.environ, b"CLAUDE_CODE_SESSION_ID", b"from-env")
    assert spool.session_in(data) == session


def test_a_session_cannot_leave_the_folder() -> None:
    """Whatever is no plain name becomes one."""
    assert spool.file_name("7522476b-6147") == "7522476b-6147"
    for odd in ("../../x", "", "a/b", "-x", "x" * 65, "\ud800"):
        assert set(spool.file_name(odd)) <= set("id-0123456789abcdef")
