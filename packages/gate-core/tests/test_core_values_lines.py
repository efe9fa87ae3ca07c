"""A line of a file is shown in many spellings: by traceback, by compiler, by a listing below a name, by the file."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import Attempt, Code, Gate, ToolCall, parse_config

TRACE = 'Traceback:\n  File "/srv/app/src/auth/keys.py", line 47, in load\n    raise KeyError(kid)\n'
LINT = "/repo/src/a.ts\n  12:5  error  'x' is never used\n\n/repo/src/b.ts\n  31:9  error  Missing semicolon\n"
FILE = "a = 1\n\nb = 2\nc = 3\n"
NUMBERED = "    40\ta = 1\n    41\tb = 2\n    42\tc = 3\n"


def _shell(result: str, code: int = 0) -> dict[str, Any]:
    return {"tool": "shell", "args": {"command": "make check"}, "result": result, "exit_code": code}


def _read(result: str, **more: int) -> dict[str, Any]:
    return {"tool": "read_file", "args": {"path": "/repo/src/x.py", **more}, "result": result}


CASES = [
    (_shell(TRACE, 1), "src/auth/keys.py:47", True),
    (_shell(TRACE, 1), "keys.py:47", True),
    (_shell(TRACE, 1), "src/auth/keys.py:48", False),
    (_shell(TRACE, 1), "eys.py:47", False),
    (_shell("src/a.ts(12,5): error TS2304: x\n", 2), "src/a.ts:12", True),
    (_shell("src/a.ts(12,5): error TS2304: x\n", 2), "src/a.ts:21", False),
    (_shell("PHP Fatal error: in /srv/Cart.php on line 88\n", 255), "Cart.php:88", True),
    (_shell("PHP Fatal error: in /srv/Cart.php on line 88\n", 255), "Cart.php:8", False),
    (_shell(LINT, 1), "src/a.ts:12", True),
    (_shell(LINT, 1), "src/b.ts:31:9", True),
    (_shell(LINT, 1), "src/a.ts:31", False),
    (_read(FILE), "src/x.py:4", True),
    (_read(FILE), "src/x.py:5", False),
    (_read(FILE), "src/y.py:4", False),
    (_read(NUMBERED), "src/x.py:42", True),
    (_read(NUMBERED), "src/x.py:42-44", True),
    (_read(NUMBERED), "src/x.py#L41", True),
    (_read(NUMBERED), "src/x.py:2", False),
    (_read(FILE, offset=100, limit=4), "src/x.py:102", True),
    (_read(FILE, offset=100, limit=4), "src/x.py:2", False),
]


@pytest.mark.parametrize(("call", "place", "shown"), CASES, ids=[f"{n} {p} {s}" for n, (_, p, s) in enumerate(CASES)])
def test_a_line_of_a_file_needs_a_result_that_shows_it(call: dict[str, Any], place: str, shown: bool) -> None:
    """The name and the number stand together in a result, or the result is the file and has such a line."""
    gate = Gate(parse_config({"values": "block"}))
    gate.begin_turn("Where is it?")
    gate.observe(ToolCall(call_id="c1", **call))
    verdict = gate.boundary_check(Attempt(parts=(f"It is at `{place}`.",)))
    assert (Code.VALUE_UNSUPPORTED not in {finding.code for finding in verdict.findings}) is shown
