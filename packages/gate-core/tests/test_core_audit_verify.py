"""What `verify` finds: edits, gaps, merged logs, torn and cut tails (spec 40)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core.audit import AuditError, FileWriter, Head, load_head, records_of, verify
from gate_core.audit.chain import Line, line_of, read_line


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of five records."""
    path = tmp_path / "audit.jsonl"
    writer = FileWriter(path)
    for n in range(5):
        writer.append({"kind": "test", "verdict": "ACCEPT", "metadata": {"n": n}})
    return path


def changed(log: Path, change: Callable[[list[bytes]], list[bytes]]) -> list[tuple[str, int]]:
    """(kind, line) of the damage after a change of the lines."""
    log.write_bytes(b"".join(line + b"\n" for line in change(log.read_bytes().splitlines())))
    return [(item.kind, item.line) for item in verify(log).damage]


def test_a_whole_log_is_whole(log: Path) -> None:
    """With its head and its number of records."""
    report = verify(log)
    assert (report.whole, report.records, report.head.seq, report.damage) == (True, 5, 5, ())
    assert report.to_dict()["whole"] is True


EDITS: dict[str, tuple[Callable[[list[bytes]], list[bytes]], list[tuple[str, int]]]] = {
    "a word": (lambda ls: [*ls[:2], ls[2].replace(b"ACCEPT", b"REJECT"), *ls[3:]], [("edited", 3)]),
    "a word of the last line": (lambda ls: [*ls[:4], ls[4].replace(b"ACCEPT", b"REJECT")], [("edited", 5)]),
    "a blank": (lambda ls: [ls[0].replace(b",", b", ", 1), *ls[1:]], [("edited", 1)]),
    "a line taken out": (lambda ls: [*ls[:2], *ls[3:]], [("gap", 3)]),
    "the first taken out": (lambda ls: ls[1:], [("gap", 1)]),
    "two swapped": (lambda ls: [ls[0], ls[2], ls[1], *ls[3:]], [("gap", 2), ("foreign", 3), ("gap", 4)]),
    "one doubled": (lambda ls: [*ls[:2], *ls[1:]], [("foreign", 3)]),
    "no record": (lambda ls: [*ls[:2], b"hello", *ls[2:]], [("unreadable", 3)]),
    "another version": (lambda ls: [*ls, b'{"v":9}'], [("version", 6)]),
}


@pytest.mark.parametrize(("change", "found"), EDITS.values(), ids=EDITS)
def test_a_change_is_found(
    log: Path, change: Callable[[list[bytes]], list[bytes]], found: list[tuple[str, int]]
) -> None:
    """Where it is, and what kind."""
    assert changed(log, change) == found


def test_a_line_that_was_written_anew_does_not_fit_its_successor(log: Path) -> None:
    """Even with a right hash of its own."""
    lines = log.read_bytes().splitlines()
    first = read_line(lines[0])
    assert isinstance(first, Line)
    forged, _ = line_of({"kind": "test", "verdict": "REJECT"}, first.head, "2026-01-01")
    assert changed(log, lambda ls: [ls[0], forged.rstrip(), *ls[2:]]) == [("foreign", 3)]


def test_two_logs_put_together_are_found(log: Path, tmp_path: Path) -> None:
    """One behind the other, and interleaved."""
    other = tmp_path / "other.jsonl"
    for n in range(2):
        FileWriter(other).append({"kind": "other", "metadata": {"n": n}})
    more = other.read_bytes().splitlines()
    assert changed(log, lambda ls: [*ls, *more]) == [("foreign", 6)]
    assert changed(log, lambda ls: [ls[0], more[0], *ls[1:5]]) == [("foreign", 2), ("foreign", 3)]


def test_a_torn_tail_is_told(log: Path) -> None:
    """A line without an end is no record."""
    log.write_bytes(log.read_bytes() + b'{"v":1,')
    report = verify(log)
    assert [(item.kind, item.line) for item in report.damage] == [("torn", 6)]
    assert report.records == len(list(records_of(log))) == 5


def test_a_cut_tail_needs_a_head_that_was_kept(log: Path) -> None:
    """Without one, a shorter chain is a whole chain; a log that grew still holds its earlier head."""
    kept = verify(log).head
    FileWriter(log).append({"kind": "more"})
    assert verify(log, head=kept).whole
    assert verify(log, expect_head=kept.hash).damage[0].kind == "cut"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:3]))
    assert verify(log).whole
    assert [item.kind for item in verify(log, head=kept).damage] == ["cut"]
    assert [item.kind for item in verify(log, expect_head=kept.hash).damage] == ["cut"]
    assert verify(log, expect_head=verify(log).head.hash).whole
    log.write_bytes(b"")
    assert "of nothing" in verify(log, expect_head="x").damage[0].says
    assert verify(log, head=Head()).whole


def test_a_new_chain_does_not_hold_the_head_of_the_old_one(log: Path, tmp_path: Path) -> None:
    """Rewriting the whole file is found by the head alone."""
    kept = verify(log).head
    log.unlink()
    for _ in range(6):
        FileWriter(log).append({"kind": "nicer"})
    assert verify(log).whole
    assert [item.kind for item in verify(log, head=kept).damage] == ["foreign"]


def test_a_head_is_read_from_a_file(tmp_path: Path) -> None:
    """And what is none is an error."""
    file = tmp_path / "head.json"
    file.write_text(json.dumps(Head(seq=3, hash="abc").to_dict()))
    assert load_head(file) == Head(seq=3, hash="abc")
    for text in ('{"v": 2, "seq": 1, "hash": ""}', "[]", "x", '{"v": 1}'):
        file.write_text(text)
        with pytest.raises(AuditError, match="no head"):
            load_head(file)


def test_a_log_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """With its path."""
    with pytest.raises(AuditError, match="cannot be read: No such file"):
        verify(tmp_path / "none.jsonl")


@settings(deadline=None)
@given(st.integers(0, 4), st.integers(0, 400), st.integers(0, 255))
def test_no_changed_byte_goes_unnoticed(line: int, at: int, byte: int) -> None:
    """Wherever it is, the end of the last line included."""
    heads, lines, head = [], [], Head()
    for n in range(5):
        text, head = line_of({"kind": "test", "metadata": {"n": n, "text": "é"}}, head, "t")
        lines.append(text.rstrip(b"\n"))
        heads.append(head)
    old = lines[line]
    new = bytearray(old)
    new[at % len(old)] = byte
    if bytes(new) == old:
        return
    found = read_line(bytes(new))
    assert isinstance(found, str) or not found.whole
