"""`gate check`: what it prints, how it exits, and what it says of files that are no transcripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate_core.cli import main

GOOD: dict[str, Any] = {
    "schema": "gate-transcript/1",
    "id": "good",
    "tags": ["floor"],
    "turns": [
        {
            "prompt": "Set t to 30 in a.cfg.",
            "events": [
                {"type": "call", "id": "c1", "tool": "edit_file", "args": {"path": "a.cfg", "old": "5", "new": "30"}},
                {"type": "finish", "text": "Done.", "expect": {"decision": "reject", "codes": ["change-unseen"]}},
            ],
        }
    ],
}


def changed(change: Callable[[Any], object], **top: object) -> dict[str, Any]:
    """A copy of the good transcript with one thing changed."""
    copy: dict[str, Any] = json.loads(json.dumps({**GOOD, **top}))
    change(copy)
    return copy


WRONG = changed(lambda t: t["turns"][0]["events"][1].update(expect={"decision": "accept"}), id="wrong")


def put(folder: Path, name: str, *rows: object) -> str:
    """A JSON Lines file."""
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)


def test_all_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0, and the closing line alone."""
    assert main(["check", put(tmp_path, "a.jsonl", GOOD)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_one_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1, with case, pointer, what was expected and what came."""
    assert main(["check", put(tmp_path, "a.jsonl", GOOD, WRONG)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out == ["failed: wrong /turns/0/events/1: decision: expected accept, got reject", "1 passed, 1 failed"]


def test_an_array_and_a_single_object_are_files_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`.json` holds one transcript, over several lines if it likes, or an array of them."""
    (tmp_path / "one.json").write_text(json.dumps(GOOD, indent=2), "utf-8")
    (tmp_path / "two.json").write_text(json.dumps([GOOD, GOOD], indent=2), "utf-8")
    assert main(["check", str(tmp_path / "one.json"), str(tmp_path / "two.json")]) == 0
    assert capsys.readouterr().out == "3 passed, 0 failed\n"


MALFORMED = {
    "not JSON": ('{"schema": ', ":2: /: expected JSON: "),
    "not an object": ("[1]", ":2: /: expected object, got [1]"),
    "another schema": (
        changed(lambda t: t.update(schema="x/2")),
        ":2: /schema: expected 'gate-transcript/1', got 'x/2'",
    ),
    "no turns": (changed(lambda t: t.pop("turns")), ":2: /: expected the keys schema, id, turns"),
    "turns no list": (changed(lambda t: t.update(turns={})), ":2: /turns: expected array, got {}"),
    "unknown key": (changed(lambda t: t.update(turn=[])), ":2: /: unknown key 'turn'; expected one of "),
    "unknown event": (
        changed(lambda t: t["turns"][0]["events"][0].update(type="cal")),
        ":2: /turns/0/events/0/type: expected one of call, ",
    ),
    "call without arguments": (
        changed(lambda t: t["turns"][0]["events"][0].pop("args")),
        ":2: /turns/0/events/0: expected the keys tool, args; ",
    ),
    "wrong status": (
        changed(lambda t: t["turns"][0]["events"][0].update(status="fine")),
        ":2: /turns/0/events/0/status: expected one of ok, error, denied, not_executed, pending, got 'fine'",
    ),
    "wrong decision": (
        changed(lambda t: t["turns"][0]["events"][1].update(expect={"decision": "maybe"})),
        ":2: /turns/0/events/1/expect/decision: expected one of accept, reject, got 'maybe'",
    ),
    "unknown configuration key": (
        changed(lambda t: t.update(gate={"max_block": 1})),
        ":2: /gate/max_block: unknown configuration key 'max_block'; did you mean 'max_blocks'?",
    ),
    "wrong configuration value": (
        changed(lambda t: t.update(gate={"posture": "gard"})),
        ":2: /gate/posture: posture must be one of assist, guard, rails, got 'gard'; did you mean 'guard'?",
    ),
    "unknown profile key": (
        changed(lambda t: t.update(gate={"profiles": {"x": {"effekt": "read"}}})),
        ":2: /gate: unknown key of profile 'x': 'effekt'; did you mean 'effect'?",
    ),
    "finish without text": (
        changed(lambda t: t["turns"][0]["events"][1].pop("text")),
        ":2: /turns/0/events/1: expected one of the keys text, parts, output, units",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_transcript(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, naming file, line, pointer and what was expected; the other cases and files still run."""
    row, says = MALFORMED[name]
    bad = put(tmp_path, "bad.jsonl", GOOD, row, GOOD)
    assert main(["check", bad, put(tmp_path, "other.jsonl", GOOD)]) == 2
    told = capsys.readouterr()
    assert f"invalid: {bad}{says}" in told.err
    assert told.out == "3 passed, 0 failed\n"


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2; the other files still run."""
    assert main(["check", str(tmp_path / "none.jsonl"), put(tmp_path, "a.jsonl", GOOD)]) == 2
    told = capsys.readouterr()
    assert "cannot be read: No such file or directory" in told.err
    assert told.out == "1 passed, 0 failed\n"


def test_nothing_selected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A selection that runs nothing is no success."""
    assert main(["check", put(tmp_path, "a.jsonl", GOOD), "--id", "absent"]) == 2
    assert "no case selected" in capsys.readouterr().err


def test_an_empty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was checked, so nothing is right."""
    assert main(["check", put(tmp_path, "a.jsonl")]) == 2
    assert "no transcript in these files" in capsys.readouterr().err


def test_selection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--id` and `--tag` choose cases."""
    file = put(tmp_path, "a.jsonl", GOOD, changed(lambda t: t.update(tags=["x"]), id="second"))
    assert main(["check", file, "--tag", "x"]) == 0
    assert main(["check", file, "--id", "good"]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n" * 2


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one object per case with its verdicts."""
    assert main(["check", put(tmp_path, "a.jsonl", WRONG), "--json"]) == 1
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (row["id"], row["holds"], row["line"]) == ("wrong", False, 1)
    assert row["verdicts"][0]["unmet"] == ["decision: expected accept, got reject"]
    assert row["verdicts"][0]["verdict"]["findings"][0]["code"] == "change-unseen"


def test_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--explain` shows the ledger, the debts and every finding of one case."""
    assert main(["check", put(tmp_path, "a.jsonl", GOOD), "--explain", "good"]) == 0
    out = capsys.readouterr().out
    assert "1.0 c1 edit_file: ok; changed a.cfg [files]" in out
    assert "a.cfg since 1.0: open" in out
    assert "block change-unseen a.cfg: a.cfg was changed and not looked at since" in out


def test_actions_and_writes_are_decided_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With their own seats, and an expectation that is not met is told; a check leaves no log behind."""
    events = [
        {"type": "confirm", "tool": "pay", "args": {}},
        {"type": "proposed", "tool": "pay", "args": {}, "expect": {"decision": "accept"}},
        {"type": "write", "subject": "user-1", "key": "diet", "value": "vegan", "expect": {"decision": "accept"}},
    ]
    dials = {"actions": "enforce", "state_writes": "enforce"}
    row = changed(lambda t: t["turns"][0].update(events=events, prompt="Please pay. I am vegan."), gate=dials)
    assert main(["check", put(tmp_path, "a.jsonl", row)]) == 0
    row = changed(lambda t: t["turns"][0].update(events=events[2:], prompt="I am not vegan."), gate=dials)
    assert main(["check", put(tmp_path, "b.jsonl", row)]) == 1
    assert "decision: expected accept, got reject" in capsys.readouterr().out


def test_a_transcript_that_expects_nothing_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is played and counted apart."""
    bare = changed(lambda t: t["turns"][0]["events"][1].pop("expect"), id="bare")
    assert main(["check", put(tmp_path, "a.jsonl", GOOD, bare)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed, 1 without an expectation\n"
