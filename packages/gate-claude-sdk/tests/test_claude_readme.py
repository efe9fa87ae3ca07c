"""The README's snippet and the example are run as they stand, with a scripted model behind the CLI."""

from __future__ import annotations

import asyncio
import json
import os
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage

from gate_claude_sdk._offline import offline_environment
from gate_claude_sdk._scripted import Block, scripted_messages, text_block, tool_block
from gate_claude_sdk.command import settings

ROOT = Path(__file__).parents[3]
ANSWER = "Done, the timeout in app.cfg is 30."


@contextmanager
def served(responses: list[list[Block]]) -> Iterator[str]:
    """A scripted model in a thread of its own, since the code under test runs its own event loop."""
    loop = asyncio.new_event_loop()
    coming = iter(responses)
    address: list[str] = []
    ready, done = threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with scripted_messages(lambda body: next(coming)) as url:
            address.append(url)
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(timeout=30)
        yield address[0]
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An agent in a folder with app.cfg that edits the file and says so."""
    workspace = tmp_path / "work"
    workspace.mkdir()
    file = workspace / "app.cfg"
    file.write_text("timeout = 5\n")
    arguments = {"file_path": str(file), "old_string": "timeout = 5", "new_string": "timeout = 30"}
    with served([[tool_block("Edit", arguments, call_id="toolu_1")], [text_block(ANSWER)]]) as url:
        for name, value in offline_environment(url, tmp_path / "home").items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(workspace)
        yield


@pytest.mark.usefixtures("scripted")
def test_the_snippet_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The first Python block of the README, unchanged."""
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert found is not None
    exec(compile(found[1], "README.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.splitlines()[-1] == f"{ANSWER} | unverified: False"


@pytest.mark.usefixtures("scripted")
def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """`examples/claude_agent.py` as a user starts it."""
    main: Callable[[], Coroutine[None, None, str]] = runpy.run_path(str(ROOT / "examples" / "claude_agent.py"))["main"]
    assert asyncio.run(main()) == ANSWER
    out = capsys.readouterr().out.splitlines()
    assert out[0] == ANSWER
    assert out[1].startswith("checked: app.cfg")


@pytest.mark.parametrize("name", ["claude_agent", "claude_typed", "claude_sessions"])
def test_an_example_without_a_login_says_so(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of the CLI, with exit 1."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for key in [key for key in os.environ if key.startswith(("ANTHROPIC_", "CLAUDE_"))]:
        monkeypatch.delenv(key)
    command = [sys.executable, str(ROOT / "examples" / f"{name}.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "Claude Code: Not logged in · Please run /login"


EDIT = {"old_string": "timeout = 5", "new_string": "timeout = 30"}


@contextmanager
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: list[list[Block]]) -> Iterator[Path]:
    """A folder with app.cfg, in which the scripted model answers."""
    workspace = tmp_path / "work"
    workspace.mkdir()
    (workspace / "app.cfg").write_text("name = app\ntimeout = 5\n")
    with served(script) as url:
        for name, value in offline_environment(url, tmp_path / "home").items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(workspace)
        yield workspace


def example(name: str) -> Callable[..., Coroutine[None, None, Any]]:
    """The `main` of an example."""
    found: Callable[..., Coroutine[None, None, Any]] = runpy.run_path(str(ROOT / "examples" / name))["main"]
    return found


def test_the_typed_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that nothing supports is denied, and the one after the edit is handed out."""
    offer = [[tool_block("StructuredOutput", {"summary": ANSWER}, call_id=f"toolu_s{n}")] for n in range(2)]
    edit = [tool_block("Edit", {"file_path": str(tmp_path / "work" / "app.cfg"), **EDIT}, call_id="toolu_1")]
    with played(tmp_path, monkeypatch, [offer[0], edit, offer[1]]):
        assert asyncio.run(example("claude_typed.py")()) == {"summary": ANSWER}


def test_the_memory_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fact is kept, the invented brand is not."""
    facts = ["is vegetarian", "likes the brand Oatly"]
    calls = [
        [
            tool_block(
                "mcp__memory__add_observations",
                {"observations": [{"entityName": "user", "contents": [fact]}]},
                call_id=f"toolu_{number}",
            )
        ]
        for number, fact in enumerate(facts)
    ]
    with played(tmp_path, monkeypatch, [*calls, [text_block("UNVERIFIED: end.")]]):
        assert asyncio.run(example("claude_memory.py")()) == {"user": ["is vegetarian"]}


def test_the_sessions_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under rails a guess is withheld, in both sessions and in the one that goes on."""
    with played(tmp_path, monkeypatch, [[text_block("The timeout in app.cfg is 4471.")]] * 30) as workspace:
        shown = asyncio.run(example("claude_sessions.py")(workspace / "state"))
    assert [text.startswith("(withheld: ") for text in shown] == [True] * 3


def test_the_settings_example_is_what_install_writes_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same events, in the short form; a session under it is gated."""
    path = ROOT / "examples" / "claude_settings.json"
    hooks = json.loads(path.read_text())["hooks"]
    assert {event: groups[0].get("matcher") for event, groups in hooks.items()} == {
        event: group.get("matcher") for event, group in settings.groups().items()
    }
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    edit = [tool_block("Edit", {"file_path": str(tmp_path / "work" / "app.cfg"), **EDIT}, call_id="toolu_1")]

    async def ask() -> list[str | None]:
        options = ClaudeAgentOptions(settings=str(path), setting_sources=[], permission_mode="acceptEdits")
        async with ClaudeSDKClient(options) as client:
            await client.query("Set the timeout in app.cfg to 30.")
            messages = [message async for message in client.receive_response()]
        return [message.result for message in messages if isinstance(message, ResultMessage)]

    with played(tmp_path, monkeypatch, [[text_block(ANSWER)], edit, [text_block(ANSWER)]]):
        assert asyncio.run(ask()) == [ANSWER]
    (kept,) = (tmp_path / "state" / "gate-claude").glob("*.session.json")
    assert json.loads(kept.read_text())["judged"] == 2


def test_the_documentation_names_every_event_and_word_of_the_command() -> None:
    """What is attached stands in docs/claude.md."""
    text = (ROOT / "docs" / "claude.md").read_text(encoding="utf-8")
    for word in (*settings.DECIDED, "PreToolUse", "PostToolBatch", "SubagentStop", "install", "uninstall", "status"):
        assert word in text
