"""What one stage does: the places it touches, what it prints, and what becomes of what is piped into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gate_core.shell.expand import Word
from gate_core.shell.programs import Arguments, Program, Role, Shows
from gate_core.shell.stages import Stage

SOMEWHERE = (0, 0)
"""The lines of a look that shows parts of a file and does not say which."""


class Place(NamedTuple):
    """A place a stage touches. `text` is what is written there, where the command says it; `lines` what is shown;
    `filtered` says that only some of what is there was asked for (a WHERE, a LIMIT, a label selector)."""

    role: Role
    word: Word
    lines: tuple[int, int] | None = None
    text: str | None = None
    filtered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What one stage does.

    Attributes:
        places: what it touches.
        shows: what of what it reads it prints.
        passes: what it prints of what is piped into it.
        says: the literal text it prints, None where its output cannot be told.
        quiet: it prints nothing when all is well.
        opaque: it may change what nobody can name.
        sweeps: the folder below which it may change everything; None where that is not known.
        folder: where it was told to work ("git -C conf"); None where it was told nothing.
        domain: the world it acts in, "" for local files.
        answers: exit codes besides 0 that are answers.
        program: the row it was read by, None for a program nobody knows.
        finds: its output names the files it shows ("git diff", "grep -r").
    """

    places: tuple[Place, ...] = ()
    shows: Shows = Shows.OWN
    passes: Shows = Shows.NOTHING
    says: str | None = None
    quiet: bool = False
    opaque: bool = False
    sweeps: Word | None = None
    folder: Word | None = None
    domain: str = ""
    answers: tuple[int, ...] = ()
    program: Program | None = None
    finds: bool = False

    @property
    def leaves(self) -> bool:
        """True when it takes something away from where it was, as a move does."""
        return any(place.role is Role.LEAVE for place in self.places)

    def domain_of(self, place: Place) -> str:
        """The world of a place: that of the use for what is spelled as a part of it ("docker:image/web", or
        "tool:docker" for what has no name), "" for local files and for addresses, which live in their host."""
        kind = place.word.text.partition(":")
        inside = bool(self.domain) and bool(kind[1]) and self.domain in (kind[0], kind[2] if kind[0] == "tool" else "")
        return self.domain if inside else ""


NOWHERE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "-", "1", "2"})


_HARMLESS = frozenset({"skip", "read", "read*", "list", "list*", "run*"})


def by_roles(program: Program, args: Arguments, stage: Stage) -> Use:
    """The common reading of a row: every operand has a role, options bend it."""
    names = args.has(program.names_with)
    writes = args.has(program.writes_with)
    checks = args.has(program.checks_with)
    shows = Shows.NAMES if names and program.shows in (Shows.CONTENT, Shows.PART) else program.shows
    if writes:
        shows = Shows.NOTHING
    places = tuple(_placed(program, args, stage, writes=writes, names=shows is Shows.NAMES, checks=checks))
    reads = any(place.role in (Role.READ, Role.LIST) for place in places)
    acts = stage.fed and not checks and (writes or not set(program.operands) <= _HARMLESS)
    return Use(
        places=places,
        shows=shows,
        passes=Shows.NOTHING if reads or not stage.piped else shows if "read*" in program.operands else Shows.NOTHING,
        quiet=shows is Shows.NOTHING,
        opaque=(program.opaque and not checks) or acts,
        domain=program.domain,
        answers=program.answers,
        program=program,
        finds=(program.recursive or stage.fed) and shows in (Shows.PART, Shows.CONTENT),
    )


def _placed(
    program: Program, args: Arguments, stage: Stage, *, writes: bool, names: bool, checks: bool
) -> Iterator[Place]:
    operands = args.operands
    roles = list(program.operands)
    if roles and roles[0] == Role.SKIP and args.has(program.pattern_with):
        roles = roles[1:]
    for role, word in zip(spread(roles, len(operands)), operands, strict=False):
        if role is not Role.SKIP and word.text not in NOWHERE:
            yield Place(_bent(role, writes=writes, names=names, checks=checks), word)
    for name, word in args.values:
        if name in program.options and word.text not in NOWHERE:
            yield Place(program.options[name], word)
    if (
        program.default
        and not any(role is not Role.SKIP for role in spread(roles, len(operands)))
        and not (stage.piped or stage.fed)
    ):
        yield Place(Role.LIST if names or program.shows is Shows.NAMES else Role.READ, Word(program.default))


_CHANGING = frozenset({Role.WRITE, Role.MAKE, Role.DELETE, Role.LEAVE})


def _bent(role: Role, *, writes: bool, names: bool, checks: bool) -> Role:
    """The role of an operand after what the options say."""
    if checks and role in _CHANGING:
        return Role.LIST
    if role is Role.READ:
        return Role.WRITE if writes else Role.LIST if names else Role.READ
    return role


def spread(roles: list[str], count: int) -> list[Role]:
    """The roles of so many operands: the starred one takes what the others leave."""
    star = next((i for i, role in enumerate(roles) if role.endswith("*")), None)
    if star is None:
        return [Role(role) for role in roles[:count]]
    before, after = roles[:star], roles[star + 1 :]
    many = max(count - len(before) - len(after), 0)
    full = [*before, *[roles[star].removesuffix("*")] * many, *after]
    return [Role(role) for role in (full if many or count >= len(before) + len(after) else [*before, *after][:count])]
