"""What `git status` says is gone from the working tree."""

from __future__ import annotations

import re

from gate_core.footprint.command import Command
from gate_core.model.late import late
from gate_core.shell import Shows

_GONE = late(r"^(?: D|D |\s+deleted:\s{1,9})\s?(\S[^\n]{0,400})$", re.MULTILINE)
_MOST = 100


def told_gone(command: Command, at: int) -> tuple[str, ...]:
    """The paths a stage that runs `git status` shows as deleted, relative to a folder that nobody told."""
    program = command.analysis.uses[at].program
    asks = program is not None and program.sub == ("status",)
    if not asks or not command.went(at) or command.reach(at) is Shows.NOTHING:
        return ()
    return tuple(_GONE.findall(command.rest)[:_MOST])
