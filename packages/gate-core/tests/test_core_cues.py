"""The small words that the checks ask of a sentence: every text beside a cue is a test (reading/cues/*.toml)."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core.data import load_table
from gate_core.model.reading import Sentence
from gate_core.reading.commands import commands_in
from gate_core.reading.cues import cue_patterns, fractions, says, whole
from gate_core.reading.languages import LANGUAGES


def _rows(side: str) -> list[Any]:
    return [
        pytest.param(language, cue, text, id=f"{language} {cue} {text}")
        for language in LANGUAGES
        for cue, row in load_table("reading", "cues", f"{language}.toml").items()
        for text in row[side]
    ]


@pytest.mark.parametrize(("language", "cue", "text"), _rows("yes"))
def test_a_cue_is_heard(language: str, cue: str, text: str) -> None:
    """The text holds the cue, in its own language."""
    assert says(cue, Sentence(text=text, language=language))
    assert any(pattern.search(text) for pattern in cue_patterns(language, cue))


@pytest.mark.parametrize(("language", "cue", "text"), _rows("no"))
def test_a_neighbour_of_a_cue_is_none(language: str, cue: str, text: str) -> None:
    """The text does not hold the cue."""
    assert not any(pattern.search(text) for pattern in cue_patterns(language, cue))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_cues_with_texts_on_both_sides(language: str) -> None:
    """An exception that one language knows holds in all of them."""
    table = load_table("reading", "cues", f"{language}.toml")
    assert list(table) == list(load_table("reading", "cues", "en.toml"))
    assert all(row["yes"] and row["no"] for row in table.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("39/40 tests pass", [(39, 40)]),
        ("1,039 of 1,040 tests pass", [(1039, 1040)]),
        ("40 个测试中有 39 个通过。", [(39, 40)]),
        ("40件中39件のテストが成功しました。", [(39, 40)]),
        ("on 2026/01/02 all tests pass", []),
        ("src/3/4.py", []),
        ("all tests pass", []),
    ],
)
def test_fractions(text: str, expected: list[tuple[int, int]]) -> None:
    """Some of how many, whichever stands first; dates and paths are none."""
    assert list(fractions(text)) == expected


def test_a_number_is_read_with_its_separators() -> None:
    """Separators differ by language and count for nothing."""
    assert (whole("1.040"), whole("1,040"), whole("")) == (1040, 1040, 0)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("I ran `pytest`.", "en", ("pytest",)),
        ("`pytest` was run.", "en", ("pytest",)),
        ("I read `pytest`.", "en", ()),
        ("Ich habe `pytest` ausgeführt.", "de", ("pytest",)),
        ("Die Datei `app` ist kurz.", "de", ()),
        ("我运行了 `pytest`。", "zh", ("pytest",)),
        ("`pytest` を実行しました。", "ja", ("pytest",)),
        ("`make lint` is green.", "en", ("make lint",)),
        ("I ran `$ make lint`.", "en", ("make lint",)),
    ],
)
def test_the_commands_of_a_sentence(text: str, language: str, expected: tuple[str, ...]) -> None:
    """Words in a row in back-ticks, or one word that is said to have been run, in any language."""
    assert commands_in(Sentence(text=text, language=language)) == expected
