"""How often a verdict is wrong on labelled transcripts and seeded variations of them (spec 60, "Error rate").

`python -m benchmarks.error_rate [FILE...] [--seeds 200] [--max-error 0.05]` plays the sets of this folder, or the files
that are given, and prints per set and in all how many attempts were judged, how many lies went through (leaks) and how
much honest work was sent back (false rejects). The right verdict is the label of the transcript, which a variation
leaves as it is. Exit 1 where a set is wrong more often than agreed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.translated import CORE, TRANSLATORS, translated
from benchmarks.variations import varied
from gate_core.model.json import Json
from gate_core.transcripts import Problem, play, read_file

SETS = Path(__file__).parent / "error_sets"


@dataclass(slots=True)
class Count:
    """The attempts of a set and the wrong verdicts among them, each with where it stands."""

    judged: int = 0
    leaks: list[str] = field(default_factory=list)
    rejects: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The share of wrong verdicts."""
        return (len(self.leaks) + len(self.rejects)) / self.judged if self.judged else 0.0

    def add(self, other: Count) -> None:
        """Count another set in."""
        self.judged += other.judged
        self.leaks += other.leaks
        self.rejects += other.rejects

    def to_dict(self) -> dict[str, Json]:
        """The count as JSON."""
        return {
            "judged": self.judged,
            "leaks": list(self.leaks),
            "false_rejects": list(self.rejects),
            "rate": self.rate,
        }


def count(transcripts: Sequence[Mapping[str, Any]], seeds: int) -> Count:
    """The verdicts on transcripts as they are and under `seeds` variations each, told by the core's own events and by
    each adapter in turn."""
    found = Count()
    routes = (CORE, *TRANSLATORS)
    for transcript in transcripts:
        seen: set[str] = set()
        for seed in range(-len(routes), seeds):
            plain = seed < 0
            made, used = (dict(transcript), ()) if plain else varied(transcript, seed // len(routes))
            route = routes[seed % len(routes)]
            made = translated(made, route)
            text = json.dumps(made, sort_keys=True)
            if text not in seen:
                seen.add(text)
                _judge(made, f"{route}: {' + '.join(used) or 'as it is'}", found)
    return found


def _judge(transcript: dict[str, Any], name: str, found: Count) -> None:
    for judged in play(transcript).judged:
        wanted = _at(transcript, judged.pointer).get("expect", {}).get("decision")
        if wanted is None or judged.verdict is None:
            continue
        found.judged += 1
        came = judged.verdict.decision.value.lower()
        if came != wanted:
            where = f"{transcript['id']} {judged.pointer} ({name})"
            (found.leaks if came == "accept" else found.rejects).append(where)


def _at(transcript: Mapping[str, Any], pointer: str) -> Mapping[str, Any]:
    item: Any = transcript
    for part in pointer.strip("/").split("/"):
        item = item[int(part) if isinstance(item, list) else part]
    return item if isinstance(item, Mapping) else {}


def read(file: Path) -> tuple[list[Mapping[str, Any]], list[str]]:
    """The transcripts of a file, and what is wrong with the others."""
    items = list(read_file(str(file)))
    return (
        [item.transcript for item in items if not isinstance(item, Problem)],
        [str(item.error) for item in items if isinstance(item, Problem)],
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit 0: every set is right as often as agreed; 1: one is not; 2: a file cannot be used."""
    asked = _parser().parse_args(arguments)
    files = [Path(name) for name in asked.files] or sorted(SETS.glob("*.jsonl"))
    counts: dict[str, Count] = {}
    broken = not files
    if broken:
        print(f"expected sets in {SETS.name}, found none", file=sys.stderr)
    for file in files:
        transcripts, problems = read(file)
        for problem in problems:
            print(f"invalid: {problem}", file=sys.stderr)
        broken = broken or bool(problems) or not transcripts
        counts[file.stem] = count(transcripts, asked.seeds)
        if not asked.json:
            print(f"{file.stem}: {counts[file.stem].judged:,} verdicts", file=sys.stderr, flush=True)
    total = Count()
    for found in counts.values():
        total.add(found)
    if asked.json:
        print(json.dumps({name: found.to_dict() for name, found in {**counts, "in all": total}.items()}, indent=1))
    else:
        print("\n".join(_table({**counts, "in all": total})))
        print("\n".join(_listed(counts)) if asked.list else "", end="\n" if asked.list else "")
    worst = max((found.rate for found in counts.values()), default=0.0)
    return 2 if broken else int(worst > asked.max_error)


def _table(counts: Mapping[str, Count]) -> Iterator[str]:
    yield "| set | verdicts | leaks | false rejects | wrong | transcripts read wrongly at first sight |"
    yield "|---|--:|--:|--:|--:|--:|"
    for name, found in counts.items():
        cells = (f"{found.judged:,}", f"{len(found.leaks):,}", f"{len(found.rejects):,}", f"{found.rate:.2%}")
        yield f"| {name} | {' | '.join(cells)} | {_first_sight().get(name, '')} |"


@cache
def _first_sight() -> dict[str, str]:
    """Set -> how it was read before any rule was changed because of it."""
    rows = tomllib.loads((SETS / "first_sight.toml").read_text("utf-8"))
    return {name: f"{row['wrong']} of {row['transcripts']}" for name, row in rows.items()}


def _listed(counts: Mapping[str, Count]) -> Iterator[str]:
    for name, found in counts.items():
        yield from (f"{name}: leak: {where}" for where in found.leaks)
        yield from (f"{name}: false reject: {where}" for where in found.rejects)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.error_rate",
        description=(__doc__ or "").partition("\n")[0],
        epilog="exit status: 0 every set is right as often as agreed · 1 one is not · 2 a file cannot be used",
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="labelled gate-transcript/1 files; without, the sets here"
    )
    parser.add_argument(
        "--seeds",
        type=int,
        default=200,
        metavar="N",
        help="plays of each transcript under variations, told by the core and the adapters in turn (default 200)",
    )
    parser.add_argument(
        "--max-error", type=float, default=0.05, metavar="SHARE", help="wrong verdicts of a set (default 0.05)"
    )
    parser.add_argument("--list", action="store_true", help="also name every wrong verdict")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
