"""`gate config`: what is in force, where it comes from, what is wrong with a file; the page that is made of it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from gate_core import GateConfig
from gate_core.cli import main
from gate_core.cli.config_page import page
from gate_core.cli.configs import ConfigFile, keys

ROOT = Path(__file__).resolve().parents[2]


def shown(argv: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """`gate config show --json`."""
    assert main(["config", "show", "--json", *argv]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def put(folder: Path, text: str, name: str = "gate.toml") -> str:
    """A TOML file."""
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)


def test_every_key_is_shown_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    """The command knows the keys that `GateConfig` has, and says of each what it means."""
    rows = shown([], capsys)
    assert {name: row["value"] for name, row in rows.items()} == GateConfig().to_dict()
    assert all(row["from"] == "default" and row["says"] and row["kind"] for row in rows.values())
    assert {key.name for key in keys()} == {spec.name for spec in fields(GateConfig)}
    assert {key.name for key in keys() if key.python_only} == {"normalizers", "extractors", "redact"}


@pytest.mark.parametrize("key", [key for key in keys() if not key.python_only], ids=lambda key: key.name)
def test_the_example_of_a_key_is_right(key: Any) -> None:
    """It sets that key, to something else than the default but for what cannot be set."""
    file = ConfigFile(path="x", text=key.example, data=tomllib.loads(key.example))
    assert list(file.problems()) == []
    assert list(file.data) == [key.name]
    if key.name != "names":
        assert file.config().to_dict()[key.name] != GateConfig().to_dict()[key.name]


@pytest.mark.parametrize("key", [key for key in keys() if key.python_only], ids=lambda key: key.name)
def test_the_example_of_a_python_key_is_right(key: Any) -> None:
    """It runs as it stands."""
    assert getattr(eval(f"GateConfig({key.python})", {"GateConfig": GateConfig}), key.name)


def test_the_page_is_current() -> None:
    """`gate config --markdown > docs/configuration.md` after a change."""
    assert (ROOT / "docs" / "configuration.md").read_text("utf-8") == page()


def test_where_values_come_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line of the file, or the key that decides it."""
    text = 'policy = "strict"\n# mine\nvalues = "block"\n\n[profiles.crm]\neffect = "read"\n'
    file = put(tmp_path, text)
    rows = shown([file], capsys)
    origins = {name: row["from"] for name, row in rows.items() if row["from"] != "default"}
    assert origins == {
        "policy": f"{file}:1",
        "settle": "policy",
        "layers": f"{file}:3",
        "profiles": f"{file}:5",
    }
    assert rows["settle"]["value"] == ["read"]
    assert rows["layers"]["value"]["values"] == "block"
    rows = shown([put(tmp_path, 'model_class = "diverger"')], capsys)
    assert [name for name, row in rows.items() if row["from"] == "model_class"] == ["layers", "cap", "refill"]


def test_the_table_of_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`[tool.gate]`, and nothing else of the file."""
    file = put(tmp_path, '[project]\nname = "x"\n\n[tool.gate]\nmax_blocks = 1\n', "pyproject.toml")
    row = shown([file], capsys)["max_blocks"]
    assert (row["value"], row["default"], row["from"]) == (1, 3, f"{file}:5")
    assert main(["config", "show", put(tmp_path, "[project]\n", "pyproject.toml")]) == 2
    assert "no table [tool.gate] in it" in capsys.readouterr().err


def test_plain_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line a key; `gate config` alone shows the defaults."""
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 'posture            "guard"  [default]' in lines
    assert '  floor            "block"' in lines


def test_lint_tells_everything_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All problems of a file, each with the nearest name."""
    text = 'postur = "rails"\nmarker = "NO"\n\n[layers]\nflor = "block"\n\n[[signals]]\nnam = "x"\n'
    file = put(tmp_path, text)
    assert main(["config", "lint", file]) == 1
    dials = "floor, budget, statements, values, actions, writes"
    assert capsys.readouterr().out.splitlines() == [
        f"{file}:1: unknown configuration key 'postur'; did you mean 'posture'?",
        f"{file}:2: marker needs six letters or more, got 'NO'",
        f"{file}:4: layers must be one of {dials}, got 'flor'; did you mean 'floor'?",
        f"{file}:8: unknown signal key 'nam'; did you mean 'name'?",
    ]


WRONG: dict[str, tuple[str, str]] = {
    "keys together": ("refill = 7\n", ":1: refill must be at least 1 and below cap 6, got 7"),
    "a required signal": ('\nrequires = ["test_passed"]\n', ":2: requires: no rule raises 'test_passed'; did you mean"),
    "a pattern": ("[[shapes]]\npattern = '(a+)+'\n", ":1: shapes: '(a+)+' is not in the linear subset"),
    "a profile": (
        '[profiles.x]\neffekt = "read"\n',
        ":2: unknown key of profile 'x': 'effekt'; did you mean 'effect'?",
    ),
    "a signal": ('[[signals]]\nnam = "x"\n', ":2: unknown signal key 'nam'; did you mean 'name'?"),
    "a flat layer": ('values = "blok"\n', ":1: layers.values must be one of off, warn, block, certified, got 'blok'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_where(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By `lint`, by `--check`, and by whoever wants to use the file."""
    text, says = WRONG[name]
    file = put(tmp_path, text)
    for argv, code in ((["lint", file], 1), (["--check", file], 1), (["show", file], 2)):
        assert main(["config", *argv]) == code
        told = capsys.readouterr()
        assert f"{file}{says}" in told.out + told.err


UNREADABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: None, "cannot be read: No such file or directory"),
    "a folder": (lambda path: path.mkdir(), "cannot be read: Is a directory"),
    "no TOML": (lambda path: path.write_text("posture = \n"), "not TOML: Invalid value (at line 1, column 11)"),
    "not UTF-8": (lambda path: path.write_bytes(b'home = "\xff"'), "cannot be read: not UTF-8 text"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2; other files are still looked at."""
    make, says = UNREADABLE[name]
    make(tmp_path / "x.toml")
    good = put(tmp_path, "max_blocks = 2\n")
    assert main(["config", "lint", str(tmp_path / "x.toml"), good]) == 2
    assert capsys.readouterr().out.splitlines() == [f"{tmp_path / 'x.toml'}: {says}", f"{good}: right"]


def test_lint_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object per file."""
    assert main(["config", "lint", "--json", put(tmp_path, "min_digits = -1\n")]) == 1
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert row["problems"] == [f"{row['file']}:1: min_digits must not be negative, got -1"]


@pytest.mark.parametrize("argv", [["lint"], ["show", "a", "b"], ["trim"]])
def test_wrong_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2."""
    with pytest.raises(SystemExit) as stopped:
        main(["config", *argv])
    assert stopped.value.code == 2
    assert "error:" in capsys.readouterr().err
