"""Session files of Claude Code as neutral transcripts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from gate_claude_sdk import GateHooks, transcript
from gate_claude_sdk._scripted import text_block, tool_block
from gate_core import GateConfig, Policy
from gate_core.transcripts import play as replay
from gate_core.transcripts.files import problem_of

Play: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]

PROMPT = "Set the timeout in app.cfg to 30."
CLAIM = "Done, the timeout in app.cfg is 30."


def row(kind: str, content: object, message: str = "", **more: object) -> dict[str, Any]:
    """One line of a session file."""
    return {"type": kind, "sessionId": "s1", "message": {"id": message, "role": kind, "content": content}, **more}


def text(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


def call(name: str, call_id: str, **args: object) -> dict[str, object]:
    """A call block."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": args}


def result(call_id: str, content: object, **more: object) -> dict[str, object]:
    """A result block."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def turns(*rows: dict[str, Any]) -> list[Any]:
    """The turns of the one transcript in these lines, which is valid."""
    (found,) = transcript.read(map(json.dumps, rows))
    assert problem_of(found) is None
    listed: Any = found["turns"]
    return list(listed)


def kinds(turn: Any) -> list[tuple[object, ...]]:
    """(type, id or texts, status, step) of every event."""
    return [(e["type"], e.get("id") or e.get("parts"), e.get("status"), e.get("step")) for e in turn["events"]]


def test_parallel_calls_share_a_step_and_results_find_their_calls() -> None:
    """One line per block; results in any order, as text, as blocks, or with the CLI's structure beside."""
    read = {
        "type": "text",
        "file": {"filePath": "/w/a", "content": "x", "startLine": 1, "numLines": 1, "totalLines": 1},
    }
    (turn,) = turns(
        row("user", "Look."),
        row("assistant", [text("I will look.")], "m1"),
        row("assistant", [call("Read", "c1", file_path="/w/a")], "m1"),
        row("assistant", [call("Bash", "c2", command="exit 3")], "m1"),
        row("user", [result("c2", [text("Exit code 3\nno")], is_error=True)], cwd="/w"),
        row("user", [result("c1", "1\tx")], toolUseResult=read),
        row("assistant", [text("Part one.")], "m2"),
        row("assistant", [text("Part two.")], "m2"),
    )
    assert kinds(turn) == [
        ("call", "c2", "error", 0),
        ("call", "c1", "ok", 0),
        ("finish", ["Part one.", "Part two."], None, None),
    ]
    failed, shown, _ = turn["events"]
    assert (failed["exit_code"], failed["cwd"], failed["result"]) == (3, "/w", "Exit code 3\nno")
    assert (shown["result"], shown["side"]["file"]["totalLines"]) == ("x", 1)


def test_sub_agents_are_heard_by_their_calls_alone() -> None:
    """What a sub-agent was told starts no turn, and what it says is no answer."""
    (turn,) = turns(
        row("user", "Look."),
        row("user", "Look for me.", isSidechain=True, agentId="a1"),
        row("assistant", [call("Read", "c1", file_path="/w/a")], "m1", isSidechain=True, agentId="a1"),
        row("user", [result("c1", "x")], isSidechain=True, agentId="a1"),
        row("assistant", [text("It is x.")], "m2", isSidechain=True, agentId="a1"),
        row("assistant", [text("UNVERIFIED: it said x.")], "m3"),
    )
    assert [(e["type"], e.get("agent")) for e in turn["events"]] == [("call", "a1"), ("finish", None)]


def test_files_of_sub_agents_are_read_with_their_session(tmp_path: Path) -> None:
    """Their lines stand where they belong by their time; a bad one is told with its file's name."""

    def at(second: int, line: dict[str, Any]) -> str:
        return json.dumps({**line, "timestamp": f"2026-11-30T08:00:{second:02}.000Z"})

    session, parts = tmp_path / "s1.jsonl", tmp_path / "s1" / "subagents"
    parts.mkdir(parents=True)
    delegated = {"description": "edit", "prompt": "Edit it.", "subagent_type": "worker"}
    lines = [
        at(0, row("user", "Set it.")),
        at(1, row("assistant", [call("Agent", "c0", **delegated)], "m1")),
        json.dumps({"type": "last-prompt", "sessionId": "s1"}),
        at(6, row("user", [result("c0", "Edited.")])),
        at(7, row("assistant", [call("Read", "c2", file_path="/w/a")], "m2")),
        at(8, row("user", [result("c2", "x")])),
        at(9, row("assistant", [text("UNVERIFIED: it should be x.")], "m3")),
    ]
    session.write_text("\n".join(lines), "utf-8")
    own: Any = {"isSidechain": True, "agentId": "a1"}
    edit = call("Edit", "c1", file_path="/w/a", old_string="y", new_string="x")
    inner = [
        at(2, row("user", "Edit it.", **own)),
        at(3, row("assistant", [edit], "n1", **own)),
        "{",
        at(4, row("user", [result("c1", "done")], **own)),
        at(5, row("assistant", [text("It is x.")], "n2", **own)),
    ]
    part = parts / "agent-a1.jsonl"
    part.write_text("\n".join(inner), "utf-8")
    problems: list[tuple[int, str]] = []
    (found,) = transcript.read_path(session, lambda number, what: problems.append((number, what)))
    assert problem_of(found) is None
    (turn,) = cast("list[Any]", found["turns"])
    events = [(e["type"], e.get("id"), e.get("agent")) for e in turn["events"]]
    assert events == [("call", "c1", "a1"), ("call", "c0", None), ("call", "c2", None), ("finish", None, None)]
    ((number, what),) = problems
    assert (number, what.endswith("(of subagents/agent-a1.jsonl)")) == (3, True)
    assert [transcript.is_part(path) for path in (part, session, tmp_path / "t" / "subagents" / "x.jsonl")] == [
        True,
        False,
        False,
    ]


def test_what_the_cli_says_itself_is_no_answer() -> None:
    """An error of the API stands in the file as if the model had said it."""
    error = row("assistant", [text("API Error: Connection error.")], "m1")
    error["message"]["model"] = "<synthetic>"
    (turn,) = turns(row("user", "Look."), error, row("assistant", [text("Hello.")], "m2"))
    assert kinds(turn) == [("finish", ["Hello."], None, None)]


def test_meta_messages_and_summaries_are_not_said_by_anybody() -> None:
    """Feedback of hooks, a compaction, output of local commands, an interruption: none of them is a prompt."""
    (first, second) = turns(
        row("user", "Look."),
        row("assistant", [text("A draft.")], "m1"),
        row("user", "Stop hook feedback:\nno", isMeta=True),
        row("assistant", [text("Better.")], "m2"),
        row("user", "This session is continued from ...", isCompactSummary=True),
        row("user", "<local-command-stdout>Compacted</local-command-stdout>"),
        row("user", [text("[Request interrupted by user]")]),
        row("user", "<command-name>/fix</command-name><command-args>the timeout</command-args>"),
        {"type": "attachment", "sessionId": "s1", "attachment": {"type": "date"}},
        {"type": "system", "sessionId": "s1", "subtype": "compact_boundary"},
    )
    assert (first["prompt"], kinds(first)) == (
        "Look.",
        [("finish", ["A draft."], None, None), ("finish", ["Better."], None, None)],
    )
    assert (second["prompt"], second["events"]) == ("the timeout", [])


def test_background_work_ends_with_its_notice() -> None:
    """The notice starts no turn; it may come queued while the agent works."""
    notice = (
        "<task-notification>\n<tool-use-id>c1</tool-use-id>\n<status>failed</status>\n"
        '<summary>Background command "make" failed with exit code 2</summary>\n</task-notification>'
    )
    started = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
    queued = {"type": "attachment", "sessionId": "s1", "attachment": {"type": "queued_command", "prompt": notice}}
    for told in (row("user", notice), queued):
        (turn,) = turns(
            row("user", "Run make."),
            row("assistant", [call("Bash", "c1", command="make")], "m1"),
            row("user", [result("c1", "started")], toolUseResult=started),
            told,
        )
        assert kinds(turn) == [("call", "c1", "pending", 0), ("background", "c1", "error", None)]
        assert turn["events"][1]["exit_code"] == 2


def test_refused_denied_and_cut_off_calls_are_kept_apart() -> None:
    """A call whose result never came counts as failed, and a typed answer is an attempt."""
    (turn,) = turns(
        row("user", "Do it."),
        row("assistant", [call("Edit", "c1"), call("Edit", "c2"), call("Nope", "c3"), call("Bash", "c4")], "m1"),
        row(
            "user",
            [
                result("c1", "<tool_use_error>String to replace not found</tool_use_error>", is_error=True),
                result("c2", "Claude requested permissions to write to /x", is_error=True),
                result("c3", "<tool_use_error>Error: No such tool available: Nope</tool_use_error>", is_error=True),
                result("unknown", "x"),
            ],
        ),
        row("assistant", [call("StructuredOutput", "c5", a=1)], "m2"),
    )
    found = [(e["type"], e.get("id"), e.get("status")) for e in turn["events"]]
    assert found == [
        ("call", "c1", "error"),
        ("call", "c2", "denied"),
        ("call", "c3", "not_executed"),
        ("finish", None, None),
        ("call", "c4", "error"),
    ]
    assert turn["events"][3]["output"] == {"a": 1}


def test_bad_lines_are_named_and_skipped() -> None:
    """The others are still read; a file without a word is no transcript."""
    problems: list[tuple[int, str]] = []
    lines = ["{", "", "7", json.dumps(row("user", "Hello?")), json.dumps(row("assistant", [text("Hello.")], "m"))]
    (found,) = transcript.read(lines, lambda number, what: problems.append((number, what)))
    assert found["id"] == "s1"
    assert [number for number, _ in problems] == [1, 3]
    assert list(transcript.read([])) == []
    (alone,) = transcript.read([json.dumps(row("assistant", [text("Hello.")], "m"))])
    assert alone["turns"] == [{"prompt": "", "events": [{"type": "finish", "parts": ["Hello."]}]}]


@pytest.mark.parametrize(
    "odd", [{}, {"type": "user"}, {"type": "assistant", "message": 7}, {"type": "user", "message": {}}]
)
def test_lines_of_unexpected_shape_are_harmless(odd: dict[str, Any]) -> None:
    """What is not there is empty."""
    assert len(turns(row("user", "Hello?"), odd)) == 1


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('{"type":"queue-operation","sessionId":"x"}\n', True),
        ('garbage\n{"type":"user","sessionId":"x"}', True),
        ('{"schema":"gate-transcript/1","id":"x"}', False),
        ("", False),
        ("[" * 99_999, False),
    ],
)
def test_the_format_is_recognised(head: str, found: bool) -> None:
    """By the keys every line has."""
    assert transcript.detects(head) is found


def test_the_reader_is_registered() -> None:
    """`gate replay` finds it by its entry point."""
    (point,) = entry_points(group="gate_core.transcripts", name=transcript.NAME)
    assert point.load() is transcript


def test_a_real_session_read_afterwards_gives_the_facts_the_hooks_saw(play: Play, tmp_path: Path) -> None:
    """Outcomes and effects of every call are the same, and so are the verdicts."""
    path = tmp_path / "work" / "app.cfg"
    path.parent.mkdir()
    path.write_text("name = app\ntimeout = 5\n")
    gate = GateHooks(config=GateConfig(policy=Policy.STRICT))
    arguments = {"file_path": str(path), "old_string": "timeout = 5", "new_string": "timeout = 30"}
    mixed = [
        tool_block("Read", {"file_path": str(path)}, call_id="toolu_read"),
        tool_block("Edit", {**arguments, "old_string": "nowhere"}, call_id="toolu_refused"),
        tool_block("Bash", {"command": "exit 3", "description": "x"}, call_id="toolu_three"),
        tool_block("Bash", {"command": "grep zzz app.cfg", "description": "x"}, call_id="toolu_grep"),
        tool_block("Write", {"file_path": "/outside.txt", "content": "x"}, call_id="toolu_denied"),
        tool_block("Nonsense", {}, call_id="toolu_unknown"),
    ]
    edit = [tool_block("Edit", arguments, call_id="toolu_edit")]
    back = [tool_block("Read", {"file_path": str(path)}, call_id="toolu_back")]
    claim = [text_block(CLAIM)]
    responses = [mixed, edit, claim, back, claim]
    asyncio.run(play({"allowed_tools": ["Bash"]}, responses, [PROMPT], gate=gate))
    (file,) = (tmp_path / "home-work" / ".claude" / "projects").rglob("*.jsonl")
    with file.open(encoding="utf-8") as lines:
        (found,) = transcript.read(lines, lambda number, what: pytest.fail(f"{number}: {what}"))
    played = replay({**found, "gate": {"policy": "strict"}})

    def seen(facts: Any) -> dict[str, Any]:
        return {fact.call: (fact.step, fact.outcome, fact.note, fact.effects) for fact in facts.values() if fact.call}

    assert seen(played.gate.state.facts) == seen(gate.state.facts)
    assert [v.codes for v in played.gate.verdicts] == [v.codes for v in gate.verdicts]
