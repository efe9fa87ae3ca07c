"""The shipped cases themselves: valid, documented, and true as plain transcripts too."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from gate_core.transcripts import play
from gate_core.transcripts.files import problem_of

FOLDER = files("gate_core.conformance") / "cases"
RAW: dict[str, Any] = {item.name: json.loads(item.read_text("utf-8")) for item in FOLDER.iterdir()}


@pytest.mark.parametrize("name", sorted(RAW))
def test_a_case_is_a_valid_transcript(name: str) -> None:
    """Cases follow the schema, are named by their id, and say which rule they serve and what goes wrong without it."""
    case = RAW[name]
    assert problem_of(case) is None
    assert f"{case['id']}.json" == name
    assert case["title"].endswith(".")
    assert case["rule"]
    assert case["harm"]


@pytest.mark.parametrize("name", sorted(RAW))
def test_a_case_holds_as_a_transcript(name: str) -> None:
    """The results written down in a case lead the core to the verdicts the frameworks must reach."""
    played = play(RAW[name])
    assert [judged.unmet for judged in played.judged] == [()] * len(played.judged)
