"""The one door to the room: a command and its folder become an analysis, kept for the commands seen last."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec

from gate_core.shell.foreign import native, of_powershell
from gate_core.shell.reading import use_of
from gate_core.shell.stages import Stage
from gate_core.shell.tree import parse
from gate_core.shell.uses import Use
from gate_core.shell.walk import stages_of
from gate_core.shell.words import UnreadableError

LONGEST = 1_000_000
"""Characters of a command that is read; a longer one is opaque."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The stages of a command and what each does, in order; see `stages.Walked` for `sure` and `same`."""

    stages: tuple[Stage, ...]
    uses: tuple[Use, ...]
    sure: frozenset[int]
    same: int | None


@cache
def available() -> bool:
    """True when the extra `[shell]` is installed."""
    return all(find_spec(name) is not None for name in ("tree_sitter", "tree_sitter_bash"))


@lru_cache(maxsize=256)
def analyse(command: str, *, windows: bool = False, powershell: bool = False) -> Analysis | None:
    """What a command does; None when it cannot be read. `windows` says that it ran in a folder of Windows, where the
    verbs of cmd stand for themselves; `powershell` that no Unix shell reads it, so that a backslash parts paths.

    Raises:
        ImportError: the extra `[shell]` is not installed; ask `available` first.
    """
    if len(command) > LONGEST:
        return None
    try:
        plain = of_powershell(command) if powershell else native(command) if windows else command
        walked = stages_of(parse(plain), "", windows=windows)
    except (UnreadableError, RecursionError):
        return None
    uses = tuple(use_of(stage) for stage in walked.stages)
    return Analysis(stages=walked.stages, uses=uses, sure=walked.sure, same=walked.same)
