"""Every trap of the SDK has a test that fails without our handling: the handling is taken away, and the test fails."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Any

import pytest
from openai_traps import HANDLED, PINNED, Handled, Pinned

HERE = Path(__file__).resolve().parent
QUIET = ("-q", "-p", "no:cacheprovider", "--tb=line")


class Broken(logging.Handler):
    """Keeps the first exception the gate caught and logged: it stays inside the gate, so no test would end with it."""

    def __init__(self) -> None:
        super().__init__()
        self.error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Of interest is only what has a traceback."""
        self.error = self.error or (record.exc_info[1] if record.exc_info else None)


class Taken:
    """A pytest plugin: while a test's own code runs, other things stand in place of ours. Keeps how each case ended."""

    def __init__(self, without: Mapping[str, object]) -> None:
        self._without = without
        self.ended: dict[str, list[BaseException | None]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Around the test function only: neither imports nor fixtures know of it."""
        broken = Broken()
        log = logging.getLogger("gate_openai_agents")
        log.addHandler(broken)
        try:
            with pytest.MonkeyPatch.context() as patch:
                for name, instead in self._without.items():
                    patch.setattr(f"gate_openai_agents.{name}", instead)
                return (yield)
        finally:
            log.removeHandler(broken)
            if broken.error is not None:
                raise broken.error

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> None:
        """One entry per case: None, or what the test ended with; what breaks around the test counts as that."""
        name = item.nodeid.rsplit("/", 1)[-1].split("[")[0]
        if call.when == "call" or call.excinfo is not None:
            self.ended.setdefault(name, []).append(call.excinfo.value if call.excinfo else None)


def node(test: str) -> str:
    """`run::test_x` -> `test_openai_run.py::test_x`."""
    return f"test_openai_{test.replace('::', '.py::')}"


def ends(without: Mapping[str, object], tests: Sequence[str]) -> dict[str, list[BaseException | None]]:
    """How the cases of these tests end without this."""
    taken = Taken(without)
    code = pytest.main([*QUIET, *(str(HERE / node(test)) for test in tests)], plugins=[taken])
    assert code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    return taken.ended


def shows_the_trap(error: BaseException, row: Handled) -> bool:
    """True for an assertion of the test itself, for an exception that did not come, and for what the row names."""
    if isinstance(error, AssertionError):
        return Path(extract_tb(error.__traceback__)[-1].filename).parent == HERE
    return isinstance(error, (row.shows, pytest.fail.Exception))


def unproved(row: Handled) -> list[str]:
    """The tests of a row that do not show the trap: they pass without the handling, or end by something else."""
    found = ends(row.without, row.tests)
    failures = {node(test): [end for end in found.get(node(test), []) if end is not None] for test in row.tests}
    return [
        f"{test}: {errors!r}"
        for test, errors in failures.items()
        if not errors or not all(shows_the_trap(error, row) for error in errors)
    ]


@pytest.mark.parametrize("row", HANDLED, ids=[f"T{row.trap}-{row.met.replace(' ', '-')}" for row in HANDLED])
def test_without_the_handling_its_tests_fail(row: Handled) -> None:
    """By the test's own assertion, or by what the trap is known to end with; not because the stand-in broke."""
    assert unproved(row) == []


def test_a_test_that_does_not_need_the_handling_is_told() -> None:
    """The proof can fail: a test that something else handles, and a stand-in that only breaks things, are named."""
    test = "traps::test_an_unobserved_agent_is_no_evidence_and_is_named"
    same = Handled(trap=8, met="", without={"_hooks.is_mcp_error": lambda context: False}, tests=(test,))
    broken = Handled(trap=8, met="", without={"_hooks._name": None}, tests=(test,))
    lost = Handled(trap=8, met="", without={"_hooks.no_such_thing": None}, tests=(test,))
    for row in (same, broken, lost):
        assert [told.split(": ")[0] for told in unproved(row)] == [node(test)], row.without


def test_every_trap_is_in_the_table() -> None:
    """None is left out, and each row names tests."""
    rows: tuple[Handled | Pinned, ...] = (*HANDLED, *PINNED)
    assert {row.trap for row in rows} == set(range(1, 26))
    assert all(row.tests for row in rows)


@pytest.mark.parametrize("row", PINNED, ids=lambda row: f"T{row.trap}")
def test_a_pinned_trap_has_its_tests(row: Pinned) -> None:
    """There is nothing to take away, so they only have to be there; they run as they are."""
    for test in row.tests:
        file, name = node(test).split("::")
        assert re.search(rf"^def {name}\(", (HERE / file).read_text(encoding="utf-8"), re.MULTILINE), test
