"""Lookups in long texts and sieves of short ones find what a plain search finds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import Json, check_answer
from gate_core.values.evidence import Source, of_results
from gate_core.values.index import Index
from gate_core.values.lookup import PLAIN, hits
from gate_core.values.places import Places, runs_of
from gate_core.values.scan import scan
from gate_core.values.sieve import Sieve, probe_of
from gate_core.values.walk import walk

calm = settings(deadline=None)  # the first example reads the tables
FILLER = "\n".join(f"host-{n} took {n * 37 % 1009} ms on 2026-0{n % 9 + 1}-1{n % 9}" for n in range(2_000))
LINE = "lot v1.20.3 Größe 12,345.5 kg of a1b2c3deaf01 for ab_cd-77é"
LONG = f"{FILLER}\n{LINE}\n{FILLER}"

words = st.sampled_from(["12", "1", "abc", "Ab", "_", "-", ".", " ", "\n", "é", "価", "77", "v1", "x9"])
texts = st.lists(words, max_size=30).map("".join)

SAID = [
    "4711", "4,711", "4.7k", "12.5 ms", "0.0125 s", "31.5 GB", "85%", "0.85", "3 h", "1.2 million", "１２３４",
    "-7,500", "2026-11-30", "30 November 2026", "30.11.2026", "Nov 30", "12:05", "12:05 PM", "3 PM", "14時5分",
    "9:30 UTC",
    "T-4471", "T4471", "LH 2035", "LH2035", "v1.2.3", "1.2.3", "a1b2c3d4", "src/app/main.py", "ana@example.com",
    "https://example.com/a", "`get_all`", "1,000+", "$1,250", "€1.250,00", "1764460800",
]  # fmt: skip
SHOWN = [
    "4711", "12.5", "31500", "85", "0.85", "10800", "1234567", "1,234", "(7,500)", "2026-11-30", "2026-11-30T12:05:00Z",
    "30/11/26", "11:05", "3 PM", "14時5分", "t_4471", "LH 2035", "lh-2035", "1.2.3", "v1.2.3-rc1", "a1b2c3d4e5f6a7",
    "b/src/app/main.py:12", "Ana@Example.com", "http://www.example.com/a", "get_all()", "1250", "1764460800", "12500us",
    "1764460800000", "card ****4711", "order-1234-4711", "1 234 567", "30 nov", "2026-12-01", "15 min",
]  # fmt: skip


@calm
@given(texts, texts)
def test_the_runs_of_a_text_are_those_of_its_parts(one: str, other: str) -> None:
    """Cut at a line end, nothing is lost and nothing comes to it."""
    low = one.lower(), other.lower()
    assert runs_of(f"{low[0]}\n{low[1]}") == runs_of(low[0]) | runs_of(low[1])


@pytest.mark.parametrize("spelling", ["12,345.5 kg", "lot v1.20.3", "ab_cd-77", "Größe", "2026-01-10", "host-77", "é"])
def test_a_long_text_is_searched_as_a_short_one(spelling: str) -> None:
    """The places are those of a plain search, in order."""
    found = Places(LONG, LONG.lower())
    plain = [at for at in range(len(LONG)) if LONG.startswith(spelling, at)]
    at = [a for a in plain if not LONG[a + len(spelling) : a + len(spelling) + 1].isdigit()]
    assert [a for a in found.of(spelling) if a in at] == at
    assert list(found.of(spelling, anywhere=True)) == plain


def test_only_a_cut_run_may_go_on() -> None:
    """The start of a hash is found where it is asked for, and as a whole nowhere."""
    found = Places(LONG, LONG.lower())
    assert list(found.of("a1b2c3de")) == []
    assert list(found.of("a1b2c3de", cut=True)) == [LONG.index("a1b2c3de")]


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("form", ["{}", "it was {} then", '{{"a": "{}"}}'])
def test_a_sieve_passes_what_a_lookup_finds(shown: str, form: str) -> None:
    """It may pass more."""
    index = Index(walk(form.format(shown)))
    sieve = Sieve(index.document.texts)
    for said in SAID:
        for value in scan(f"It was {said}."):
            if hits(value, index, PLAIN):
                assert sieve.may_hold(probe_of(value)), said


def test_a_sieve_holds_something_back() -> None:
    """Else it were none."""
    sieve = Sieve(walk("host-7 took 12 ms at 12:05").texts)
    said = [scan(f"It was {text}.")[0] for text in ("4711", "98.5 ms", "2026-11-30", "T-4471", "src/app/main.py")]
    assert [value.text for value in said if sieve.may_hold(probe_of(value))] == []


def _many(number: int) -> list[Json]:
    """So many short results of all kinds, a long text among them, and two that are no texts, of which one is long."""
    short: list[Json] = [f"result {n}: it was {SHOWN[n % len(SHOWN)]} then" for n in range(number)]
    short[40:40] = [LONG, {"a": [4711, "T-4471"]}]
    short[80:80] = [[{"lot": f"lot-{n} 12.5 kg", "at": "2026-11-30"} for n in range(4_000)]]
    return short


@pytest.mark.parametrize("ahead", [0, 1, 37, 64, 102])
def test_results_in_bundles_hold_what_each_of_them_holds(ahead: int) -> None:
    """However many belong to the turn: all that show a value are among those that may hold it, in order."""
    evidence = of_results(_many(100))
    evidence.sources = tuple(replace(source, turn=2 if n < ahead else 1) for n, source in enumerate(evidence.sources))
    evidence.turn = 2
    for said in SAID:
        for value in scan(f"It was {said}."):
            holding = list(evidence.holding(value))
            assert holding == [source for source in evidence.sources if source in holding]
            assert [s.call for s in evidence.sources if hits(value, s.index, PLAIN) and s not in holding] == []


def test_a_bundle_holds_its_results_back() -> None:
    """What none of a hundred short results can show is asked of none."""
    evidence = of_results([f"host-{n} took 12 ms at 12:05 on 2026-03-0{n % 9 + 1}" for n in range(100)])
    said = [scan(f"It was {text}.")[0] for text in ("4711", "98.5 ms", "2026-11-30", "T-4471", "src/app/main.py")]
    assert [list(evidence.holding(value)) for value in said] == [[]] * len(said)


def test_nobody_is_asked_after_enough() -> None:
    """A search that has what it needs goes on in no older result."""
    evidence = of_results(["it was 4711 then"] * 70)
    value = scan("It was 4711.")[0]
    asked: list[str] = []

    def enough(source: Source) -> bool:
        asked.append(source.call)
        return len(asked) > 2

    assert len(list(evidence.holding(value, enough))) < 3
    assert len(asked) == 3


@pytest.mark.parametrize("shown", SHOWN)
def test_a_value_in_a_long_result_is_found_as_in_a_short_one(shown: str) -> None:
    """Whether a text is cut into blocks or not says nothing about what it shows."""
    answer = "\n".join(f"It was {said}." for said in SAID)
    beside: Json = "lorem ipsum dolor\n" * 3_000
    short = check_answer(answer, [f"it was {shown} then"])
    long = check_answer(answer, [f"{beside}it was {shown} then\n{beside}"])
    assert [(v.text, v.provenance) for v in long.values] == [(v.text, v.provenance) for v in short.values]


def test_the_end_of_a_number_in_a_long_result() -> None:
    """Said to be the end, it is found inside of a longer one; else it is not."""
    rows: list[Json] = [{"card": f"4111{n:08}{n * 7919 % 10_000:04}", "holder": f"holder {n}"} for n in range(2_000)]
    result = json.dumps(rows)
    assert check_answer("The card ending in 7919 was charged.", [result]).supported
    assert not check_answer("The code 7919 was used.", [result]).supported
