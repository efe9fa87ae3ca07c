"""Hostile input: neither raises nor hangs; and payloads of the wrong shape end up on record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate_core import Attempt, Gate, GateConfig, Outcome, ToolCall, observe
from gate_core.ledger import Ledger
from gate_core.reading import names_in, read, told

HOSTILE = {
    "one hex word": "a1" * 2_500_000,
    "dots": "." * 80_000,
    "brackets": "[" * 100_000,
    "lone surrogates": "\ud800" * 50_000,
    "NUL": "\0" * 50_000,
    "a line of a megabyte": "x y " * 250_000,
    "ticks": "`" * 100_001,
    "quotes": '"' * 100_001,
    "quotes of Python that never end": "{'a': 'x" + "\\'" * 50_000,
    "a printed list without an end": "['" + "', ('" * 30_000,
    "slashes": "a/" * 100_000,
    "underscores": "a_" * 100_000,
    "commas": ", the" * 40_000,
    "clauses": "i also " * 30_000,
    "quote marks": "> " * 100_000,
    "table": "| a " * 50_000,
    "line breaks": "\n" * 500_000,
    "ends": ". " * 30_000,
    "addresses": "https://" * 20_000,
    "at signs": "@" * 200_000,
    "dashes": "-" * 200_000,
    "not, not, not": "n't a " * 30_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_read(text: str) -> None:
    """As a prompt, as an answer, as arguments, as a command and as a result."""
    assert isinstance(names_in(text), tuple)
    gate = Gate()
    gate.begin_turn(text)
    gate.observe(ToolCall(tool="read_file", args={"path": text[:50_000]}, result=text))
    gate.observe(ToolCall(tool="edit_file", args={"path": "a", "old": "", "new": text}, result=text))
    gate.observe(ToolCall(tool="shell", args={"command": text}, result=text, exit_code=0))
    gate.observe(ToolCall(tool="zz", args={"items": [text]}, result=[text]))
    found = read(Attempt(parts=(text,), output={"a": text}), Ledger(gate.state, gate.config, gate))
    assert len(found.sentences) <= 200_001
    verdict = gate.boundary_check(Attempt(parts=(text, "Done.")))
    assert "gate-error" not in verdict.codes


def test_deeply_nested_payloads_are_on_record() -> None:
    """What cannot be walked is recorded as unknown, and the run goes on."""
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    gate = Gate()
    gate.begin_turn("x")
    for call in (
        ToolCall(tool="read_file", args={"path": "a"}, result=deep, call_id="1"),
        ToolCall(tool="get_x", args={"path": deep}, call_id="2"),
    ):
        assert gate.observe(call).outcome is Outcome.UNKNOWN
    assert len(gate.state.facts) == 2
    while isinstance(deep, list):
        deep = deep.pop()


PAYLOADS: dict[str, dict[str, Any]] = {
    "no arguments": {"tool": "read_file", "args": None},
    "a list for arguments": {"tool": "read_file", "args": ["path"]},
    "a text for arguments": {"tool": "read_file", "args": "path"},
    "no tool": {"tool": None},
    "a number for a tool": {"tool": 5, "call_id": 7},
    "a list for a tool": {"tool": [], "args": {"a": b"x"}, "result": {1, 2}},
    "any object for a result": {"tool": "read_file", "args": {"path": "a"}, "result": object()},
    "a status nobody knows": {"tool": "read_file", "args": {"path": "a"}, "result": "x", "status": "weird"},
    "no status": {"tool": "read_file", "args": {"path": "a"}, "result": "x", "status": None},
    "a huge number": {"tool": "read_file", "args": {"path": "a", "limit": 10**5000}},
    "not a number": {"tool": "read_file", "args": {"path": float("nan")}, "result": float("nan")},
    "a text for a step": {"tool": "x", "step": "7"},
    "texts for signals": {"tool": "x", "signals": ("a",)},
    "a number for signals": {"tool": "x", "signals": 5},
    "a list for an exit code": {"tool": "x", "exit_code": [1]},
    "keys of two kinds": {"tool": "x", "args": {1: 2, "a": 3}},
    "keys that are no texts": {"tool": "get_x", "args": {5: "a"}},
    "lone surrogates": {
        "tool": "edit_file",
        "args": {"path": "\ud800", "old": "", "new": "\ud800"},
        "result": "\ud800",
    },
    "no side facts": {"tool": "Edit", "args": {"file_path": "a", "new_string": "b"}, "side": None},
    "an object for an agent": {"tool": "x", "agent": {}},
    "a text for a turn": {"tool": "x", "turn": "z"},
    "bytes": {"tool": "read_file", "args": {"path": b"a"}, "result": b"abc"},
    "a patch of nonsense": {
        "tool": "edit_file",
        "args": {"path": "a", "old": "", "new": ""},
        "side": {"structuredPatch": [5, {"newStart": None}]},
    },
    "an origin of nonsense": {"tool": "mcp____", "origin": 5},
    "a URL nobody can take apart": {"tool": "http_get", "args": {"url": "http://[x"}, "result": "y"},
}


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_a_payload_of_unexpected_shape_is_on_record(payload: dict[str, Any]) -> None:
    """`Gate.observe` never raises; the call is one fact, the state can be stored, and "Done." is never let through."""
    gate = Gate()
    gate.begin_turn("x")
    fact = gate.observe(ToolCall(**payload))
    assert list(gate.state.facts.values()) == [fact]
    assert (fact.turn, fact.step) == (1, 0)
    again = Gate.from_json(json.loads(json.dumps(gate.to_json())))
    assert again.state == gate.state
    gate.observe(ToolCall(tool="read_file", args={"path": "z"}, result="z"))
    assert len(gate.state.facts) == 2
    gate.progress()
    verdict = gate.boundary_check(Attempt(parts=("I've updated app.cfg.",)))
    assert "gate-error" not in verdict.codes


def test_an_unreadable_call_is_no_evidence() -> None:
    """It backs nothing, changes nothing that can be named, and is noted as unknown."""
    gate = Gate()
    gate.begin_turn("x")
    gate.observe(ToolCall(tool="read_file", args=None, result="x"))  # type: ignore[arg-type]
    verdict = gate.boundary_check(Attempt(parts=("I read app.cfg.",)))
    assert verdict.codes == ("nothing-observed", "tool-unknown", "value-unexamined")


def test_an_agent_cannot_pass_for_the_gate() -> None:
    """A caller's agent called "gate" is renamed, so its calls are no probes."""
    fact = observe(ToolCall(tool="probe", agent="gate", turn=1), GateConfig())
    assert (fact.agent, fact.by_gate, fact.executed) == ("agent:gate", False, True)


def test_a_delegates_signals_are_not_believed() -> None:
    """Testimony raises nothing."""
    from gate_core import SignalEvent

    call = ToolCall(tool="task", result="passed", signals=(SignalEvent(name="tests_passed"),))
    assert observe(call, GateConfig()).signals == ()


def test_blank_lines_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that begins with blank space would try each of them again from each of them."""
    searched: list[str] = []

    def printed_by(text: str, **more: Any) -> tuple[()]:
        searched.append(text)
        return ()

    monkeypatch.setattr(told, "printed_by", printed_by)
    told.told_in("\n" * 5_000 + "12 passed in 0.4s" + " \n" * 5_000)
    assert searched == ["12 passed in 0.4s "]
