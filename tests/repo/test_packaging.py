"""What every distribution must carry, and what must never stand in the repository."""

from __future__ import annotations

import importlib
import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from gate_core.versions import within

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("gate-core", "gate-claude-sdk", "gate-langgraph", "gate-openai-agents")
LONGEST = 400
_FORBIDDEN = re.compile(r"https?://[a-z0-9.]*(?:pypi|pythonhosted|npmjs|debian)[a-z0-9.]*|/(?:root|work)/[a-z]")


def project(package: str) -> dict[str, Any]:
    """The [project] table of a package."""
    text = (ROOT / "packages" / package / "pyproject.toml").read_text("utf-8")
    found: dict[str, Any] = tomllib.loads(text)["project"]
    return found


def tracked() -> list[Path]:
    """The files that belong to the repository; all of them where git is not there to ask."""
    try:
        asked = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in asked.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_licensed_and_typed(package: str) -> None:
    """Each wheel carries the licence and says that it is typed."""
    folder = ROOT / "packages" / package
    assert project(package)["license-files"] == ["LICENSE"]
    assert (folder / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    assert (folder / "src" / package.replace("-", "_") / "py.typed").is_file()
    assert project(package)["requires-python"] == ">=3.11"


def test_versions_share_major_and_minor() -> None:
    """All four distributions move together, and adapters pin the core to that line."""
    lines = {project(package)["version"].rpartition(".")[0] for package in PACKAGES}
    assert len(lines) == 1
    (line,) = lines
    nxt = f"{line.split('.')[0]}.{int(line.split('.')[1]) + 1}"
    for package in PACKAGES[1:]:
        pins = [d for d in project(package)["dependencies"] if d.startswith("gate-core")]
        assert [pin.partition(">=")[2] for pin in pins] == [f"{line}.0,<{nxt}"]


def test_the_core_needs_nothing() -> None:
    """The core's own dependencies are empty; everything else is an extra."""
    assert project("gate-core")["dependencies"] == []


def test_the_lock_file_stays_out() -> None:
    """It holds index addresses."""
    assert ROOT / "uv.lock" not in tracked()


def test_no_file_names_a_registry_or_a_machine() -> None:
    """Files work on every machine and with every index."""
    here = Path(__file__).resolve()
    texts = [(f, f.read_text("utf-8", errors="replace")) for f in tracked() if f.resolve() != here]
    assert [(str(f.relative_to(ROOT)), m[0]) for f, text in texts if (m := _FORBIDDEN.search(text))] == []


def test_source_files_stay_small() -> None:
    """A file is one idea."""
    sources = [f for f in tracked() if f.suffix == ".py" and "src" in f.parts]
    long = [(f.name, n) for f in sources if (n := len(f.read_text("utf-8").splitlines())) > LONGEST]
    assert long == []


@pytest.mark.parametrize("package", PACKAGES[1:])
def test_the_newest_tested_versions_are_those_installed_here(package: str) -> None:
    """And the oldest ones are what the distribution asks for, or what the framework's own requirements make of it."""
    tested = importlib.import_module(f"{package.replace('-', '_')}._tested").TESTED
    assert {name: newest for name, (_, newest) in tested.items()} == {name: version(name) for name in tested}
    asked = {
        re.split(r"[>\[]", item)[0]: item.partition(">=")[2].partition(",")[0]
        for item in project(package)["dependencies"]
    }
    for name, (oldest, newest) in tested.items():
        assert within(oldest, asked[name], newest), name
