"""Short cuts of the values check find what a plain search finds."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import Attempt, GateConfig, GateState, Json, check_answer
from gate_core.checks.values import report_of, report_on
from gate_core.ledger import Ledger
from gate_core.reading import read
from gate_core.values import of_ledger, periods
from gate_core.values.cells import Cells
from gate_core.values.cues import Cues
from gate_core.values.examine import MAX_CARRIERS
from gate_core.values.fields import MOST
from gate_core.values.index import Index
from gate_core.values.instants import _patterns
from gate_core.values.labelled import _label
from gate_core.values.labels import label_spans
from gate_core.values.lexicon import cue, table
from gate_core.values.names import squeezed
from gate_core.values.normal import folded, normal
from gate_core.values.numbers import _meant, numbers_in
from gate_core.values.places import letters_of
from gate_core.values.scan import scan, scan_evidence
from gate_core.values.sizes import _comma, _compound, _grouped, _parted, _readings, sizes_in
from gate_core.values.walk import walk
from gate_core.values.wholes import Wholes

calm = settings(deadline=None)  # the first example reads the tables
NUMBERS = ["1", "22", "333", "4444", " ", "  ", ",", ".", "d", "h", "min", "a", "ft", "in", " and ", "\n", "e5", "x"]


@calm
@given(st.lists(st.sampled_from(NUMBERS), max_size=14).map("".join))
def test_numbers_in_groups_and_parts_are_those_of_a_plain_search(text: str) -> None:
    """They are looked for by their blanks and their letters; a search by digits finds the same."""
    line = f"\n{text}\n"
    plain = re.findall(r"\d{1,3}(?: \d{2,3})+(?![\d])(?:[.,]\d+)?", line)
    assert _grouped(line) == list(dict.fromkeys(plain))
    letters = "".join({word[0] for word in _compound().words})
    assert list(_parted(line, letters)) == _compound().whole.findall(line)


@calm
@given(
    st.lists(
        st.sampled_from(["a", "1", "—", "’", "₋", "½", "²", "Ａ", "が", "か\u3099", "Ⅷ", "ﬁ", "\ud800", "A", "ß", "É"])
    ).map("".join)
)
def test_a_long_text_is_normalised_as_a_short_one(text: str) -> None:
    """Though only its strange signs are touched."""
    times = 20_000 // (len(text) + 1)
    parts = "\n".join([text] * times)
    assert normal(parts) == "\n".join([normal(text)] * times)
    assert folded(parts) == "\n".join([folded(text)] * times)


@calm
@given(st.lists(st.sampled_from([*NUMBERS, "k", " k", "M", "million", " Million", "ä"]), max_size=14).map("".join))
def test_the_numbers_of_a_long_text_are_those_of_a_short_one(text: str) -> None:
    """Though few magnitude words are looked for in it."""
    line = f"\n{text}\n"
    found = sizes_in(line, letters_of(line.lower()))
    assert sizes_in(line + "\n" * 10_000, letters_of(line.lower())) == found


@given(st.from_regex(r"[0-9]{1,16},[0-9]{1,16}", fullmatch=True))
def test_two_runs_with_a_comma_have_the_sizes_of_their_readings(text: str) -> None:
    """A number in groups, a decimal, or two numbers."""
    assert _comma(text) in ((), _readings(text))


BESIDE = [
    "5",
    "1,200",
    "d ",
    "r ",
    "USD ",
    "US$",
    "€",
    "-",
    "+",
    " ",
    "~",
    "(",
    ")",
    "over ",
    "fl. oz",
    "sq ft",
    "%",
    "e",
]


@calm
@given(st.lists(st.sampled_from(BESIDE), max_size=8).map("".join))
def test_what_stands_beside_a_number_is_what_a_plain_search_finds(text: str) -> None:
    """Though nothing is looked for behind a plain word and a blank, and few words begin units of two words."""
    paired = lambda word, touching: (*_meant(word, touching)[:3], True)  # noqa: E731 - as a word may stand before any
    with patch("gate_core.values.numbers._UNMARKED", ()), patch("gate_core.values.numbers._meant", paired):
        found = numbers_in(text)
    assert numbers_in(text) == found


TOLD = [
    "it",
    "is",
    "in",
    "version",
    "p95",
    "2024",
    "12024",
    "é9",
    "9a",
    "x-2024",
    "_",
    "-",
    " ",
    " ",
    ":",
    "(",
    "~",
    ",",
]


@calm
@given(st.lists(st.sampled_from(TOLD), max_size=12).map("".join))
def test_the_label_right_before_a_value_is_that_of_a_plain_search(text: str) -> None:
    """Though it is read from the value on, and not looked for from the left."""
    words = "|".join(map(re.escape, table("cues")["copulas"]))
    part = r"[\s:=(\"'*|]"
    told = re.search(rf"([^\W\d_][\w-]*|(?:19|20)\d{{2}})(?:(?:{part}+(?:{words}))*[\s:=(\"'*~|]*)$", text)
    assert _label(text) == (told[1] if told else "")


CUES = ["not", "no", " ", " and ", "while", "respectively", "e.g.", "down by", "for example", "_", "x", ",", "if", "-"]


@calm
@given(st.lists(st.sampled_from(CUES), max_size=8).map("".join))
def test_the_cues_of_a_sentence_are_those_of_a_plain_search(text: str) -> None:
    """Though lists none of whose words can stand there are not searched."""
    cues = Cues(text)
    for name in ("deny", "example", "clause_ends", "condition", "respectively", "down", "modal"):
        assert cues.spans(name) == tuple(match.span() for match in cue(name).finditer(cues.low)), name


HEADS = st.sampled_from(
    ["web", "mar", "sept", "covid", "utf", "eur", "q", "usd", "am", "pm", "uhr", "hour", "port", "deadbeef"]
)


@calm
@given(HEADS, st.integers(0, 10**10).map(str))
def test_a_numbered_name_is_what_a_scan_finds(head: str, number: str) -> None:
    """ "web-17" is read at once, what may be a date or a word is scanned."""
    text = f"{head}-{number}"
    assert scan_evidence(text) == scan(text)


NAMES = ["web-1", "web", "1", "db 2", "db", "2", "db2", "eu west", "eu", "west", "west 1", "p95", " ", ". ", ", ", "_"]


def _plain_spans(text: str, index: Index) -> list[tuple[int, int, str]]:
    """The labels of a text, all stretches of up to six words tried."""
    parted = {squeezed(label): label for label in index.labels if re.search(r"\d", label)}
    words = [match.span() for match in re.finditer(r"[a-z0-9_][a-z0-9_./:@#+-]*", text)]
    found, at = [], 0
    while at < len(words):
        start = words[at][0]
        for number, (_, end) in reversed(list(enumerate(words[at : at + 6]))):
            said = text[start:end].rstrip(".,:;-")
            coined = re.search(r"[a-z][\s_-]?\d", said) and len(said) <= 24
            label = said if said in index.labels else parted.get(squeezed(said), "") if coined else ""
            if label:
                found.append((start, start + len(said), label))
                at += number
                break
        at += 1
    return found


@calm
@given(st.lists(st.sampled_from(NAMES), max_size=10).map("".join))
def test_the_labels_a_sentence_names_are_those_of_a_plain_search(text: str) -> None:
    """Though several words are tried only where a label of several begins, or an id may be parted otherwise."""
    index = Index(walk([{"name": name, "n": 1} for name in ("web-1", "db 2", "eu west", "west", "a b c d e f", "p95")]))
    assert list(label_spans(text, index)) == _plain_spans(text, index)


WORDS = ["I", " read", " the files", ". ", "\n", "web-3", " 4,711", " two", " ms", " `a.py`", " 30 May", "が", " —"]


@calm
@given(st.lists(st.sampled_from(WORDS), max_size=8).map("".join))
def test_an_answer_without_a_value_needs_no_evidence(answer: str) -> None:
    """Its report is that of looking, and no text of a call is fetched for it."""
    config = GateConfig()
    ledger = Ledger(GateState(), config)
    reading = read(Attempt(parts=(answer,)), ledger)
    looked = report_on(reading, of_ledger(ledger), config)
    with patch("gate_core.checks.values.of_ledger", side_effect=of_ledger if looked.candidates else AssertionError):
        assert report_of(reading, ledger, config) == looked


CELLS = ["5", "5.0", "12.5", "007", ".5", "5.", ".", "", "1.2.3", "-5", "web-5", "５", "5\n6", "5 ms", "1,000", "1e3"]


@calm
@given(st.lists(st.sampled_from(CELLS), max_size=12), st.sampled_from([0.0, 5.0, 12.5]), st.sampled_from([5.0, 99.0]))
def test_the_numbers_that_fill_a_field_are_found_by_size(texts: list[str], low: float, high: float) -> None:
    """They are those that are digits with at most one point behind the first; all others are left."""
    cells = Cells(texts)
    bare = [(n, text) for n, text in enumerate(texts) if re.fullmatch(r"[0-9]+\.?[0-9]*", text)]
    wanted = {
        (float(text), text): [n for n, other in bare if other == text] for _, text in bare if low <= float(text) <= high
    }
    for _ in range(5):  # the first lookups and later ones
        held = cells.between(low, high, 64)
        assert held == wanted
        assert sorted(held, key=lambda key: key[0]) == list(held)
    assert set(cells.others) == set(texts) - {text for _, text in bare}
    assert set(cells.numbered) == {text for text in cells.others if re.search("[0-9]", text)}
    assert [n for n in range(len(texts)) if cells.holds(n)] == [n for n, _ in bare]


def test_so_many_sizes_and_fields_are_found() -> None:
    """The least of them, and the first; two spellings of a size are one size."""
    cells = Cells(["3", "1", "2", "1", "1.0", "1"])
    for _ in range(5):
        assert cells.between(0, 9, 2) == {(1.0, "1"): [1, 3], (1.0, "1.0"): [4], (2.0, "2"): [2]}


@pytest.mark.parametrize("beside", [0, 3, MOST - 1, MOST, 2 * MOST])
def test_a_label_is_found_however_often_it_stands_in_other_fields(beside: int) -> None:
    """Its places are those of the value it may be, as long as these are few."""
    rows = [{"note": f"not eu {place}", "n": place} for place in range(beside)]
    index = Index(walk([*rows, {"region": "eu", "n": 1}, {"region": "EU", "n": 2}]))
    assert [(kind, index.document.step[record]) for kind, record in index.records_called("eu")] == [
        ("/*.region", str(beside)),
        ("/*.region", str(beside + 1)),
    ]


def test_a_clause_is_asked_for_its_period_once() -> None:
    """However many values stand in it."""
    periods._period.cache_clear()
    check_answer("1d" * 300, ["t = 30"])
    assert periods._period.cache_info().misses <= 3
    assert periods._period.cache_info().hits > 200


_ROWS: list[Json] = [
    {"host": f"web-{n}", "errors": n * 7 % 40, "p95_ms": n * 13 % 90 + 0.25, "max_ms": n * 31 % 500, "region": "eu"}
    for n in range(1, 30)
]
_TOLD = st.builds(
    "{} {} {} and {} {} ms{}".format,
    st.sampled_from(["web-3", "web-17", "WEB-28", "web 9", "web-99", "web-3 and web-17", "It", "eu"]),
    st.sampled_from(["had", "has, as of now,", "lost", "did not have", "may have", "is down by"]),
    st.sampled_from(["21 errors", "1,021 errors", "39 errors", "5 errors", "-21 errors", "€21"]),
    st.sampled_from(["a p95 of", "an average of", "a maximum of", "took"]),
    st.sampled_from(["39.25", "39.3", "41.25", "27.25", "93", "27", "0.03"]),
    st.sampled_from([".", ", and web-4 had 28 errors.", "; web-5: 65.25 ms.", " or 12 %."]),
)


@calm
@given(st.lists(_TOLD, min_size=1, max_size=6).map("\n".join), st.booleans())
def test_values_settled_by_the_record_they_are_said_of_are_those_of_the_whole_search(answer: str, table: bool) -> None:
    """Where the record that a clause names shows a value, others make it no worse; one carrier is told."""
    evidence: list[Json] = [_csv(_ROWS) if table else _ROWS, "web-3 had 21 errors", {"host": "web-17", "errors": 39}]
    quick = check_answer(answer, evidence)
    with patch("gate_core.values.examine._MOST_ASKED", 0):
        whole = check_answer(answer, evidence)
    assert [value._replace(carriers=()) for value in quick.values] == [v._replace(carriers=()) for v in whole.values]
    for one, other in zip(quick.values, whole.values, strict=True):
        assert set(one.carriers) <= set(other.carriers) or len(other.carriers) == MAX_CARRIERS


def _csv(rows: list[Json]) -> str:
    told = [row for row in rows if isinstance(row, dict)]
    return "\n".join([",".join(told[0]), *(",".join(map(str, row.values())) for row in told)])


def test_a_value_is_settled_where_its_record_shows_it_and_carried_by_that_alone() -> None:
    rows: list[Json] = [{"host": f"web-{n}", "errors": 4_711} for n in range(20)]
    found = check_answer("web-3 had 4,711 errors. web-7 had 4,711 errors.", [rows]).values
    assert [carrier.pointer for carrier in found[-1].carriers] == ["/7/errors"]


@pytest.mark.parametrize("texts", [["a", "b", "a", "b\nb", "A"], ["a"] * 5, [], ["c", "a\na", "c"]])
def test_the_fields_that_are_a_label_are_found_by_one_look_at_all(texts: list[str]) -> None:
    lines = [text.lower() for text in texts]
    wholes = Wholes(lines, frozenset({"a", "b", "d"}))
    for label in ("a", "b", "d"):
        assert list(wholes.of(label)) == [at for at, line in enumerate(lines) if line == label]
    assert not wholes.of("c")


@pytest.mark.parametrize("number", range(len(_patterns())))
@calm
@given(data=st.data())
def test_what_a_hint_of_a_date_finds_holds_one_of_its_signs(number: int, data: st.DataObject) -> None:
    signs, hint, _ = _patterns()[number]
    if hint is not None:
        found = data.draw(st.from_regex(re.compile(hint.pattern), fullmatch=True)).lower()
        assert any(sign in found for sign in signs)
