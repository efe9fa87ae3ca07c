"""Versions outside of what was tested are told once, with both numbers."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

import pytest

from gate_core import GateFactory
from gate_core.versions import within


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """The warnings of a process that has given none yet."""
    monkeypatch.setattr("gate_core.versions._warned", set())
    return lambda: [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize(
    ("installed", "inside"),
    [
        ("1.2.12", True),
        ("1.2.11", False),
        ("1.1.99", False),
        ("1.2.24", True),
        ("1.2.25", True),
        ("1.3.0", False),
        ("2.0", False),
        ("1.2.13rc1", True),
        ("1.10.0", False),
        ("unknown", False),
    ],
)
def test_the_range_holds_both_ends_and_later_patches(installed: str, inside: bool) -> None:
    """The newest minor version is one version."""
    assert within(installed, "1.2.12", "1.2.24") is inside


def test_one_warning_names_both_numbers(said: Callable[[], list[str]]) -> None:
    """However many gates are made."""
    for _ in range(3):
        GateFactory({}, tested={"pytest": ("3.0.0", "3.1.0")})
    assert said() == [f"the gate was tested with pytest 3.0.0 to 3.1.0, and {version('pytest')} is installed"]


def test_inside_the_range_nothing_is_said(said: Callable[[], list[str]]) -> None:
    """Nor about what is not installed at all."""
    GateFactory({}, tested={"pytest": ("3.0.0", version("pytest")), "no-such-distribution": ("1.0", "1.0")})
    assert said() == []
