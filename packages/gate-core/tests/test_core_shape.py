"""The quick check of transcripts says yes only where the JSON Schema does."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from gate_core.conformance import load_cases
from gate_core.transcripts import schema
from gate_core.transcripts.shape import quick_check

jsonschema = pytest.importorskip("jsonschema", reason="the validator comes with the extra [cli]")

EVENTS: list[dict[str, Any]] = [
    {"type": "call", "id": "c", "tool": "t", "args": {}, "result": [1], "status": "ok", "exit_code": 0, "step": 1},
    {"type": "background", "id": "c", "status": "pending", "exit_code": None},
    {"type": "confirm", "tool": "t", "args": {"a": 1}},
    {"type": "proposed", "tool": "t", "args": {}, "expect": {"decision": "accept", "codes": ["x"]}},
    {"type": "write", "subject": "s", "key": "k", "value": None, "expect": {"provenance": {"1": "read"}}},
    {"type": "reasoning", "text": "hm"},
    {"type": "probe", "path": "a", "held": True},
    {"type": "finish", "parts": ["a"], "claim_type": "none"},
    {"type": "finish", "text": "a", "expect": {"action": "REVISE"}},
    {"type": "outside", "path": "a", "content": None},
    {"type": "restart"},
]
WHOLE: dict[str, Any] = {
    "schema": "gate-transcript/1",
    "id": "x",
    "tags": ["a"],
    "gate": {},
    "exceptions": {"claude": "why"},
    "turns": [{"prompt": "p", "events": EVENTS}],
}
ODD: list[Any] = [None, True, 0, -1, 1.5, "", "odd", [], [1], {}, {"odd": 1}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every member, inner ones too."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(value[key], (*path, key))


def damaged() -> Iterator[Any]:
    """The whole transcript with one member missing, another, or one too many."""
    for path in places(WHOLE):
        for odd in [..., *ODD]:
            made = copy.deepcopy(WHOLE)
            inner = made
            for key in path[:-1]:
                inner = inner[key]
            if odd is ...:
                del inner[path[-1]]
            else:
                inner[path[-1]] = odd
            yield made
        if isinstance(path[-1], str):
            made = copy.deepcopy(WHOLE)
            inner = made
            for key in path[:-1]:
                inner = inner[key]
            inner["unknown"] = 1
            yield made


def test_it_never_takes_what_the_schema_refuses() -> None:
    """Nor refuses what the schema takes, but for numbers like 1.0."""
    fits, validator = quick_check(schema()), jsonschema.Draft202012Validator(schema())
    tried = [WHOLE, *ODD, *damaged()]
    wrong = [json.dumps(item)[:200] for item in tried if fits(item) is not validator.is_valid(item)]
    assert wrong == []
    assert sum(map(fits, tried)) > 100
    assert fits(WHOLE)


def test_a_word_it_does_not_know_is_no_yes() -> None:
    """Then the validator is asked."""
    assert quick_check({"type": "string"})("x")
    assert not quick_check({"type": "string", "pattern": "x"})("x")
    assert not quick_check({"type": "object", "properties": {"a": {"pattern": "x"}}})({"a": "x"})


def test_it_is_quick_for_every_shipped_case() -> None:
    """None of them needs the validator."""
    fits = quick_check(schema())
    assert [case.id for case in load_cases() if not fits(case.transcript)] == []
