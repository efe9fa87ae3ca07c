"""What an adapter provides to be put under the suite: a driver for its real framework."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gate_core.conformance.case import Case
from gate_core.model.state import GateState
from gate_core.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """What one run of a case brought.

    `verdicts` are all verdicts in order, over all turns. `answers` is, per turn, the last text the user was shown as
    the answer. `marked` is, per turn, whether that answer carried the unverified mark in the framework's own
    metadata. `state` is the ledger at the end, None when the run was not gated. `events` tells the run for
    people, one line each: calls, drafts, what went back to the model.
    """

    verdicts: tuple[Verdict, ...]
    answers: tuple[str, ...]
    marked: tuple[bool, ...] = ()
    state: GateState | None = None
    events: tuple[str, ...] = ()


class Driver(Protocol):
    """Runs cases on one real framework. It scripts the model's side only: the framework executes the tools and
    calls the adapter."""

    @property
    def name(self) -> str:
        """The name on the command line: "core", "claude", "langgraph", "openai"."""
        ...

    @property
    def capabilities(self) -> frozenset[str]:
        """What this driver can express, out of the words cases use in `requires`."""
        ...

    async def run(self, case: Case, workspace: Path, *, gated: bool = True) -> CaseRun:
        """Run the case with `workspace` as the agent's folder, already holding the case's files.

        With `gated=False` the same framework runs without the adapter: what the user would have been told.
        """
        ...
