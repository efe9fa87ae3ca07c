"""Exported sessions of opencode as neutral transcripts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate_core.transcripts import opencode, play, reader_names
from gate_core.transcripts.files import problem_of


def message(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    """A message of a session."""
    return {"info": {"id": "msg_1", "sessionID": "ses_1", "role": role}, "parts": list(parts)}


def text(words: str, **more: object) -> dict[str, Any]:
    """A text part."""
    return {"type": "text", "text": words, **more}


def tool(ident: str, name: str, args: dict[str, Any], status: str = "completed", **state: object) -> dict[str, Any]:
    """A tool part."""
    return {"type": "tool", "callID": ident, "tool": name, "state": {"status": status, "input": args, **state}}


def session(*messages: dict[str, Any]) -> str:
    """An export."""
    return json.dumps({"info": {"id": "ses_1", "directory": "/w"}, "messages": list(messages)}, indent=1)


def turns(*messages: dict[str, Any]) -> list[Any]:
    """The turns of the one conversation in an export, which is valid."""
    (found,) = opencode.read(session(*messages).splitlines(keepends=True))
    assert problem_of(found) is None
    listed: Any = found["turns"]
    return list(listed)


STEP = {"type": "step-start"}
EDIT = {"filePath": "/w/a.cfg", "oldString": "t = 5", "newString": "t = 30"}


def test_an_export() -> None:
    """Prompts, narration, calls by step, an attempt; what the program wrote in the user's name is no prompt."""
    (first, second) = turns(
        message("user", text("Set t to 30."), text("file contents", synthetic=True)),
        message(
            "assistant",
            STEP,
            text("I will."),
            tool("c1", "edit", EDIT, output="", metadata={"diff": "x"}),
            tool("c2", "bash", {"command": "make", "description": "d"}, output="no", metadata={"exit": 2}),
            {"type": "step-finish"},
            STEP,
            tool("c3", "todowrite", {"todos": []}, output="[]"),
            tool("c4", "read", {"filePath": "/w/b"}, status="error", error="File not found"),
            tool("c5", "crm_update", {"id": 1}, status="running"),
            text("Done."),
        ),
        message("user", text("<synthetic>", synthetic=True)),
        message("user", text("Thanks.")),
    )
    assert first["prompt"] == "Set t to 30."
    assert [(e.get("id"), e.get("tool"), e.get("step"), e.get("status"), e.get("result")) for e in first["events"]] == [
        ("c1", "edit_file", 2, "ok", ""),
        ("c2", "shell", 2, "ok", "no"),
        ("c3", "todowrite", 3, "ok", "[]"),
        ("c4", "read_file", 3, "error", "File not found"),
        ("c5", "crm_update", 3, "pending", None),
        (None, None, None, None, None),
    ]
    edit, make, plan, *_, finish = first["events"]
    assert edit["args"] == {"path": "/w/a.cfg", "old": "t = 5", "new": "t = 30"}
    assert (make["args"], make["exit_code"], make["cwd"]) == ({"command": "make"}, 2, "/w")
    assert plan["profile"] == {"effect": "neutral"}
    assert finish == {"type": "finish", "parts": ["Done."]}
    assert second == {"prompt": "Thanks.", "events": []}


def test_a_change_owes_a_look() -> None:
    """A claim after the edit alone is refused, after a look at the new text it is not."""
    look = tool("c2", "read", {"filePath": "/w/a.cfg"}, output="t = 30\n")
    for more, accepted in (([], False), ([STEP, look], True)):
        answer = message("assistant", STEP, tool("c1", "edit", EDIT, output=""), *more, text("Done, t in a.cfg is 30."))
        (found,) = opencode.read([session(message("user", text("Set t in a.cfg to 30.")), answer)])
        (judged,) = play(found).judged
        assert judged.verdict is not None
        assert judged.verdict.accepted is accepted, judged.verdict.codes


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (session(), True),
        ('{"info": {"id": "ses_x"', True),
        ('{"info": {"title": "x"}, "messages": []}', False),
        ('{"type":"user","sessionId":"x"}', False),
        ("", False),
    ],
)
def test_the_format_is_recognised(head: str, found: bool) -> None:
    """By its information about the session."""
    assert opencode.detects(head) is found
    assert opencode.NAME in reader_names()


@pytest.mark.parametrize("whole", ["{", "[1]", '{"messages": "x"}', "[" * 9_999])
def test_what_is_no_session_is_told(whole: str) -> None:
    """And nothing is made of it."""
    problems: list[int] = []
    assert list(opencode.read([whole], lambda number, what: problems.append(number))) == []
    assert problems == [1]


@pytest.mark.parametrize("odd", [{}, {"info": 1, "parts": "x"}, message("assistant", {"type": "tool"}, {})])
def test_messages_of_unexpected_shape_are_harmless(odd: dict[str, Any]) -> None:
    """What is not there is empty."""
    assert len(turns(message("user", text("x")), odd)) == 1
    assert list(opencode.read([session()])) == []
