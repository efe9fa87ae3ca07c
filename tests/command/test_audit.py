"""`gate audit`: verify, show and replay, as a user runs them (spec 40, spec 70)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, ToolCall
from gate_core.admission.units import StateWrite
from gate_core.audit import FileWriter
from gate_core.cli import main

KEYS = [
    "v", "seq", "prev", "timestamp", "audit_id", "conversation_id", "attempt_of", "kind", "unit", "evidence", "config",
    "findings", "verdict", "counts", "retry_attempts", "metadata", "hash",
]  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of one refused action, one refused write, one refused answer and one admitted action."""
    path = tmp_path / "audit.jsonl"
    config = GateConfig(layers={"actions": "block", "writes": "block"}, audit=str(path))  # type: ignore[dict-item]
    gate = Gate(config)
    gate.begin_turn("Set the timeout in app.cfg to 30.")
    gate.admit(ToolCall(tool="write_file", args={"path": "/etc/hosts", "content": "x"}))
    gate.admit_write(StateWrite(subject="user-1", key="brand", value="Oatly"))
    gate.boundary_check(Attempt(parts=("Done, the timeout in app.cfg is 30.",)))
    gate.admit(ToolCall(tool="read_file", args={"path": "app.cfg"}))
    return path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """(exit code, output, errors) of the command."""
    code = main(["audit", *args])
    told = capsys.readouterr()
    return code, told.out, told.err


def rows(text: str) -> list[dict[str, Any]]:
    """JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


def test_a_whole_log_exits_0(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its number of records and its head."""
    code, out, _ = run(capsys, "verify", str(log))
    assert (code, out.startswith("whole: 4 records, head 4 ")) == (0, True)
    code, out, _ = run(capsys, "verify", "--json", str(log))
    assert (code, json.loads(out)["whole"], json.loads(out)["records"]) == (0, True, 4)


def test_an_edited_log_exits_1(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With file, line and kind of each damage."""
    log.write_text(log.read_text("utf-8").replace("REJECT", "ACCEPT", 1), "utf-8")
    code, out, _ = run(capsys, "verify", str(log))
    assert code == 1
    assert f"{log}:1: edited: " in out
    assert "damaged: 4 records" in out


def test_a_cut_log_is_found_by_a_saved_head(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Saved by one run, held against by the next."""
    head = tmp_path / "head.json"
    assert run(capsys, "verify", str(log), "--save-head", str(head))[0] == 0
    kept = json.loads(head.read_text())["hash"]
    assert run(capsys, "verify", str(log), "--head", str(head))[0] == 0
    assert run(capsys, "verify", str(log), "--expect-head", kept)[0] == 0
    log.write_text("".join(log.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")
    assert run(capsys, "verify", str(log))[0] == 0
    for option in (["--head", str(head)], ["--expect-head", kept]):
        code, out, _ = run(capsys, "verify", str(log), *option)
        assert (code, "cut" in out) == (1, True)


def test_what_cannot_be_judged_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No file, no head, another version."""
    code, _, err = run(capsys, "verify", str(tmp_path / "none.jsonl"))
    assert (code, "No such file" in err) == (2, True)
    other = tmp_path / "other.jsonl"
    other.write_text('{"v":2}\n')
    assert run(capsys, "verify", str(other))[0] == 2
    code, _, err = run(capsys, "verify", "--head", str(other), str(other))
    assert (code, "no head" in err) == (2, True)


def test_many_damages_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty are told."""
    log = tmp_path / "audit.jsonl"
    log.write_text("x\n" * 25)
    code, out, _ = run(capsys, "verify", str(log))
    assert (code, out.count("unreadable"), "... and 5 more" in out) == (1, 20, True)


def test_show_tells_a_record_a_line(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Number, time, kind, verdict, what it was about, codes."""
    code, out, _ = run(capsys, "show", str(log))
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("1  ")
    assert lines[0].endswith("action  REJECT  write_file  intent-not-established")
    assert lines[1].endswith("write  REJECT  brand  inferred-not-stated")
    assert run(capsys, "show", str(log), "--last", "1")[1].splitlines() == lines[3:]
    assert run(capsys, "show", str(log), "--kind", "write")[1].splitlines() == lines[1:2]
    found = rows(run(capsys, "show", "--json", str(log))[1])
    assert [row["kind"] for row in found] == ["action", "write", "boundary", "action"]


def test_a_record_holds_no_contents(log: Path) -> None:
    """Unless the host asks for them: digests stand for arguments, values and answers."""
    text = log.read_text("utf-8")
    assert "Oatly" not in text
    assert "timeout" not in text
    assert list(json.loads(text.splitlines()[0])) == KEYS


def test_replay_prints_what_would_differ(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under dials that are not those of the log."""
    config = tmp_path / "new.toml"
    config.write_text('[layers]\nactions = "warn"\nwrites = "block"\n')
    code, out, _ = run(capsys, "replay", str(log), "--config", str(config))
    assert code == 1
    assert out.splitlines()[-1] == "4 decisions, 1 would differ"
    assert out.startswith("1: action ")
    assert "REJECT -> ACCEPT [weighed]" in out
    found = rows(run(capsys, "replay", "--json", "--all", str(log), "--config", str(config))[1])
    assert [row["differs"] for row in found] == [True, False, False, False]
    config.write_text('[layers]\nactions = "block"\nwrites = "block"\n')
    assert run(capsys, "replay", str(log), "--config", str(config))[0] == 0


def test_replay_decides_again_where_the_contents_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A change settled by the tool's echo is settled under one configuration and not under the other."""
    log, config = tmp_path / "audit.jsonl", tmp_path / "pyproject.toml"
    gate = Gate(GateConfig(audit=str(log), audit_content=True, redact=lambda text: text.replace("secret", "***")))
    gate.begin_turn("Write secret to app.cfg.")
    gate.observe(ToolCall(tool="write_file", args={"path": "app.cfg", "content": "x"}, result="ok"))
    gate.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result="x"))
    gate.boundary_check(Attempt(parts=("Done, I wrote secret to app.cfg.",)))
    assert "secret" not in log.read_text("utf-8")
    config.write_text('[tool.gate]\nrequires = ["tests_passed"]\n')
    code, out, _ = run(capsys, "replay", str(log), "--config", str(config))
    assert code == 1
    assert "ACCEPT -> REJECT (signal-missing) [decided]" in out


def test_a_configuration_that_is_wrong_exits_2(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the file and what was expected."""
    config = tmp_path / "new.toml"
    for text, says in (("postur = 1\n", "did you mean 'posture'"), ("= 1", "new.toml"), ("", "")):
        config.write_text(text)
        code, _, err = run(capsys, "replay", str(log), "--config", str(config))
        assert code == (2 if text else 1 if code == 1 else 0)
        assert says in err
    code, _, err = run(capsys, "replay", str(log), "--config", str(tmp_path / "none.toml"))
    assert (code, "cannot be read" in err) == (2, True)


def test_records_of_later_versions_are_kept_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A code nobody knows weighs nothing; units are decided by policies, which are code."""
    log, config = tmp_path / "audit.jsonl", tmp_path / "c.toml"
    writer = FileWriter(log)
    writer.append({"kind": "units", "verdict": "REJECT"})
    writer.append({"kind": "action", "verdict": "ACCEPT", "findings": [{"code": "of-the-future", "severity": "block"}]})
    writer.append({"kind": "boundary", "verdict": "ACCEPT", "unit": {"claim": "song"}, "metadata": {"state": {}}})
    writer.append({"kind": "note"})
    config.write_text("")
    assert run(capsys, "replay", str(log), "--config", str(config))[:2] == (0, "3 decisions, 0 would differ\n")


def test_show_says_when_a_file_is_no_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A foreign file is refused; an empty log is a log."""
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text('{"x": 1}\n', "utf-8")
    code, out, err = run(capsys, "show", str(foreign))
    assert (code, out) == (2, "")
    assert "no record in it" in err
    foreign.write_text("", "utf-8")
    assert run(capsys, "show", str(foreign))[0] == 0
