"""`gate replay`: what the gate would have done in conversations of every format, and what is said of bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate_core import GateConfig, Layer, Strength
from gate_core.cli import main
from gate_core.cli.inputs import found_files
from gate_core.transcripts import Problem, Read, conversations, replay

EDIT = {"path": "a.cfg", "old": "t = 5", "new": "t = 30"}
NEUTRAL: dict[str, Any] = {
    "schema": "gate-transcript/1",
    "id": "lie",
    "turns": [
        {"prompt": "Set t to 30 in a.cfg.", "events": [{"type": "finish", "text": "Done, t in a.cfg is 30."}]},
        {
            "prompt": "Really?",
            "events": [
                {"type": "call", "id": "c1", "tool": "edit_file", "args": EDIT, "result": "ok"},
                {"type": "finish", "text": "Now t in a.cfg is 30."},
            ],
        },
    ],
}


def claude(kind: str, content: object, message: str = "", **more: object) -> dict[str, Any]:
    """A line of a session of Claude Code."""
    return {"type": kind, "sessionId": "s1", "message": {"id": message, "role": kind, "content": content}, **more}


CLAUDE = [
    claude("user", "What is in /w/a.cfg?"),
    claude("assistant", [{"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "/w/a.cfg"}}], "m1"),
    claude("user", [{"type": "tool_result", "tool_use_id": "c1", "content": "1\tt = 5"}]),
    claude("assistant", [{"type": "text", "text": "In /w/a.cfg t is 5."}], "m2"),
    claude("user", "Push it."),
    claude("assistant", [{"type": "text", "text": "Pushed to main."}], "m3"),
]
LANGCHAIN = [
    {"type": "human", "content": "Push it."},
    {"type": "ai", "content": "Pushed to main.", "tool_calls": [], "additional_kwargs": {}},
]
OPENAI = [
    {"role": "user", "content": "What is in a.cfg?"},
    {"type": "function_call", "name": "read_file", "arguments": '{"path": "a.cfg"}', "call_id": "c1"},
    {"type": "function_call_output", "call_id": "c1", "output": "t = 5"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "In a.cfg t is 5."}]},
]


def put(folder: Path, name: str, *rows: object) -> str:
    """A JSON Lines file."""
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)


def told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]], str]:
    """(exit status, rows as JSON, what was said beside)."""
    code = main(["replay", "--json", *argv])
    captured = capsys.readouterr()
    return code, [json.loads(line) for line in captured.out.splitlines()], captured.err


def outline(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """(conversation, turn, decision, codes) of every row but the totals."""
    return [(row["conversation"], row["turn"], row["decision"], *row["codes"]) for row in rows if "totals" not in row]


def test_a_row_per_attempt_and_the_totals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A lie is rejected, an edit that succeeded is taken as found, and the totals say so."""
    assert main(["replay", put(tmp_path, "a.jsonl", NEUTRAL)]) == 0
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "conversation turn event decision codes",
        "lie 1 finish reject no-change",
        "lie 2 finish accept",
        "",
        "1 conversation, 1 call, 2 attempts: 1 accepted, 1 rejected (50 %)",
        "blocking: no-change 1",
        "1 edit taken as found; --probes none lets it count as not looked at",
    ]


def test_without_assumed_looks_an_edit_owes_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--probes none`: nobody looked, so nobody knows."""
    code, rows, _ = told(["--probes", "none", put(tmp_path, "a.jsonl", NEUTRAL)], capsys)
    assert (code, outline(rows)) == (0, [("lie", 1, "REJECT", "no-change"), ("lie", 2, "REJECT", "change-unseen")])
    assert rows[-1]["totals"]["assumed_edits"] == 0


def test_an_edit_that_did_not_succeed_is_never_assumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what an ok call changed is taken to be there."""
    failed = json.loads(json.dumps(NEUTRAL))
    failed["turns"][1]["events"][0].update(status="error", result="timed out")
    _, rows, _ = told([put(tmp_path, "a.jsonl", failed)], capsys)
    assert [row["decision"] for row in rows[:2]] == ["REJECT", "REJECT"]


FORMATS: dict[str, tuple[list[Any], list[tuple[Any, ...]]]] = {
    "claude-code": (CLAUDE, [("s1", 1, "ACCEPT"), ("s1", 2, "REJECT", "statement-unbacked", "no-change")]),
    "langchain": ([LANGCHAIN], [("thread-1", 1, "REJECT", "statement-unbacked", "no-change")]),
    "openai": (OPENAI, [("history-1", 1, "ACCEPT")]),
    "gate": ([NEUTRAL], [("lie", 1, "REJECT", "no-change"), ("lie", 2, "ACCEPT")]),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("named", [False, True])
def test_the_format_is_found_by_itself(
    name: str, named: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or named with `--from`."""
    lines, expected = FORMATS[name]
    file = put(tmp_path, "some.jsonl", *lines)
    code, rows, said = told([*(["--from", name] if named else []), file], capsys)
    assert (code, said) == (0, "")
    assert [(*row[:3], *sorted(row[3:])) for row in outline(rows)] == [(*e[:3], *sorted(e[3:])) for e in expected]


def test_a_folder_is_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several files: rows say of which; what is no transcript is counted, and no error."""
    (tmp_path / "deep").mkdir()
    put(tmp_path / "deep", "s1.jsonl", *CLAUDE)
    put(tmp_path, "chat.json", LANGCHAIN)
    put(tmp_path, "package.json", {"name": "x"})
    put(tmp_path, "empty.jsonl")
    put(tmp_path, "notes.txt", "Hello.")
    assert main(["replay", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()[:4]] == ["conversation", "chat/thread-1", "s1", "s1"]
    assert "2 conversations, 1 call, 3 attempts: 1 accepted, 2 rejected (67 %)" in out
    assert "2 files of no known format" in out


def test_a_session_brings_its_sub_agents_along(tmp_path: Path) -> None:
    """Their files are no conversations of their own where the session is there."""
    (tmp_path / "s1" / "subagents").mkdir(parents=True)
    put(tmp_path, "s1.jsonl", *CLAUDE)
    part = {**CLAUDE[1], "isSidechain": True, "agentId": "a1"}
    put(tmp_path / "s1" / "subagents", "agent-a1.jsonl", part)
    assert [item.path.name for item in found_files([str(tmp_path)], None)] == ["s1.jsonl"]
    (tmp_path / "s1.jsonl").unlink()
    assert [item.path.name for item in found_files([str(tmp_path)], None)] == ["agent-a1.jsonl"]


def test_a_configuration_takes_the_place_of_the_own_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--config` decides for every conversation, and a wrong one is named with its line."""
    (tmp_path / "gate.toml").write_text('posture = "assist"\n', "utf-8")
    file = put(tmp_path, "a.jsonl", {**NEUTRAL, "gate": {"policy": "strict"}})
    _, rows, _ = told([file], capsys)
    assert [row["decision"] for row in rows[:2]] == ["REJECT", "REJECT"]
    _, rows, _ = told(["--config", str(tmp_path / "gate.toml"), file], capsys)
    assert [row["decision"] for row in rows[:2]] == ["ACCEPT", "ACCEPT"]
    (tmp_path / "gate.toml").write_text('# mine\npostur = "assist"\n', "utf-8")
    assert main(["replay", "--config", str(tmp_path / "gate.toml"), file]) == 2
    assert "gate.toml:2: unknown configuration key 'postur'; did you mean 'posture'?" in capsys.readouterr().err


def test_lines_that_cannot_be_read_are_told_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1: the others were replayed."""
    file = put(tmp_path, "s1.jsonl", *CLAUDE[:4], '{"type": "assis', *CLAUDE[4:])
    code, rows, said = told([file], capsys)
    assert (code, len(rows)) == (1, 3)
    assert said.startswith(f"skipped: {file}:5: expected JSON: ")
    assert rows[-1]["totals"]["skipped_lines"] == 1


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: None, "cannot be read: No such file or directory"),
    "empty": (lambda path: path.write_text(""), "the file is empty"),
    "prose": (lambda path: path.write_text("Hello."), "no known format (known here: gate, "),
    "binary": (lambda path: path.write_bytes(b"\x00\xff\xfe" * 99), "no known format"),
    "too deep": (lambda path: path.write_text("[" * 99_999), "no known format"),
    "an empty folder": (lambda path: path.mkdir(), "no *.jsonl or *.json in this folder"),
    "another version": (lambda path: path.write_text('{"schema": "gate-transcript/9"}'), "expected the keys"),
    "broken": (lambda path: path.write_text('{"schema": "gate-transcript/1"\n'), ":1: /: expected JSON: "),
    "not UTF-8": (
        lambda path: path.write_bytes(b'{"schema": "gate-transcript/1", "id": "\xff"}\n'),
        ":1: /: expected UTF-8 text",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_exits_2(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Named with the file and what is wrong; the other files are still replayed."""
    make, says = BAD[name]
    make(tmp_path / "x.jsonl")
    code, rows, said = told([str(tmp_path / "x.jsonl"), put(tmp_path, "a.jsonl", NEUTRAL)], capsys)
    assert code == 2
    assert said.startswith(f"invalid: {tmp_path / 'x.jsonl'}:")
    assert says in said
    assert rows[-1]["totals"]["attempts"] == 2


def test_several_processes_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--jobs` changes how long it takes, not what is said nor in which order."""
    for name in ("a", "b", "c"):
        put(tmp_path, f"{name}.jsonl", {**NEUTRAL, "id": name})
    put(tmp_path, "d.jsonl", *CLAUDE[:2], "{", *CLAUDE[2:])
    assert main(["replay", str(tmp_path)]) == 1
    alone = capsys.readouterr()
    assert main(["replay", "--jobs", "2", str(tmp_path)]) == 1
    assert capsys.readouterr() == alone


def test_one_conversation_at_a_time(tmp_path: Path) -> None:
    """What lies behind the first conversation of a file is not read before it was played."""
    file = tmp_path / "a.jsonl"
    put(tmp_path, "a.jsonl", NEUTRAL, NEUTRAL)
    items = conversations(file, "gate")
    first = next(items)
    assert isinstance(first, Read)
    assert len(replay(first).rows) == 2
    with file.open("a") as more:  # a line written meanwhile is still seen
        more.write("\n{}\n")
    assert [type(item) for item in items] == [Read, Problem]


def test_python_may_replay_too(tmp_path: Path) -> None:
    """With a configuration of its own."""
    (item,) = conversations(Path(put(tmp_path, "a.jsonl", NEUTRAL)), "gate")
    assert isinstance(item, Read)
    done = replay(item, GateConfig(layers={Layer.FLOOR: Strength.OFF}))
    assert [row.verdict.accepted for row in done.rows] == [True, True]
    assert done.calls == 1
