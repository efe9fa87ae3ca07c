"""Rollouts of the Codex CLI as neutral transcripts: every form of calls and results it has had."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate_core.transcripts import codex, play, reader_names


def line(kind: str, **payload: object) -> dict[str, Any]:
    """A line of a rollout."""
    return {"timestamp": "2026-11-30T08:00:00.000Z", "type": kind, "payload": payload}


def item(kind: str, **payload: object) -> dict[str, Any]:
    """An item that went to the model."""
    return line("response_item", type=kind, **payload)


def said(role: str, text: str) -> dict[str, Any]:
    """A message."""
    return item("message", role=role, content=[{"type": "output_text", "text": text}])


def called(ident: str, name: str, **args: object) -> dict[str, Any]:
    """A function call."""
    return item("function_call", call_id=ident, name=name, arguments=json.dumps(args))


def result(ident: str, output: object) -> dict[str, Any]:
    """Its result."""
    return item("function_call_output", call_id=ident, output=output)


def turns(*rows: dict[str, Any]) -> list[Any]:
    """The turns of the one conversation in these lines."""
    (found,) = codex.read(map(json.dumps, rows))
    listed: Any = found["turns"]
    return list(listed)


def test_a_rollout() -> None:
    """Prompts, narration, parallel calls, results, an attempt; what the CLI says in the user's name is no prompt."""
    (found,) = codex.read(
        map(
            json.dumps,
            [
                line("session_meta", id="s1", cwd="/w"),
                said("user", "<environment_context>..</environment_context>"),
                said("user", "What is in a.cfg?"),
                line("event_msg", type="user_message", message="What is in a.cfg?"),
                said("assistant", "I will look."),
                called("c1", "shell", command=["bash", "-lc", "cat a.cfg"], workdir="/w/src"),
                called("c2", "exec_command", cmd="ls"),
                result("c1", json.dumps({"output": "t = 5\n", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})),
                result("c2", "Chunk ID: ab\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno\n"),
                item("reasoning", summary=[]),
                called("c3", "update_plan", plan=[]),
                result("c3", "Plan updated"),
                said("assistant", "In a.cfg t is 5."),
                said("user", "Thanks."),
            ],
        )
    )
    assert (found["id"], found["tags"]) == ("s1", ["codex"])
    assert found["turns"] == [
        {
            "prompt": "What is in a.cfg?",
            "events": [
                {
                    "type": "call",
                    "id": "c1",
                    "step": 1,
                    "tool": "shell",
                    "args": {"command": "cat a.cfg"},
                    "cwd": "/w/src",
                    "result": "t = 5\n",
                    "status": "ok",
                    "exit_code": 0,
                },
                {
                    "type": "call",
                    "id": "c2",
                    "step": 1,
                    "tool": "shell",
                    "args": {"command": "ls"},
                    "cwd": "/w",
                    "result": "no\n",
                    "status": "ok",
                    "exit_code": 2,
                },
                {
                    "type": "call",
                    "id": "c3",
                    "step": 2,
                    "tool": "update_plan",
                    "args": {"plan": []},
                    "cwd": "/w",
                    "profile": {"effect": "neutral"},
                    "result": "Plan updated",
                    "status": "ok",
                },
                {"type": "finish", "parts": ["In a.cfg t is 5."]},
            ],
        },
        {"prompt": "Thanks.", "events": []},
    ]
    (judged,) = play(found).judged
    assert judged.verdict is not None
    assert judged.verdict.accepted


def test_a_patch_is_a_change_that_owes_a_look() -> None:
    """A lie about it is caught, and reading it back pays."""
    pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")
    patch = "*** Begin Patch\n*** Update File: a.cfg\n@@\n-t = 5\n+t = 30\n*** End Patch\n"
    done = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM a.cfg\n"
    rows = [
        said("user", "Set t in a.cfg to 30."),
        item("custom_tool_call", call_id="c1", name="apply_patch", input=patch, status="completed"),
        item("custom_tool_call_output", call_id="c1", output=done),
    ]
    look = [called("c2", "shell_command", command="cat a.cfg"), result("c2", "Exit code: 0\nOutput:\nt = 30\n")]
    claim = said("assistant", "Done, t in a.cfg is 30.")
    for more, accepted in (([], False), (look, True)):
        (found,) = codex.read(map(json.dumps, [*rows, *more, claim]))
        (judged,) = play(found).judged
        assert judged.verdict is not None
        assert judged.verdict.accepted is accepted, judged.verdict.codes


def test_a_command_that_runs_on_ends_later() -> None:
    """It is pending, and its end is a background event; polls without news are none."""
    (turn,) = turns(
        said("user", "Run it."),
        called("c1", "exec_command", cmd="make"),
        result("c1", "Wall time: 1 seconds\nProcess running with session ID 73\nOutput:\nstarted\n"),
        called("c2", "write_stdin", session_id=73, chars=""),
        result("c2", "Wall time: 1 seconds\nProcess running with session ID 73\nOutput:\n"),
        called("c3", "write_stdin", session_id=73, chars=""),
        result("c3", "Wall time: 1 seconds\nProcess exited with code 2\nOutput:\nError 2\n"),
    )
    started, ended = turn["events"]
    assert (started["status"], started["result"]) == ("pending", "started\n")
    assert ended == {"type": "background", "id": "c1", "status": "ok", "exit_code": 2, "result": "Error 2\n"}


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("exec command rejected by user", "denied"),
        ("apply_patch verification failed: no such line", "error"),
        ([{"type": "input_text", "text": "fine"}], "ok"),
        ("Exit code: 0 is what it printed", "ok"),
        ("[" * 9_999, "ok"),
        (None, "ok"),
    ],
)
def test_results_of_other_forms(output: Any, status: str) -> None:
    """Refused and failed calls are told apart; what only looks like a header is output."""
    (turn,) = turns(said("user", "x"), called("c1", "apply_patch", input=""), result("c1", output))
    (event,) = turn["events"]
    assert (event["status"], "exit_code" in event) == (status, False)


def test_a_local_shell_call_and_one_without_result() -> None:
    """An older form of commands; what never came back may still run."""
    action = {"type": "exec", "command": ["ls", "a b"], "working_directory": "/w"}
    (turn,) = turns(said("user", "x"), item("local_shell_call", call_id="c1", action=action))
    (event,) = turn["events"]
    assert (event["args"], event["cwd"], event["status"]) == ({"command": "ls 'a b'"}, "/w", "pending")


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('{"timestamp":"x","type":"session_meta","payload":{}}\n', True),
        ('{"type":"response_item","payload":{"type":"message"}}', True),
        ('{"type":"session_meta","payload":1}', False),
        ('{"type":"user","sessionId":"x"}', False),
        ("[" * 9_999, False),
        ("", False),
    ],
)
def test_the_format_is_recognised(head: str, found: bool) -> None:
    """By the envelope of its first line."""
    assert codex.detects(head) is found
    assert codex.NAME in reader_names()


@pytest.mark.parametrize(
    "odd", [{}, {"type": "response_item"}, item("message"), item("function_call"), item("x_call_output")]
)
def test_lines_of_unexpected_shape_are_harmless(odd: dict[str, Any]) -> None:
    """What is not there is empty, and what is no JSON is named by its line."""
    problems: list[int] = []
    lines = [json.dumps(said("user", "x")), "{", "7", json.dumps(odd)]
    assert len(list(codex.read(lines, lambda number, what: problems.append(number)))) == 1
    assert problems == [2, 3]
    assert list(codex.read([])) == []
