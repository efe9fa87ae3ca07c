"""The reasoning budget: steps use it up, new looks refill it, a rejection halts."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core import LEGAL_NEXT, Action, Attempt, Exit, Gate, GateConfig, ToolCall
from gate_core.model.kinds import Layer, Severity


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
