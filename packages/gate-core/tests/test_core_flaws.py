"""What a run counts besides what passed, and what an answer says of it: the examples of flaws.toml, and whole turns."""

from __future__ import annotations

from typing import Any

import pytest

from gate_core.checks.stated.flaws import says_how_many, told_otherwise
from gate_core.data import load_table
from gate_core.model.reading import Sentence
from gate_core.reading.languages import LANGUAGES


def _rows() -> list[Any]:
    return [
        pytest.param(row, id=f"{row['text']} / {row['out']}")
        for row in load_table("checks", "stated", "flaws.toml")["examples"]
    ]


@pytest.mark.parametrize("row", _rows())
def test_a_run_says_otherwise(row: dict[str, Any]) -> None:
    """By the words of any language, for a sentence that no pack has read."""
    sentence = Sentence(text=row["text"])
    assert (says_how_many(sentence) and told_otherwise(sentence, row["out"])) is row["otherwise"]


def test_all_languages_can_say_that_there_is_none() -> None:
    """What one language can say, all can."""
    assert sorted(load_table("checks", "stated", "flaws.toml")["none"]["skipped"]) == sorted(LANGUAGES)
