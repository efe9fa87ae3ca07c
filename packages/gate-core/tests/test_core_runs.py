"""Runs of known programs raise the signals they prove, and no others (spec 20, "Signals")."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core.data import load_table
from gate_core.footprint.observe import observe
from gate_core.footprint.rules import does
from gate_core.model.call import ToolCall
from gate_core.model.config import GateConfig
from gate_core.model.profile import SignalRule


def _rows() -> list[Any]:
    return [*load_table("footprint", "runs.toml")["signal"], *load_table("footprint", "beside.toml")["beside"]]


def _examples() -> list[Any]:
    return [
        pytest.param(row["name"], example, id=f"{number}.{nth} {example['run'][:40]} -> {example['state']}")
        for number, row in enumerate(_rows())
        for nth, example in enumerate(row["examples"])
    ]


def raised(run: str, out: str, code: int | None, config: GateConfig | None = None) -> list[tuple[str, str]]:
    call = ToolCall(tool="shell", args={"command": run}, result=out, exit_code=code)
    return [(event.name, event.state.value) for event in observe(call, config or GateConfig()).signals]


@pytest.mark.parametrize(("name", "example"), _examples())
def test_a_run_raises_what_its_example_says(name: str, example: dict[str, Any]) -> None:
    """The state, and where the example gives them the count and the scope."""
    call = ToolCall(tool="shell", args={"command": example["run"]}, result=example["out"], exit_code=example["code"])
    events = [event for event in observe(call, GateConfig()).signals if event.name == name]
    assert [(event.name, event.state.value) for event in events] == (
        [(name, example["state"])] if example["state"] else []
    )
    for event in events:
        assert example.get("count", event.count) == event.count
        assert event.scope == example.get("scope", event.scope)


def test_a_rule_of_the_user_may_name_an_exit_code() -> None:
    """`success = "exit 1"` (spec 60): some checkers answer yes with 1."""
    rule = SignalRule(name="gate_g1", programs=("./check.sh",), success="exit 1")
    config = GateConfig(signals=(rule,))
    assert raised("./check.sh", "", 1, config) == [("gate_g1", "passed")]
    assert raised("./check.sh", "", 0, config) == [("gate_g1", "failed")]


def test_a_run_of_a_program_nobody_knows_counts_by_its_summary() -> None:
    """An unknown script that ends well and prints a runner's summary ran the tests (spec 20)."""
    assert raised("./ci.sh", "12 passed in 0.41s", 0) == [("tests_passed", "passed")]
    assert raised("./ci.sh", "1 failed, 11 passed in 0.41s", 0) == [("tests_passed", "failed")]
    assert raised("cat old.log", "12 passed in 0.41s", 0) == []


def test_a_change_behind_the_run_takes_it_back() -> None:
    """`pytest && sed -i ...`: what was run is not what stands there."""
    assert raised("pytest -q && sed -i s/a/b/ a.py", "3 passed", 0) == []
    assert raised("sed -i s/a/b/ a.py && pytest -q", "3 passed", 0) == [("tests_passed", "passed")]


@pytest.mark.parametrize("row", load_table("footprint", "does.toml")["examples"], ids=lambda row: row["run"])
def test_what_programs_do(row: dict[str, Any]) -> None:
    """The examples of the table, each with all that it does."""
    kinds = load_table("footprint", "does.toml")["does"]
    assert [kind for kind in kinds if does(kind, row["run"])] == row["does"]
