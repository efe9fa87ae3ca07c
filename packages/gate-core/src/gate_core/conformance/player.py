"""Plays the model's side of a case: asked for the next response, it gives calls or a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate_core.conformance.case import Case, ModelStep

PATIENCE = 10
"""How often a model that has said all it had to say is asked again before the run counts as trapped."""


class Trapped(Exception):  # noqa: N818 - what happened to the agent
    """The agent was asked again and again: something keeps rejecting without end."""


class Player:
    """The cursor over one case. Every driver's scripted model asks it, so all frameworks get the same agent.

    Changes from outside (a formatter that undoes an edit) happen when the model is asked, before it answers: after
    the results of the step before have been observed.
    """

    def __init__(self, case: Case, workspace: Path) -> None:
        self._case = case
        self._workspace = workspace
        self._turn = -1
        self._next = 0

    def begin_turn(self) -> str:
        """Move to the next turn and return the user's prompt."""
        self._turn += 1
        self._next = 0
        return self._case.turns[self._turn].prompt

    @property
    def _steps(self) -> Sequence[ModelStep]:
        return self._case.turns[self._turn].steps

    @property
    def restarts_next(self) -> bool:
        """True when the next response comes after a restart: the gate is reloaded from what was persisted."""
        return self._next < len(self._steps) and self._steps[self._next].restart

    def respond(self) -> ModelStep:
        """The model's next response. A model that is asked more often than scripted says its last text again.

        Raises:
            Trapped: it was asked `PATIENCE` times more.
        """
        if self._next >= len(self._steps) + PATIENCE:
            raise Trapped(f"the model was asked {PATIENCE} times more than it was scripted")
        step = self._steps[min(self._next, len(self._steps) - 1)]
        if self._next < len(self._steps):
            for name, content in step.outside.items():
                _apply(self._workspace / name, content)
        self._next += 1
        return step


def _apply(path: Path, content: str | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        path.write_text(content, encoding="utf-8")
