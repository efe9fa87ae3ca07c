"""The reasoning budget: steps use it up, new looks refill it, a rejection halts."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import LEGAL_NEXT, Action, Attempt, Exit, Gate, GateConfig, ToolCall
from gate_core.ledger.budget import REASONING
from gate_core.model.kinds import Layer, ProbeKind, Severity
from gate_core.model.verdict import Probe, ProbeResult


def gate(**config: Any) -> Gate:
    """A conversation in its first turn."""
    made = Gate(GateConfig(**config))
    made.begin_turn("What is in app.cfg?")
    return made


def look(g: Gate, path: str = "app.cfg", result: str = "t = 5", **own: Any) -> None:
    """One read."""
    g.observe(ToolCall(tool="read_file", args={"path": path}, result=result, **own))


def left(g: Gate) -> Any:
    """What `progress` says is left."""
    return g.progress()["budget"]


@pytest.mark.parametrize(
    ("model_class", "cap", "refill", "blocks"),
    [("default", 6, 2, False), ("skipper", 5, 2, False), ("diverger", 4, 1, True)],
)
def test_a_model_class_sets_the_rope(model_class: str, cap: int, refill: int, blocks: bool) -> None:
    """Cap, refill, and whether the layer blocks."""
    g = gate(model_class=model_class)
    assert (g.config.cap, g.config.refill) == (cap, refill)
    assert (g.config.layers[Layer.BUDGET].value == "block") is blocks
    for _ in range(cap):
        g.reasoning_step()
    assert left(g) == 0
    look(g)
    assert left(g) == refill


def test_the_budget_never_passes_its_cap_nor_goes_below_zero() -> None:
    """A look at a full rope adds nothing; steps beyond its end cost nothing."""
    g = gate()
    look(g)
    assert left(g) == 6
    for _ in range(9):
        g.reasoning_step()
    assert left(g) == 0
    look(g, "other")
    assert left(g) == 2


def test_a_repeated_look_earns_nothing_until_something_changed() -> None:
    """Same tool, same arguments, same result: no news."""
    g = gate()
    look(g)
    for _ in range(4):
        g.reasoning_step()
    look(g)
    assert left(g) == 2
    g.observe(ToolCall(tool="edit_file", args={"path": "app.cfg", "old": "5", "new": "6"}, result="ok"))
    look(g)
    assert left(g) == 4


def test_other_bytes_are_news_and_exempt_tools_always_are() -> None:
    """A look with another result earned something; `novelty_exempt` tools need none."""
    g = gate(novelty_exempt=("http_get",))
    for _ in range(6):
        g.reasoning_step()
    look(g, result="t = 5")
    look(g, result="t = 6")
    assert left(g) == 4
    for _ in range(2):
        g.observe(ToolCall(tool="http_get", args={"url": "https://a.example"}, result="same"))
    assert left(g) == 6


@pytest.mark.parametrize(
    ("call", "earned"),
    [
        (ToolCall(tool="edit_file", args={"path": "a", "old": "1", "new": "2"}, result="ok"), 0),
        (ToolCall(tool="run_it", result=""), 0),
        (ToolCall(tool="task", result="done"), 0),
        (ToolCall(tool="write_todos", args={"todos": []}, result="ok"), 0),
        (ToolCall(tool="read_file", args={"path": "a"}, result="Permission denied", status="error"), 0),  # type: ignore[arg-type]
        (ToolCall(tool="read_file", args={"path": "a"}, result="x", status="denied"), 0),  # type: ignore[arg-type]
        (ToolCall(tool="list_dir", args={"path": "a"}, result="x"), 2),
        (ToolCall(tool="read_file", args={"path": "a"}, result="No such file", status="error"), 2),  # type: ignore[arg-type]
    ],
    ids=["change", "exec", "delegate", "neutral", "failed", "denied", "listing", "absence"],
)
def test_what_earns(call: ToolCall, earned: int) -> None:
    """Only a call that showed or listed something, or its absence, refills."""
    g = gate()
    for _ in range(5):
        g.reasoning_step()
    g.observe(call)
    assert left(g) == 1 + earned


def test_within_one_step_refills_come_before_costs() -> None:
    """Looks of one step refill together; the order in which they were reported does not matter."""
    seen = []
    for paths in (("a", "b"), ("b", "a")):
        g = gate()
        for _ in range(6):
            g.reasoning_step()
        for path in paths:
            look(g, path, step=9)
        seen.append(left(g))
    assert seen == [4, 4]


def test_a_refill_comes_before_a_cost_of_its_step() -> None:
    """A full rope stays short of the cap by the step's cost, whichever fact of the step was stored first."""
    g = gate()
    g.reasoning_step()
    look(g, step=0)
    assert left(g) == 5


def test_what_costs_nothing() -> None:
    """Repeats, looks that showed nothing, changes, programs, delegates, plans, and every attempt."""
    g = gate()
    look(g)
    for _ in range(3):
        g.reasoning_step()
    look(g)
    look(g, "gone", result="Permission denied", status="error")
    g.observe(ToolCall(tool="edit_file", args={"path": "b", "old": "1", "new": "2"}, result="ok"))
    g.observe(ToolCall(tool="edit_file", args={"path": "c", "old": "1", "new": "2"}, result="No match", status="error"))  # type: ignore[arg-type]
    g.observe(ToolCall(tool="run_it", result=""))
    g.observe(ToolCall(tool="task", result="done"))
    g.observe(ToolCall(tool="write_todos", args={"todos": []}, result="ok"))
    for text in ("Done.", "app.cfg sets t to 5.", "Shall I go on?"):
        g.boundary_check(Attempt(parts=(text,)))
    assert left(g) == 3


def test_a_tool_called_reasoning_and_the_gates_own_looks_cost_nothing() -> None:
    """Only the gate's own facts about model steps do."""
    g = gate()
    g.observe(ToolCall(tool=REASONING, result="thought about it"))
    g.record_probe(ProbeResult(probe=Probe(kind=ProbeKind.EXISTS, path="app.cfg"), held=True))
    assert left(g) == 6
    g.reasoning_step()
    assert left(g) == 5


def test_a_change_of_another_target_makes_no_look_new() -> None:
    """Per target: an edit of b.cfg tells nothing new about app.cfg."""
    g = gate()
    look(g)
    for _ in range(4):
        g.reasoning_step()
    g.observe(ToolCall(tool="edit_file", args={"path": "b.cfg", "old": "5", "new": "6"}, result="ok"))
    look(g)
    assert left(g) == 2


def test_a_look_that_differs_in_noise_alone_does_not_end_the_halt() -> None:
    """Polling the same state again is no new evidence; another state is."""
    g = gate()
    look(g, "run.log", result="3 failed in 0.41s")
    g.boundary_check(Attempt(parts=("Done, app.cfg is set.",)))
    look(g, "run.log", result="3 failed in 0.44s")
    assert g.reasoning_step() == LEGAL_NEXT
    look(g, "run.log", result="2 failed in 0.44s")
    assert g.reasoning_step() == ()


def test_every_rejection_of_a_turn_halts() -> None:
    """Also the second one, after a look had ended the first halt."""
    g = gate()
    g.boundary_check(Attempt(parts=("Done, app.cfg is set.",)))
    look(g)
    assert g.progress()["halted"] is False
    assert not g.boundary_check(Attempt(parts=("I've updated app.cfg.",))).accepted
    assert g.progress()["halted"] is True


def test_a_new_turn_starts_with_the_whole_rope() -> None:
    """The budget is one of the turn."""
    g = gate()
    for _ in range(6):
        g.reasoning_step()
    g.begin_turn("next")
    assert left(g) == 6


@pytest.mark.parametrize(
    ("config", "action", "exit_"),
    [
        ({"policy": "strict"}, Action.RELEASE, Exit.UNVERIFIED),
        ({"policy": "strict", "posture": "rails"}, Action.WITHHOLD, Exit.WITHHELD),
        ({"model_class": "diverger"}, Action.RELEASE, Exit.UNVERIFIED),
        ({"policy": "strict", "posture": "assist"}, Action.DELIVER, Exit.UNVERIFIED),
        ({}, Action.DELIVER, Exit.GROUNDED),
    ],
    ids=["strict", "rails", "diverger", "assist", "default"],
)
def test_a_claim_at_the_end_of_the_rope(config: dict[str, Any], action: Action, exit_: Exit) -> None:
    """Where the layer blocks, the answer goes out marked, or not at all, at once: no revision can help."""
    g = gate(**config)
    look(g)
    for _ in range(6):
        g.reasoning_step()
    verdict = g.boundary_check(Attempt(parts=("app.cfg sets t to 5.",)))
    assert (verdict.action, verdict.exit, verdict.codes) == (action, exit_, ("budget-exhausted",))
    assert (verdict.findings[0].severity is Severity.WARN) is (not config)


def test_an_answer_that_claims_nothing_needs_no_rope() -> None:
    """`none` and `unverified` may come at the very end."""
    for text in ("Shall I go on?", "UNVERIFIED: could not tell."):
        g = gate(policy="strict")
        for _ in range(6):
            g.reasoning_step()
        assert g.boundary_check(Attempt(parts=(text,))).codes == ()


def test_a_rejection_halts_until_a_look_earns() -> None:
    """While halted a reasoning step is refused with the legal moves, and costs all the same."""
    g = gate()
    assert g.reasoning_step() == ()
    assert not g.boundary_check(Attempt(parts=("app.cfg sets t to 5.",))).accepted
    assert g.progress()["halted"] is True
    assert g.reasoning_step() == LEGAL_NEXT == ("qualifying_tool_call", "unverified_terminal")
    assert left(g) == 4
    look(g)
    assert g.progress()["halted"] is False
    assert g.reasoning_step() == ()


@pytest.mark.parametrize("way", ["accepted", "unverified", "turn"])
def test_a_halt_also_ends_with(way: str) -> None:
    """An accepted claim, an honest `unverified`, or a new turn."""
    g = gate()
    g.boundary_check(Attempt(parts=("app.cfg sets t to 5.",)))
    assert g.reasoning_step() == LEGAL_NEXT
    if way == "turn":
        g.begin_turn("next")
    else:
        g.boundary_check(Attempt(parts=("What now?" if way == "accepted" else "UNVERIFIED: no.",)))
    assert g.reasoning_step() == ()


def test_a_repeated_look_does_not_end_the_halt() -> None:
    """Looking at the same again is no new evidence."""
    g = gate()
    look(g, "other")
    g.boundary_check(Attempt(parts=("Done, app.cfg is set.",)))
    look(g, "other")
    assert g.reasoning_step() == LEGAL_NEXT
