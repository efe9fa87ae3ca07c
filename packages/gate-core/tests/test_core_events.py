"""Which events a sentence states; every language's own examples are run (spec 20, "Statements")."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core.data import has_table, load_table
from gate_core.reading.events import TOLD, events_of_language
from gate_core.reading.languages import LANGUAGES
from gate_core.reading.segment import segments
from gate_core.reading.statements import state

WITH_EVENTS = tuple(name for name in LANGUAGES if has_table("reading", "events", f"{name}.toml"))


def events(text: str) -> set[str]:
    """All events that the sentences of a text state."""
    return {kind for segment in segments(text) for kind in state(segment.text, []).events}


def _examples() -> list[Any]:
    return [
        pytest.param(row, id=f"{name} {row['text'][:60]}")
        for name in WITH_EVENTS
        for row in load_table("reading", "events", f"{name}.toml")["examples"]
    ]


@pytest.mark.parametrize("row", _examples())
def test_an_example_states_what_it_says(row: dict[str, Any]) -> None:
    """Exactly the kinds of the example."""
    assert sorted(events(row["text"])) == sorted(row["events"])


@pytest.mark.parametrize("language", WITH_EVENTS)
def test_every_kind_has_an_example(language: str) -> None:
    """A kind without an example is one nobody tried; and some sentences state nothing."""
    table = load_table("reading", "events", f"{language}.toml")
    found = events_of_language(language)
    assert found is not None
    tried = {kind.removesuffix(TOLD) for row in table["examples"] for kind in row["events"]}
    assert {kind.removesuffix(TOLD) for kind in found.patterns} == tried
    assert any(row["events"] == [] for row in table["examples"])


def test_all_languages_have_the_kinds_of_english() -> None:
    """A claim is one in every language."""
    english = events_of_language("en")
    assert english is not None
    for language in WITH_EVENTS:
        found = events_of_language(language)
        assert found is not None
        assert set(found.patterns) <= set(english.patterns), language


@pytest.mark.parametrize(
    "text",
    [
        "Nothing is committed.",
        "Nothing is committed yet.",
        "None of it was pushed.",
    ],
)
def test_no_other_pack_reads_plain_english(text: str) -> None:
    """Small words that only English has keep packs away whose verbs are the same ("is committed" is Dutch too)."""
    assert events(text) == set()


def test_dutch_without_english_words_is_read_as_dutch() -> None:
    """A word both languages have ("is") keeps no pack away."""
    assert events("Versie 2.1 is uitgebracht.") == {"published-told"}
