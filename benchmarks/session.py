"""A long session: pairs of a write and the read that settles it, and what a boundary check costs at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.measure import MS, beside, seconds, sound
from benchmarks.observing import FLOOR_ONLY
from benchmarks.peers import GROUNDING_GATE, named, peer
from benchmarks.table import Row, Target
from gate_core import Attempt, Gate, ToolCall

LENGTHS = (250, 2_000, 5_000)
PAIRS_A_TURN = 10
FILES = 100
"""So many files the session goes round; a repository in work, not one file and not ten thousand."""

_ANSWER = Attempt(parts=("Done, the timeout in src/file_7.py is 30.",))


def pairs(*, quick: bool) -> Iterator[Row]:
    """Per pair, in one turn: short, as specified, and long for the flatness."""
    lengths = (5, 10, 20) if quick else LENGTHS
    sound(_played(lengths[0], turned=False))
    works = {f"ours {n}": _per_pair(_ours, n) for n in lengths}
    if peer(GROUNDING_GATE) is not None:
        works |= {f"theirs {n}": _per_pair(_theirs, n) for n in lengths}
    taken = {name: sample.scaled(MS) for name, sample in beside(works, rounds=1 if quick else 5).items()}
    for n in lengths:
        yield Row(
            name=f"write+read pair, session of {n}",
            unit="ms",
            ours=taken[f"ours {n}"],
            reference=taken.get(f"theirs {n}"),
            beside=named(GROUNDING_GATE),
            target=Target(most=0.1),
        )
    yield Row(
        name=f"write+read pair, {lengths[-1]} beside {lengths[0]}",
        unit="ms",
        ours=taken[f"ours {lengths[-1]}"],
        reference=taken[f"ours {lengths[0]}"],
        beside=f"ours at {lengths[0]}",
        target=Target(ratio=1.1),
    )


def checks(*, quick: bool) -> Iterator[Row]:
    """One boundary check at the end of the session, in one turn and with ten pairs a turn."""
    for turned in (False, True):
        before = None
        for n in (5, 10) if quick else LENGTHS:
            gate = _played(n, turned=turned)
            taken = beside({"ours": lambda gate=gate: _check(gate)}, rounds=1 if quick else 5)  # type: ignore[misc]
            row = Row(
                name=f"boundary check after {n} pairs, {'ten a turn' if turned else 'one turn'}",
                unit="ms",
                ours=taken["ours"].scaled(MS),
                reference=before.ours if before else None,
                beside="the length before",
            )
            before = row
            sound(gate)
            yield row


def _check(gate: Gate) -> float:
    return seconds(lambda: gate.boundary_check(_ANSWER))


def _calls(number: int) -> tuple[ToolCall, ToolCall]:
    path, line = f"src/file_{number % FILES}.py", f"timeout = {number}"
    old = f"timeout = {number - 1}"
    write = ToolCall(tool="edit_file", args={"path": path, "old": old, "new": line}, result="ok", call_id=f"w{number}")
    read = ToolCall(tool="read_file", args={"path": path}, result=f"{line}\nretries = 3\n", call_id=f"r{number}")
    return write, read


def _played(length: int, *, turned: bool) -> Gate:
    gate = Gate(FLOOR_ONLY)
    for number in range(length):
        if number == 0 or (turned and number % PAIRS_A_TURN == 0):
            gate.begin_turn(f"Set the timeout to 30, round {number}.")
        for call in _calls(number):
            gate.observe(call)
    return gate


def _per_pair(session: Callable[[int], Callable[[], object]], length: int) -> Callable[[], float]:
    return lambda: seconds(session(length)) / length


def _ours(length: int) -> Callable[[], object]:
    return lambda: _played(length, turned=False)


def _theirs(length: int) -> Callable[[], object]:
    """The peer's own loop, as its quick start wires it."""
    module = peer(GROUNDING_GATE)
    assert module is not None
    state = module.GateState.for_model_class("default", claim_surface={f"src/file_{n}.py" for n in range(FILES)})
    script = [
        {"type": "tool_call", "tool": call.tool, "args": call.args, "result": call.result, "mutating": changes}
        for number in range(length)
        for call, changes in zip(_calls(number), (True, False), strict=True)
    ]
    return lambda: module.turn_loop(script, state)
