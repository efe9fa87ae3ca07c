"""Invariants of the values check, over made-up results and answers."""

from __future__ import annotations

import json
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import GateConfig, Json, ValueReport, check_answer
from gate_core.data import load_table
from gate_core.values import Evidence, of_results
from gate_core.values.walk import parse, walk

calm = settings(deadline=None)  # the first example reads the tables
_ZEROS = ("०", "٠", "０", "০")
whole = st.integers(min_value=1_000, max_value=10**12)
keys = st.sampled_from(["total", "amount", "visits", "size"])


def _grouped(number: int, sign: str) -> str:
    return f"{number:,}".replace(",", sign)


def _digits(number: int, zero: str) -> str:
    return "".join(chr(ord(zero) + int(sign)) for sign in str(number))


@st.composite
def styled(draw: st.DrawFn, number: int) -> str:
    """The number in one of the supported styles."""
    style = draw(st.sampled_from(["plain", "comma", "blank", "narrow", "tick", "script", "western"]))
    if style == "script":
        return _digits(number, draw(st.sampled_from(_ZEROS)))
    if style == "western" and number >= 10**6:
        return _grouped(number, ".")
    signs = {"comma": ",", "blank": " ", "narrow": "\u202f", "tick": "'"}
    return _grouped(number, signs[style]) if style in signs else str(number)


@st.composite
def placed(draw: st.DrawFn, number: int | str) -> Json:
    """The number somewhere in a result: an object, a list, JSON text, a table, a line."""
    key = draw(keys)
    shapes: list[Json] = [
        {key: number},
        {"data": [{"name": "x", key: number}]},
        json.dumps({"data": {key: number}}),
        f"name,{key}\nx,{number}\ny,7\n",
        f"{key}: {number}\n",
        f"the {key} is {number} today",
    ]
    return draw(st.sampled_from(shapes))


def statuses(report: ValueReport) -> list[tuple[str, str, str | None]]:
    """What is stable of a report: value, provenance, code."""
    return [(v.text, v.provenance.value, v.code and v.code.value) for v in report.values]


@calm
@given(st.data(), whole)
def test_a_number_rewritten_in_any_style_is_read(data: st.DataObject, number: int) -> None:
    """Whatever script, grouping or place."""
    report = check_answer(f"It was {data.draw(styled(number))}.", [data.draw(placed(number))])
    assert [v.provenance.value for v in report.values] == ["read"]


@calm
@given(st.data(), whole)
def test_an_altered_number_is_not_read(data: st.DataObject, number: int) -> None:
    """Integers are never widened: one more is another number."""
    other = number + data.draw(st.sampled_from([-1, 1, 10, 1000]))
    report = check_answer(f"It was {data.draw(styled(other))}.", [data.draw(placed(number))])
    assert [v.provenance.value for v in report.values] != ["read"]


@calm
@given(st.data(), st.decimals(min_value=10, max_value=10**6, places=4), st.integers(min_value=1, max_value=3))
def test_a_rounded_decimal_is_read_and_one_step_off_is_not(data: st.DataObject, size: Decimal, places: int) -> None:
    """Half up and half to even, at the written precision."""
    step = Decimal(1).scaleb(-places)
    result = data.draw(placed(str(size)))
    for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN):
        said = size.quantize(step, rounding=rounding)
        assert check_answer(f"It was {said} mg.", [result]).supported
    wrong = size.quantize(step, rounding=ROUND_HALF_UP) + 2 * step
    assert not check_answer(f"It was {wrong} mg.", [result]).supported


@calm
@given(
    st.dates(), st.sampled_from(["iso", "words", "short", "german", "japanese"]), st.sampled_from(["", "T10:05:00Z"])
)
def test_a_date_rewritten_in_any_style_is_read(day: object, style: str, tail: str) -> None:
    """And the day after is not."""
    year, month, date = (int(part) for part in str(day).split("-"))
    year = 1900 + year % 200
    if (month, date) == (2, 29):
        date = 28
    names = list(load_table("values", "words.toml")["months"].values())

    def spelt(number: int) -> str:
        return {
            "iso": f"{year}-{month:02}-{number:02}",
            "words": f"{number} {names[month - 1][0].capitalize()} {year}",
            "short": f"{names[month - 1][0].capitalize()[:3]} {number}, {year}",
            "german": f"{number:02}.{month:02}.{year}",
            "japanese": f"{year}年{month}月{number}日",
        }[style]

    result = f"{year}-{month:02}-{date:02}{tail}"
    assert check_answer(f"It was on {spelt(date)}.", [{"at": result}]).supported
    other = date % 28 + 1
    if {month, other} != {month, date} and month != other:
        assert not check_answer(f"It was on {spelt(other)}.", [{"at": result}]).supported


values = st.one_of(
    whole.map(str), st.sampled_from(["3.25 mg", "T-4471", "2026-11-30", "14:05", "$1,250", "src/app/main.py", "85%"])
)


@calm
@given(st.lists(values, min_size=1, max_size=6), st.lists(values, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_evidence_does_not_matter(shown: list[str], said: list[str], chance: object) -> None:
    """The same results in another order give the same report."""
    answer = " ".join(f"It was {value}." for value in (*said, *shown[:2]))
    results: list[Json] = [{"row": value} for value in shown]
    assert statuses(check_answer(answer, results)) == statuses(check_answer(answer, list(reversed(results))))


@calm
@given(st.lists(values, min_size=1, max_size=5), st.lists(values, max_size=4))
def test_lazy_is_eager(shown: list[str], said: list[str]) -> None:
    """Indexes that were built before give the report that indexes built on demand give."""
    answer = " ".join(f"It was {value}." for value in (*said, *shown[:1]))
    lazy = statuses(check_answer(answer, list(shown)))
    eager: Evidence = of_results(list(shown))
    for source in eager.sources:
        index = source.index
        _ = (
            index.fields_between([(0, 1e15)]),
            index.words,
            index.labels,
            index.fields_of,
            index.rows_of,
            index.dates,
        )
    assert statuses(check_answer(answer, list(shown))) == lazy


jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@calm
@given(st.text(max_size=200), st.lists(jsons, max_size=4))
def test_nothing_json_like_makes_it_fail(answer: str, results: list[Json]) -> None:
    """Whatever comes in, a report comes out."""
    check_answer(answer, results)


@calm
@given(jsons)
def test_no_typed_answer_makes_it_fail(output: Json) -> None:
    """Nor does what stands in the answer."""
    check_answer(output, [output])


@pytest.mark.parametrize(
    "result",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "1e999999 NaN -Infinity",
        '{"a": 1e999999, "b": NaN, "c": ' + "7" * 10_000 + "}",
        "7" * 10_000,
        "\ud800\udfff 4521 \x00",
        b"\xff4521",
        {1: {None: [float("nan"), float("inf"), 10**5_000]}},
        "x" * 1_000_000,
        "." * 80_000,
    ],
    ids=[f"hostile {n}" for n in range(10)],
)
def test_hostile_results_and_answers_are_survived(result: Json) -> None:
    """Depth, length, numbers no float holds, lone surrogates, bytes."""
    check_answer("It was 4,521 mg for T-4471 on 2026-11-30, 77%.", [result])
    if isinstance(result, str):
        check_answer(result, ["4521"])


class Liar(dict[str, Json]):
    """A mapping whose length and items are not what it says."""

    def __len__(self) -> int:
        return 10**9

    def items(self) -> Any:
        raise RuntimeError("lazy")


class Falling(list[Json]):
    """A list that is shorter than it says."""

    def __len__(self) -> int:
        return 3


@pytest.mark.parametrize(
    "result",
    [
        Liar(a=4711),
        Falling([4711]),
        [Liar(a=4711), Falling([1])],
        {"a": Falling([4711])},
        object(),
        {4711},
        4711j,
        lambda: 4711,
    ],
    ids=[f"liar {n}" for n in range(8)],
)
def test_results_that_lie_about_their_type_are_survived(result: Any) -> None:
    """What cannot be read shows nothing."""
    check_answer("It was 4,521.", [result])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x0b"])
def test_lines_end_in_many_ways(end: str) -> None:
    """A table is one, however its lines end; a pair is a pair."""
    table = end.join(("name,spent", "Alice,1207", "Bob,5210", ""))
    assert check_answer("Alice spent 1,207 and Bob 5,210.", [table]).supported
    assert not check_answer("Alice spent 5,210.", [table]).supported


def test_bytes_that_are_no_text_leave_the_rest_readable() -> None:
    """Decoded with replacement, as hosts do."""
    shown = b"caf\xe9 4521 \xff\xfe T-\xff4471 12,5\xb5g".decode("utf-8", "replace")
    assert check_answer("It was 4,521.", [shown]).supported
    assert not check_answer("It was T-4471.", [shown]).supported


@pytest.mark.parametrize("text", ["2026-13-45", "31.02.2026", "2026-02-30T25:61:00Z", "99/99/9999", "0000-00-00"])
def test_a_date_out_of_range_is_none(text: str) -> None:
    """Neither in a result, nor in an answer."""
    check_answer("It was on 2026-11-30 at 14:05.", [text, {"at": text}])
    assert not any(value.code is None for value in check_answer(f"It was on {text}.", ["2026-11-30"]).values)


def test_a_list_of_any_depth_is_walked() -> None:
    """Without recursion."""
    deep: Json = 4521
    for _ in range(100_000):
        deep = [deep]
    assert walk(deep).texts == ["4521"]
    assert check_answer("It was 4,521.", [deep]).supported


@calm
@given(st.text(alphabet='{}[]",:0123456789ab \\', max_size=60))
def test_cut_json_never_shows_the_token_the_cut_falls_in(text: str) -> None:
    """What comes out of a cut text stands in it, whole."""
    parse(text)
    whole_text = json.dumps([{"a": 4711, "b": [1, 2]}, {"a": 48123}])
    for end in range(2, len(whole_text)):
        shown = walk(whole_text[:end]).texts
        assert "48123" not in shown or whole_text[:end].endswith(("}", "]"))


def test_the_report_is_plain_json() -> None:
    """For logs and for `--json`."""
    report = check_answer("It was 4,521 of T-1234.", [{"n": 4521}], GateConfig())
    assert json.loads(json.dumps(report.to_dict()))["looked_up"] == 2
