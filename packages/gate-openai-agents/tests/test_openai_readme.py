"""The README's snippets and the example run as they stand, against a loopback server in place of the provider."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from gate_openai_agents._wire import responses_server

PACKAGE = Path(__file__).resolve().parents[1]
EXAMPLES = PACKAGE.parents[1] / "examples"
BLOCKS = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL)

LIE = "Done, the timeout in app.cfg is 30."
TRUE = "Done; I read app.cfg back and the timeout is 30."


def call(number: int, name: str, **args: str) -> dict[str, Any]:
    said = {"name": name, "arguments": json.dumps(args), "call_id": f"call_{number}"}
    return {"id": f"fc_{number}", "type": "function_call", "status": "completed", **said}


def message(number: int, text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    return {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed", "content": content}


def script() -> list[dict[str, Any]]:
    write = call(1, "write_file", path="app.cfg", content="timeout = 30\n")
    return [write, message(2, LIE), call(3, "read_file", path="app.cfg"), message(4, TRUE)]


def runs(source: str, items: list[dict[str, Any]], folder: Path) -> str:
    """What the program prints; its provider is the script."""
    (folder / "app.cfg").write_text("timeout = 5\n", encoding="utf-8")
    program = folder / "program.py"
    program.write_text(source, encoding="utf-8")

    async def main() -> str:
        async with responses_server(lambda: [items.pop(0)]) as url:
            found = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none", "OPENAI_AGENTS_DISABLE_TRACING": "1"}
            env = {**os.environ, **found, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(
                sys.executable, str(program), cwd=folder, env=env, stdout=pipe, stderr=pipe
            )
            out, err = await process.communicate()
            assert process.returncode == 0, err.decode()
            return out.decode()

    return asyncio.run(main())


def example(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


SOURCES = [BLOCKS[0], example("openai_agent.py"), example("openai_stream.py")]


@pytest.mark.parametrize("source", SOURCES, ids=["readme", "agent", "stream"])
def test_the_snippet_catches_the_lie(source: str, tmp_path: Path) -> None:
    """The user gets the repaired answer and its evidence line, not the first claim."""
    items = script()
    out = runs(source, items, tmp_path)
    assert out.splitlines() == [TRUE, "checked: app.cfg read after change"]
    assert items == []


def test_the_plain_runner_snippet_shows_the_feedback(tmp_path: Path) -> None:
    """Under plain `Runner.run` the caller gets the verdict and its feedback."""
    items = [*script(), *[{**item, "id": f"x{item['id']}"} for item in script()[:2]]]
    out = runs(BLOCKS[0] + BLOCKS[1], items, tmp_path)
    assert "[gate] This answer was not delivered" in out
    assert items == []


def test_the_example_ends_by_its_tool(tmp_path: Path) -> None:
    """The submit example prints the repaired submission."""
    write, _, read, _ = script()
    submitted = [call(n, "submit_answer", answer=text, claim="completion") for n, text in ((2, LIE), (4, TRUE))]
    items = [write, submitted[0], read, submitted[1]]
    out = runs(example("openai_submit.py"), items, tmp_path)
    assert out.splitlines() == [TRUE, "checked: app.cfg read after change"]
    assert items == []
