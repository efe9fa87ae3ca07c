"""The command: runs the rows of spec 80 and prints them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from benchmarks.admission import records, units
from benchmarks.graphs import graphs
from benchmarks.hooks import command_hook, run_hooks
from benchmarks.hostile import answered, observed, valued
from benchmarks.importing import importing
from benchmarks.memory import memory, persisted
from benchmarks.observing import observing
from benchmarks.pace import THEN, pace
from benchmarks.reading import reading
from benchmarks.replaying import replaying
from benchmarks.session import checks, pairs
from benchmarks.shell import shell
from benchmarks.table import Row, markdown, plain
from benchmarks.values import values


class Benchmark(Protocol):
    """Measures and yields its rows; `quick` only shows that it works."""

    def __call__(self, *, quick: bool) -> Iterator[Row]: ...


BENCHMARKS: Mapping[str, Benchmark] = {
    "observe": observing,
    "pairs": pairs,
    "checks": checks,
    "shell": shell,
    "admission": units,
    "audit": records,
    "memory": memory,
    "persisted": persisted,
    "replay": replaying,
    "import": importing,
    "read": reading,
    "command-hook": command_hook,
    "run-hooks": run_hooks,
    "graph": graphs,
    "hostile-observe": observed,
    "hostile-answer": answered,
    "values": values,
    "hostile-values": valued,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for. Exit 0: a timing is a report, never a failure."""
    asked = _parser().parse_args(arguments)
    names = asked.only or list(BENCHMARKS)
    show: Callable[[Row], None] = (lambda row: print(plain(row), flush=True)) if _talks(asked) else lambda row: None
    rows = []
    tempo = None if asked.quick else pace()
    if tempo is not None and _talks(asked):
        print(_told(tempo), flush=True)
    for name in names:
        for row in BENCHMARKS[name](quick=asked.quick):
            show(row)
            rows.append(row)
    if asked.json:
        print(json.dumps([row.to_dict(tempo) for row in rows], indent=1, ensure_ascii=False))
    elif asked.markdown:
        print(markdown(rows, tempo))
    else:
        print(f"\n{markdown(rows, tempo)}")
    return 0


def _told(tempo: float) -> str:
    beside = f"{tempo * THEN:.3g} ms for the peer's look at 100 KB, {THEN:g} where the targets were set"
    return f"Pace: this machine takes {tempo:.3g} times as long ({beside})."


def _talks(asked: argparse.Namespace) -> bool:
    return not (asked.json or asked.markdown)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="What the gate costs, beside its peers in the same run. Ratios are ours / reference, of minima.",
    )
    parser.add_argument("--only", action="append", choices=list(BENCHMARKS), metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="tiny sizes, once: shows that it runs, measures nothing")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the rows as JSON")
    form.add_argument("--markdown", action="store_true", help="the table alone")
    return parser


if __name__ == "__main__":
    sys.exit(main())
