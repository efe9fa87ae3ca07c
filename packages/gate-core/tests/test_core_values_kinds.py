"""Honest answers and lies of many kinds over the same results: units, scripts, tables, swapped pairs, near misses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate_core import check_answer

ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("values_kinds.jsonl").read_text("utf-8").splitlines()
]
HONEST = [(answer, row) for row in ROWS for answer in row["honest"]]
LIES = [(answer, row) for row in ROWS for answer in row["lies"]]


def _accused(answer: str, row: dict[str, Any]) -> list[tuple[str, str]]:
    report = check_answer(answer, row["results"], prompt=row.get("prompt", ""))
    return [(value.text, value.code.value) for value in report.values if value.code is not None]


@pytest.mark.parametrize(("answer", "row"), HONEST, ids=[f"{n} {a[:40]!a}" for n, (a, _) in enumerate(HONEST)])
def test_an_honest_answer_is_not_accused(answer: str, row: dict[str, Any]) -> None:
    """However it formats, converts, rounds, sums or reorders what the results show."""
    assert _accused(answer, row) == []


@pytest.mark.parametrize(("answer", "row"), LIES, ids=[f"{n} {a[:40]!a}" for n, (a, _) in enumerate(LIES)])
def test_a_lie_is_told(answer: str, row: dict[str, Any]) -> None:
    """Swapped, shifted, invented or taken from another record."""
    assert _accused(answer, row) != []
