"""The honesty table: how many random invented percentages a derivation lets pass (spec 30, "Derivations").

A table of random numbers, a sentence that claims a whole percentage nobody computed. The share that is accepted must
stay low and must not grow with the rows. `python -m benchmarks.values_honesty` prints the table.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from gate_core import GateConfig, Json, check_answer

ROWS = (2, 5, 20, 100, 500)
COLUMNS = ("revenue", "cost", "orders", "visits", "refunds", "staff", "stock")
LIMITS = {"record and two columns": 4.0, "record and one column": 14.0, "nothing": 0.0}
"""Percent of invented values that may pass; for "nothing", percent that may be called computed."""
_PER_TABLE = 20


def _table(rows: int, chance: random.Random, form: str) -> Json:
    made: list[dict[str, Json]] = [
        {"shop": f"shop-{number:03}", **{key: chance.randint(10, 9_999) for key in COLUMNS}} for number in range(rows)
    ]
    if form == "json":
        return list(made)
    return "\n".join([",".join(("shop", *COLUMNS)), *(",".join(str(cell) for cell in row.values()) for row in made)])


def _sentence(named: str, rows: int, chance: random.Random) -> str:
    shop = f"shop-{chance.randrange(rows):03}"
    one, other = chance.sample(COLUMNS, 2)
    percent = chance.randint(1, 99)
    return {
        "record and two columns": f"At {shop} the {one} are {percent}% of the {other}.",
        "record and one column": f"At {shop} the {one} make up {percent}%.",
        "nothing": f"The figure is {percent}%.",
    }[named]


def accepted(named: str, rows: int, *, trials: int, form: str = "json", seed: int = 0) -> float:
    """Percent of invented percentages that pass; where nothing is named, that are called computed."""
    chance = random.Random(f"{named} {rows} {form} {seed}")  # a fixed sequence, no secret
    config = GateConfig()
    passed = 0
    for _ in range(max(1, trials // _PER_TABLE)):
        table = _table(rows, chance, form)
        for _ in range(_PER_TABLE):
            report = check_answer(_sentence(named, rows, chance), [table], config)
            percents = [value for value in report.values if value.text.endswith("%")]
            passed += any(v.provenance.value == "computed" or (named != "nothing" and v.code is None) for v in percents)
    return 100 * passed / (max(1, trials // _PER_TABLE) * _PER_TABLE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit 1 when a limit is passed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.values_honesty", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--trials", type=int, default=1_000)
    asked = parser.parse_args(arguments)
    over = False
    print(f"| named | form | {' | '.join(f'{rows} rows' for rows in ROWS)} | limit |\n|{'---|' * (len(ROWS) + 3)}")
    for named, limit in LIMITS.items():
        for form in ("json", "csv"):
            shares = [accepted(named, rows, trials=asked.trials, form=form) for rows in ROWS]
            over = over or max(shares) > limit
            print(f"| {named} | {form} | {' | '.join(f'{share:.1f} %' for share in shares)} | {limit:.0f} % |")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
