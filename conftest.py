"""What holds for the test run as a whole: a missing service skips its tests, or fails them where CI asks for it."""

from __future__ import annotations

import pytest
from hypothesis import settings

# Whether a test passes depends on neither luck nor the speed of the machine.
settings.register_profile("gate", deadline=None, derandomize=True, database=None)
settings.load_profile("gate")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--require-services`."""
    parser.addoption(
        "--require-services",
        action="store_true",
        help="a service that tests need (Postgres) and that is not there is a failure, not a skip",
    )
