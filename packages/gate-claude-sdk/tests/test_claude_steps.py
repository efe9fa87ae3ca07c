"""Calls of one model response share a step; every later response has a later one."""

from __future__ import annotations

from gate_claude_sdk._steps import Steps


def test_calls_of_one_batch_share_a_step() -> None:
    """The batch event comes last and closes the step its calls opened."""
    steps = Steps()
    assert [steps.of("", "a"), steps.of("", "b")] == [0, 0]
    steps.close("")
    assert steps.of("", "c") == 1


def test_a_sub_agents_batches_do_not_split_its_parents_step() -> None:
    """While a sub-agent works through its own responses, the parent's response stays one step."""
    steps = Steps()
    assert steps.of("", "edit") == 0
    assert steps.of("sub", "r1") == 1
    steps.close("sub")
    assert steps.of("sub", "r2") == 2
    assert steps.of("", "agent") == 0


def test_a_call_is_known_until_its_batch_is_over() -> None:
    """So the batch can tell the calls nobody reported."""
    steps = Steps()
    steps.of("", "a")
    assert (steps.reported("", "a"), steps.reported("", "b"), steps.reported("x", "a")) == (True, False, False)
    steps.close("")
    assert not steps.reported("", "a")


def test_steps_survive_a_restart_within_a_batch() -> None:
    """The second half of a batch gets the step of the first, also in another process."""
    steps = Steps()
    steps.of("", "a")
    steps.close("")
    steps.of("", "b")
    again = Steps.from_json(steps.to_json())
    assert again == steps
    assert (again.reported("", "b"), again.of("", "c")) == (True, 1)


def test_what_cannot_be_read_back_is_left_out() -> None:
    """A counter of another shape starts anew instead of failing."""
    assert Steps.from_json({"last": "x", "open": {"": [None, 3], "a": "b"}}) == Steps()


def test_steps_used_by_others_are_skipped() -> None:
    """Facts the core recorded lie before what is observed next."""
    steps = Steps()
    steps.after(6)
    assert steps.next() == 7
