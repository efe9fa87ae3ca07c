"""How many altered values are caught, kind by kind, and how many true ones are accused (spec 30).

Each trial makes up a result of some records, writes a true sentence about one of them in one of many styles, and then
alters the one value so that it stands nowhere in the result. `python -m benchmarks.values_mutations` prints a line per
kind; the seed is fixed, so that a run can be repeated.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gate_core import GateConfig, Json, check_answer

LEAST = 97.0
"""Percent of altered values that must be caught."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A result, a true sentence about it, and the same sentence with one value altered."""

    result: Json
    true: str
    altered: str


def _records(chance: random.Random) -> list[dict[str, Json]]:
    hosts = chance.sample(range(1, 999), 6)
    return [
        {
            "host": f"node-{host}",
            "requests": chance.randint(1_000, 9_999_999),
            "p95_ms": round(chance.uniform(1, 900), 2),
            "cost_usd": round(chance.uniform(10, 90_000), 2),
            "load_pct": round(chance.uniform(1, 99), 2),
            "seen": _stamp(chance),
            "build": f"v{chance.randint(1, 9)}.{chance.randint(0, 20)}.{chance.randint(0, 99)}",
            "commit": f"{chance.getrandbits(160):040x}",
            "file": f"src/{chance.choice(['app', 'lib'])}/{chance.choice(['main', 'api'])}_{chance.randint(10, 99)}.py",
            "owner": f"{chance.choice(['ana', 'ben', 'eva', 'tom'])}.{chance.randint(100, 999)}@example.com",
            "ticket": f"OPS-{chance.randint(1000, 99999)}",
            "ip": ".".join(str(chance.randint(1, 254)) for _ in range(4)),
        }
        for host in hosts
    ]


def _stamp(chance: random.Random) -> str:
    date = f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
    return f"{date}T{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:00Z"


def _styled(number: int, chance: random.Random) -> str:
    indian = f"{number:,}"
    styles = [
        str(number),
        indian,
        indian.replace(",", " "),
        indian.replace(",", "'"),
        indian.replace(",", ".") if number >= 10_000_000 else indian,
    ]
    styles.append("".join(chr(0x0966 + int(sign)) for sign in str(number)))
    styles.append("".join(chr(0xFF10 + int(sign)) for sign in str(number)))
    return chance.choice(styles)


def _other(number: int, known: set[int], chance: random.Random) -> int:
    while (found := _altered(number, chance)) in known:
        pass
    return found


def _altered(number: int, chance: random.Random) -> int:
    """A digit changed, two digits swapped, or ten times as much."""
    digits = list(str(number))
    how = chance.randrange(3)
    place = chance.randrange(len(digits))
    if how == 0:
        digits[place] = chance.choice([d for d in "123456789" if d != digits[place]])
    elif how == 1 and len(set(digits)) > 1:
        other = chance.choice([p for p in range(len(digits)) if digits[p] != digits[place]] or [place])
        digits[place], digits[other] = digits[other], digits[place]
    else:
        digits.append("0")
    return int("".join(digits)) or 7


def _integer(chance: random.Random) -> Trial:
    rows = _records(chance)
    row = chance.choice(rows)
    number = int(str(row["requests"]))
    wrong = _other(number, {int(str(r["requests"])) for r in rows}, chance)
    say = f"{row['host']} served {{}} requests."
    return Trial(
        result=list(rows), true=say.format(_styled(number, chance)), altered=say.format(_styled(wrong, chance))
    )


def _hundredths(key: str, wording: str) -> Callable[[random.Random], Trial]:
    def make(chance: random.Random) -> Trial:
        rows = _records(chance)
        row = chance.choice(rows)
        number = round(float(str(row[key])) * 100)
        wrong = _other(number, {round(float(str(r[key])) * 100) for r in rows}, chance)
        say = f"{row['host']} {wording}"
        return Trial(
            result=list(rows), true=say.format(f"{number / 100:,.2f}"), altered=say.format(f"{wrong / 100:,.2f}")
        )

    return make


def _scaled(chance: random.Random) -> Trial:
    rows = _records(chance)
    row = chance.choice(rows)
    number = int(str(row["requests"])) * 1_000
    for other in rows:
        other["requests"] = int(str(other["requests"])) * 1_000
    shown = (number + 5_000) // 10_000 / 100
    wrong = round(shown * chance.choice([1.1, 0.9, 10, 0.5]) + 0.05, 2)
    words = chance.choice(["{} million", "{}M"])
    say = f"{row['host']} served {words} requests."
    return Trial(result=list(rows), true=say.format(shown), altered=say.format(wrong))


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _dated(year: int, month: int, day: int, chance: random.Random) -> str:
    name = _MONTHS[month - 1]
    return chance.choice(
        [
            f"{year}-{month:02}-{day:02}",
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
            f"{name[:3]} {day}",
            f"{day:02}.{month:02}.{year}",
            f"{year}年{month}月{day}日",
        ]
    )


def _date(chance: random.Random) -> Trial:
    rows = _records(chance)
    row = chance.choice(rows)
    year, month, day = (int(part) for part in str(row["seen"])[:10].split("-"))
    known = {str(r["seen"])[5:10] for r in rows}
    wrong = (month, day)
    while f"{wrong[0]:02}-{wrong[1]:02}" in known or f"{wrong[1]:02}-{wrong[0]:02}" in known:
        wrong = (chance.randint(1, 12), chance.randint(1, 28))
    say = f"{row['host']} was last seen on {{}}."
    return Trial(
        result=list(rows),
        true=say.format(_dated(year, month, day, chance)),
        altered=say.format(_dated(year, *wrong, chance)),
    )


def _time(chance: random.Random) -> Trial:
    rows = _records(chance)
    row = chance.choice(rows)
    hour, minute = int(str(row["seen"])[11:13]), int(str(row["seen"])[14:16])
    known = {str(r["seen"])[11:16] for r in rows}
    wrong = (hour, minute)
    while f"{wrong[0]:02}:{wrong[1]:02}" in known:
        wrong = ((hour + chance.choice([0, 1, 3])) % 24, (minute + chance.choice([5, 10, 30])) % 60)
    forms: list[Callable[[int, int], str]] = [
        lambda h, m: f"{h:02}:{m:02}",
        lambda h, m: f"{h % 12 or 12}:{m:02} {'PM' if h >= 12 else 'AM'}",
        lambda h, m: f"{(h + 2) % 24:02}:{m:02} +02:00",
    ]
    form = chance.choice(forms)
    say = f"{row['host']} was last seen at {{}}."
    return Trial(result=list(rows), true=say.format(form(hour, minute)), altered=say.format(form(*wrong)))


def _name(
    key: str, wording: str, shown: Callable[[str, random.Random], str] = lambda text, chance: text
) -> Callable[[random.Random], Trial]:
    def make(chance: random.Random) -> Trial:
        rows = _records(chance)
        row = chance.choice(rows)
        text = shown(str(row[key]), chance)
        wrong = text
        while any(_squeezed(wrong) in _squeezed(str(r[key])) for r in rows):
            place = chance.choice([n for n, sign in enumerate(text) if sign.isdigit()] or [len(text) - 1])
            wrong = text[:place] + chance.choice("0123456789") + text[place + 1 :]
        return Trial(result=list(rows), true=wording.format(text), altered=wording.format(wrong))

    return make


def _squeezed(text: str) -> str:
    return text.lower().replace("-", "").replace(" ", "")


def _reading(chance: random.Random) -> Trial:
    one, other = chance.randint(100, 190), chance.randint(50, 99)
    wrong = one
    while wrong in (one, other, one + other, one - other):
        wrong = chance.randint(100, 190)
    say = f"Blood pressure was {{}}/{other}."
    return Trial(result={"systolic": one, "diastolic": other}, true=say.format(one), altered=say.format(wrong))


def _count(chance: random.Random) -> Trial:
    number = chance.randint(5, 400)
    rows: list[Json] = [{"subject": f"letter {chance.choice('abcdef')}"} for _ in range(number)]
    say = "There are {} messages."
    return Trial(
        result={"messages": rows}, true=say.format(number), altered=say.format(number + chance.choice([-2, 1, 3, 10]))
    )


def _swapped(chance: random.Random) -> Trial:
    rows = _records(chance)
    one, other = chance.sample(rows, 2)
    say = "{} served {:,} requests and {} served {:,}."
    return Trial(
        result=list(rows),
        true=say.format(one["host"], one["requests"], other["host"], other["requests"]),
        altered=say.format(one["host"], other["requests"], other["host"], one["requests"]),
    )


def _currency(chance: random.Random) -> Trial:
    price = chance.randint(100, 99_999)
    return Trial(
        result={"price": price, "currency": "USD"}, true=f"It costs ${price:,}.", altered=f"It costs €{price:,}."
    )


def _unit(chance: random.Random) -> Trial:
    size = chance.randint(11, 999)
    words, wrong = chance.choice([("{} mg", "{} g"), ("{} ms", "{} s"), ("{} MB", "{} GB"), ("{} km", "{} miles")])
    return Trial(result=words.format(size), true=f"It is {words.format(size)}.", altered=f"It is {wrong.format(size)}.")


def _sign(chance: random.Random) -> Trial:
    size = round(chance.uniform(1_000, 90_000), 2)
    return Trial(result={"net": -size}, true=f"A loss of {size:,.2f}.", altered=f"A profit of {size:,.2f}.")


KINDS: Mapping[str, Callable[[random.Random], Trial]] = {
    "integer": _integer,
    "decimal with unit": _hundredths("p95_ms", "has a p95 of {} ms."),
    "money": _hundredths("cost_usd", "cost ${}."),
    "percent": _hundredths("load_pct", "runs at {}%."),
    "scaled": _scaled,
    "date": _date,
    "time": _time,
    "version": _name("build", "It runs {}.", lambda text, chance: text.removeprefix(chance.choice(["v", ""]))),
    "hash": _name("commit", "It was fixed in {}.", lambda text, chance: text[: chance.choice([8, 12, 40])]),
    "path": _name("file", "The fault is in {}.", lambda text, chance: chance.choice([text, text.partition("/")[2]])),
    "e-mail": _name("owner", "Write to {}."),
    "id": _name("ticket", "See {}.", lambda text, chance: chance.choice([text, text.lower(), text.replace("-", " ")])),
    "address": _name("ip", "It answers at {}."),
    "reading": _reading,
    "count": _count,
    "swapped": _swapped,
    "currency": _currency,
    "unit": _unit,
    "sign": _sign,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """`caught` of `trials` altered values, `accused` of as many true ones."""

    kind: str
    trials: int
    caught: int
    accused: int
    missed: tuple[Trial, ...] = ()
    wronged: tuple[Trial, ...] = ()

    @property
    def percent(self) -> float:
        """Percent caught."""
        return 100 * self.caught / max(self.trials, 1)


def score(kind: str, trials: int, seed: int = 0) -> Score:
    """The score of one kind."""
    chance = random.Random(f"{kind} {seed}")  # a fixed sequence, no secret
    made = [KINDS[kind](chance) for _ in range(trials)]
    config = GateConfig()
    missed = [trial for trial in made if check_answer(trial.altered, [trial.result], config).supported]
    wronged = [trial for trial in made if not check_answer(trial.true, [trial.result], config).supported]
    return Score(
        kind=kind,
        trials=trials,
        caught=trials - len(missed),
        accused=len(wronged),
        missed=tuple(missed),
        wronged=tuple(wronged),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit 1 when a kind is caught too rarely or a true value is accused."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.values_mutations", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="show what was missed or accused")
    asked = parser.parse_args(arguments)
    scores = [score(kind, asked.trials, asked.seed) for kind in KINDS]
    print("| kind | trials | altered values caught | true values accused |\n|---|---|---|---|")
    for item in scores:
        print(f"| {item.kind} | {item.trials} | {item.percent:.1f} % | {item.accused} |")
        told = [("missed", trial.altered, trial) for trial in item.missed[:3]]
        told += [("accused", trial.true, trial) for trial in item.wronged[:3]]
        for what, text, trial in told if asked.list else ():
            print(f"  {what}: {text}  <- {str(trial.result)[:300]}")
    return 1 if any(item.percent < LEAST or item.accused for item in scores) else 0


if __name__ == "__main__":
    sys.exit(main())
