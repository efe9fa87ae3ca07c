"""Scanning: what a text says in figures, in the spellings of many places."""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from gate_core.data import load_table
from gate_core.values.lexicon import standards
from gate_core.values.normal import normal
from gate_core.values.scan import scan
from gate_core.values.value import Kind, Number, Shape
from gate_core.values.weekdays import on_its_day


def numbers(text: str) -> list[tuple[Fraction, str]]:
    """(size, unit) of the likeliest reading of each number."""
    return [(v.numbers[0].exact, v.unit) for v in scan(text) if v.kind is Kind.NUMBER and v.numbers]


@pytest.mark.parametrize(
    ("text", "size", "unit"),
    [
        ("1234567", 1234567, ""),
        ("1,234,567", 1234567, ""),
        ("12,34,567", 1234567, ""),
        ("1 234 567", 1234567, ""),
        ("9\u202f876\u202f543", 9876543, ""),
        ("1'000", 1000, ""),
        ("12.345,67", Fraction(1234567, 100), ""),
        ("1,234.5", Fraction(12345, 10), ""),
        ("3,25", Fraction(325, 100), ""),
        ("१२३४", 1234, ""),
        ("٤٥٦٧", 4567, ""),
        ("１，２３４", 1234, ""),
        ("٣٫٥", Fraction(35, 10), ""),
        ("½", Fraction(1, 2), ""),
        ("3.25e6", 3250000, ""),
        ("1.5 × 10⁶", 1500000, ""),
        ("1.2億", 120000000, ""),
        ("1億2000万", 120000000, ""),
        ("2,940万", 29400000, ""),
        ("3.4 crore", 34000000, ""),
        ("2.5 lakh", 250000, ""),
        ("1.2bn", 1200000000, ""),
        ("12k", 12000, ""),
        ("1,2 Mrd.", 1200000000, ""),
        ("2,5 миллиона", 2500000, ""),
        ("20-minute", 20, "min"),
        ("1,007 µs", 1007, "us"),
        ("1007us", 1007, "us"),
        ("6.25%", Fraction(625, 100), "%"),
        ("6,25 Prozent", Fraction(625, 100), "%"),
        ("3 percentage points", 3, "%"),
        ("2 h 30 min", 150, "min"),
        ("1.2億円", 120000000, "cur:円"),
        ("$1.2M", 1200000, "cur:$"),
        ("1000$", 1000, "cur:$"),
        ("US$ 5.5 million", 5500000, "cur:US$"),
        ("USD 1,250", 1250, "USD"),
        ("1,250 USD", 1250, "USD"),
        ("₹12,34,567", 1234567, "cur:₹"),
        ("53.2 billion dollars", 53200000000, "cur:dollars"),
        ("-4521.3", Fraction(45213, 10), ""),
        ("−4521.3", Fraction(45213, 10), ""),
    ],
)
def test_a_number_is_read_in_every_style(text: str, size: Fraction, unit: str) -> None:
    """Digits of all scripts, groupings, magnitude words, units and currencies."""
    assert numbers(text) == [(size, unit)]


@pytest.mark.parametrize(
    ("text", "sign"), [("-5.25", -1), ("−5.25", -1), ("+5.25", 1), ("5.25", 0), ("3-5", 0), ("x: -5", -1)]
)
def test_a_hyphen_is_a_sign_only_before_a_number_of_its_own(text: str, sign: int) -> None:
    """ "3-5" is a range and "a-5" a name."""
    assert [v.sign for v in scan(text) if v.kind is Kind.NUMBER][-1:] == [sign]


def test_a_list_without_blanks_is_several_numbers() -> None:
    """CSV without a head."""
    assert numbers("5210,8841") == [(Fraction(5210), ""), (Fraction(8841), "")]


def test_a_spelling_with_two_readings_keeps_both() -> None:
    """ "1.234" is a German thousand or an English decimal."""
    (value,) = scan("1.234")
    assert value.numbers == (Number(1234, -3), Number(1234, 0))


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-30", (2026, 11, 30, None, None, None, None)),
        ("30 November 2026", (2026, 11, 30, None, None, None, None)),
        ("Nov 30", (None, 11, 30, None, None, None, None)),
        ("November 30th, 2026", (2026, 11, 30, None, None, None, None)),
        ("30.11.2026", (2026, 11, 30, None, None, None, None)),
        ("2026年11月30日", (2026, 11, 30, None, None, None, None)),
        ("2026년 11월 30일", (2026, 11, 30, None, None, None, None)),
        ("3 de mayo de 2026", (2026, 5, 3, None, None, None, None)),
        ("30. November 2026", (2026, 11, 30, None, None, None, None)),
        ("2026-11-30T14:05:00+01:00", (2026, 11, 30, 14, 5, 0, 60)),
        ("2026-11-30 14:05", (2026, 11, 30, 14, 5, None, None)),
        ("2:05 PM", (None, None, None, 14, 5, None, None)),
        ("12:30 a.m.", (None, None, None, 0, 30, None, None)),
        ("13:05 UTC", (None, None, None, 13, 5, None, 0)),
        ("14h05", (None, None, None, 14, 5, None, None)),
        ("14時05分", (None, None, None, 14, 5, None, None)),
    ],
)
def test_a_date_or_time_is_read_in_every_style(text: str, instant: Any) -> None:
    """Partial instants: what is not said is None."""
    assert [v.instants for v in scan(text) if v.kind is Kind.INSTANT] == [(instant,)]


@pytest.mark.parametrize("text", ["31 November 2026", "2026-02-30", "2025-02-29"])
def test_an_impossible_date_has_no_reading(text: str) -> None:
    """It is a date, so it is examined, and it never matches."""
    assert [v.instants for v in scan(text)] == [()]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("https://example.org/a?b=1", Shape.URL),
        ("j.patel@example.com", Shape.EMAIL),
        ("src/app/main.py:120", Shape.PATH),
        ("main.py", Shape.PATH),
        ("tests/test_a.py::test_b", Shape.PATH),
        ("v1.2.3", Shape.VERSION),
        ("1.2.3", Shape.VERSION),
        ("10.0.0.1-7", Shape.VERSION),
        ("3f2a9c1d8e", Shape.HASH),
        ("550e8400-e29b-41d4-a716-446655440000", Shape.HASH),
        ("web-a1", Shape.ID),
        ("LH2035", Shape.ID),
        ("LH 2035", Shape.ID),
        ("aarav_garcia_1177", Shape.ID),
        ("4WQ150", Shape.ID),
        ("`parse_cfg`", Shape.SYMBOL),
    ],
)
def test_an_identifier_has_a_shape(text: str, shape: Shape) -> None:
    """The shape decides how spellings are compared."""
    assert [v.shape for v in scan(text) if v.kind is Kind.NAME] == [shape]


@pytest.mark.parametrize(
    "text", ["and/or", "well-known", "H1", "Q3", "km/h", "`git push origin`", "e.g.", "id:1500", "500mg", "20-minute"]
)
def test_what_names_nothing_is_no_identifier(text: str) -> None:
    """Plain words, periods, units, commands, a key with its number."""
    assert [v.text for v in scan(text) if v.kind is Kind.NAME] == []


def _standards() -> list[Any]:
    return [pytest.param(row, id=row["examples"][0]) for row in load_table("values", "standards.toml")["standard"]]


@pytest.mark.parametrize("row", _standards())
def test_a_standard_holds_its_examples(row: dict[str, Any]) -> None:
    """Each pattern covers its examples whole, and leaves alone what stands beside them."""
    for example in row["examples"]:
        match = standards().search(example.lower())
        assert match is not None, example
        assert match[0] == example.lower()
    for example in row.get("not", ()):
        match = standards().search(example.lower())
        assert match is None or match[0] != example.lower()


def test_standards_are_read_in_lower_case() -> None:
    """Their patterns mean the same in lower case: no class of signs is spelt by a capital."""
    assert not re.search(
        r"\\[A-Z]", "".join(row["pattern"] for row in load_table("values", "standards.toml")["standard"])
    )


def test_every_unit_is_read_beside_a_number() -> None:
    """Each word of each unit means that unit, alone or among others."""
    for row in load_table("values", "units.toml")["units"]:
        for word in row["words"]:
            found = [n.unit for v in scan(f"5.25 {word}") for n in v.numbers]
            assert row["symbol"] in found, (word, found)


def test_every_currency_is_read_on_its_side() -> None:
    """Signs before and behind, words behind."""
    money = load_table("values", "currencies.toml")
    for sign in money["signs"]:
        sides = (f"{sign}5.25", f"{sign} 5.25", f"5.25 {sign}")
        assert any([v.unit for v in scan(text)] == [f"cur:{normal(sign)}"] for text in sides), sign
    for group in ("words", "parts"):
        for word in money[group]:
            found = [n.unit for v in scan(f"5.25 {word}") for n in v.numbers]
            assert f"cur:{normal(word)}" in found, word
    for code in money["codes"]:
        assert [n.unit for v in scan(f"5.25 {code}") for n in v.numbers] == [code]


def test_every_month_is_read() -> None:
    """In every language of the table."""
    for number, names in load_table("values", "words.toml")["months"].items():
        for name in names:
            found = [i for v in scan(f"17 {name.capitalize()} 2026") for i in v.instants]
            assert (2026, int(number), 17, None, None, None, None) in found, name


_HOSTILE: dict[str, Callable[[int], str]] = {
    "one hex word": lambda n: "a1" * (n // 2),
    "ones": lambda n: "1 " * (n // 2),
    "dots": lambda n: "." * n,
    "brackets": lambda n: "[" * n,
    "list": lambda n: "1," * (n // 2),
    "groups": lambda n: "12 34 " * (n // 6),
    "dates": lambda n: "2026-11-30 " * (n // 11),
    "slashes": lambda n: "a/" * (n // 2),
    "ticks": lambda n: "`" * n,
    "codes": lambda n: "AB 12 " * (n // 6),
    "surrogates": lambda n: "\ud800 45 " * (n // 5),
    "one number": lambda n: "7" * n,
}


def test_a_long_run_of_groups_is_no_number() -> None:
    """Indian groups end somewhere: to try all of a run at each of its places would cost its square."""
    assert max(len(value.text) for value in scan("12 " + "34 " * 300 + "567")) < 60


@pytest.mark.parametrize("kind", _HOSTILE)
def test_scanning_is_linear(kind: str) -> None:
    """Twice the text costs about twice the time; the margin is for busy machines. The garbage collector, which goes
    through what all tests before left, is none of it."""
    make = _HOSTILE[kind]

    def seconds(size: int) -> float:
        text = make(size)
        taken = []
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                start = time.process_time()
                scan(text)
                taken.append(time.process_time() - start)
        finally:
            gc.enable()
        return min(taken)

    seconds(1_000)
    assert seconds(40_000) <= 5 * seconds(20_000) + 0.02


@pytest.mark.parametrize("row", load_table("values", "words.toml")["dated"], ids=lambda row: row["text"])
def test_a_day_of_the_week_before_a_date_is_its_own(row: dict[str, Any]) -> None:
    """The examples of the table: any other makes it no date."""
    (value,) = [value for value in scan(row["text"]) if value.kind is Kind.INSTANT]
    assert bool(on_its_day(value, row["text"]).instants) is row["is"]


@pytest.mark.parametrize("row", load_table("values", "words.toml")["ones"], ids=lambda row: row["text"])
def test_what_is_one_value(row: dict[str, Any]) -> None:
    """The examples of the table: parts that belong together are one, the ends of a range two."""
    assert [value.text for value in scan(row["text"])] == row["values"]
