"""The README's snippet and the example are run as they stand, with a scripted model behind the CLI."""

from __future__ import annotations

import asyncio
import re
import runpy
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gate_claude_sdk._offline import offline_environment
from gate_claude_sdk._scripted import Block, scripted_messages, text_block, tool_block

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
