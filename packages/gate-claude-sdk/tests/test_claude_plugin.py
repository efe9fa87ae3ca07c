"""The plugin, in the real CLI: valid, loaded from its folder, and answering without a model."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import claude_agent_sdk
import pytest
from claude_agent_sdk import ClaudeSDKClient, ResultMessage

import gate_claude_sdk.plugin
from gate_claude_sdk._offline import offline_environment
from gate_claude_sdk._scripted import text_block, tool_block
from gate_claude_sdk.command.settings import groups

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]

PLUGIN = Path(str(gate_claude_sdk.plugin.__file__)).parent
CLI = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
HERE = Path(sys.executable).parent  # where gate-claude-hook lies
PROMPT = "Set the timeout in app.cfg to 30."
CLAIM = "Done, the timeout in app.cfg is 30."


def test_the_cli_finds_the_plugin_valid(tmp_path: Path) -> None:
    """`claude plugin validate` of the bundled CLI passes."""
    env = {**os.environ, **offline_environment("http://127.0.0.1:9", tmp_path)}
    done = subprocess.run([CLI, "plugin", "validate", PLUGIN], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, "Validation passed" in done.stdout) == (0, True), done.stdout


def test_the_plugin_hooks_what_install_hooks() -> None:
    """Two ways to the same hooks; the plugin's start also tells when the command is missing."""
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    words = {event: found[0]["hooks"][0]["command"].split()[-1] for event, found in hooks.items()}
    meant = {"--decide": "hook", "--serve": "serve", "--end": "end"}
    commands = {event: group["hooks"][0]["command"].split() for event, group in groups().items()}
    settings = {event: next((meant[w] for w in given if w in meant), "spool") for event, given in commands.items()}
    assert words == {**settings, "SessionStart": "start"}
    assert hooks["PreToolUse"][0]["matcher"] == groups()["PreToolUse"]["matcher"]


def options(**more: str) -> dict[str, Any]:
    """Options that load the plugin, with `gate-claude-hook` on PATH."""
    env = {"PATH": f"{HERE}:{os.environ['PATH']}", "CLAUDE_PLUGIN_DATA": "", **more}
    return {"plugins": [{"type": "local", "path": str(PLUGIN)}], "env": env}


def test_the_plugin_gates_a_session_and_answers_gate(play: Play, tmp_path: Path) -> None:
    """A lie goes back and is repaired; `/gate` and `/gate wrong` cost no request to the model."""
    path = tmp_path / "work" / "app.cfg"
    path.parent.mkdir()
    path.write_text("timeout = 5\n")
    arguments = {"file_path": str(path), "old_string": "timeout = 5", "new_string": "timeout = 30"}
    edit = [tool_block("Edit", arguments, call_id="toolu_1")]

    async def ask(client: ClaudeSDKClient, run: Any) -> None:
        for prompt in ("/gate", "/gate wrong"):
            await client.query(prompt)
            async for message in client.receive_response():
                run.messages.append(message)

    responses = [[text_block(CLAIM)], edit, [text_block(CLAIM)]]
    run = asyncio.run(play(options(), responses, [PROMPT], after=ask))
    assert "[gate]" in str(run.requests[1]["messages"])
    first, gate, wrong = (str(message.result) for message in run.messages if isinstance(message, ResultMessage))
    assert first == CLAIM
    assert "last verdict: accept | verified" in gate
    (case,) = tmp_path.rglob("*.wrong.json")
    assert case.name in wrong
    assert [event["type"] for event in json.loads(case.read_text())["turns"][0]["events"]] == [
        "finish",
        "call",
        "finish",
    ]
    assert {file.stat().st_mode & 0o777 for file in case.parent.iterdir()} == {0o600}


@pytest.mark.parametrize("word", ["hook", "start"])
def test_a_missing_command_is_told(word: str, tmp_path: Path) -> None:
    """Without the installed package the plugin records nothing it could judge, and says so."""
    tools = tmp_path / "bin"
    tools.mkdir()
    script = [str(PLUGIN / "scripts" / "gate"), word]
    done = subprocess.run(["/bin/sh", *script], input=b"{}", capture_output=True, env={"PATH": str(tools)}, check=True)
    assert json.loads(done.stdout)["systemMessage"].startswith("UNVERIFIED: the gate is not installed")


def test_the_plugin_gates_a_session_when_it_was_installed(play: Play, tmp_path: Path) -> None:
    """From a marketplace in a folder, with the CLI's own commands; no option of the session names it."""
    market = tmp_path / "market"
    shutil.copytree(PLUGIN, market / "plugins" / "gate", ignore=shutil.ignore_patterns("__pycache__"))
    (market / ".claude-plugin").mkdir()
    offer = {"name": "gate", "source": "./plugins/gate"}
    listing = {"name": "local", "owner": {"name": "nobody"}, "plugins": [offer]}
    (market / ".claude-plugin" / "marketplace.json").write_text(json.dumps(listing))
    env = {**os.environ, **offline_environment("http://127.0.0.1:9", tmp_path / "home-work")}
    for words in (["marketplace", "add", str(market)], ["install", "gate@local"]):
        done = subprocess.run([CLI, "plugin", *words], capture_output=True, text=True, env=env, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    given = {"setting_sources": ["user"], "env": options()["env"]}
    run = asyncio.run(play(given, [[text_block(CLAIM)], [text_block(CLAIM)]], [PROMPT]))
    assert "[gate]" in str(run.requests[1]["messages"])
    assert run.notices[-1].startswith("Stop says: UNVERIFIED: ")
    assert list((tmp_path / "home-work").rglob("*.session.json"))
