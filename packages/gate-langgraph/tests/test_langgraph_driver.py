"""The conformance driver plays cases on a real agent, with a thread that survives restarts."""

from __future__ import annotations

import asyncio
import builtins
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate_core import Action, ConfigError
from gate_core.conformance import Case, CaseRun, Driver, load_cases
from gate_core.conformance.case import parse_case
from gate_langgraph.harness import LangGraphDriver, LangGraphGraphDriver

EDIT = {"type": "call", "id": "c1", "tool": "edit_file", "args": {"path": "app.cfg", "old": "5", "new": "30"}}
READ = {"type": "call", "id": "c2", "tool": "read_file", "args": {"path": "app.cfg"}}
DONE = {"type": "finish", "text": "Done, the timeout in app.cfg is 30."}
RESTART = {"type": "restart"}


def case(*turns: list[dict[str, Any]], requires: tuple[str, ...] = (), **gate: Any) -> Case:
    return parse_case(
        {
            "schema": "gate-transcript/1",
            "id": "inline",
            "title": "",
            "files": {"app.cfg": "timeout = 5\n"},
            "requires": list(requires),
            "gate": {"policy": "strict", **gate},
            "turns": [{"prompt": "Set the timeout in app.cfg to 30.", "events": events} for events in turns],
        }
    )


def play(played: Case, folder: Path, *, gated: bool = True, driver: type[LangGraphDriver] = LangGraphDriver) -> CaseRun:
    for name, text in played.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    before = set(threading.enumerate())
    run = asyncio.run(driver().run(played, folder, gated=gated))
    assert set(threading.enumerate()) <= before  # the saver's thread is gone
    return run


def test_the_driver_is_one() -> None:
    """It has the shape the suite asks for, and declares every capability cases use."""
    driver: Driver = LangGraphDriver()
    assert driver.name == "langgraph"
    assert driver.capabilities == {"parallel", "turns", "restart", "probe", "outside", "failed-edit", "rails"}


DRIVERS = pytest.mark.parametrize("driver", [LangGraphDriver, LangGraphGraphDriver], ids=["agent", "graph"])


@DRIVERS
@pytest.mark.parametrize("played", load_cases(), ids=lambda played: played.id)
def test_shipped_cases_give_the_expected_verdicts(played: Case, driver: type[LangGraphDriver], tmp_path: Path) -> None:
    """The same case gives the same verdicts on the real framework, and the answer bears the mark they call for."""
    run = play(played, tmp_path, driver=driver)
    assert [v.decision.value.lower() for v in run.verdicts] == [e.get("decision") for e in played.expected]
    last = run.verdicts[-1]
    assert run.marked[-1] is last.marked


@DRIVERS
def test_ungated_the_user_is_told_whatever_the_agent_says(tmp_path: Path, driver: type[LangGraphDriver]) -> None:
    """The same framework, agent and tools, without any gate object."""
    run = play(case([EDIT, DONE]), tmp_path, gated=False, driver=driver)
    assert (run.verdicts, run.answers, run.marked, run.state) == ((), (DONE["text"],), (False,), None)


@DRIVERS
@pytest.mark.parametrize(
    "events",
    [
        pytest.param([RESTART, EDIT, DONE, READ, DONE], id="before anything"),
        pytest.param([EDIT, RESTART, DONE, READ, DONE], id="after the change"),
        pytest.param([EDIT, DONE, RESTART, READ, DONE], id="after the rejection"),
        pytest.param([EDIT, DONE, READ, RESTART, DONE], id="after the look"),
    ],
)
def test_a_restart_changes_no_verdict(
    events: list[dict[str, Any]], driver: type[LangGraphDriver], tmp_path: Path
) -> None:
    """A new agent on the reopened thread goes on where the old one stopped, and repeats no call."""
    run = play(case(events), tmp_path, driver=driver)
    assert [v.action for v in run.verdicts] == [Action.REVISE, Action.DELIVER]
    assert "".join(run.events).count("edit_file") == 1
    assert run.events.count("restart: a new agent on the reopened thread") == 1
    assert run.state is not None
    assert {fact.call for fact in run.state.facts.values()} == {"c1", "c2"}


def test_a_released_answer_is_reported_with_its_mark(tmp_path: Path) -> None:
    """The mark is read from the framework's message, not from the verdict."""
    run = play(case([EDIT, DONE], [{"type": "finish", "text": "Hello."}]), tmp_path)
    assert run.marked == (True, False)
    assert run.answers == (DONE["text"], "Hello.")


def test_a_withheld_answer_is_empty(tmp_path: Path) -> None:
    """Under rails the user is shown nothing."""
    run = play(case([EDIT, DONE], posture="rails"), tmp_path)
    assert (run.answers, run.marked) == (("",), (False,))
    assert run.verdicts[-1].action is Action.WITHHOLD


def test_probes_look_into_the_workspace_only_when_the_case_asks(tmp_path: Path) -> None:
    """The roots are the workspace, or none."""
    with_probe = play(case([EDIT, DONE], requires=("probe",), policy="default"), tmp_path / "a")
    assert [v.action for v in with_probe.verdicts] == [Action.DELIVER]
    without = play(case([EDIT, DONE], policy="default"), tmp_path / "b")
    assert without.verdicts[0].action is Action.REVISE


def test_the_events_tell_the_run(tmp_path: Path) -> None:
    """One line each, for people."""
    kinds = [line.split(" ", 1)[0] for line in play(case([EDIT, DONE, READ, DONE]), tmp_path).events]
    assert kinds == ["calls", "drafts:", "gate:", "calls", "drafts:", "gate:", "user"]


def test_without_the_saver_the_driver_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case without a restart runs in memory; one that restarts is an error with a way out."""
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("langgraph.checkpoint.sqlite"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ConfigError, match=r"gate-langgraph\[harness\]"):
        asyncio.run(LangGraphDriver().run(case([{"type": "restart"}, DONE]), tmp_path))
    run = asyncio.run(LangGraphDriver().run(case([DONE]), tmp_path))
    assert run.answers == (DONE["text"],)


def test_a_cancelled_run_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread, no file."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    work = tmp_path / "work"
    work.mkdir()

    async def run() -> None:
        task = asyncio.create_task(LangGraphDriver().run(case([EDIT, DONE]), work))
        while not (files := list((tmp_path / "tmp").glob("*/thread.db"))):
            await asyncio.sleep(0)
        assert files
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    before = set(threading.enumerate())
    asyncio.run(run())
    assert list((tmp_path / "tmp").iterdir()) == []
    assert set(threading.enumerate()) <= before


@DRIVERS
@pytest.mark.parametrize("played", load_cases(), ids=lambda played: played.id)
def test_shipped_cases_hold_when_the_saver_is_reopened_between_any_two_steps(
    played: Case, driver: type[LangGraphDriver], tmp_path: Path
) -> None:
    """Every response of the model comes from a new graph on the reopened file, and no verdict changes."""
    turns = tuple(
        replace(turn, steps=tuple(replace(step, restart=True) for step in turn.steps)) for turn in played.turns
    )
    run = play(replace(played, turns=turns), tmp_path, driver=driver)
    assert [v.decision.value.lower() for v in run.verdicts] == [e.get("decision") for e in played.expected]
    steps = sum(len(turn.steps) for turn in played.turns)
    assert run.events.count("restart: a new agent on the reopened thread") >= steps
