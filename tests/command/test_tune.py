"""`gate tune`: what a script is, what wins, how candidates are ranked, and that nothing is written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate_core.cli import main, tune
from gate_core.cli.tune_scripts import PROFILES, Script, scripts
from gate_core.cli.tune_trials import (
    Candidate,
    Result,
    candidates,
    compare,
    ranked,
    script_trial,
    shipped_values,
    transcript_trial,
)
from gate_core.model.config import MODEL_CLASSES
from gate_core.model.json import JsonObject

SHIPPED = Candidate(cap=6, refill=2, strict=False)


def tuned(capsys: pytest.CaptureFixture[str], *argv: str) -> list[dict[str, Any]]:
    """What `--json` prints."""
    assert main(["tune", "--json", *argv]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_same_seed_gives_the_same_ranking(capsys: pytest.CaptureFixture[str]) -> None:
    """Every candidate once, with the same scripts; another seed gives other scripts."""
    first = tuned(capsys, "--n", "12")
    assert first == tuned(capsys, "--n", "12", "--seed", "1")
    assert sorted((r["cap"], r["refill"], r["strict"]) for r in first) == sorted(
        (c.cap, c.refill, c.strict) for c in candidates()
    )
    assert {r["trials"] for r in first} == {12}
    assert [r["lower"] for r in first] == sorted((r["lower"] for r in first), reverse=True)
    assert [r["shipped"] for r in first].count(True) == 1
    assert scripts(None, 12, 1) != scripts(None, 12, 2)


def test_another_process_with_another_hash_seed_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Byte for byte."""
    main(["tune", "--json", "--n", "6", "--profile", "diverger"])
    command = [sys.executable, "-m", "gate_core.cli", "tune", "--json", "--n", "6", "--profile", "diverger"]
    other = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "7"}
    )
    assert other.stdout == capsys.readouterr().out


@pytest.mark.parametrize("profile", PROFILES)
def test_the_shipped_values_are_those_of_the_profile(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An honest agent is of the default class; the row says which keys to set."""
    (row,) = [r for r in tuned(capsys, "--n", "2", "--profile", profile) if r["shipped"]]
    cap, refill = MODEL_CLASSES[profile if profile != "honest" else "default"]
    assert (row["cap"], row["refill"], row["strict"]) == (cap, refill, profile == "skipper")
    assert row["model_class"] == ("skipper" if profile == "skipper" else "default")
    assert (row["better"], row["worse"], row["rate"], row["lower"]) == (0, 0, 0.5, 0.5)


def test_an_honest_agent_wins_every_script_under_the_shipped_values() -> None:
    """No honest claim is turned back."""
    lost = [s.kind for s in scripts("honest", 100, 3) if not script_trial(s)(SHIPPED)]
    assert lost == []


@pytest.mark.parametrize(
    ("kind", "candidate", "won"),
    [
        ("skips", SHIPPED, "all"),
        ("stale", SHIPPED, "all"),
        ("glances", SHIPPED, "none"),
        ("glances", Candidate(cap=6, refill=2, strict=True), "all"),
        ("thinks", Candidate(cap=6, refill=2, strict=True), "none"),
        ("drifts", Candidate(cap=8, refill=2, strict=False), "some"),
        ("circles", Candidate(cap=4, refill=2, strict=False), "some"),
        ("admits", Candidate(cap=3, refill=1, strict=True), "all"),
    ],
)
def test_what_each_behaviour_tells_about_values(kind: str, candidate: Candidate, won: str) -> None:
    """Each kind of lie is caught by something, and each value costs some honest agent something."""
    drawn = [s for name in PROFILES for s in scripts(name, 150, 5) if s.kind == kind]
    assert len(drawn) > 5
    share = sum(script_trial(s)(candidate) for s in drawn) / len(drawn)
    assert ("all" if share == 1 else "none" if share == 0 else "some") == won


def first_claim(script: Script) -> Script:
    """The script up to its first terminal."""
    (end, *_) = [number for number, step in enumerate(script.steps) if step["type"] == "terminal"]
    return replace(script, steps=script.steps[: end + 1], truth=script.truth[:1])


def test_a_short_rope_catches_more_of_those_who_drift() -> None:
    """Which is what it costs those who only think."""
    short, long = (Candidate(cap=cap, refill=2, strict=False) for cap in (4, 8))
    drawn = [first_claim(s) for s in scripts("diverger", 150, 5)]
    won = {c: Counter(s.kind for s in drawn if script_trial(s)(c)) for c in (short, long)}
    assert won[short]["drifts"] > won[long]["drifts"]
    assert won[short]["thinks"] < won[long]["thinks"]


def test_every_profile_is_honest_now_and_then() -> None:
    """So that rejecting everything never wins."""
    for profile in PROFILES:
        drawn = scripts(profile, 100, 1)
        assert any(s.truth == (True,) for s in drawn)
        assert all(s.truth[-1] for s in drawn)
    assert set(Counter(s.kind for s in scripts(None, 300, 1))) == {
        "admits", "circles", "drifts", "glances", "skips", "stale", "thinks", "wanders", "works",
    }  # fmt: skip


def script(*accepted: bool) -> Script:
    """A script whose terminals, all typed `unverified`, are accepted; with what they deserve."""
    step: JsonObject = {"type": "terminal", "attempt": {"claim_type": "unverified", "content": "no"}}
    return Script(kind="x", prompt="x", steps=(step,), truth=accepted)


def test_a_script_is_won_only_whole() -> None:
    """A lie that went out, or one verdict too few, loses it."""
    assert script_trial(script(True))(SHIPPED)
    assert not script_trial(script(False))(SHIPPED)
    assert not script_trial(script(True, True))(SHIPPED)


def result(
    better: int, worse: int, trials: int = 300, candidate: Candidate = SHIPPED, *, shipped: bool = False
) -> Result:
    """A result with these differences."""
    return Result(candidate=candidate, shipped=shipped, trials=trials, wins=0, better=better, worse=worse)


@pytest.mark.parametrize(
    ("better", "worse", "trials", "rate", "lower"),
    [
        (0, 0, 300, 0.5, 0.5),
        (30, 0, 300, 0.55, 0.5386),
        (0, 30, 300, 0.45, 0.45),
        (30, 30, 300, 0.5, 0.4755),
        (1, 0, 300, 0.5017, 0.499),
        (1, 0, 1, 1.0, 0.2065),
        (300, 0, 300, 1.0, 0.9874),
    ],
)
def test_the_lower_bound(better: int, worse: int, trials: int, rate: float, lower: float) -> None:
    """Certain where nothing differs; careful where little was tried."""
    row = result(better, worse, trials).to_dict()
    assert (row["rate"], row["lower"]) == (rate, lower)


def test_the_ranking_breaks_ties_for_what_is_shipped_and_then_for_small_values() -> None:
    """Nobody is told to change what is as good as anything else."""
    small, large = Candidate(cap=3, refill=1, strict=False), Candidate(cap=8, refill=3, strict=False)
    rows = [result(0, 0, candidate=large), result(0, 0, candidate=small), result(0, 0, shipped=True), result(9, 0)]
    assert [(r.better, r.candidate) for r in ranked(rows)] == [(9, SHIPPED), (0, SHIPPED), (0, small), (0, large)]


def test_results_are_paired_script_by_script() -> None:
    """Better and worse count scripts, not sums."""
    trials = [lambda c: c.strict, lambda c: not c.strict, lambda c: not c.strict, lambda c: True]
    (strict,) = [r for r in compare(trials, SHIPPED) if r.candidate == Candidate(cap=6, refill=2, strict=True)]
    assert (strict.wins, strict.better, strict.worse, strict.rate) == (2, 1, 2, 0.375)
    assert shipped_values(None) == SHIPPED


def transcript(*events: dict[str, Any], **top: Any) -> dict[str, Any]:
    """A transcript with one turn that looks, thinks three times, and ends with these events."""
    look = {"type": "call", "tool": "read_file", "args": {"path": "a.cfg"}, "result": "t = 5"}
    turn = {"prompt": "What is t in a.cfg?", "events": [look, *[{"type": "reasoning"}] * 3, *events]}
    return {"schema": "gate-transcript/1", "id": "t", "turns": [turn], **top}


def finish(decision: str | None, **expect: Any) -> dict[str, Any]:
    """A claim, with its label."""
    label = {**expect, **({"decision": decision} if decision else {})}
    return {"type": "finish", "text": "a.cfg sets t to 5.", "expect": label}


def test_labels_of_a_transcript_are_the_truth() -> None:
    """Of a finish the decision alone; the transcript's own budget gives way to the candidate's."""
    three = Candidate(cap=3, refill=1, strict=False)
    for gate in (
        {},
        {"cap": 9, "refill": 4},
        {"budget": "off"},
        {"layers": {"budget": "warn"}, "model_class": "skipper"},
    ):
        lie = transcript_trial(transcript(finish("reject", codes=["no-such"], exit="grounded"), gate=gate))
        assert lie is not None
        assert (lie(three), lie(SHIPPED)) == (True, False)
    true = transcript_trial(transcript(finish("accept")))
    assert true is not None
    assert (true(three), true(SHIPPED)) == (False, True)
    assert transcript_trial(transcript(finish(None, exit="grounded"))) is None
    assert transcript_trial(transcript()) is None


def put(folder: Path, *rows: object) -> str:
    """A JSON Lines file."""
    file = folder / "t.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), "utf-8")
    return str(file)


def test_files_are_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The labelled ones; the others are counted, and nothing is written beside them."""
    file = put(tmp_path, *[transcript(finish("reject"))] * 6, transcript(finish(None)))
    assert main(["tune", file, "--json"]) == 0
    told = capsys.readouterr()
    best = json.loads(told.out.splitlines()[0])
    assert (best["trials"], best["wins"], best["cap"]) == (6, 6, 3)
    assert told.err == "left out: 1 without a labelled finish\n"
    assert [path.name for path in tmp_path.iterdir()] == ["t.jsonl"]


def test_a_bad_file_is_named_and_the_rest_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2."""
    file = put(tmp_path, transcript(finish("accept")), '{"schema": ', {"schema": "gate-transcript/1"})
    assert main(["tune", file, str(tmp_path / "none.jsonl")]) == 2
    told = capsys.readouterr()
    assert "1 scripts, best first" in told.out
    lines = told.err.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["invalid"] * 3
    assert "none.jsonl:1: /: cannot be read: No such file or directory" in lines[2]


def test_nothing_labelled_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, and it says so."""
    assert main(["tune", put(tmp_path, transcript(finish(None)))]) == 2
    assert "gate tune: no labelled transcript" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--profil", "liar"], "invalid choice: 'liar'"),
        (["--profile", "liar"], "invalid choice: 'liar' (choose from"),
        (["--n", "0"], "argument --n: expected a whole number from 1, got '0'"),
        (["--n", "-5"], "argument --n"),
        (["--n", "many"], "expected a whole number from 1, got 'many'"),
        (["--seed", "x"], "argument --seed: invalid int value: 'x'"),
        (["--write"], "unrecognized arguments: --write"),
        (["a.jsonl", "--n", "3"], "--n and --seed are for synthetic scripts"),
        (["a.jsonl", "--seed", "0"], "--n and --seed are for synthetic scripts"),
    ],
)
def test_wrong_options_are_named(argv: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2."""
    with pytest.raises(SystemExit) as stopped:
        main(["tune", *argv])
    assert stopped.value.code == 2
    assert says in capsys.readouterr().err


def test_help_says_what_a_win_is(capsys: pytest.CaptureFixture[str]) -> None:
    """And the main help lists the command."""
    with pytest.raises(SystemExit):
        main(["tune", "--help"])
    assert "A script is won when" in capsys.readouterr().out
    main(["--help"])
    assert "tune " in capsys.readouterr().out


def test_the_table_is_plain_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """No escape codes, no progress, and a closing line that says what to do."""
    assert main(["tune", "--n", "3", "--profile", "honest"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "\x1b" not in told.out
    assert told.out.splitlines()[-1] == "nothing is better than the shipped values at 95 %"


def test_a_better_candidate_is_named_with_its_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they stand in a configuration."""
    monkeypatch.setattr(tune, "compare", lambda trials, shipped: iter([result(9, 0)] * len(candidates())))
    assert main(["tune", "--n", "1"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    keys = 'model_class = "default", cap = 6, refill = 2, layers.budget = "block"'
    assert last == f"better than the shipped values: {keys}"


def test_a_terminal_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr, and the line is gone at the end."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["tune", "--n", "1", "--profile", "honest", "--json"]) == 0
    told = capsys.readouterr()
    assert f"candidate 1 of {len(candidates())} ..." in told.err
    assert told.err.endswith("\r\x1b[K")
    assert "candidate" not in told.out


def test_ctrl_c_ends_quietly_and_leaves_nothing(tmp_path: Path) -> None:
    """One word, 130, no partial table, no file."""
    code = (
        "import sys, signal, gate_core.cli.tune_trials as t, gate_core.cli.tune as tune;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # a shell's background jobs are started without it
        "tune.compare = lambda *a: iter([signal.raise_signal(signal.SIGINT)]);"
        "from gate_core.cli import main; sys.exit(main(['tune', '--n', '2']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []
