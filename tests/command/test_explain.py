"""`gate explain` and `gate tools`: what happened in a conversation, and what the gate knows of its tools."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from gate_core.cli import main
from gate_core.model.config import parse_config

PATH = {"path": "a.cfg"}
EDIT = {**PATH, "old": "t = 5", "new": "t = 30"}
EVENTS: list[dict[str, Any]] = [
    {"type": "call", "id": "c1", "tool": "shell", "args": {"command": "pytest -q"}, "result": "12 passed in 0.4s"},
    {
        "type": "call",
        "id": "c2",
        "tool": "edit_file",
        "args": {**PATH, "old": "t = 5", "new": "t = 30"},
        "result": "ok",
    },
    {"type": "call", "id": "c3", "tool": "read_file", "args": PATH, "result": "t = 5\nlimit = 4471\n"},
    {"type": "call", "id": "c4", "tool": "read_file", "args": PATH, "result": "t = 30\nlimit = 4471\n"},
    {"type": "finish", "text": "Done, t in a.cfg is 30, the limit 4471, the port 8099."},
]
CASE: dict[str, Any] = {
    "schema": "gate-transcript/1",
    "id": "one",
    "title": "A run, a change, two looks.",
    "turns": [{"prompt": "Set t to 30 in a.cfg.", "events": EVENTS}],
}


def put(folder: Path, *rows: object, name: str = "a.jsonl") -> str:
    """A JSON Lines file."""
    (folder / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return str(folder / name)


def entries(argv: list[str], capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """The lines of each event of the first turn, whose last one is the answer."""
    assert main(["explain", "--json", *argv]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["turns"][0]["entries"][-1]["answer"] == EVENTS[-1]["text"]
    assert [entry["event"] for entry in told["turns"][0]["entries"]] == [event["type"] for event in EVENTS]
    return [entry["lines"] for entry in told["turns"][0]["entries"]]


def test_a_timeline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Effects, debts opened and settled, signals raised and dropped, values with their source, findings."""
    run, edit, first, second, finish = entries([put(tmp_path, CASE)], capsys)
    assert run[1:] == ["signal tests_passed: passed (12)"]
    assert edit == [
        "1.1 c2 edit_file: ok; changed a.cfg [files]",
        "owes: a.cfg",
        "signal tests_passed: dropped by a later change",
    ]
    assert first[1:] == ["looked at a.cfg, and the new text was not to be seen"]
    assert second[1:] == ["settled: a.cfg, by read"]
    assert [line for line in finish if line.startswith("value ")] == [
        "value a.cfg: read",
        "value 4471: read in c3 line 2, c4 line 2",
        "value 8099: unsupported  value-unsupported",
    ]
    assert any(line.startswith("ACCEPT DELIVER (verified); claim completion by step ") for line in finish)
    assert any(line.startswith("warn value-unsupported 8099: ") for line in finish)


def test_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A heading per turn, an event per line; several conversations one after the other, or those that were chosen."""
    file = put(tmp_path, CASE, {**CASE, "id": "two"})
    assert main(["explain", file]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[:3] == ["one: A run, a change, two looks.", "", "turn 1  user: Set t to 30 in a.cfg."]
    assert "\n  call       1.0 c1 shell: ok; " in out
    assert f"\n  finish     {EVENTS[-1]['text']}\n               value a.cfg: read\n" in out
    assert "\n\ntwo: A run, " in out
    assert main(["explain", file, "--id", "two"]) == 0
    assert capsys.readouterr().out.startswith("two: ")


def test_what_cannot_be_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, and why."""
    file = put(tmp_path, CASE)
    assert main(["explain", file, "--id", "none"]) == 2
    assert "no such conversation" in capsys.readouterr().err
    assert main(["explain", file, str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl:1: cannot be read: No such file or directory" in capsys.readouterr().err
    assert main(["explain", file, "--config", str(tmp_path / "gate.toml")]) == 2
    assert "gate.toml: cannot be read" in capsys.readouterr().err


def called(*tools: tuple[str, dict[str, Any]], **top: object) -> dict[str, Any]:
    """A conversation that calls these tools."""
    events = [{"type": "call", "tool": tool, "args": args} for tool, args in tools]
    return {"schema": "gate-transcript/1", "id": "t", "turns": [{"prompt": "", "events": events}], **top}


def test_tools_and_how_they_are_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those nobody knows come first, and exit 1 says that there are some."""
    own = {"profiles": {"crm": {"effect": "read", "targets": "ticket:{id}"}}}
    tools: list[tuple[str, dict[str, Any]]] = [
        ("read_file", PATH),
        ("read_file", {**PATH, "limit": 3}),
        ("crm", {"id": 7}),
        ("update_order", {"order_id": 7, "note": "x"}),
        ("zork", {"thing name": "lamp"}),
    ]
    assert main(["tools", "--json", put(tmp_path, called(*tools, gate=own))]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["tool"], row["calls"], row["effect"], row["known_by"]) for row in rows] == [
        ("zork", 1, "unknown", ""),
        ("read_file", 2, "read", "catalog"),
        ("crm", 1, "read", "user"),
        ("update_order", 1, "change", "verb"),
    ]
    assert rows[1]["arguments"] == ["path", "limit"]
    stubs = tomllib.loads("\n".join(row["stub"] for row in rows if "stub" in row))
    profiles = parse_config(stubs).profiles
    assert {name: (profile.effect.value, profile.targets) for name, profile in profiles.items()} == {
        "zork": ("unknown", ()),
        "update_order": ("change", ("{order_id}",)),
    }


@pytest.mark.parametrize("tool", ["do.it", "tür", 'a"b', "x y", "mcp__crm__zork"])
def test_a_stub_is_toml_whatever_the_name(tool: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the tool is known once it stands in a configuration."""
    file = put(tmp_path, called((tool, {'odd "key"\n': 1, "the_id": 2})))
    main(["tools", "--json", file])
    row = json.loads(capsys.readouterr().out)
    config = tmp_path / "gate.toml"
    config.write_text(row.get("stub", ""), "utf-8")
    assert main(["tools", "--json", "--config", str(config), file]) == 0
    assert json.loads(capsys.readouterr().out)["known_by"] == "user"


def test_tools_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table, and below it what to put into the configuration."""
    assert main(["tools", put(tmp_path, called(("zork", {"id": 1})))]) == 1
    out = capsys.readouterr().out
    assert "NOT KNOWN" in out
    assert "[profiles.zork]" in out
    assert main(["tools", put(tmp_path, called(("read_file", PATH)))]) == 0
    assert "[profiles" not in capsys.readouterr().out
    assert main(["tools", put(tmp_path, called())]) == 2
