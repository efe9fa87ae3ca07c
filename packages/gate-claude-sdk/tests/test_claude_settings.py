"""`install`, `uninstall`, `status`, `wrong`: what a person does with the command hook."""

from __future__ import annotations

import json
import os
import posix
from pathlib import Path
from typing import Any

import pytest

from gate_claude_sdk._guarded import touches as touches_own
from gate_claude_sdk.command import guarded, main, settings, wrong
from gate_claude_sdk.plugin.scripts import spool
from gate_core import Did, Effect, Fact, Outcome
from gate_core.conformance.case import parse_case

OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own; `spool` reads the environment of the process as it was at its start."""
    places = {"HOME": tmp_path, "CLAUDE_CONFIG_DIR": tmp_path / ".claude", "XDG_STATE_HOME": tmp_path / "state"}
    for name, place in places.items():
        monkeypatch.setenv(name, str(place))
        monkeypatch.setitem(posix.environ, name.encode(), str(place).encode())
    monkeypatch.delenv("CLAUDECODE", raising=False)
    monkeypatch.setitem(posix.environ, b"CLAUDE_PLUGIN_DATA", b"")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(path: Path) -> Any:
    """A settings file."""
    return json.loads(path.read_text())


def test_installing_twice_is_installing_once_and_uninstalling_leaves_no_trace(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was there stays, in its order; so does who may read the file."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    before = {"model": "m", "hooks": {"Stop": [OTHER], "Notification": [OTHER]}, "permissions": {"allow": ["Read"]}}
    path.write_text(json.dumps(before))
    path.chmod(0o640)
    assert main(["install"]) == 0
    once = path.read_text()
    assert main(["install", "--user"]) == 0
    assert path.read_text() == once
    hooks = read(path)["hooks"]
    assert hooks["Stop"][0] == OTHER
    assert {event for event, found in hooks.items() if any(map(guarded.is_ours, found))} == {
        *settings.SPOOLED,
        *settings.DECIDED,
        "PreToolUse",
    }
    assert list(read(path))[:2] == ["model", "hooks"]
    assert guarded.installed() == (os.path.realpath(path),)
    assert main(["uninstall"]) == 0
    assert read(path) == before
    assert (path.stat().st_mode & 0o777, guarded.installed()) == (0o640, ())
    assert "next session" in capsys.readouterr().out


def test_a_project_has_its_own_settings(home: Path) -> None:
    """A file that was not there is made, and is empty of hooks after uninstalling."""
    assert main(["install", "--project"]) == 0
    path = home / ".claude" / "settings.json"
    assert list(read(path)) == ["hooks"]
    assert main(["uninstall", "--project"]) == 0
    assert read(path) == {}


def test_commands_are_absolute_and_isolated() -> None:
    """Python looks neither into the project nor into the user's folders for modules."""
    for event, group in settings.groups().items():
        words = group["hooks"][0]["command"].split()
        assert os.path.isabs(words[0])
        assert "-I" in words[1:3]
        assert words[2] == "-S"
        assert ("--decide" in words) is (event not in settings.SPOOLED)


def test_a_users_hook_in_the_gates_group_stays(home: Path) -> None:
    """Somebody merged two groups by hand."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    ours = settings.groups()["Stop"]["hooks"][0]
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [ours, OTHER["hooks"][0]]}]}}))
    assert main(["uninstall"]) == 0
    assert read(path) == {"hooks": {"Stop": [{"hooks": OTHER["hooks"]}]}}


@pytest.mark.parametrize("content", ["{", "[]", '{"hooks": 7}', "// comment\n{}"])
def test_settings_that_cannot_be_read_are_left_alone(
    home: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error says so, and the file is as it was."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(content)
    assert main(["install"]) == 1
    assert path.read_text() == content
    assert "nothing was changed" in capsys.readouterr().err


def test_a_wrong_configuration_is_refused_at_install(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And a right one is named in the command; with the action layer on, every tool is asked about."""
    config = home / "gate.toml"
    config.write_text('posture = "nonsense"')
    assert main(["install", "--config", str(config)]) == 1
    assert not (home / ".claude").exists()
    config.write_text('[layers]\nactions = "block"\n')
    assert main(["install", "--config", "gate.toml"]) == 0
    hooks = read(home / ".claude" / "settings.json")["hooks"]
    assert hooks["PreToolUse"][0]["matcher"] == "*"
    assert f"--config={config}" in hooks["PostToolUse"][0]["hooks"][0]["command"]
    assert "nonsense" in capsys.readouterr().err


def test_the_agent_cannot_uninstall(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A command that Claude Code runs is refused; so are both places at once, and unknown words."""
    monkeypatch.setenv("CLAUDECODE", "1")
    assert main(["uninstall"]) == 1
    assert "terminal of your own" in capsys.readouterr().err
    monkeypatch.delenv("CLAUDECODE")
    assert main(["install", "--user", "--project"]) == 1
    assert main([]) == 2
    assert main(["--help"]) == 0
    with pytest.raises(SystemExit):
        main(["nonsense"])


def event(kind: str, **fields: object) -> bytes:
    """One hook event."""
    return json.dumps({"session_id": "s1", "cwd": "/w/project", "hook_event_name": kind, **fields}).encode()


def test_status_and_wrong_show_a_session(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A session nobody judged is shown as one; its last turn becomes a valid case without its secrets."""
    assert main(["status"]) == 0
    assert capsys.readouterr().out == "no session yet\n"
    assert main(["wrong"]) == 1
    folder = spool.state_folder()
    key = "sk-ant-0123456789abcdefABCDEF"
    bash = {"tool_name": "Bash", "tool_input": {"command": f"curl -H {key} me@example.org"}, "tool_use_id": "c1"}
    response = {"stdout": f"password: hunter2 {key} /w/project/a {'x' * 9000}", "interrupted": False}
    refused = {"tool_name": "Edit", "tool_input": {}, "tool_use_id": "c2", "tool_response": "<tool_use_error>no"}
    for data in (
        event("UserPromptSubmit", prompt="First."),
        event("UserPromptSubmit", prompt="Send it."),
        event("PostToolUse", tool_response=response, **bash),
        event("PostToolBatch", tool_calls=[refused]),
        event("PostToolUseFailure", error="Exit code 3", tool_name="Bash", tool_input={}, tool_use_id="c3"),
        event("PreToolUse", tool_name="StructuredOutput", tool_input={"a": 1}),
        event("Stop", last_assistant_message="Sent."),
        b'{"torn',
    ):
        spool.append(folder, "s1", data)
    assert main(["status", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["session"], row["calls"], row["last"], row["unjudged"]) == ("s1", 0, {}, True)
    assert main(["wrong", "s1", "--out", str(home / "case.json")]) == 0
    text = (home / "case.json").read_text()
    case = json.loads(text)
    for secret in (key, "hunter2", "me@example.org", "/w/project"):
        assert secret not in text
    assert case["turns"][0]["prompt"] == "Send it."
    kinds = [(found["type"], found.get("status")) for found in case["turns"][0]["events"]]
    assert kinds == [("call", "ok"), ("call", "error"), ("call", "error"), ("finish", None), ("finish", None)]
    from gate_core.transcripts import play  # an edge of the core, for people; not for the adapter

    assert len(play(case).judged) == 2
    assert parse_case({**case, "turns": []}).id == "wrong-s1"


def test_equal_secrets_stay_equal() -> None:
    """The same text has the same placeholder, so that a verdict can be seen again."""
    found = wrong.Redaction("/w").json({"a": "token=abc", "b": ["token=abc", "token: xyz", 7, None]})
    assert found == {"a": "token=REDACTED1", "b": ["token=REDACTED1", "token: REDACTED2", 7, None]}


@pytest.mark.parametrize(
    ("content", "silent"),
    [
        ('{"disableAllHooks": true}', True),
        ('{"disableAllHooks": false}', False),
        ('{"enabledPlugins": {"gate@market": false}}', True),
        ('{"enabledPlugins": {"other@market": false}}', False),
        ("{", False),
        ("{}", False),
    ],
)
def test_a_change_that_silences_the_gate_is_seen(home: Path, content: str, silent: bool) -> None:
    """In a file the gate was not installed in, only what switches hooks off matters."""
    path = home / "settings.json"
    path.write_text(content)
    assert guarded.silences({"file_path": str(path)}) is silent


def test_hooks_that_vanish_from_their_file_are_seen(home: Path) -> None:
    """Emptied, deleted, or with one event less."""
    path = settings.install(user=True, project=False)
    changed = {"file_path": str(path)}
    assert not guarded.silences(changed)
    whole = read(path)
    del whole["hooks"]["PostToolBatch"]
    path.write_text(json.dumps(whole))
    assert guarded.silences(changed)
    path.unlink()
    assert guarded.silences(changed)


def test_a_call_that_touches_the_gates_files_is_seen(home: Path) -> None:
    """Its state and the settings it is installed in, by whatever path."""
    path = settings.install(user=True, project=False)
    spool.make_folder(spool.state_folder())

    def touches(target: str, did: Did = Did.CHANGED) -> bool:
        effect = Effect(did=did, target=target)
        fact = Fact(
            key="k", turn=1, step=0, call="c", agent="", tool="Write", profile="", outcome=Outcome.OK, effects=(effect,)
        )
        return touches_own(fact, str(home), guarded.places())

    assert touches(str(path))
    assert touches(".claude/settings.json")
    assert touches(f"{spool.state_folder()}/s1.session.json", Did.DELETED)
    assert not touches(str(path), Did.SHOWED)
    assert not touches("app.cfg")


@pytest.mark.parametrize("words", [["--help"], ["status", "--help"], ["install", "-h"]])
def test_every_word_has_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Help does nothing but help."""
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("usage: gate-claude-hook")
