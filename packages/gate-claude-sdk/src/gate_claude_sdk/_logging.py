"""The package's logger, imported only where something is out of the ordinary: the command hook has to start quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger


def log() -> Logger:
    """The logger `gate_claude_sdk`."""
    import logging

    return logging.getLogger("gate_claude_sdk")
