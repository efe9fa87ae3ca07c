"""What the silence of a command says: its search found nothing, its comparison no difference. Read again from the texts
of a call, when a debt asks (spec 10, "Debts": `read`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from gate_core.footprint.command import Command
from gate_core.footprint.rules import that
from gate_core.footprint.shell import command_of
from gate_core.footprint.targets import same_target
from gate_core.footprint.vain import Vain, told_by_script, vain_of_words
from gate_core.model.call import ToolCall
from gate_core.model.late import late
from gate_core.model.profile import ToolProfile
from gate_core.shell import Role, Shows

_SUMS = late(r"(?:md5|sha\d*|b2|b3|shasum|ck)(?:sum)?")
_SUM = late(r"([0-9a-f]{16,128})[ *]{1,3}(\S.{0,300})")
_WHOLE = late(r"-[quarN]+|--(?:brief|recursive|text|unified|new-file)")


def vain_of_command(profile: ToolProfile, call: ToolCall, roots: Sequence[str]) -> Vain | None:
    """What the one search of a command was for, where it printed nothing, or a count of nothing."""
    command = command_of(profile, call)
    searches = (
        [at for at, stage in enumerate(command.analysis.stages) if stage.program in that("search")] if command else []
    )
    if command is None or len(searches) != 1 or not _found_nothing(command, searches[0]):
        return None
    words = [word.text for word in command.analysis.stages[searches[0]].argv]
    return vain_of_words([command.analysis.stages[searches[0]].program, *words[1:]], roots)


def _found_nothing(command: Command, at: int) -> bool:
    stages, shown = command.analysis.stages, command.rest.strip()
    if command.talkers == {at}:
        return not shown
    counts = [i for i, stage in enumerate(stages) if stage.program == "wc" and stages[at].feeds == (i,)]
    return command.talkers == set(counts) and bool(counts) and shown == "0"


def script_pairs(profile: ToolProfile, call: ToolCall, target: str) -> tuple[tuple[str, str], ...]:
    """(new text, replaced text) of what a stream editor was told to do to a target in place."""
    command = command_of(profile, call)
    for at, stage in enumerate(command.analysis.stages if command else ()):
        places = [place for place in command.files(at) if place.role is Role.WRITE] if command else []
        if stage.program in that("edit") and any(same_target(place.word.text, target) for place in places):
            return told_by_script(_scripts([word.text for word in stage.argv[1:]]))
    return ()


def _scripts(words: list[str]) -> list[str]:
    given = [word for before, word in pairwise(words) if before in ("-e", "--expression", "-pe")]
    return given or [word for word in words if not word.startswith("-")][:1]


def copied_from(profile: ToolProfile, call: ToolCall, target: str) -> tuple[str, ...]:
    """The files a target was copied from, as the command spells them."""
    command = command_of(profile, call)
    found: list[str] = []
    for at, stage in enumerate(command.analysis.stages if command else ()):
        places = list(command.files(at)) if command else []
        goals = [place for place in places if place.role in (Role.WRITE, Role.MAKE)]
        if stage.program in that("copy") and any(same_target(place.word.text, target) for place in goals):
            found += [place.word.text for place in places if place.role is Role.LIST]
    return tuple(found)


def compared_equal(profile: ToolProfile, call: ToolCall) -> tuple[tuple[str, str], ...]:
    """The pairs of files that a command compared and found equal, as it spells them."""
    command = command_of(profile, call)
    return tuple(pair for at in range(len(command.analysis.stages)) for pair in _equal(command, at)) if command else ()


def _equal(command: Command, at: int) -> Iterator[tuple[str, str]]:
    stage = command.analysis.stages[at]
    if _SUMS.fullmatch(stage.program) and command.reach(at) is Shows.CONTENT:
        yield from _equal_sums(command.rest)
        return
    files = [place.word.text for place in command.files(at) if place.role in (Role.READ, Role.LIST)]
    options = [word.text for word in stage.argv[1:] if word.text.startswith("-")]
    whole = all(map(_WHOLE.fullmatch, options))
    silent = command.reach(at) is Shows.CONTENT and not command.rest.strip()
    if stage.program in that("compare") and len(files) == 2 and whole and silent:
        yield files[0], files[1]


def _equal_sums(text: str) -> Iterator[tuple[str, str]]:
    first: dict[str, str] = {}
    for line in text.splitlines()[:200]:
        if found := _SUM.fullmatch(line.strip()):
            other = first.setdefault(found[1], found[2])
            if other != found[2]:
                yield other, found[2]
