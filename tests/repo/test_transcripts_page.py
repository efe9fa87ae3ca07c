"""docs/transcripts.md says what is implemented: its examples are run, and it leaves no key out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gate_core.transcripts import play, reader_names, schema
from gate_core.transcripts.files import problem_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "transcripts.md").read_text("utf-8")
EXAMPLES: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def around(event: dict[str, Any]) -> dict[str, Any]:
    """A transcript with this event alone."""
    return {"schema": "gate-transcript/1", "id": "x", "turns": [{"prompt": "", "events": [event]}]}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.get("type") or example["id"])
def test_an_example_is_valid_and_holds(example: dict[str, Any]) -> None:
    """Whole transcripts hold, single events are valid and can be played."""
    whole = example if "schema" in example else around(example)
    assert problem_of(whole) is None
    played = play(whole)
    assert [judged.unmet for judged in played.judged if judged.unmet] == []
    assert played.labelled is ("schema" in example)


def test_every_key_is_told() -> None:
    """Of the transcript, of its events and of what is expected."""
    definition = schema()
    parts = [definition, *(definition["$defs"][name] for name in ("turn", "call", "background", "finish", "expect"))]
    keys = {key for part in parts for key in part["properties"]} - {"type"}
    events = set(definition["$defs"]["event"]["properties"]["type"]["enum"])
    headings = " ".join(re.findall("^#+ .*", PAGE, re.MULTILINE))
    words = {*re.findall(r"[`\"]([\w-]+)[`\"]", PAGE), *re.findall(r"\w+", headings)}
    assert (keys | events | set(reader_names())) - words == set()
