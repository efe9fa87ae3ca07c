"""The README promises only what a command shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ADAPTERS = ("gate-claude-sdk", "gate-langgraph", "gate-openai-agents")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_first_command_is_the_demo_and_the_second_the_tests() -> None:
    """Two commands do all the set-up."""
    commands = [line for block in blocks(README, "sh") for line in block.splitlines()]
    assert commands[:2] == ["pip install uv && uv run gate demo", "uv run pytest"]


def test_ci_runs_the_readme_test_command() -> None:
    """What the README tells people to run is what CI runs."""
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert lines[-1] == "uv run pytest"


@pytest.mark.parametrize("package", ADAPTERS)
def test_the_snippet_of_a_framework_is_the_tested_one(package: str) -> None:
    """Each package's tests execute the snippet of its README; the front page shows the same one."""
    (snippet,) = blocks((ROOT / "packages" / package / "README.md").read_text("utf-8"), "python")[:1]
    assert snippet in README
    assert f"pip install {package}" in README


def test_the_snippet_of_the_core_says_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """The plain loop of the front page runs as it stands, and its comments are what it prints."""
    (snippet,) = [block for block in blocks(README, "python") if "from gate_core import" in block]
    exec(compile(snippet, "README.md", "exec"), {})
    action, feedback = capsys.readouterr().out.split("\n", 1)
    assert action == "REVISE"
    assert feedback.startswith("[gate] This answer was not delivered, ")
    assert "Next: read app.cfg, then answer again." in feedback
    assert snippet in (ROOT / "packages" / "gate-core" / "README.md").read_text("utf-8")
