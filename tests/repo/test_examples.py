"""Examples that ask a real model say what they lack, and links work where a README is read."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DSN")
LACKING = {
    "openai_agent": "OPENAI_API_KEY is not set",
    "openai_stream": "OPENAI_API_KEY is not set",
    "openai_submit": "OPENAI_API_KEY is not set",
    "langgraph_agent": "set ANTHROPIC_API_KEY",
    "langgraph_postgres": "DSN is not set",
}


@pytest.mark.parametrize("name", LACKING)
def test_an_example_without_its_key_says_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence and exit 1, no traceback."""
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setattr("sys.argv", [f"{name}.py"])
    with pytest.raises(SystemExit, match=LACKING[name]):
        runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")


@pytest.mark.parametrize("readme", sorted((ROOT / "packages").glob("*/README.md")), ids=lambda path: path.parent.name)
def test_a_package_readme_links_nothing_relative(readme: Path) -> None:
    """It is shown on package indexes, where there is nothing beside it."""
    assert re.findall(r"\]\((?!https?://|#)[^)]*\)", readme.read_text("utf-8")) == []


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")], ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """To a file of the repository."""
    links = re.findall(r"\]\((?!https?://|#)([^)#]*)[^)]*\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
