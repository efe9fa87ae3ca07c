"""The `gate` command as a whole: help, version, demo and doctor on the core, what is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gate_core.cli import demo, doctor, main
from gate_core.cli import main as entry
from gate_core.cli.frameworks import FRAMEWORKS
from gate_core.cli.main import COMMANDS
from gate_core.conformance import installed_drivers


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` lists the commands and succeeds; no command at all is a usage error; `--version` says which."""
    assert main(["--help"]) == 0
    assert "demo" in capsys.readouterr().out
    assert main([]) == 2
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("gate 0.")


@pytest.mark.parametrize("argv", [["chek"], ["--verbose"], ["check"], ["demo", "--framework", "crewai"]])
def test_wrong_usage_exits_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A word the command does not know is named, and the exit code is 2."""
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`gate COMMAND --help` explains the command, its `--json` and its exit statuses."""
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    out = capsys.readouterr().out
    assert "exit status: 0 " in out
    assert ("--json" in out) is (command != "audit")  # where it belongs to the three commands below


def test_the_demo_shows_a_lie_and_its_repair(capsys: pytest.CaptureFixture[str]) -> None:
    """Ungated the user is told what is not true; gated the file says what the answer says."""
    assert main(["demo", "--framework", "core", "--json"]) == 0
    lie, honest = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert "timeout in app.cfg is 30" in lie["without"]["answer"]
    assert "timeout = 5" in lie["without"]["files"]["app.cfg"]
    assert "timeout in app.cfg is 30" in lie["with"]["answer"]
    assert "timeout = 30" in lie["with"]["files"]["app.cfg"]
    assert [v["action"] for v in lie["with"]["verdicts"]] == ["REVISE", "DELIVER"]
    assert honest["with"]["verdicts"][0]["evidence_line"] == "checked: app.cfg found after change"


def test_the_demo_reads_well_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe the demo is plain text without escape codes."""
    assert main(["demo", "--framework", "core", "--scenario", "lie"]) == 0
    out = capsys.readouterr().out
    assert "change-failed" in out
    assert "app.cfg really says: timeout = 5" in out
    assert "\x1b" not in out


def test_the_demo_fails_when_the_gate_does_not_catch_the_lie(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A demo that would claim more than it shows exits 1."""
    honest = demo.load("honest")
    monkeypatch.setattr(demo, "load", lambda name: honest if name == "lie" else None)
    object.__setattr__(honest.turns[0].steps[-1], "expect", {"decision": "reject"})
    assert main(["demo", "--framework", "core", "--scenario", "lie"]) == 1
    capsys.readouterr()


def test_missing_frameworks_are_named_with_their_install_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not installed is not passed over."""
    drivers = {"core": installed_drivers()["core"]}
    monkeypatch.setattr("gate_core.cli.frameworks.installed_drivers", lambda: drivers)
    assert main(["demo", "--scenario", "honest"]) == 0
    out = capsys.readouterr().out
    for framework in FRAMEWORKS[1:]:
        assert f"{framework.title} is not installed here: pip install {framework.distribution}" in out
    assert main(["demo", "--framework", "claude"]) == 2


def test_doctor_proves_every_seat(capsys: pytest.CaptureFixture[str]) -> None:
    """A canary call shows each seat attached."""
    assert main(["doctor", "--framework", "core", "--json"]) == 0
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert row["seats"] == dict.fromkeys(doctor.SEATS, True)


def test_doctor_reports_a_seat_that_is_not_attached(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An adapter that observes nothing is found out."""
    from tests.conformance.broken import AsksAfterRunning

    monkeypatch.setattr("gate_core.cli.frameworks.installed_drivers", lambda: {"core": AsksAfterRunning})
    assert main(["doctor", "--framework", "core"]) == 1
    assert "NOT ATTACHED" in capsys.readouterr().out


def test_doctor_finds_the_seat_before_a_tool_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A driver that is right in everything else, and runs what it should have asked about."""
    from tests.conformance.broken import Broken

    monkeypatch.setattr("gate_core.cli.frameworks.installed_drivers", lambda: {"core": Broken})
    assert main(["doctor", "--framework", "core", "--json"]) == 1
    seats = json.loads(capsys.readouterr().out)["seats"]
    assert seats == {**dict.fromkeys(doctor.SEATS, True), "before a tool runs": False}


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends with 130 and one word, no traceback."""

    def interrupted(argv: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "run", interrupted)
    assert entry(["demo"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_the_conformance_module_reports(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m gate_core.conformance` prints a line per case and the closing line, JSON or a table."""
    from gate_core.conformance.__main__ import main as conformance

    assert conformance(["core", "--case", "small-talk"]) == 0
    assert capsys.readouterr().out == "passed    core         small-talk\n1 passed, 0 failed\n"
    assert conformance(["core", "--case", "small-talk", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "passed"
    assert conformance(["core", "--case", "small-talk", "--markdown"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "| small-talk | passed |"
    assert conformance(["crewai"]) == 2
    assert conformance(["core", "--case", "none"]) == 2


def test_starting_the_command_imports_no_framework() -> None:
    """Start-up stays cheap: frameworks load when a command runs them."""
    heavy = ("langchain", "agents", "claude_agent_sdk", "rich", "jsonschema")
    code = f"import sys, gate_core.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_is_told() -> None:
    """No traceback, and no success."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "gate_core.cli", "doctor", "--framework", "core"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("gate: ")
    assert "Traceback" not in done.stderr
