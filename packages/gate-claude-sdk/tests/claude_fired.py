"""Hooks of the command fired one by one, for the tests of this package: processes of their own, JSON in, JSON out."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from gate_claude_sdk._store import SessionStore
from gate_claude_sdk.command.settings import groups
from gate_claude_sdk.plugin.scripts import ask

PROMPT = "Set the timeout in app.cfg to 30."
CLAIM = "Done, the timeout in app.cfg is 30."
STRICT = '{"policy": "strict", "probe_roots": []}'


class Hooks:
    """The hooks of one session, started like the CLI starts them."""

    def __init__(self, folder: Path, config: str = STRICT, *, server: str = "off") -> None:
        self.state = folder / "state" / "gate-claude"
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / "state"),
            "GATE_CLAUDE_SERVER": server,
        }
        folder.mkdir(exist_ok=True)
        (folder / "gate.json").write_text(config)
        self.commands = {e: group["hooks"][0]["command"] for e, group in groups(str(folder / "gate.json")).items()}

    def raw(self, event: str, data: bytes) -> str:
        """What the hook of an event prints."""
        done = subprocess.run(
            self.commands[event], shell=True, check=True, input=data, capture_output=True, env=self.env
        )
        return done.stdout.decode()

    def fire(self, event: str, **fields: Any) -> Any:
        """The answer of the hook of an event."""
        payload = {"session_id": "s1", "prompt_id": "p1", "cwd": "/w", "hook_event_name": event, **fields}
        return json.loads(self.raw(event, json.dumps(payload).encode()))

    def edit(self, call_id: str = "e1", **more: Any) -> None:
        """The agent edits app.cfg."""
        arguments = {"file_path": "/w/app.cfg", "old_string": "timeout = 5", "new_string": "timeout = 30"}
        response = {"filePath": "/w/app.cfg", "structuredPatch": [], "originalFile": "x\n" * 9}
        self.fire("PostToolUse", tool_name="Edit", tool_input=arguments, tool_response=response, tool_use_id=call_id)
        self.fire("PostToolBatch", tool_calls=[])

    def read(self, call_id: str = "r1") -> None:
        """The agent reads app.cfg."""
        file = {"filePath": "/w/app.cfg", "content": "timeout = 30\n", "startLine": 1, "numLines": 2, "totalLines": 2}
        fields = {"tool_name": "Read", "tool_input": {"file_path": "/w/app.cfg"}, "tool_use_id": call_id}
        self.fire("PostToolUse", tool_response={"type": "text", "file": file}, **fields)
        self.fire("PostToolBatch", tool_calls=[])

    def session(self) -> Any:
        """What was kept of the session."""
        return SessionStore(self.state).load("s1")


def end_servers(folder: Path) -> None:
    """Let the servers of sessions below the folder go, and wait until they are gone."""
    for lock in folder.rglob(ask.LOCK):
        ask.end(str(lock.parent))
        until(partial(_is_gone, lock.with_name(ask.SOCKET)), "the server is gone")


def until(done: Callable[[], Any], what: str) -> None:
    """Wait for what another process does."""
    ends = time.monotonic() + 30
    while not done():
        assert time.monotonic() < ends, f"timed out: {what}"
        time.sleep(0.01)


def _is_gone(path: Path) -> bool:
    return not path.exists()
