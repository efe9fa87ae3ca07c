"""Which languages a text may be of, and what follows from it (spec 20, "Statements")."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gate_core.data import has_table, load_head, load_table
from gate_core.reading.anchors import needs
from gate_core.reading.blind import Blind, begins_with_the_text, small
from gate_core.reading.clauses import blanked, clauses
from gate_core.reading.languages import LANGUAGES, SHARED, likely
from gate_core.reading.packs import pack
from gate_core.reading.segment import segments
from gate_core.reading.statements import forget, state, states
from gate_core.reading.tokens import named_in, named_in_each


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All tests pass and the build is green.", ("en",)),
        ("Alle Tests sind grün und der Build ist durch.", ("de", "en")),
        ("Все тесты проходят.", ("ru",)),
        ("所有测试通过。", ("zh",)),
        ("テストは成功しました。", ("ja",)),
        ("테스트가 통과했습니다.", ("ko",)),
        ("运行 pytest 。", ("zh", "en")),
        ("12", ()),
    ],
)
def test_the_likely_languages(text: str, expected: tuple[str, ...]) -> None:
    """By script, then by small words; the one with most of them stands first."""
    assert likely(text) == expected


@pytest.mark.parametrize("room", ["packs", "events"])
def test_nothing_but_examples_stands_behind_the_first_example(room: str) -> None:
    """A process reads a file up to there; tests read the rest."""
    for name in (f"{language}.toml" for language in LANGUAGES if has_table("reading", room, f"{language}.toml")):
        whole = load_table("reading", room, name)
        assert load_head("[[examples]]", "reading", room, name) == {k: v for k, v in whole.items() if k != "examples"}


def test_what_stands_before_the_first_table_is_read_alone() -> None:
    """The small words of a language cost a fresh process no pack."""
    head, whole = load_head("[", "reading", "packs", "en.toml"), load_table("reading", "packs", "en.toml")
    assert head["hints"] == whole["hints"]
    assert "words" not in head


def test_a_prompt_may_be_two_words_long() -> None:
    """Every language of the script is tried, but not on a text that holds small words of English alone."""
    assert likely("Teste nicht", every=True)[:1] == ("de",)
    assert set(likely("Corrige app.cfg", every=True)) == set(SHARED)
    assert likely("Set it to 30 and run the tests.", every=True) == ("en",)


def test_an_english_turn_opens_no_other_pack() -> None:
    """A fresh process reads the rules of English alone for an English prompt and answer."""
    code = (
        "from gate_core import Attempt, Gate\nfrom gate_core.reading.packs import pack, Pack\n"
        "gate = Gate(); gate.begin_turn('Set the timeout to 30 in app.cfg and run the tests.')\n"
        "gate.boundary_check(Attempt(parts=('Done: the timeout in app.cfg is 30 and all 12 tests pass.',)))\n"
        "print(pack.cache_info().currsize, *(sorted(pack('en').__dict__)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split()[0] == "1"


@pytest.mark.parametrize("language", SHARED)
def test_clauses_meet_between_words(language: str) -> None:
    """What wakes no rule in a sentence wakes none in a clause of it: no joint lies within a word."""
    rules, every = pack(language), -1
    rows = [
        row["text"]
        for folder in ("packs", "events")
        for row in load_table("reading", folder, f"{language}.toml")["examples"]
    ]
    for sentence in (segment.text for row in rows for segment in segments(row)):
        at = 0
        for _, clause, _ in clauses(sentence, blanked([sentence])[0], every, rules):
            at = sentence.index(clause, at)
            end = at + len(clause)
            for edge in (at, end):
                assert not (sentence[edge - 1 : edge].isalnum() and sentence[edge : edge + 1].isalnum() and edge > 0), (
                    clause
                )
            at = end


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name not in SHARED])
def test_headings_of_another_script_need_its_letters(language: str) -> None:
    """A heading in ASCII is asked in the languages of English's script alone."""
    headings = pack(language).headings
    if headings is not None:
        assert any(all(not word.strip("\0").isascii() for word in group) for group in needs(headings.text))


def _said(language: str) -> list[str]:
    """The sentences of the examples of a language."""
    rows = load_table("reading", "events", f"{language}.toml")["examples"]
    return [segment.text for row in rows for segment in segments(row["text"])]


def test_sentences_read_together_state_what_each_states_alone() -> None:
    """Whatever their languages, however many they are; and so do those that were read before."""
    rows = [
        (text, [named.text for named in named_in(text)])
        for each in zip(*map(_said, LANGUAGES), strict=False)
        for text in each
    ]
    assert len(rows) > 1_024, "more than are remembered"
    alone = []
    for text, targets in rows:
        forget()
        alone.append(state(text, targets))
    forget()
    assert states(rows) == alone
    assert states(rows[::-1]) == alone[::-1]
    assert states(rows, ("de", "ja")) == [state(*row, ("de", "ja")) for row in rows]


def test_names_of_many_sentences_are_those_of_each() -> None:
    """In whatever order they stand."""
    texts = [
        "See README and `a b.md`.",
        "Nothing.",
        "",
        "在README中",
        "https://x.example/a_b and _c.py_",
        "fooBar() T-4471",
        "a `tick that is left open",
        "and `another.py one`",
        "two lines:\na.py and `b_c`",
    ]
    assert named_in_each(texts) == [named_in(text) for text in texts]


def test_quotes_of_many_sentences_are_those_of_each() -> None:
    """A quote that is left open goes past no sentence, nor past a line of one."""
    texts = ['He said "done".', 'It is "open', 'and" closed', "`a` b", "", "a line\nand `another`"]
    assert blanked(texts) == [blank for text in texts for blank in blanked([text])]
    assert blanked(texts[:5]) == ['He said "xxxx".', 'It is "open', 'and" closed', "`x` b", ""]


@pytest.mark.parametrize(
    ("pattern", "whole"),
    [
        ("^a", True),
        ("(?:^a)|(?:^b|^c)", True),
        ("^a|b", False),
        ("(?:^a)|(?:^b|c)", False),
        ("(?:^a)?(?:b)", False),
        (r"(?:^[)]\))", True),
    ],
)
def test_a_pattern_that_begins_with_the_text_is_tried_there_alone(pattern: str, whole: bool) -> None:
    assert begins_with_the_text(pattern) is whole


def test_a_pattern_in_small_letters_keeps_what_is_no_letter() -> None:
    assert small(r"\W(?P<word>E2E|Ä)[A-Z]\S") == r"\W(?P<word>e2e|ä)[a-z]\S"


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\b(?:E2E|API) Tests?\b", "the e2e TESTS", True),
        (r"\bTest[A-Z]\w+", "testlogin", True),
        (r"\b(?-i:[A-Z])\w+", "Anna", True),
        (r"\b(?-i:[A-Z])\w+", "anna", False),
    ],
)
def test_a_blind_pattern_ignores_capitals_unless_it_asks_for_them(pattern: str, text: str, found: bool) -> None:
    assert (Blind(pattern).search(text) is not None) is found
