"""The benchmarks run anywhere, peers or not. What they measure is no test's business."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks import false_blocks
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.measure import NothingMeasuredError, sound
from benchmarks.peers import peer
from benchmarks.table import COLUMNS, Row, Sample, Target, markdown

from gate_core import Gate, Json, ToolCall


@pytest.fixture
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No peer is installed."""
    monkeypatch.setitem(sys.modules, "grounding_gate", None)
    peer.cache_clear()


@pytest.mark.usefixtures("_alone")
@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_runs_without_peers(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every benchmark measures something, peers or not."""
    assert main(["--quick", "--json", "--only", name]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows
    assert all(row["ours_minimum"] >= 0 for row in rows)


@pytest.mark.usefixtures("_alone")
def test_a_missing_peer_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The reader learns why there is no ratio and how to get one."""
    main(["--quick", "--markdown", "--only", "observe", "--only", "pairs"])
    told = capsys.readouterr()
    assert told.err.count("grounding-gate is not installed") == 1
    assert "--group benchmarks" in told.err
    assert told.out.startswith(f"| {' | '.join(COLUMNS)} |")


def test_a_gate_that_fails_is_not_measured() -> None:
    """A gate goes on after an error of its own, and failing is fast."""
    gate = Gate()
    gate.begin_turn("Look.")
    gate.observe(ToolCall(tool="read_file", args={"path": "a.py"}, result="x"))
    sound(gate)
    gate.observe(ToolCall(tool="read_file", args={"path": "a.py"}, result=_Broken()))
    with pytest.raises(NothingMeasuredError, match="read_file"):
        sound(gate)


class _Broken(dict[str, Json]):
    """A result that cannot be read."""

    def get(self, key: object, default: object = None) -> Any:
        """What a host's lazy mapping may do."""
        raise OSError(str(key))


def sample(measure: float) -> Sample:
    """A sample of one measure."""
    return Sample.of([measure])


@pytest.mark.parametrize(
    ("reference", "target", "met"),
    [
        (None, Target(), None),
        (None, Target(most=2), True),
        (None, Target(most=1), False),
        (None, Target(least=2), True),
        (None, Target(least=3), False),
        (None, Target(ratio=0.1), None),
        (20.0, Target(ratio=0.1), True),
        (20.0, Target(ratio=0.05), False),
        (20.0, Target(most=1, ratio=0.1), False),
    ],
)
def test_a_target_is_met_when_every_bound_holds(reference: float | None, target: Target, met: bool | None) -> None:
    """A bound that needs a missing peer is neither met nor missed."""
    beside = None if reference is None else sample(reference)
    assert Row(name="x", unit="ms", ours=sample(2.0), reference=beside, target=target).met is met


def test_details_stay_out_of_the_table() -> None:
    """The README quotes the table; a hundred lines of hostile inputs are for whoever looks for one."""
    rows = [Row(name=name, unit="ms", ours=sample(2.0), detail=name == "b") for name in "ab"]
    assert markdown(rows).splitlines()[2:] == ["| a | 2 ms |  |  |  |  |"]


def test_times_are_told_at_the_pace_of_the_targets() -> None:
    """A slow machine makes no gate slow, and a fast one no gate fast. Ratios and sizes have no pace."""
    rows = [
        Row(name="time", unit="ms", ours=sample(3.0), target=Target(most=2)),
        Row(name="other time", unit="µs", ours=sample(5.0), target=Target(most=2)),
        Row(name="ratio", unit="ms", ours=sample(3.0), reference=sample(30.0), target=Target(ratio=0.1)),
        Row(name="size", unit="MB", ours=sample(3.0), target=Target(most=2)),
    ]
    lines = markdown(rows, pace=2.0).splitlines()
    assert [line.split(" | ")[-1].strip(" |") for line in lines[2:]] == ["1.5 ms: yes", "2.5 µs: NO", "", ""]
    assert [row.to_dict(2.0)["paced_minimum"] for row in rows] == [1.5, 2.5, None, None]
    assert markdown(rows).splitlines()[0] == f"| {' | '.join(COLUMNS)} |"


def conversation(ident: str, outcome: int) -> dict[str, Any]:
    """An agent that says at first what it did not do, and then what it saw."""
    read = {"type": "call", "id": "c1", "tool": "read_file", "args": {"path": "app.cfg"}, "result": "timeout = 5\n"}
    lie = {"type": "finish", "text": "Done, I set the timeout in app.cfg to 30."}
    honest = {"type": "finish", "text": "The timeout in app.cfg is 5."}
    turns = [
        {"prompt": "Set the timeout in app.cfg to 30.", "events": [lie]},
        {"prompt": "What is the timeout in app.cfg?", "events": [read, honest]},
    ]
    return {"schema": "gate-transcript/1", "id": ident, "outcome": outcome, "turns": turns}


def test_blocks_in_solved_conversations_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unsolved conversations are left out, and each block is shown with its code and its answer."""
    file = tmp_path / "some.jsonl"
    file.write_text("\n".join(json.dumps(conversation(f"t{outcome}", outcome)) for outcome in (0, 1)), "utf-8")
    assert false_blocks.main([str(file), "--list"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("1 solved conversations, 2 answers judged\n1 sent back (50.0 %)\n")
    assert "t1 /turns/0/events/0" in told
    assert "  | Done, I set the timeout in app.cfg to 30." in told


def test_more_blocks_than_agreed_fail(tmp_path: Path) -> None:
    """`--most` makes the measure a check."""
    file = tmp_path / "some.jsonl"
    file.write_text(json.dumps(conversation("t", 1)), "utf-8")
    assert [false_blocks.main([str(file), "--most", most]) for most in ("1", "0")] == [0, 1]


def test_what_is_no_transcript_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other conversations of the file still count."""
    file = tmp_path / "some.jsonl"
    file.write_text(f"{{}}\n{json.dumps(conversation('t', 1))}", "utf-8")
    false_blocks.main([str(file)])
    told = capsys.readouterr()
    assert "some.jsonl" in told.err
    assert "2 answers judged" in told.out


def test_what_the_language_packs_need_is_worked_out() -> None:
    """Whoever changes a pack runs `python -m benchmarks.anchors --write`; a stale file would only make starts slow."""
    from benchmarks.anchors import main

    assert main([]) == 0
