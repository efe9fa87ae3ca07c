"""Answers of solved conversations with one examined value altered: how many are caught, kind by kind (spec 30).

Plays conversations of gate-transcript/1 whose `outcome` is 1. In each answer every value that has a source is altered
once per kind that fits it, and the answer is judged again over the same evidence. Where the altered value occurs
somewhere else in what was read or said, it may be read there; such trials are counted apart. The seed is fixed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from benchmarks.false_blocks import solved
from gate_core import Attempt, Gate, Provenance, ToolCall, ValueReport, parse_config
from gate_core.checks.values import report_on
from gate_core.ledger import Ledger
from gate_core.reading import read
from gate_core.values import of_ledger

LEAST = 97.0
"""Percent of altered values that must be caught where they occur nowhere else."""
_SOURCED = frozenset({Provenance.READ, Provenance.SUPPLIED, Provenance.COMPUTED})
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip

Alter = Callable[[str, random.Random, "Known"], str | None]
"""Another spelling for a value, None where the kind does not fit it."""


@dataclass(slots=True, kw_only=True)
class Known:
    """What a conversation has said and shown so far, as one text."""

    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.parts)

    def holds(self, spelling: str) -> bool:
        """True when the value stands somewhere, as a date, a time, a number or a name."""
        parts = [match[0] for pattern in (_DAY, _TIME) if (match := pattern.search(spelling))]
        if len(parts) == 2:  # a date and its time stand apart elsewhere
            return all(map(self.holds, parts))
        text = self.text
        ways = (rf"(?<![\w.]){re.escape(way)}(?![\w]|\.\d)" for way in _ways(spelling))
        return any(re.search(way, text, re.IGNORECASE) for way in ways)


def _ways(spelling: str) -> Iterator[str]:
    """The spellings under which a value may be known."""
    yield spelling
    day = _day(spelling)
    if day is not None:
        month = _MONTHS[day.month - 1]
        yield from (f"{day:%Y-%m-%d}", f"{day.day} {month}", f"{month[:3]} {day.day}")
        yield from (f"{month} {day.day}{end}" for end in ("", "st", "nd", "rd", "th"))
        return
    clock = _clock(spelling)
    if clock is not None:
        hour, minute = clock
        yield from (f"{hour:02}:{minute:02}:00", f"{hour:02}:{minute:02}", _half(hour, minute))
        return
    bare = re.sub(r"[^\d.]", "", spelling).rstrip(".")
    if bare and not re.search(r"[A-Za-z]{2}", spelling):
        yield bare
        yield f"{float(bare):,.2f}" if bare.count(".") < 2 else bare
        if bare.endswith((".00", ".0")):
            yield bare.partition(".")[0]


def _day(spelling: str) -> date | None:
    match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", spelling)
    if match:
        return date(int(match[1]), int(match[2]), int(match[3]))
    match = re.fullmatch(rf"({'|'.join(_MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?", spelling)
    return date(int(match[3] or 2024), _MONTHS.index(match[1]) + 1, int(match[2])) if match else None


def _clock(spelling: str) -> tuple[int, int] | None:
    match = re.fullmatch(r"(\d{1,2})(?::(\d\d))?(?::\d\d)?(?: ?([AaPp])\.?[Mm]\.?)?(?: EST)?", spelling)
    if match is None or not (match[2] or match[3]):
        return None
    hour = int(match[1]) % 12 + (12 if match[3] in "pP" else 0) if match[3] else int(match[1])
    return hour, int(match[2] or 0)


def _half(hour: int, minute: int) -> str:
    return f"{hour % 12 or 12}:{minute:02} {'PM' if hour >= 12 else 'AM'}"


_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?|\d{1,2} ?[AaPp]\.?[Mm]\.?")
_DAY = re.compile(rf"\d{{4}}-\d\d-\d\d|(?:{'|'.join(_MONTHS)}) \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?")


def _is_instant(text: str) -> bool:
    return bool(_TIME.search(text) or _DAY.search(text))


def _places(text: str) -> list[int]:
    return [at for at, sign in enumerate(text) if sign.isdigit()]


def _digit(text: str, chance: random.Random, known: Known) -> str | None:
    if _is_instant(text) or not _places(text):
        return None
    at = chance.choice(_places(text))
    return text[:at] + chance.choice([d for d in "123456789" if d != text[at]]) + text[at + 1 :]


def _swapped(text: str, chance: random.Random, known: Known) -> str | None:
    places = _places(text)
    pairs = [(a, b) for a, b in pairwise(places) if text[a] != text[b] and text[b] != "0"]
    if _is_instant(text) or not pairs:
        return None
    a, b = chance.choice(pairs)
    return text[:a] + text[b] + text[a + 1 : b] + text[a] + text[b + 1 :]


def _tenfold(text: str, chance: random.Random, known: Known) -> str | None:
    match = re.fullmatch(r"(\D{0,3})([1-9][\d,]*)((?:\.\d+)?)(\D*)", text)
    if match is None or _is_instant(text):
        return None
    return f"{match[1]}{int(match[2].replace(',', '')) * 10:,}{match[3]}{match[4]}"


def _other_record(text: str, chance: random.Random, known: Known) -> str | None:
    """Another value of the same make that stands in the evidence."""
    make = re.sub(r"\d+", r"\\d+", re.escape(text)) if re.search(r"\d", text) else None
    if make is None or _is_instant(text):
        return None
    bare = text.lstrip("$")
    found = re.findall(rf"(?<![\w.-])({re.sub(r'[0-9]+', '[0-9]+', re.escape(bare))})(?![\w-]|\.\d)", known.text)
    others = sorted({other for other in found if other != bare and len(other) == len(bare)})
    return text[: len(text) - len(bare)] + chance.choice(others) if others else None


_UNITS = (("$", "€"), (" USD", " EUR"), (" minutes", " hours"), (" hours", " days"), (" kg", " lb"), ("%", " USD"))


def _unit(text: str, chance: random.Random, known: Known) -> str | None:
    for one, other in _UNITS:
        if one in text:
            return text.replace(one, other)
    return None


def _next_day(text: str, chance: random.Random, known: Known) -> str | None:
    match = _DAY.search(text)
    day = _day(match[0]) if match else None
    if match is None or day is None:
        return None
    other = day + timedelta(days=chance.choice([-1, 1]))
    year = f", {other.year}" if re.search(r"\d{4}", match[0]) else ""
    said = f"{other:%Y-%m-%d}" if "-" in match[0] else f"{_MONTHS[other.month - 1]} {other.day}{year}"
    return text[: match.start()] + said + text[match.end() :]


def _minutes(text: str, chance: random.Random, known: Known) -> str | None:
    match = _TIME.search(text)
    clock = _clock(match[0]) if match else None
    if match is None or clock is None:
        return None
    total = clock[0] * 60 + clock[1] + chance.choice([-25, -10, -5, 5, 10, 20, 35])
    hour, minute = total // 60 % 24, total % 60
    said = _half(hour, minute) if re.search(r"[AaPp]\.?[Mm]", match[0]) else f"{hour:02}:{minute:02}"
    return text[: match.start()] + said + text[match.end() :]


KINDS: Mapping[str, Alter] = {
    "digit changed": _digit,
    "magnitude x 10": _tenfold,
    "two digits swapped": _swapped,
    "value of another record": _other_record,
    "currency or unit swapped": _unit,
    "date shifted by a day": _next_day,
    "time shifted by minutes": _minutes,
}


@dataclass(slots=True, kw_only=True)
class Score:
    """Trials and catches of one kind, apart for values that occur elsewhere; `missed` are (true, altered, answer)."""

    trials: int = 0
    caught: int = 0
    elsewhere: int = 0
    caught_elsewhere: int = 0
    missed: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """Percent caught of those that occur nowhere else."""
        return 100 * self.caught / max(self.trials, 1)


def scores(paths: Sequence[str], *, seed: int = 0) -> tuple[int, dict[str, Score]]:
    """(answers with a value that has a source, kind -> score)."""
    found = {kind: Score() for kind in KINDS}
    answers = 0
    for transcript in solved(paths):
        chance = random.Random(f"{transcript['id']} {seed}")  # a fixed sequence, no secret
        for judge, answer, known in _answers(transcript):
            report = judge(answer)
            values = list(dict.fromkeys(v.text for v in report.values if v.code is None and v.provenance in _SOURCED))
            answers += bool(values)
            for value in values:
                _try_all(value, answer, judge, _accused(report), known, chance, found)
    return answers, found


def _try_all(
    value: str,
    answer: str,
    judge: Callable[[str], ValueReport],
    before: frozenset[str],
    known: Known,
    chance: random.Random,
    found: Mapping[str, Score],
) -> None:
    place = re.search(rf"(?<![\w.]){re.escape(value)}(?![\w]|\.\d)", answer)
    if place is None:
        return
    for kind, alter in KINDS.items():
        other = alter(value, chance, known)
        if other is None or other == value:
            continue
        altered = answer[: place.start()] + other + answer[place.end() :]
        caught = bool(_accused(judge(altered)) - before)
        score = found[kind]
        if kind != "currency or unit swapped" and known.holds(other):
            score.elsewhere += 1
            score.caught_elsewhere += caught
            continue
        score.trials += 1
        score.caught += caught
        if not caught:
            score.missed.append((value, other, altered))


def _accused(report: ValueReport) -> frozenset[str]:
    return frozenset(value.text for value in report.values if value.code is not None and value.code != "value-stale")


def _answers(transcript: Mapping[str, Any]) -> Iterator[tuple[Callable[[str], ValueReport], str, Known]]:
    """(judge, answer, what is known) at each answer of a conversation."""
    gate = Gate(replace(parse_config(transcript.get("gate", {})), probe_roots=(), audit=False))
    known = Known()
    if transcript.get("system"):
        gate.supply(transcript["system"])
        known.parts.append(transcript["system"])
    for turn in transcript["turns"]:
        gate.begin_turn(turn["prompt"])
        known.parts.append(turn["prompt"])
        for event in turn["events"]:
            if event["type"] == "call":
                gate.observe(_call(event))
                known.parts.append(json.dumps(event.get("result"), ensure_ascii=False))
            elif event["type"] == "finish" and event.get("text"):
                yield _judge_of(gate), event["text"], known


def _call(event: Mapping[str, Any]) -> ToolCall:
    return ToolCall(tool=event["tool"], args=event["args"], result=event.get("result"), call_id=event["id"])


def _judge_of(gate: Gate) -> Callable[[str], ValueReport]:
    ledger = Ledger(gate.state, gate.config, gate)
    evidence = of_ledger(ledger)
    return lambda text: report_on(read(Attempt(parts=(text,)), ledger), evidence, gate.config)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit 1 when a kind is caught too rarely."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.values_altered", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="conversations of gate-transcript/1 with an outcome")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="show what was missed")
    asked = parser.parse_args(arguments)
    answers, found = scores(asked.files, seed=asked.seed)
    print(f"{answers} answers with values\n")
    print("| kind | altered | caught | occurs elsewhere | caught there |\n|---|---|---|---|---|")
    for kind, item in found.items():
        there = f"{100 * item.caught_elsewhere / item.elsewhere:.1f} %" if item.elsewhere else ""
        print(f"| {kind} | {item.trials} | {item.percent:.1f} % | {item.elsewhere} | {there} |")
        for value, other, answer in item.missed if asked.list else ():
            print(f"  {value} -> {other}: {answer!r}")
    return 1 if any(item.percent < LEAST for item in found.values() if item.trials) else 0


if __name__ == "__main__":
    sys.exit(main())
