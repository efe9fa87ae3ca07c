"""The values check: building the index of a megabyte, and checking an answer of a hundred values against it (spec 80).

`python -m benchmarks.values` prints the rows. "Warm" is an answer over results that were indexed before, "again" the
same answer once more, as after a free look.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.measure import MS, seconds
from benchmarks.table import Row, Sample, Target, markdown
from benchmarks.texts import log
from gate_core import Attempt, GateConfig, GateState, Json
from gate_core import values as values_room
from gate_core.checks.values import report_on
from gate_core.ledger import Ledger
from gate_core.model.reading import Reading
from gate_core.reading import read
from gate_core.values import of_results
from gate_core.values.index import Index
from gate_core.values.walk import walk

_MEGABYTE = 1_000_000
_SOURCES = Path(values_room.__file__).parent


def _rows(chance: random.Random, number: int) -> list[dict[str, Json]]:
    return [
        {
            "host": f"web-{place}",
            "errors": chance.randint(0, 99_999),
            "p95_ms": round(chance.random() * 1000, 2),
            "region": chance.choice(["eu", "us"]),
            "at": f"2026-11-{chance.randint(1, 30):02}T{chance.randint(0, 23):02}:05:00Z",
        }
        for place in range(number)
    ]


def _log(chance: random.Random, number: int) -> str:
    return "\n".join(
        f"2026-11-30T{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:05Z INFO worker-{chance.randint(1, 50)} "
        f"handled request id={chance.randint(1, 10**9)} in {chance.randint(1, 3000)} ms status=200"
        for _ in range(number)
    )


def _csv(rows: Sequence[dict[str, Json]]) -> str:
    return "\n".join([",".join(rows[0]), *(",".join(str(cell) for cell in row.values()) for row in rows)])


def _dense(chance: random.Random, number: int) -> str:
    """A table of numbers alone, as exports are."""
    return "\n".join(
        [
            "order_no,units,price_usd,cost_usd,qty,p95_ms,score",
            *(
                f"{chance.randint(1_000, 9_999)},{chance.randint(0, 9_999)},{chance.random() * 1000:.2f},"
                f"{chance.random() * 100:.2f},{chance.randint(0, 99)},{chance.random() * 100:.1f},{chance.random():.3f}"
                for _ in range(number)
            ),
        ]
    )


def _answer(rows: Sequence[dict[str, Json]], chance: random.Random, sentences: int) -> str:
    said = chance.choices(rows, k=sentences)
    return " ".join(f"{row['host']} had {row['errors']:,} errors and a p95 of {row['p95_ms']} ms." for row in said)


def _index(text: Json) -> None:
    """Everything a check may ask of a document."""
    index = Index(walk(text))
    _ = (index.fields_between([(0.5, 0.6)]), index.labels)


def _reading(text: str) -> Reading:
    return read(Attempt(parts=(text,)), Ledger(GateState(), GateConfig()))


def values(*, quick: bool) -> Iterator[Row]:
    """Index per megabyte by kind of result; cold, warm and repeated checks over one of JSON."""
    chance = random.Random(7)  # a fixed sequence, no secret
    size = 20_000 if quick else _MEGABYTE
    rounds = 1 if quick else 5
    rows = _rows(chance, size // 104)
    texts = {
        "JSON": json.dumps(rows),
        "log": _log(chance, size // 88),
        "another log": log(size),
        "CSV": _csv(rows * 2),
        "CSV, numbers alone": _dense(chance, size // 36),
        "source code": "".join(file.read_text("utf-8") for file in sorted(_SOURCES.glob("*.py")))[:size],
    }
    for kind, text in texts.items():
        taken = Sample.of(seconds(lambda text=text: _index(text)) * MS * _MEGABYTE / len(text) for _ in range(rounds))  # type: ignore[misc]  # bound now
        yield Row(name=f"value index, 1 MB of {kind}", unit="ms", ours=taken, target=Target(most=150))
    yield from _checks(json.dumps(rows), rows, chance, rounds)
    yield from _short_texts(20 if quick else 2_000)


def _checks(text: str, rows: Sequence[dict[str, Json]], chance: random.Random, rounds: int) -> Iterator[Row]:
    config = GateConfig()
    taken: dict[str, list[float]] = {"cold": [], "warm": [], "again": []}
    for number in range(rounds):
        evidence = of_results([f"{text} {number}"])
        first, second = (_reading(_answer(rows, chance, 33)) for _ in range(2))
        works: dict[str, Callable[[], object]] = {
            "cold": lambda first=first, evidence=evidence: report_on(first, evidence, config),  # type: ignore[misc]  # bound now
            "warm": lambda second=second, evidence=evidence: report_on(second, evidence, config),  # type: ignore[misc]  # bound now
        }
        works["again"] = works["warm"]
        for name, work in works.items():
            taken[name].append(seconds(work) * MS)
    for name, most in (("cold", 250.0), ("warm", 5.0), ("again", 5.0)):
        told = {"warm": "warm, a new answer", "again": "warm, the same answer"}.get(name, name)
        yield Row(
            name=f"values of an answer of 99 values over 1 MB, {told}",
            unit="ms",
            ours=Sample.of(taken[name]),
            target=Target(most=most),
        )


def _short_texts(number: int) -> Iterator[Row]:
    """An answer of three values over many short results that show none of them, and another one after it."""
    evidence = of_results([log(1_000, seed=n) for n in range(number)])
    for name, answer in (
        ("cold", "It took 4,711 ms on 30 November 2026, see T-4471."),
        ("warm, a new answer", "It took 4,811 ms on 30 October 2026, see T-4571."),
    ):
        reading = _reading(answer)
        taken = seconds(lambda reading=reading: report_on(reading, evidence, GateConfig())) * MS  # type: ignore[misc]  # bound now
        yield Row(
            name=f"values of an answer of 3 values over {number:,} logs of 1 KB, {name}",
            unit="ms",
            ours=Sample.of([taken]),
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit 0: a timing is a report, never a failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.values", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    print(markdown(list(values(quick=parser.parse_args(arguments).quick))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
