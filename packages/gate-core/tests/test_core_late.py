"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import gate_core
from gate_core.model.late import Late, late

MODULES = sorted(m.name for m in walk_packages(gate_core.__path__, "gate_core.") if not m.name.endswith("__main__"))


def lates(value: object) -> Iterator[Late]:
    """The patterns in a value of a module."""
    if isinstance(value, Late):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from lates(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from lates(each)


def loaded(name: str) -> dict[str, object]:
    """What a module holds; nothing when it needs an extra that is not installed."""
    try:
        return vars(import_module(name))
    except ModuleNotFoundError as error:
        if str(error.name).startswith("gate_core"):
            raise
        return {}


def test_every_pattern_of_a_module_compiles() -> None:
    """No mistake in one waits for the text that first needs it."""
    found = [each for name in MODULES for value in loaded(name).values() for each in lates(value)]
    assert len(found) > 250
    assert all(isinstance(each.pattern, str) for each in found)


def test_it_is_a_pattern() -> None:
    """What a pattern does, it does; flags count."""
    pattern = late(r"(?P<a>x+)", re.IGNORECASE)
    assert pattern.search("aXb", 1) is not None
    assert pattern.match("aXb") is None
    assert pattern.sub("-", "axxb") == "a-b"
    assert [m["a"] for m in pattern.finditer("x X")] == ["x", "X"]
    assert dict(pattern.groupindex) == {"a": 1}
    assert pattern.flags & re.IGNORECASE


def test_one_that_is_wrong_says_so_when_it_is_used() -> None:
    """And not before."""
    wrong = late("(")
    with pytest.raises(re.error, match="missing"):
        wrong.search("x")


def test_importing_the_gate_compiles_few_patterns() -> None:
    """A process that answers one hook would wait for all of them."""
    code = (
        "import re._compiler as c; n = [0]; o = c.compile\n"
        "def f(p, flags=0): n[0] += 1; return o(p, flags)\n"
        "c.compile = f; import gate_core.gate; print(n[0])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
    assert int(done.stdout) < 40
