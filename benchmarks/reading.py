"""What reading a new answer costs: realistic ones of about 2 KB, prose with lists, a table and code (spec 20), in
languages with and without spaces. Processor time, because that is what a busy host pays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from benchmarks.measure import MS
from benchmarks.table import Row, Sample, Target
from gate_core import Attempt, GateConfig, GateState
from gate_core.ledger import Ledger
from gate_core.reading import read
from gate_core.reading.statements import forget

FOLDER = Path(__file__).parent / "answers"
SIZE = 2_048  # bytes; longer answers are cut


def reading(*, quick: bool) -> Iterator[Row]:
    """One answer after another, none of whose sentences was read before; the words of the language were met."""
    texts = {path.stem: _cut(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.md"))}
    taken: dict[str, list[float]] = {name: [] for name in texts}
    for round_ in range(3 if quick else 40):
        for name, text in texts.items():
            forget()
            spent = _seconds(text)
            if round_:
                taken[name].append(spent)
    for name, measures in taken.items():
        yield Row(
            name=f"read a new answer, {name}",
            unit="ms",
            ours=Sample.of(measures).scaled(MS),
            note=f"{len(texts[name].encode()):,} bytes, processor time",
            target=Target(most=2.0),
        )


def _cut(text: str) -> str:
    return text.encode()[:SIZE].decode(errors="ignore")


def _seconds(text: str) -> float:
    ledger = Ledger(GateState(), GateConfig())
    start = process_time()
    read(Attempt(parts=(text,)), ledger)
    return process_time() - start
