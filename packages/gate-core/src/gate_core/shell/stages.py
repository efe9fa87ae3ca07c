"""From syntax to stages: every command that runs, in order, with its folder, its place in a pipeline, who sees its
output, and what the exit status of the whole says about it.

A stage is *certain* when it runs whenever the command gets that far, *sure* when exit 0 of the whole means exit 0 of
the stage, and *same* when the two statuses are one; exits.py has the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gate_core.shell.expand import Word


class Sent(NamedTuple):
    """One redirection of a stage, its word expanded."""

    op: str
    fd: int
    word: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One command that runs. `argv` has its wrappers taken off ("sudo", "timeout 5") and is empty for what only
    redirects; `feeds` are the stages of the next part of its pipeline. `fed` says that it gets operands from its input.

    It runs only if the stage `otherwise` ended with another status than 0, where that is one stage.

    `cwd` is the folder it runs in: "" for the folder of the call, None when it cannot be told.
    """

    argv: tuple[Word, ...]
    cwd: str | None = ""
    sent: tuple[Sent, ...] = ()
    piped: bool = False
    fed: bool = False
    feeds: tuple[int, ...] = ()
    seen: bool = True
    errors_seen: bool = True
    certain: bool = True
    background: bool = False
    otherwise: int | None = None

    @property
    def program(self) -> str:
        """The name of the program, without its folder; "" when it cannot be told."""
        if not self.argv or not self.argv[0].known:
            return ""
        name = self.argv[0].text.rpartition("/")[2].removesuffix(".exe")
        return name if name.split() == [name] else ""


class Walked(NamedTuple):
    """The stages of a command, which of them are sure, and the one whose exit status is that of the whole."""

    stages: tuple[Stage, ...]
    sure: frozenset[int]
    same: int | None


class View(NamedTuple):
    """How the node being walked is seen. `tested` says that `set -e` lets it fail, `input` is what is redirected into
    the group around it, `told` the files that the part before it in a pipeline names."""

    seen: bool = True
    errors: bool = True
    certain: bool = True
    background: bool = False
    piped: bool = False
    tested: bool = False
    input: tuple[Sent, ...] = ()
    told: tuple[Word, ...] | None = None
