"""Observing one result: a read of 1 KB, 100 KB and 5 MB, values off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.measure import MS, beside, seconds, sound
from benchmarks.peers import GROUNDING_GATE, named, peer
from benchmarks.table import Row, Target
from benchmarks.texts import log
from gate_core import Gate, GateConfig, Layer, Strength, ToolCall

SIZES = {"1 KB": (1_000, 50), "100 KB": (100_000, 5), "5 MB": (5_000_000, 1)}
"""Name -> (characters, calls per measure)."""

FLOOR_ONLY = GateConfig(layers={Layer.VALUES: Strength.OFF})


def observing(*, quick: bool) -> Iterator[Row]:
    """Each size, ours beside the peer's classifier."""
    for name, (size, batch) in SIZES.items():
        texts = [log(size if not quick else min(size, 1_000), seed=seed) for seed in range(1 if quick else 5)]
        gate = Gate(FLOOR_ONLY)
        gate.begin_turn("Look at app.cfg.")
        works = {"ours": _measured(_ours(gate), texts, batch)}
        theirs = _theirs()
        if theirs is not None:
            works["theirs"] = _measured(theirs, texts, batch)
        taken = beside(works, rounds=1 if quick else {50: 40, 5: 20, 1: 5}[batch])
        sound(gate)
        yield Row(
            name=f"observe {name}",
            unit="ms",
            ours=taken["ours"].scaled(MS),
            reference=taken["theirs"].scaled(MS) if "theirs" in taken else None,
            beside=named(GROUNDING_GATE),
            target=Target(ratio=0.1),
        )


def looked_at_by_peer(size: int) -> Callable[[], float] | None:
    """The peer's look at so many characters, in seconds; None when it is not installed."""
    theirs = _theirs()
    return None if theirs is None else _measured(theirs, [log(size)], 1)


def _measured(observe: Callable[[str], object], texts: list[str], batch: int) -> Callable[[], float]:
    """Seconds per call. Each call sees a text of its own, so that nobody profits from having seen it."""
    numbers = count()

    def run() -> float:
        fresh = [f"{n} {texts[n % len(texts)]}" for n in (next(numbers) for _ in range(batch))]
        return seconds(lambda: [observe(text) for text in fresh]) / batch

    return run


def _ours(gate: Gate) -> Callable[[str], object]:
    return lambda text: gate.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result=text))


def _theirs() -> Callable[[str], object] | None:
    module = peer(GROUNDING_GATE)
    if module is None:
        return None
    state = module.GateState.for_model_class("default", claim_surface={"app.cfg"})
    classify = module.classify_observation
    return lambda text: classify("read_file", {"path": "app.cfg"}, text, state, read_only=True)
