"""What hooks cost (spec 50). `gate-claude-hook` is a process for every event, so its start is what counts."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.importing import SIX
from benchmarks.measure import MS, beside, seconds
from benchmarks.table import Row, Target

PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt_id": "p1", "prompt": "Go.", "cwd": "/"}
READ = {
    "hook_event_name": "PostToolUse",
    "session_id": "s1",
    "prompt_id": "p1",
    "cwd": "/",
    "tool_name": "Read",
    "tool_input": {"file_path": "/w/app.cfg"},
    "tool_use_id": "c1",
    "tool_response": {
        "type": "text",
        "file": {"filePath": "/w/app.cfg", "content": "x" * 2000, "startLine": 1, "numLines": 1, "totalLines": 1},
    },
}
STOP = {
    "hook_event_name": "Stop",
    "session_id": "s1",
    "prompt_id": "p1",
    "cwd": "/",
    "last_assistant_message": "I read app.cfg.",
}


def command_hook(*, quick: bool) -> Iterator[Row]:
    """Whole processes, interleaved, with the bytes of an event on stdin; the same ones for the references. Stop comes
    as in a session, with the server its first event started, and without one."""
    from gate_claude_sdk.command.settings import groups
    from gate_claude_sdk.plugin.scripts.ask import SOCKET

    commands = {event: shlex.split(group["hooks"][0]["command"]) for event, group in groups().items()}
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "XDG_STATE_HOME": str(Path(folder) / "state"), "CLAUDE_PLUGIN_DATA": ""}
        served = {**env, "GATE_CLAUDE_SERVER": "on"}
        _run(commands["UserPromptSubmit"], PROMPT, served)
        _wait(Path(folder) / "state" / "gate-claude" / SOCKET)
        works = {
            "true": _process(["sh", "-c", "true"], READ, env),
            "event": _process(commands["PostToolUse"], READ, env),
            "six": _process([sys.executable, "-I", "-c", SIX], STOP, env),
            "stop": _process(commands["Stop"], STOP, served),
            "alone": _process(commands["Stop"], STOP, {**env, "GATE_CLAUDE_SERVER": "off"}),
        }
        taken = {name: sample.scaled(MS) for name, sample in beside(works, rounds=1 if quick else 30).items()}
        _run(commands["SessionEnd"], PROMPT, served)
    over = taken["event"].beyond(taken["true"])
    yield Row(name="command hook, tool event", unit="ms", ours=over, beside="over sh -c true", target=Target(most=10))
    stops = (("Stop", "stop", Target(ratio=2.5)), ("Stop without the server", "alone", Target()))
    for what, name, target in stops:
        yield Row(
            name=f"command hook, {what}",
            unit="ms",
            ours=taken[name],
            reference=taken["six"],
            beside="six imports",
            target=target,
        )


def _wait(path: Path) -> None:
    """Until the server listens.

    Raises:
        TimeoutError: it does not.
    """
    for _ in range(1000):
        if path.exists():
            return
        time.sleep(0.01)
    raise TimeoutError(f"no server at {path}")


def run_hooks(*, quick: bool) -> Iterator[Row]:
    """The hooks of a run of openai-agents; the framework takes seconds to import."""
    from benchmarks.run_hooks import rows

    yield from rows(quick=quick)


def _process(command: list[str], event: Mapping[str, Any], env: Mapping[str, str]) -> Callable[[], float]:
    return lambda: seconds(lambda: _run(command, event, env))


def _run(command: list[str], event: Mapping[str, Any], env: Mapping[str, str]) -> None:
    subprocess.run(command, input=json.dumps(event).encode(), env=env, check=True, capture_output=True)
