"""What an adapter was tested with, and what is installed (spec 50). An edge: it asks the installed distributions."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import TypeAlias

Tested: TypeAlias = Mapping[str, tuple[str, str]]
"""Distribution -> the oldest and the newest version of it that the adapter's tests ran with."""

_warned: set[str] = set()


def warn_untested(tested: Tested) -> None:
    """Log one warning per process and distribution that is outside of its range; it names both numbers.

    Later patches of the newest minor version count as tested: some frameworks have one every day.
    """
    for name, (oldest, newest) in tested.items():
        installed = _installed(name)
        if installed and name not in _warned and not within(installed, oldest, newest):
            _warned.add(name)
            logging.getLogger("gate_core").warning(
                "the gate was tested with %s %s to %s, and %s is installed", name, oldest, newest, installed
            )


def within(installed: str, oldest: str, newest: str) -> bool:
    """True when a version lies in the range; both ends belong to it."""
    return _numbers(oldest) <= _numbers(installed) and _numbers(installed)[:2] <= _numbers(newest)[:2]


def _numbers(text: str) -> tuple[int, ...]:
    """The release part of a version; what stands behind it (rc1, .post1, +local) does not count."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
