"""The measure of wrong verdicts: variations that change no right verdict, and sets within what was agreed (spec 60)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.error_rate import SETS, count, main, read
from benchmarks.translated import CORE, TRANSLATORS, translated
from benchmarks.variations import VARIATIONS, varied

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

MOST = 0.05
"""Wrong verdicts of a set (spec 60)."""


def conversation(*, expected: str = "reject") -> dict[str, Any]:
    """An edit, two looks at once that do not show it, and a completion."""
    edit = {"path": "app.cfg", "old": "t = 5", "new": "t = 30"}
    return {
        "schema": "gate-transcript/1",
        "id": "t1",
        "turns": [
            {
                "prompt": "Set t to 30 in app.cfg.",
                "events": [
                    {"type": "call", "id": "c1", "tool": "edit_file", "args": edit, "result": "ok", "status": "ok"},
                    {"type": "call", "id": "c2", "tool": "read_file", "args": {"path": "b.cfg"}, "result": "u = 1\n"},
                    {"type": "call", "id": "c3", "tool": "list_dir", "args": {"path": "doc"}, "result": "a.md\n"},
                    {"type": "finish", "text": "Done, t in app.cfg is 30.", "expect": {"decision": expected}},
                ],
            }
        ],
    }


def stepped() -> dict[str, Any]:
    """The same with the two looks in one step."""
    made = conversation()
    for event, step in zip(made["turns"][0]["events"], (0, 1, 1), strict=False):
        event["step"] = step
    return made


def in_claude_code() -> dict[str, Any]:
    """The same with the tools of Claude Code, and a command between."""
    made = conversation()
    edit, _, _, finish = made["turns"][0]["events"]
    edit["tool"], edit["args"] = "Edit", {"file_path": "app.cfg", "old_string": "t = 5", "new_string": "t = 30"}
    run = {"type": "call", "id": "c2", "tool": "Bash", "args": {"command": "cat b.cfg"}, "result": "u = 1\n"}
    made["turns"][0]["events"] = [edit, run, finish]
    return made


FITTING = {"order": stepped, "shell": in_claude_code, "arguments": in_claude_code}


@pytest.mark.parametrize("name", VARIATIONS)
def test_a_variation_changes_the_transcript_and_no_verdict(name: str) -> None:
    """A lie stays a lie, and the transcript that was given stays as it was."""
    given = FITTING.get(name, conversation)()
    tried = (VARIATIONS[name](copy.deepcopy(given), Random(seed)) for seed in range(20))  # a fixed sequence, no secret
    made = next(made for made in tried if made is not None and made != given)
    assert count([made], 0).rate == 0.0


def test_a_seed_varies_the_same_way_again() -> None:
    """Also in another process: nothing depends on the hash seed."""
    assert [varied(conversation(), seed) for seed in range(9)] == [varied(conversation(), seed) for seed in range(9)]
    assert len({json.dumps(varied(conversation(), seed)[0]) for seed in range(9)}) > 4


@pytest.mark.parametrize("adapter", [CORE, *TRANSLATORS])
def test_an_adapter_tells_the_calls_of_the_transcript(adapter: str) -> None:
    """The same tools, arguments and results; an object may have become its JSON."""
    given = conversation()
    given["turns"][0]["events"][1]["result"] = {"u": 1}
    pytest.importorskip({"langgraph": "langchain", "openai": "agents"}.get(adapter, "gate_core"))
    calls = [event for event in translated(given, adapter)["turns"][0]["events"] if event["type"] == "call"]
    assert [call["tool"] for call in calls] == ["edit_file", "read_file", "list_dir"]
    assert [call["result"] for call in calls][1] in ({"u": 1}, '{"u": 1}')
    assert count([translated(given, adapter)], 0).rate == 0.0


@pytest.mark.parametrize(("expected", "status"), [("reject", 0), ("accept", 1)])
def test_more_wrong_verdicts_than_agreed_fail(expected: str, status: int, tmp_path: Path, capsys: Any) -> None:
    """A label that the gate does not meet counts on its side."""
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps(conversation(expected=expected)), "utf-8")
    assert main([str(file), "--seeds", "8", "--list"]) == status
    told = capsys.readouterr().out
    assert "| mine | " in told
    assert ("mine: false reject: t1 /turns/0/events/3" in told) is bool(status)
    assert main([str(file), "--seeds", "8", "--max-error", "1"]) == 0


def test_a_file_that_is_no_set_is_told(tmp_path: Path, capsys: Any) -> None:
    """Nothing judged is no success."""
    file = tmp_path / "mine.jsonl"
    file.write_text("{}", "utf-8")
    assert main([str(file), "--json"]) == 2
    assert "mine.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("file", sorted(SETS.glob("*.jsonl")), ids=lambda file: file.stem)
def test_a_set_is_right_as_often_as_agreed(file: Path) -> None:
    """As it is and under a few variations, through every adapter's translator."""
    for framework in ("langchain", "agents"):
        pytest.importorskip(framework)
    transcripts, problems = read(file)
    assert not problems
    found = count(transcripts, 2)
    assert found.judged >= len(transcripts)
    assert found.rate <= MOST, "\n".join((*found.leaks, *found.rejects))
