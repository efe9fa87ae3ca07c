"""Every row of the table of programs is tried: what its examples say is what is read out of the command."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tree_sitter_bash", reason="the extra [shell] is not installed")

from gate_core.shell.analyse import analyse
from gate_core.shell.programs import Shows, programs_named, rows
from gate_core.shell.uses import Use


def told(use: Use) -> list[str]:
    """A use in the words of the examples."""
    words = [] if use.shows is Shows.OWN else [use.shows.value]
    words += [name for name in ("opaque", "quiet", "finds") if getattr(use, name)]
    words += [f"in {use.domain}"] if use.domain and not use.places else []
    words += [f"says {use.says.strip()}"] if use.says is not None else []
    for place in use.places:
        lines = "" if place.lines is None else f" {place.lines[0]}-{place.lines[1]}"
        words.append(f"{place.role.value} {place.word.text}{lines}")
    return words


def _examples() -> list[Any]:
    return [
        pytest.param(row["names"], example, id=example["run"][:60]) for row in rows() for example in row["examples"]
    ]


@pytest.mark.parametrize(("names", "example"), _examples())
def test_an_example_is_read_as_it_says(names: list[str], example: dict[str, Any]) -> None:
    """The last stage of the command is a program of the row, and does what the example says."""
    analysis = analyse(example["run"])
    assert analysis is not None
    assert analysis.stages[-1].program in (*names, "[", "[[")
    assert told(analysis.uses[-1]) == example["gives"]


def test_every_row_is_found_by_its_names() -> None:
    """Rows are found in the text of the files and parsed one by one; none is lost and none comes twice."""
    subs = [(name, tuple(sub.split())) for row in rows() for name in row["names"] for sub in row.get("subs", ())]
    subs += [(name, tuple(row.get("sub", ()))) for row in rows() for name in row["names"] if "subs" not in row]
    names = {name for name, _ in subs}
    assert sorted(subs) == sorted((name, row.sub) for name in names for row in programs_named(name))


@pytest.mark.parametrize(
    "row", rows(), ids=lambda row: " ".join((row["names"][0], *row.get("sub", row.get("subs", ())[:1])))
)
def test_every_row_has_examples(row: dict[str, Any]) -> None:
    """A row that nobody tried is a guess."""
    assert row["examples"]
