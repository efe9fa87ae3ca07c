"""Free looks at the local file system: what they see, and what they leave alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, Probe, ProbeKind, ToolCall, ToolEffect, ToolProfile
from gate_core.footprint.texts import replacements
from gate_core.probes import MAX_BYTES, FileProber


def held(root: Path, path: str, text: str = "", gone: str = "", kind: str = "file_contains") -> bool | None:
    """The result of one probe under one root."""
    probe = Probe(kind=ProbeKind(kind), path=path, text=text, gone=gone)
    (result,) = FileProber([root]).take([probe])
    assert result.probe is probe
    return result.held


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a few files, and a secret beside it."""
    base = tmp_path / "root"
    (base / "sub").mkdir(parents=True)
    (base / "a.cfg").write_text("timeout = 30\nport = 1\n")
    (base / "crlf.cfg").write_bytes(b"timeout = 30\r\nport = 1\r\n")
    (base / "bytes.bin").write_bytes(b"\xff\xfe timeout = 30 \xed\xa0\x80")
    (tmp_path / "secret").write_text("timeout = 30")
    (base / "out").symlink_to(tmp_path / "secret")
    (base / "in").symlink_to(base / "a.cfg")
    (base / "broken").symlink_to(base / "nowhere")
    (base / "loop").symlink_to(base / "loop")
    os.mkfifo(base / "fifo")
    with (base / "huge").open("wb") as file:
        file.truncate(1024**3)
    with (base / "full").open("wb") as file:
        file.truncate(MAX_BYTES)
    return base


CONTAINS = [
    ("a.cfg", "timeout = 30", "", True),
    ("a.cfg", "timeout = 30\nport", "", True),
    ("a.cfg", "timeout = 30\r\nport", "", True),
    ("crlf.cfg", "timeout = 30\nport", "", True),
    ("a.cfg", "timeout = 31", "", False),
    ("a.cfg", "timeout = 30", "timeout = 5", True),
    ("a.cfg", "timeout = 30", "port = 1", None),
    ("./sub/../a.cfg", "timeout = 30", "", True),
    ("bytes.bin", "timeout = 30", "", True),
    ("bytes.bin", "\ud800", "", True),
    ("missing.cfg", "x", "", False),
    ("a.cfg/b", "x", "", False),
    ("broken", "x", "", False),
    ("in", "timeout = 30", "", True),
    ("out", "timeout = 30", "", None),
    ("../secret", "timeout = 30", "", None),
    ("loop", "x", "", None),
    ("fifo", "x", "", None),
    ("sub", "x", "", None),
    ("huge", "x", "", None),
    ("full", "x", "", False),
    ("nul\0byte", "x", "", None),
    ("x" * 5000, "x", "", None),
]


@pytest.mark.parametrize(("path", "text", "gone", "expected"), CONTAINS)
def test_a_file_contains(root: Path, path: str, text: str, gone: str, expected: bool | None) -> None:
    """True or False where it could be seen; None outside the roots, for what is no file, and for what is too big."""
    assert held(root, path, text, gone) is expected


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("a.cfg", True),
        ("sub", True),
        ("missing", False),
        ("broken", False),
        ("out", None),
        ("/etc/hostname", None),
        ("x" * 5000, None),
    ],
)
def test_a_file_exists_or_is_absent(root: Path, path: str, there: bool | None) -> None:
    """What cannot be seen is neither there nor gone."""
    assert held(root, path, kind="exists") is there
    assert held(root, path, kind="absent") is (None if there is None else not there)


def test_no_permission_is_neither_there_nor_gone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is no "not found" proves nothing."""
    real = Path.stat

    def stat(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if self.name == "a.cfg":
            raise PermissionError
        return real(self, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    assert [held(root, "a.cfg", "x", kind=kind) for kind in ("file_contains", "exists", "absent")] == [None] * 3


def test_an_absolute_path_is_seen_inside_its_root(root: Path) -> None:
    """Absolute and relative spellings of the same file."""
    assert held(root, str(root / "a.cfg"), "timeout") is True
    assert held(root / "sub", str(root / "a.cfg"), "timeout") is None


def test_a_relative_path_is_looked_for_under_each_root(root: Path, tmp_path: Path) -> None:
    """The root that has it; missing only when none has it; no root, no look."""
    other = tmp_path / "other"
    other.mkdir()
    probe = Probe(kind=ProbeKind.FILE_CONTAINS, path="a.cfg", text="timeout")
    missing = Probe(kind=ProbeKind.EXISTS, path="zz")
    assert [r.held for r in FileProber([other, root]).take([probe, missing])] == [True, False]
    assert [r.held for r in FileProber([]).take([probe])] == [None]


@pytest.mark.parametrize(
    ("on_disk", "codes", "line"),
    [
        ("timeout = 30\n", (), "checked: a.cfg found after change"),
        ("timeout = 5\n", ("change-failed",), ""),
        (None, ("change-failed",), ""),
        ("timeout = 30 # was 5\n", ("change-unseen",), ""),
    ],
    ids=["landed", "undone", "missing", "ambiguous"],
)
def test_the_gate_looks_for_itself(tmp_path: Path, on_disk: str | None, codes: tuple[str, ...], line: str) -> None:
    """An edit that is on disk needs no read; one that is not is named; one that is unclear stays open."""
    if on_disk is not None:
        (tmp_path / "a.cfg").write_text(on_disk)
    gate = Gate(GateConfig(probe_roots=(str(tmp_path),)))
    gate.begin_turn("Set the timeout")
    args = {"path": str(tmp_path / "a.cfg"), "old": "5", "new": "30"}
    gate.observe(ToolCall(tool="edit_file", args=args, result="ok"))
    verdict = gate.boundary_check(Attempt(parts=("Done.",)))
    assert (verdict.codes, verdict.evidence_line) == (codes, line)


def test_a_probe_is_no_look_of_the_agent(tmp_path: Path) -> None:
    """It settles the change and backs nothing else, and costs or earns no budget."""
    (tmp_path / "a.cfg").write_text("30")
    gate = Gate(GateConfig(probe_roots=(str(tmp_path),)))
    gate.begin_turn("x")
    gate.observe(
        ToolCall(tool="edit_file", args={"path": str(tmp_path / "a.cfg"), "old": "5", "new": "30"}, result="ok")
    )
    assert gate.boundary_check(Attempt(parts=("Done.",))).accepted
    assert gate.progress()["looks_this_turn"] == 0
    assert gate.progress()["budget"] == 6


def test_moves_deletions_and_several_targets_are_probed(tmp_path: Path) -> None:
    """A move by existence, a deletion by absence; each target of one call for itself."""
    (tmp_path / "b").write_text("x")
    (tmp_path / "c").write_text("x")
    gate = Gate(GateConfig(probe_roots=(str(tmp_path),)))
    gate.begin_turn("x")
    gate.observe(ToolCall(tool="move_file", args={"src": str(tmp_path / "a"), "dst": str(tmp_path / "b")}, result="ok"))
    gate.observe(ToolCall(tool="delete_file", args={"path": str(tmp_path / "d")}, result="ok"))
    verdict = gate.boundary_check(Attempt(parts=(f"Moved b and deleted {tmp_path}/d.",)))
    assert verdict.codes == ()
    (tmp_path / "d").write_text("x")
    gate.observe(ToolCall(tool="delete_file", args={"path": str(tmp_path / "d")}, result="ok", call_id="2"))
    verdict = gate.boundary_check(Attempt(parts=(f"Deleted {tmp_path}/d.",)))
    assert verdict.codes == ("change-failed",)


def test_several_targets_of_one_call_are_probed_one_by_one(tmp_path: Path) -> None:
    """Facts of probes that answer the same call do not hide each other."""
    from gate_core import parse_config

    for name in ("a", "b"):
        (tmp_path / name).write_text("new")
    profile = {"effect": "change", "targets": ["{paths}"], "domain": "files", "content": ["text"]}
    gate = Gate(parse_config({"profiles": {"put_all": profile}, "probe_roots": [str(tmp_path)]}))
    gate.begin_turn("x")
    paths = [str(tmp_path / "a"), str(tmp_path / "b")]
    gate.observe(ToolCall(tool="put_all", args={"paths": paths, "text": "new"}, result="ok"))
    assert gate.boundary_check(Attempt(parts=("Done.",))).codes == ()


def profile(**own: object) -> ToolProfile:
    """A changing tool."""
    return ToolProfile(name="t", effect=ToolEffect.CHANGE, **own)  # type: ignore[arg-type]


EACH = {"content": ("e.n",), "replaces": ("e.o",)}


@pytest.mark.parametrize(
    ("args", "own", "pairs"),
    [
        ({"new": "x"}, {"content": ("new",)}, (("x", ""),)),
        ({"new": "x", "old": "y"}, {"content": ("new",), "replaces": ("old",)}, (("x", "y"),)),
        (
            {"e": [{"n": "x", "o": "y"}, {"n": "z", "o": "w"}]},
            {"content": ("e.n",), "replaces": ("e.o",)},
            (("x", "y"), ("z", "w")),
        ),
        (
            {"e": [{"n": "x", "o": "y"}, {"n": "z"}]},
            {"content": ("e.n",), "replaces": ("e.o",)},
            (("x", ""), ("z", "")),
        ),
        ({"new": 5}, {"content": ("new",)}, ()),
        ({}, {"content": ("new",)}, ()),
        ({"d": "@@\n-a\n+b\n c"}, {"patch": "d"}, (("b", "a"),)),
    ],
)
def test_what_a_call_wrote_and_replaced(args: dict[str, Any], own: dict[str, Any], pairs: object) -> None:
    """New and old text of each place, out of the arguments."""
    assert replacements(profile(**own), args) == pairs


@pytest.mark.parametrize("new", ["", "  \n"])
def test_blank_text_is_not_looked_for(new: str) -> None:
    """Every file contains it."""
    gate = Gate()
    gate.begin_turn("x")
    gate.observe(ToolCall(tool="write_file", args={"path": "a", "content": new}, result="ok"))
    assert gate.boundary_check(Attempt(parts=("Done.",))).needs == ()


def test_the_old_text_may_stay_when_the_new_one_holds_it() -> None:
    """ "5" is still there in "50", and must not be asked to be gone."""
    gate = Gate()
    gate.begin_turn("x")
    gate.observe(ToolCall(tool="edit_file", args={"path": "a", "old": "5", "new": "50"}, result="ok"))
    (probe,) = gate.boundary_check(Attempt(parts=("Done.",))).needs
    assert (probe.text, probe.gone) == ("50", "")
