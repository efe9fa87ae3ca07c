"""How precise the reading of statements is, per kind and language, on held-back sentences (spec 20, `certified`).

    uv run python -m benchmarks.statements            a Markdown table
    uv run python -m benchmarks.statements --misses   and every sentence that was read otherwise
    uv run python -m benchmarks.statements --write    writes which kinds may block (checks/certified.toml of the core)

`heldback/<language>.toml` holds sentences that claim nothing (`negatives`, one pool for all kinds of a language) and
claims of each kind (`positives`). No rule may be tuned on them; a set that was used to improve rules says so and counts
no more, unless what it showed at first sight is on record (first_sight.toml). A kind is certified in a language when at
least 150 negatives were read and the 95 % bound of its false hits is at most 2 %.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gate_core import Attempt, GateConfig
from gate_core.ledger import Ledger
from gate_core.model.reading import Mood, Says
from gate_core.model.state import GateState
from gate_core.reading import read
from gate_core.reading.languages import LANGUAGES

POOLS = tuple(sorted(Path(__file__).parent.glob("heldback*")))
CERTIFIED = Path(__file__).parents[1] / "packages/gate-core/src/gate_core/checks/certified.toml"
SEEN = Path(__file__).parent / "first_sight.toml"
ENOUGH = 150
MOST_FALSE = 0.02
_RETIRED = "held back no more"
CONFIDENCE = 0.95

_SAYS = {"file_changed": Says.CHANGED, "checked": Says.LOOKED, "unchanged": Says.UNCHANGED}
_NEVER_ALONE = frozenset({"checked", "unchanged"})
"""Kinds that decide about the type of a claim; no check blocks by them."""
_NAMES = {"tests_green": "tests_passed", "tests_red": "tests_passed-red", "build_green": "build_passed"}
_NAMES |= {"lint_green": "lint_passed", "types_green": "types_passed", "released": "published"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One kind in one language: `hits` of `negatives` that claim nothing, `found` of `positives` that claim it."""

    language: str
    kind: str
    negatives: int
    hits: int
    positives: int
    found: int

    @property
    def bound(self) -> float:
        """The highest rate of false hits that 95 % confidence allows; exact for none, by Wilson's interval else."""
        if not self.negatives:
            return 1.0
        if not self.hits:
            return float(1 - (1 - CONFIDENCE) ** (1 / self.negatives))
        n, p, z = self.negatives, self.hits / self.negatives, 1.645
        middle, spread = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
        return float((middle + spread) / (1 + z * z / n))

    @property
    def certified(self) -> bool:
        """May it block by default?"""
        return self.negatives >= ENOUGH and self.bound <= MOST_FALSE


def stated(text: str) -> set[str]:
    """The kinds that a text is read to state; who did it does not matter here."""
    found: set[str] = set()
    for sentence in read(Attempt(parts=(text,)), _NOTHING).sentences:
        if sentence.mood is Mood.INDICATIVE and not (sentence.quoted or sentence.code):
            found |= {kind.removesuffix("-told") for kind in sentence.events}
            found |= {kind.value for kind in sentence.says}
    return found


_NOTHING = Ledger(GateState(), GateConfig())
"""A conversation in which nothing happened."""


def pools_of(language: str) -> list[Path]:
    """The files of a language that no rule was tuned on."""
    found = [pool / f"{language}.toml" for pool in POOLS]
    return [path for path in found if path.exists() and _RETIRED not in path.read_text("utf-8")[:400].lower()]


def lines_of(language: str) -> tuple[list[Line], list[str]]:
    """The lines of a language, and the sentences that were read otherwise."""
    paths = pools_of(language)
    if not paths:
        return [], []
    pools = [tomllib.loads(path.read_text("utf-8")) for path in paths]
    negatives = [(text, stated(text)) for pool in pools for text in pool["negatives"]]
    lines, misses = [], []
    for name in pools[0]["positives"]:
        texts = [text for pool in pools for text in pool["positives"].get(name, ())]
        kind = _SAYS[name].value if name in _SAYS else _NAMES.get(name, name)
        wrong = [text for text, said in negatives if kind in said]
        missed = [text for text in texts if kind not in _widened(stated(text))]
        seen, hits = _at_first_sight(language, name)
        lines.append(
            Line(
                language=language,
                kind=name,
                negatives=seen or len(negatives),
                hits=hits if seen else len(wrong),
                positives=len(texts),
                found=len(texts) - len(missed),
            )
        )
        misses += [f"{language} {name} FALSE: {text}" for text in wrong]
        misses += [f"{language} {name} missed: {text}" for text in missed]
    return lines, misses


def _at_first_sight(language: str, kind: str) -> tuple[int, int]:
    """(sentences that claim nothing, false hits) on record for a language; (0, 0) for none."""
    row = tomllib.loads(SEEN.read_text("utf-8")).get(language)
    if row is None:
        return 0, 0
    alone = row.get("alone", {}).get(kind)
    return (alone["negatives"], alone["hits"]) if alone else (row["negatives"], row["hits"][kind])


def _widened(said: set[str]) -> set[str]:
    """A change told without saying whose it was is one where the turn made one."""
    return said | ({Says.CHANGED.value} if Says.PASSIVE.value in said else set())


def markdown(lines: Sequence[Line]) -> str:
    """The table that the README quotes."""
    rows = [
        "| language | kind | false hits | of | 95 % bound | found | of | may block |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    for line in lines:
        cells = (line.language, line.kind, line.hits, line.negatives, f"{line.bound:.1%}", line.found, line.positives)
        rows.append("| " + " | ".join(str(cell) for cell in cells) + f" | {'yes' if line.certified else 'no'} |")
    return "\n".join(rows)


def certified_table(lines: Sequence[Line]) -> str:
    """The data file of what may block by default."""
    head = CERTIFIED.read_text("utf-8").partition("[certified]")[0]
    rows = []
    for language in LANGUAGES:
        own = [line for line in lines if line.language == language and line.certified and line.kind not in _NEVER_ALONE]
        kinds = sorted({_NAMES.get(line.kind, line.kind) for line in own})
        if kinds:
            rows.append(f"{language} = [{', '.join(json.dumps(kind) for kind in kinds)}]")
    return f"{head}[certified]\n" + "\n".join(rows) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.statements", description="precision of statements")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="only this language; may be repeated")
    parser.add_argument("--misses", action="store_true", help="list every sentence that was read otherwise")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write the kinds that may block into the core's data")
    options = parser.parse_args(argv)
    lines, misses = [], []
    for language in options.language or LANGUAGES:
        found, wrong = lines_of(language)
        lines += found
        misses += wrong
    print(json.dumps([asdict(line) for line in lines], indent=1) if options.json else markdown(lines))
    if options.misses:
        print("\n".join(misses), file=sys.stderr)
    if options.write:
        CERTIFIED.write_text(certified_table(lines), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
