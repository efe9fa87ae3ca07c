"""The examples of admission run, and show what they say they show."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gate_core.cli import main

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "admission"
FILES = sorted(FOLDER.glob("*.py"))


def load(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(f"admission_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_runs(file: Path, tmp_path: Path) -> None:
    """From anywhere, with output and without a trace in the folder."""
    done = subprocess.run([sys.executable, str(file)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["answers_health", "answers_contract", "actions_tool_call", "state_memory", "state_facts"]
)
def test_each_case_of_an_example_holds(name: str) -> None:
    """Title -> what is judged and what comes of it."""
    module = load(name)
    assert {title: module.judge(given) for title, (given, _) in module.CASES.items()} == {
        title: wanted for title, (_, wanted) in module.CASES.items()
    }


def test_the_stories_hold(tmp_path: Path) -> None:
    """Confirmation, plan, log, retry, wire formats."""
    assert load("actions_irreversible").story() == load("actions_irreversible").CASES
    assert load("plans_steps").judge() == load("plans_steps").CASES
    assert load("integration_audit_log").story(tmp_path) == load("integration_audit_log").CASES
    again = load("integration_downgrade_retry")
    done, told = again.story()
    assert (again.outcomes(done), "nothing supports brand" in told[1]) == (again.CASES, True)
    wire = load("integration_wire_formats")
    assert wire.context().blocks[0].caveats == wire.CASES


@pytest.mark.parametrize("as_json", [False, True])
def test_the_demo_plays_eight_stories(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Each shows what it should, as text and as JSON."""
    assert main(["demo", "--scenario", "admission", *(["--json"] if as_json else [])]) == 0
    told = capsys.readouterr().out
    if as_json:
        assert [json.loads(line)["as_it_should"] for line in told.splitlines()] == [True] * 8
    else:
        assert "8. Memory" in told
        assert "not as it should be" not in told
