"""A turn nobody sees: it loads what deciding needs, so that the forks of the server find it loaded."""

from __future__ import annotations

from gate_claude_sdk._session import Session
from gate_claude_sdk.command import events, people  # noqa: F401 - what events are decided with
from gate_core import GateFactory, JsonObject

_FILE = "/w/app.cfg"
_HUNK: JsonObject = {
    "oldStart": 1,
    "oldLines": 1,
    "newStart": 1,
    "newLines": 1,
    "lines": ["-timeout = 5", "+timeout = 30"],
}
_TURN: JsonObject = {"session_id": "warm", "prompt_id": "p1", "cwd": "/w"}

PROMPT = "Please set the timeout in app.cfg to 30 and run the tests. Don't push anything."
CALLS: tuple[JsonObject, ...] = (
    {
        **_TURN,
        "tool_name": "Edit",
        "tool_use_id": "c1",
        "tool_input": {"file_path": _FILE, "old_string": "timeout = 5", "new_string": "timeout = 30"},
        "tool_response": {"filePath": _FILE, "originalFile": "timeout = 5\n", "structuredPatch": [_HUNK]},
    },
    {
        **_TURN,
        "tool_name": "Read",
        "tool_use_id": "c2",
        "tool_input": {"file_path": _FILE},
        "tool_response": {"type": "text", "file": {"filePath": _FILE, "content": "timeout = 30\n", "startLine": 1}},
    },
    {
        **_TURN,
        "tool_name": "Bash",
        "tool_use_id": "c3",
        "tool_input": {"command": "cd /w && pytest -q 2>&1 | tail -n 3"},
        "tool_response": {"stdout": "12 passed in 0.41s", "stderr": "", "interrupted": False},
    },
)
ANSWER = """I set `timeout = 30` in app.cfg and read it back. All 12 tests pass.

- Not pushed: you didn't ask for it.
- Run `pytest -q` yourself if you like; it took 0.41 s on 2026-01-31.
"""


def warm() -> None:
    """Take the turn: prompt, edit, look, run, answer. Touches no file."""
    session = Session.begin({}, GateFactory({}))
    session.submitted({**_TURN, "prompt": PROMPT})
    for call in CALLS:
        session.completed(call)
    session.stopped({**_TURN, "last_assistant_message": ANSWER}, (ANSWER,))
